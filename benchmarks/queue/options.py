"""The cost of lanes and of fairness between tenants, against the same queue without them.

Each variant has a file of its own in the same process, and the variants take turns. Jobs are spread over ten lanes or
ten tenants, with a thousand jobs pending.
"""

from __future__ import annotations

from typing import Any

from benchmarks.plan import Plan, main
from benchmarks.queue.contest import Contest
from benchmarks.queue.cost import CYCLES, PENDING, VERBS
from benchmarks.report import Report, Table, duration, number
from benchmarks.timing import middle, ratio, take_turns

VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "ten lanes, parallel jobs": {"options": {"lanes": 10}},
    "ten lanes, every job a barrier": {"options": {"lanes": 10, "parallel": False}},
    "ten tenants": {"options": {"tenants": 10}},
    "ten tenants, fair": {"options": {"tenants": 10}, "fair": True},
}


def measure(plan: Plan) -> Report:
    with Contest(plan, peers=False) as contest:
        child = contest.children["jotsam"]
        files = {
            variant: contest.open("jotsam", f"option-{number}", durable=False, **options)
            for number, (variant, options) in enumerate(VARIANTS.items())
        }
        for file in files.values():
            child.ask("put", file=file, count=plan.of(full=PENDING, quick=20))

        def turn(file: str) -> dict[str, float]:
            took = child.ask("cycles", file=file, count=CYCLES)
            return {verb: middle(took[verb]) for verb in VERBS}

        rounds = take_turns(files, plan.of(full=25, quick=2), turn)
        contest.close_files()
    cycles = {variant: [sum(verbs.values()) for verbs in taken] for variant, taken in rounds.items()}
    rows = [
        (
            variant,
            *(duration(middle(verbs[verb] for verbs in rounds[variant])) for verb in VERBS),
            number(ratio(cycles[variant], cycles["plain"])),
        )
        for variant in VARIANTS
    ]
    table = Table(caption="One by one: p50.", columns=("variant", *VERBS, "against plain"), rows=rows)
    conditions = ("no sync of the disk", "payload 200 bytes", f"{PENDING:,} jobs pending")
    return Report(tables=[table], conditions=conditions)


if __name__ == "__main__":
    main(measure, __doc__)
