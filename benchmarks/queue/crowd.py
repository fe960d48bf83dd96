"""What others on the same file cost: eight processes that all write, and a reader that never ends.

Eight processes put, claim and acknowledge as fast as they can; the worst wait is the longest that any one of these
verbs took in any of them, and the figure is the median of the worst waits of the rounds.
A read transaction that somebody forgot keeps SQLite from starting its log afresh. Two files take turns, one with such a
reader in a process of its own and one without; the log of the first grows from round to round, as it would in life, and
the ratio is that of the last rounds.
"""

from __future__ import annotations

from contextlib import ExitStack

from benchmarks.child import Child
from benchmarks.plan import Plan, main
from benchmarks.queue.processor import WORKER
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import middle, ratio, take_turns

PROCESSES = 8
LAST = 5
Crowd = list[Child]


def measure(plan: Plan) -> Report:
    waits = {words: _worst_waits(plan, durable=durable) for words, durable in (("no sync", False), ("synced", True))}
    alone, beside = _beside_a_reader(plan)
    slower = ratio(beside[-LAST:], alone[-LAST:])
    crowd_rows = [
        (words, duration(middle(worst for worst, _ in rounds)), number(middle(rate for _, rate in rounds)))
        for words, rounds in waits.items()
    ]
    reader_rows = [
        ("nobody reads", duration(middle(alone[-LAST:])), "1"),
        ("somebody reads for ever", duration(middle(beside[-LAST:])), number(slower)),
    ]
    bounds = [
        Bound(
            promise=f"worst wait of {PROCESSES} processes, {words}",
            measured=middle(worst for worst, _ in rounds) / 1e6,
            limit=150,
            unit="ms",
        )
        for words, rounds in waits.items()
    ]
    bounds.append(Bound(promise="cycle beside an endless reader", measured=slower, limit=1.5))
    tables = [
        Table(caption=f"{PROCESSES} processes.", columns=("durability", "worst wait", "cycles/s of all"), rows=crowd_rows),
        Table(caption="One cycle, p50.", columns=("beside it", "cycle", "ratio"), rows=reader_rows),
    ]
    return Report(tables=tables, bounds=bounds, conditions=("payload 200 bytes", "cycles beside the reader not synced"))


def _worst_waits(plan: Plan, *, durable: bool) -> list[tuple[float, float]]:
    """The worst wait and the cycles per second, by round."""
    seconds = plan.of(full=30, quick=3) / 10
    with ExitStack() as stack:
        children = [stack.enter_context(Child(WORKER)) for _ in range(PROCESSES)]
        for child in children:
            child.ask("start", file=str(plan.folder / f"crowd-{durable}"), durable=durable)

        def turn(crowd: Crowd) -> tuple[float, float]:
            for child in crowd:
                child.begin("crowd", seconds=seconds)
            answers = [child.answer() for child in crowd]
            return max(a["longest"] for a in answers), sum(a["cycles"] for a in answers) / seconds

        return take_turns({"crowd": children}, plan.of(full=7, quick=1), turn)["crowd"]


def _beside_a_reader(plan: Plan) -> tuple[list[float], list[float]]:
    """The cycle in each round, without and with a reader."""
    with Child(WORKER) as alone, Child(WORKER) as beside, Child(WORKER) as reader:
        alone.ask("start", file=str(plan.folder / "alone"), durable=False)
        file = str(plan.folder / "beside")
        beside.ask("start", file=file, durable=False)
        reader.ask("read_for_ever", file=file)
        sides = {"alone": alone, "beside": beside}
        number_of_cycles = plan.of(full=1_000, quick=100)
        results = take_turns(sides, plan.of(full=15, quick=1), lambda child: child.ask("cycles", number=number_of_cycles))
    return results["alone"], results["beside"]


if __name__ == "__main__":
    main(measure, __doc__)
