"""The throughput of worker processes with empty jobs, claimed and acknowledged in batches.

The bare loop is one table and two statements, without history, counters, separate payload, heartbeat or handlers: it
is the ceiling. `jotsam.Processor` is the whole worker with one thread per process: every job is fenced, has a handler,
a row of history and counters, and what its handler writes is in the commit that acknowledges it. pgqueuer and
procrastinate run their own workers, and neither fences; procrastinate has no batches, so it is in the table of one.
All use the same server and the same `synchronous_commit`, take turns, and are timed from outside: from the start
signal to connected processes until no job is left in the table. The bare loop commits twice per batch and ours once,
so with a synced disk the ceiling is not above ours.
"""

from __future__ import annotations

from benchmarks.child import ROOT
from benchmarks.plan import Plan, main
from benchmarks.postgres.contest import Contest
from benchmarks.queue.chart import Series, chart
from benchmarks.report import Bound, Report, Table, number
from benchmarks.timing import middle, ratio, take_turns

WORKERS = (1, 4, 16)
JOBS = {1: 500, 10: 3_000, 100: 20_000}
QUICK_JOBS = {1: 30, 100: 200}
CHART = ROOT / "docs" / "postgres-throughput.svg"

Rates = dict[tuple[str, int], list[float]]


def measure(plan: Plan) -> Report:
    jobs = QUICK_JOBS if plan.quick else JOBS
    workers = (1, 2) if plan.quick else WORKERS
    with Contest(plan) as contest:
        unsynced = {batch: _rates(plan, contest, workers, batch, jobs[batch]) for batch in jobs}
        synced = {100: _rates(plan, contest, (4,), 100, jobs[100], durable=True)}
        remarks, versions = contest.remarks, contest.versions
    if not plan.quick:
        _draw(unsynced[100])
    tables = [_table(f"Batches of {batch}, not synced.", unsynced[batch], workers) for batch in jobs]
    tables += [_table(f"Batches of {batch}, synced.", rates, (4,)) for batch, rates in synced.items()]
    return Report(
        tables=tables, bounds=_bounds(unsynced, workers), conditions=("payload 200 bytes", *versions), remarks=remarks
    )


def _rates(
    plan: Plan, contest: Contest, workers: tuple[int, ...], batch: int, jobs: int, *, durable: bool = False
) -> Rates:
    """Jobs per second in each round, by queue and number of workers."""
    names = [name for name in contest.names if batch == 1 or name != "procrastinate"]
    sides = {(name, count): (name, count) for name in names for count in workers}

    def turn(side: tuple[str, int]) -> float:
        name, count = side
        fewer = jobs // 4 if name == "procrastinate" else jobs
        return contest.drain(name, workers=count, batch=batch, jobs=fewer, durable=durable)

    return take_turns(sides, plan.of(full=3, quick=1), turn)


def _table(caption: str, rates: Rates, workers: tuple[int, ...]) -> Table:
    names = list(dict.fromkeys(name for name, _ in rates))
    rows = [
        (
            name,
            *(
                f"{number(middle(rates[name, count]))} ({number(ratio(rates[name, count], rates['bare', count]))})"
                for count in workers
            ),
        )
        for name in names
    ]
    columns = ("jobs/s, in parentheses against bare", *(f"{count} workers" for count in workers))
    return Table(caption=caption, columns=columns, rows=rows)


def _bounds(rates: dict[int, Rates], workers: tuple[int, ...]) -> list[Bound]:
    most = max(rates)
    bounds = [
        Bound(
            promise=f"drain by {count} workers in batches of {most}, against the bare loop",
            measured=ratio(rates[most]["jotsam", count], rates[most]["bare", count]),
            limit=0.25,
            at_least=True,
        )
        for count in workers
    ]
    for batch, by_side in rates.items():
        for name in ("pgqueuer, asyncpg", "pgqueuer, psycopg"):
            if (name, workers[0]) not in by_side:
                continue
            least = min(ratio(by_side["jotsam", count], by_side[name, count]) for count in workers)
            promise = f"drain in batches of {batch}, against {name}, where it does best"
            bounds.append(Bound(promise=promise, measured=least, limit=1, at_least=True))
    return bounds


def _draw(rates: Rates) -> None:
    names = dict.fromkeys(name for name, _ in rates)
    lines = [
        Series(name=name, points=[(count, middle(taken)) for (other, count), taken in rates.items() if other == name])
        for name in names
    ]
    text = chart(
        lines, title="Jobs per second by worker processes, batches of 100", across="worker processes", up="jobs/s"
    )
    CHART.write_text(text)


if __name__ == "__main__":
    main(measure, __doc__)
