"""Many tenants in one database, and one that is large: what accepting, claiming, enriching and recall cost then.

The memories of one tenant are written as in `recall.latency` and copied to the others; the large one gets them many
times (`benchmarks.postgres.copies`).
Then new notes are accepted for tenants by chance, a worker enriches them, and tenants by chance and the large one are
asked. "CPU" is the processor time of the server. A vacuum follows after the tags of 1 % of the memories were replaced.

    python -m benchmarks.postgres.scale --tenants 901 --each 10000 --large 1000000     an hour and a half, 50 GB
"""

from __future__ import annotations

import argparse
import itertools
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns

import jotsam
from benchmarks.postgres.copies import multiply
from benchmarks.postgres.server import ROLE, Server
from benchmarks.recall.latency import fill, questions, vocabulary
from benchmarks.report import Report, Table, duration
from benchmarks.timing import percentile
from jotsam.core.settings import Settings

SETTINGS = {"max_wal_size": "8GB", "checkpoint_timeout": "30min"}


def measure(folder: Path, *, tenants: int, each: int, large: int, rounds: int) -> Report:
    with Server(folder) as server:
        for name, value in SETTINGS.items():
            server.execute("postgres", f"alter system set {name} = '{value}'")
        server.execute("postgres", "select pg_reload_conf()")
        database = server.new_database(durable=True, owner=ROLE)
        run = Scale(server, database)
        began = perf_counter_ns()
        run.fill("first", each)
        multiply(server, database, first="first", tenants=tenants - 1, large="large", times=large // each)
        server.execute(database, "vacuum analyze")
        made = perf_counter_ns() - began
        rows = [("made and indexed in", duration(made), "")]
        (count,), (size,) = (
            server.execute(database, sql)[0]
            for sql in ("select count(*) from jotsam.memory", "select pg_database_size(current_database())")
        )
        rows += [("memories", f"{count:,}", ""), ("size", f"{size / 1e9:,.1f} GB", f"{size / count:,.0f} B a memory")]
        names = ["first", *(f"tenant {number}" for number in range(1, tenants))]
        dice = random.Random(3)
        rows.append(run.timed("accept a note, tenants by chance", rounds * 5, lambda: run.accept(dice.choice(names))))
        rows.append(run.timed("send, claim and acknowledge a job", rounds * 5, run.claim))
        rows.append(run.enriched(rounds * 5))
        rows.append(
            run.timed(f"recall, {each:,} memories, tenants by chance", rounds, lambda: run.ask(dice.choice(names)))
        )
        rows.append(run.timed(f"recall, one of {each:,}, warm", rounds, lambda: run.ask("first")))
        if large:
            rows.append(run.timed(f"recall, {large:,} memories, warm", rounds, lambda: run.ask("large")))
        rows += run.vacuum(count)
        version = server.version
        run.close()
    columns = ("what", "p50, p99", "CPU of the server")
    table = Table(caption=f"{tenants:,} tenants of {each:,} memories.", columns=columns, rows=rows)
    return Report(tables=[table], conditions=(version, "2 cores for everything", *map("=".join, SETTINGS.items())))


class Scale:
    """What is done to a database, each with its time and the processor time of the server."""

    def __init__(self, server: Server, database: str) -> None:
        self._server, self._database, self._url = server, database, server.url(database, ROLE)
        self._shared = jotsam.Jotsam(settings=Settings(db=self._url, worker="off"))
        self._queue = jotsam.Queue(self._shared.database, "benchmark")
        self._words, self._questions = vocabulary(random.Random(23)), questions()

    def tenant(self, name: str) -> jotsam.Jotsam:
        return self._shared.scoped(tenant=name)

    def fill(self, name: str, size: int) -> None:
        fill(self.tenant(name), size)

    def accept(self, name: str) -> None:
        self.tenant(name).remember(" ".join(itertools.islice(self._words, 25)) + ".")

    def claim(self) -> None:
        self._queue.send("x" * 200)
        job = self._queue.receive()
        assert job
        self._queue.delete(job)

    def ask(self, name: str) -> None:
        self.tenant(name).recall(next(self._questions))

    def enriched(self, count: int) -> tuple[str, str, str]:
        """Drain what was accepted, in this process."""
        began, worked = perf_counter_ns(), self._worked()
        self._shared.work()
        took, worked = perf_counter_ns() - began, self._worked() - worked
        return "enrich a note, rules only, one process", duration(took / count), duration(worked / count)

    def timed(self, what: str, times: int, call: Callable[[], None]) -> tuple[str, str, str]:
        worked, took = self._worked(), []
        for _ in range(times):
            began = perf_counter_ns()
            call()
            took.append(perf_counter_ns() - began)
        took.sort()
        both = f"{duration(percentile(took, 0.5))}, {duration(percentile(took, 0.99))}"
        return what, both, duration((self._worked() - worked) / times)

    def vacuum(self, count: int) -> list[tuple[str, str, str]]:
        """After one memory in a hundred got other tags, all over the table."""
        self._server.execute(
            self._database, "update jotsam.memory_tag set extractor = extractor || '+' where memory_id % 100 = 7"
        )
        self._server.execute(self._database, "update jotsam.memory set changed_at = 1 where id % 100 = 7")
        rows = []
        for table in ("memory", "memory_tag", "text_index"):
            began = perf_counter_ns()
            self._server.execute(self._database, f"vacuum jotsam.{table}")
            rows.append((f"vacuum {table}", duration(perf_counter_ns() - began), ""))
        return rows

    def close(self) -> None:
        self._shared.close()

    def _worked(self) -> int:
        return self._server.worked_ns(self._database)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tenants", type=int, default=1_000)
    parser.add_argument("--each", type=int, default=10_000, help="memories of each tenant")
    parser.add_argument("--large", type=int, default=0, help="memories of one more tenant")
    parser.add_argument("--rounds", type=int, default=100, help="answers of each kind that are timed")
    parser.add_argument("--disk", type=Path, help="where the database is made meanwhile")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jotsam-scale-", dir=given.disk) as folder:
        report = measure(Path(folder), tenants=given.tenants, each=given.each, large=given.large, rounds=given.rounds)
    print(report.markdown())


if __name__ == "__main__":
    main()
