"""The latency of a claim by the number of jobs that wait.

Every queue has a database for each backlog, and the claims rotate over all of them, so that a ratio to the empty queue
is within one run. A claim is each queue's own call with its own SQL; ours is a transaction with its commit.
"""

from __future__ import annotations

from benchmarks.child import ROOT, Child
from benchmarks.plan import Plan, main
from benchmarks.postgres.contest import Contest
from benchmarks.queue.chart import Series, chart
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import middle, ratio, take_turns

SIZES = (0, 1_000, 100_000)
QUICK_SIZES = (0, 100)
CLAIMS = 20
CHART = ROOT / "docs" / "postgres-claim-cost.svg"


def measure(plan: Plan) -> Report:
    sizes = QUICK_SIZES if plan.quick else SIZES
    with Contest(plan) as contest:
        names = [name for name in contest.names if name != "pgqueuer, psycopg"]
        places: dict[tuple[str, int], Child] = {}
        for name in names:
            children = contest.processes(name, len(sizes))
            for child, size in zip(children, sizes, strict=True):
                places[name, size] = _laid(contest, name, child, size)

        def turn(child: Child) -> float:
            child.ask("fill", count=CLAIMS)
            return middle(child.ask("claims", count=CLAIMS))

        costs = take_turns(places, plan.of(full=9, quick=1), turn)  # type: ignore[arg-type]
        remarks, versions = contest.remarks, contest.versions
    rows = [
        (
            name,
            *(
                f"{duration(middle(costs[name, size]))} ({number(ratio(costs[name, size], costs[name, 0]))})"
                for size in sizes
            ),
        )
        for name in names
    ]
    if not plan.quick:
        lines = [
            Series(name=name, points=[(size, middle(costs[name, size]) / 1e3) for size in sizes if size])
            for name in names
        ]
        title = "Claim latency by number of waiting jobs, PostgreSQL"
        CHART.write_text(chart(lines, title=title, across="jobs that wait", up="microseconds per claim (p50)"))
    measured = ratio(costs["jotsam", sizes[-1]], costs["jotsam", 0])
    bound = Bound(promise=f"claim on a server with {sizes[-1]:,} jobs waiting", measured=measured, limit=1.5)
    caption = "Claim p50 by number of jobs waiting; in parentheses the ratio to an empty queue."
    table = Table(caption=caption, columns=("queue", *(f"{size:,}" for size in sizes)), rows=rows)
    conditions = ("not synced", "payload 200 bytes", *versions)
    return Report(tables=[table], bounds=[bound], conditions=conditions, remarks=remarks)


def _laid(contest: Contest, name: str, child: Child, size: int) -> Child:
    """A process that has a database of its own open, with so many jobs in it."""
    database = contest.server.new_database(durable=False)
    options = {"durable": False} if name == "jotsam" else {}
    child.ask("start", name=name, url=contest.server.url(database), **options)
    child.ask("install")
    child.ask("fill", count=size + 1)
    contest.server.execute(database, "vacuum analyze")
    return child


if __name__ == "__main__":
    main(measure, __doc__)
