"""The latency of a claim by what else is in the file.

Two kinds of backlog are ahead of the jobs that are claimed: jobs that cannot be claimed (leased, in backoff, dead:
what an outage leaves behind), and jobs that are pending. Every queue has one file per backlog, all files are open at
once, and the claims rotate over all queues and files, so that a ratio to the empty file is within one run. A peer's
backlog has the states that it knows; see `benchmarks/queue/peers.py`. A claim is each queue's own call with its own
SQL, without syncing the disk. All files start with an empty log.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.child import ROOT
from benchmarks.plan import Plan, main
from benchmarks.queue.chart import Series, chart
from benchmarks.queue.contest import Contest
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import middle, ratio, take_turns

SIZES = (0, 1_000, 10_000, 100_000, 1_000_000)
QUICK_SIZES = (0, 1_000)
CLAIMS = 20
CHART = ROOT / "docs" / "claim-cost.svg"
KINDS = {False: "leased, waiting or dead", True: "pending"}

Places = dict[tuple[str, int], str]


def measure(plan: Plan) -> Report:
    sizes = QUICK_SIZES if plan.quick else SIZES
    with Contest(plan) as contest:
        unavailable, pending = (_claims(plan, contest, sizes, available=kind) for kind in KINDS)
        versions = contest.versions
    if not plan.quick:
        _draw(unavailable, CHART)
    tables = [
        _table(
            f"Claim p50 by number of jobs {KINDS[kind]} ahead; in parentheses the ratio to an empty file.", costs, sizes
        )
        for kind, costs in ((False, unavailable), (True, pending))
    ]
    return Report(
        tables=tables,
        bounds=_bounds(unavailable, pending, sizes),
        conditions=("no sync of the disk", "payload 200 bytes", *versions),
        remarks=contest.remarks,
    )


def _claims(
    plan: Plan, contest: Contest, sizes: tuple[int, ...], *, available: bool
) -> dict[str, dict[int, list[float]]]:
    """The median of each round, by queue and size."""
    places: Places = {}
    for name, child in contest.children.items():
        for size in sizes:
            file = contest.open(name, f"{KINDS[available][:7]}-{size}", durable=False)
            child.ask("fill", file=file, count=size, available=available)
            child.ask("put", file=file, count=50)
            places[name, size] = file

    def turn(place: tuple[str, int]) -> float:
        return middle(contest.children[place[0]].ask("claims", file=places[place], count=CLAIMS))

    results = take_turns({place: place for place in places}, plan.of(full=15, quick=2), turn)
    contest.close_files()
    return {name: {size: results[name, size] for size in sizes} for name in contest.children}


def _table(caption: str, costs: dict[str, dict[int, list[float]]], sizes: tuple[int, ...]) -> Table:
    rows = [
        (name, *(f"{duration(middle(by_size[size]))} ({number(ratio(by_size[size], by_size[0]))})" for size in sizes))
        for name, by_size in costs.items()
    ]
    return Table(caption=caption, columns=("queue", *(f"{size:,}" for size in sizes)), rows=rows)


def _bounds(
    unavailable: dict[str, dict[int, list[float]]], pending: dict[str, dict[int, list[float]]], sizes: tuple[int, ...]
) -> list[Bound]:
    most, few = sizes[-1], sizes[1]
    ours, waiting = unavailable["jotsam"], pending["jotsam"]
    return [
        Bound(promise=f"claim with {most:,} jobs not available", measured=ratio(ours[most], ours[0]), limit=1.3),
        Bound(
            promise=f"claim with {most:,} pending, against {few:,}",
            measured=ratio(waiting[most], waiting[few]),
            limit=1.3,
        ),
    ]


def _draw(costs: dict[str, dict[int, list[float]]], path: Path) -> None:
    lines = [
        Series(name=name, points=[(size, middle(by_size[size]) / 1e3) for size in by_size if size])
        for name, by_size in costs.items()
    ]
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        chart(
            lines,
            title="Claim latency by queue depth",
            across="jobs that cannot be claimed",
            up="microseconds per claim (p50)",
        )
    )


if __name__ == "__main__":
    main(measure, __doc__)
