"""What partitions by tenant cost: storing, processing and answering, without partitions, with one and with several.

One tenant has 5,000 memories, those of `recall.latency`, and nine others share 500. The databases take turns in
rounds: each stores single memories, processes their jobs with one worker, and answers questions of 2,000 tokens. "CPU"
is the processor time of the server's processes for one of them; the ratio is that of one round, against a database
without partitions. "Memory" is what one connection has allocated for itself after all rounds (`RssAnon`). The role is
no superuser.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import jotsam
from benchmarks.plan import Plan, main
from benchmarks.postgres.server import ROLE, Server
from benchmarks.recall.latency import fill, questions
from benchmarks.report import Report, Table, duration, number
from benchmarks.timing import middle, ratio, take_turns
from jotsam.core.settings import Settings
from jotsam.storage import connect

PARTITIONS, QUICK_PARTITIONS = (0, 1, 4, 16), (0, 2)
OTHERS = 9
WHAT = ("storing a memory", "processing its jobs", "an answer")


@dataclass(frozen=True, kw_only=True)
class Side:
    """A database with its number of partitions."""

    name: str
    url: str
    jot: jotsam.Jotsam
    asked: Iterator[str]
    numbers: Iterator[int]


def measure(plan: Plan) -> Report:
    with ExitStack() as stack:
        server = stack.enter_context(Server(plan.folder))
        sides = {
            _title(partitions): stack.enter_context(_Opened(plan, server, partitions))
            for partitions in (QUICK_PARTITIONS if plan.quick else PARTITIONS)
        }
        each = plan.of(full=50, quick=3)
        times = take_turns(sides, plan.of(full=5, quick=1), lambda side: _turn(server, side, each))
        memory = {name: _memory(server, side.name) for name, side in sides.items()}
        version = server.version
    rows = []
    bare = times[_title(0)]
    for name, rounds in times.items():
        cells = [name]
        for place in range(len(WHAT)):
            mine, theirs = ([one[place] for one in side] for side in (rounds, bare))
            cells += [duration(middle(mine)), number(ratio(mine, theirs))]
        rows.append((*cells, f"{memory[name] / 1024:,.1f} MiB"))
    columns = ("partitions", *itertools.chain(*((f"{what}, CPU", "ratio") for what in WHAT)), "memory")
    table = Table(caption="The processor time of the server.", columns=columns, rows=rows)
    conditions = (f"{plan.of(full=5, quick=1)} rounds of {each} memories and {each} questions", "not synced", version)
    return Report(tables=[table], conditions=conditions)


class _Opened:
    """A new database, filled and analyzed, until the benchmark ends."""

    def __init__(self, plan: Plan, server: Server, partitions: int) -> None:
        self._size, self._server, self._partitions = plan.of(full=5_000, quick=100), server, partitions

    def __enter__(self) -> Side:
        name = self._server.new_database(durable=False, owner=ROLE)
        url = self._server.url(name, ROLE)
        connect(url, partitions=self._partitions).close()
        for tenant in ("default", *(f"other{place}" for place in range(OTHERS))):
            with jotsam.Jotsam(settings=Settings(db=url, worker="off", tenant=tenant)) as jot:
                fill(jot, self._size if tenant == "default" else self._size // 10 // OTHERS)
        self._server.execute(name, "vacuum analyze")
        settings = Settings(db=url, worker="off", worker_idle_ms=0, concurrency=1)
        self._jot = jotsam.Jotsam(settings=settings)
        return Side(name=name, url=url, jot=self._jot, asked=questions(), numbers=itertools.count())

    def __exit__(self, *_: object) -> None:
        self._jot.close()


def _turn(server: Server, side: Side, each: int) -> Sequence[float]:
    """The processor time of one memory, of its jobs, and of one answer."""

    def worked(work: Callable[[], object]) -> float:
        before = server.worked_ns(side.name)
        work()
        return (server.worked_ns(side.name) - before) / each

    texts = [f"Ana Lee moved the launch of project{next(side.numbers)} to Bonn, which uses Redis." for _ in range(each)]
    asked = list(itertools.islice(side.asked, each))
    return (
        worked(lambda: [side.jot.remember(text) for text in texts]),
        worked(side.jot.work),
        worked(lambda: [side.jot.recall(question) for question in asked]),
    )


def _memory(server: Server, name: str) -> int:
    """Of the largest connection to a database, in KiB."""
    pids = server.execute("postgres", "select pid from pg_stat_activity where datname = %s", [name])
    lines = (line for (pid,) in pids for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return max(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))


def _title(partitions: int) -> str:
    return f"{partitions}" if partitions else "none"


if __name__ == "__main__":
    main(measure, __doc__)
