"""The throughput of one worker next to an idle-in-transaction session.

While that transaction is open, the server removes neither finished jobs nor their index entries, so a claim that
starts at the beginning steps over every one of them. Drains with and without such a session take turns, in batches of
ten. The bare loop shows a queue without a countermeasure.
"""

from __future__ import annotations

from benchmarks.plan import Plan, main
from benchmarks.postgres.contest import OURS, Contest
from benchmarks.report import Bound, Report, Table, number
from benchmarks.timing import middle, ratio, take_turns


def measure(plan: Plan) -> Report:
    jobs = plan.of(full=20_000, quick=100)
    sides = {(name, pinned): (name, pinned) for name in OURS for pinned in (False, True)}
    with Contest(plan, peers=False) as contest:

        def turn(side: tuple[str, bool]) -> float:
            name, pinned = side
            return contest.drain(name, workers=1, batch=10, jobs=jobs, pinned=pinned)

        rates = take_turns(sides, plan.of(full=3, quick=1), turn)  # type: ignore[type-var]
        versions = contest.versions
    rows = [
        (
            name,
            number(middle(rates[name, False])),
            number(middle(rates[name, True])),
            number(ratio(rates[name, True], rates[name, False])),
        )
        for name in OURS
    ]
    bound = Bound(
        promise="drain with an idle-in-transaction session, against one without",
        measured=ratio(rates["jotsam", True], rates["jotsam", False]),
        limit=0.6,
        at_least=True,
    )
    columns = ("jobs/s", "without", "with an idle-in-transaction session", "ratio")
    table = Table(caption=f"{jobs:,} jobs, one worker.", columns=columns, rows=rows)
    return Report(tables=[table], bounds=[bound], conditions=("not synced", "payload 200 bytes", *versions))


if __name__ == "__main__":
    main(measure, __doc__)
