"""The latency of an answer on a server by the number of memories, against SQLite, and among other tenants.

The memories and questions are those of `recall.latency`, asked in the same way. The server's tables were vacuumed and
analyzed after they were filled, as autovacuum does within a minute; the role is not a superuser, so row-level security
is in force. Both sides answer the same questions in turns; a figure is of all rounds, and a ratio is that of the two
figures beside it. "Server CPU" is the processor time of the server for one answer. A tenant that is alone in its
database and one with ten others, each with as many memories of the same words, take turns too: other tenants must cost
it nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from time import perf_counter_ns

import jotsam
from benchmarks.child import Child
from benchmarks.plan import Plan, main
from benchmarks.postgres.server import ROLE, Server
from benchmarks.recall.asker import NOT_COUNTED
from benchmarks.recall.latency import ASKER, fill
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import middle, percentile
from jotsam.core.settings import Settings

SIZES, QUICK_SIZES = (1_000, 10_000, 100_000), (200,)
AMONG, OTHERS = 10_000, 10
ROUNDS, ASKED = 3, 30
MOST, MOST_AMONG = 2.0, 1.5
"""How much longer than on a file an answer may take at the largest size, and among others than alone."""

HALF, NEARLY_ALL = 0.5, 0.95

Times = dict[str, list[list[float]]]


def measure(plan: Plan) -> Report:
    sizes = QUICK_SIZES if plan.quick else SIZES
    rows, bounds = [], list[Bound]()
    with Server(plan.folder) as server:
        for size in sizes:
            database = server.new_database(durable=False, owner=ROLE)
            url, path = server.url(database, ROLE), str(plan.folder / f"{size}.db")
            wrote, _ = _filled(url, size), _filled(path, size)
            server.execute(database, "vacuum analyze")
            times, computed = _asked(plan, {"server": url, "file": path}, partial(server.worked_ns, database))
            half, most = _ratio(times, "server", "file", HALF), _ratio(times, "server", "file", NEARLY_ALL)
            weight = server.execute(database, "select pg_total_relation_size('jotsam.text_index')")[0][0] / size
            answered = (*_both(times), number(half), number(most), duration(middle(computed)))
            rows.append((f"{size:,}", *answered, duration(wrote), f"{weight:,.0f} B"))
            if size == SIZES[-1]:
                promise = f"an answer from a server, {size:,} memories, p50, against a file"
                bounds.append(Bound(promise=promise, measured=half, limit=MOST))
            if size == AMONG or plan.quick:
                bounds.append(_among(plan, server, url, size))
            server.drop(database)
        version = server.version
    columns = (
        "memories",
        "server p50",
        "p95",
        "file p50",
        "p95",
        "ratio p50",
        "ratio p95",
        "server CPU",
        "write one",
        "text index",
    )
    table = Table(
        caption="An answer of 2,000 tokens, no model, from a server and from a file.", columns=columns, rows=rows
    )
    return Report(
        tables=[table],
        bounds=bounds,
        conditions=(f"{ROUNDS} rounds of {ASKED} questions", "not synced", version),
    )


def _among(plan: Plan, server: Server, alone: str, size: int) -> Bound:
    """A tenant among others of the same size, against the same tenant alone in its database."""
    database = server.new_database(durable=False, owner=ROLE)
    url = server.url(database, ROLE)
    _filled(url, size)
    for other in range(plan.of(full=OTHERS, quick=2)):
        _filled(url, size, tenant=f"other{other}")
    server.execute(database, "vacuum analyze")
    times, _ = _asked(plan, {"alone": alone, "among": url}, lambda: 0)
    server.drop(database)
    promise = f"an answer to one tenant among {OTHERS} others, {size:,} memories each, p50, against alone"
    return Bound(promise=promise, measured=_ratio(times, "among", "alone", HALF), limit=MOST_AMONG)


def _filled(url: str, size: int, *, tenant: str = "default") -> float:
    """How long it took write one memory, in nanoseconds."""
    with jotsam.Jotsam(settings=Settings(db=url, worker="off", tenant=tenant)) as jot:
        began = perf_counter_ns()
        fill(jot, size)
        took = perf_counter_ns() - began
        jot.database.maintain()
    return took / size


def _asked(plan: Plan, urls: dict[str, str], worked: Callable[[], int]) -> tuple[Times, list[float]]:
    """The times of each side, round by round; and what has been `worked` meanwhile, for one answer."""
    times: Times = {name: [] for name in urls}
    count, computed = plan.of(full=ASKED, quick=5), list[float]()
    with ExitStack() as stack:
        askers = {name: stack.enter_context(Child(ASKER)) for name in urls}
        for name, asker in askers.items():
            asker.ask("start", path=urls[name])
        for _ in range(plan.of(full=ROUNDS, quick=1)):
            before = worked()
            for name, asker in askers.items():
                times[name].append([wall for wall, _ in asker.ask("ask", count=count)])
            computed.append((worked() - before) / (count + NOT_COUNTED))
    return times, computed


def _ratio(times: Times, ours: str, theirs: str, share: float) -> float:
    return _of_all_rounds(times[ours], share) / _of_all_rounds(times[theirs], share)


def _both(times: Times) -> Iterator[str]:
    for rounds in times.values():
        for share in (HALF, NEARLY_ALL):
            yield duration(_of_all_rounds(rounds, share))


def _of_all_rounds(rounds: list[list[float]], share: float) -> float:
    return percentile(itertools.chain.from_iterable(rounds), share)


if __name__ == "__main__":
    main(measure, __doc__)
