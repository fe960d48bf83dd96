"""The cost of other processes on the same file: eight writers, and a long-running reader.

Eight processes put, claim and acknowledge as fast as they can. The worst wait is the longest single call of any of
them, and the figure is the median over the rounds. A read transaction that stays open keeps SQLite from restarting its
log, so the log grows. Files with such a reader, in a process of its own, and files without take turns, for
`jotsam.Queue` and for the bare loop, which leaves the log to SQLite's defaults; the ratio is that of the last rounds,
when the log is long. Most of the cost is the file system's: growing a file takes longer than writing over it.
"""

from __future__ import annotations

from contextlib import ExitStack

from benchmarks.child import Child
from benchmarks.plan import Plan, main
from benchmarks.queue.contest import Contest
from benchmarks.queue.cost import VERBS
from benchmarks.queue.processor import WORKER
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import middle, ratio, take_turns

PROCESSES = 8
SIDES = ("jotsam", "bare")
LAST = 5

Crowd = list[Child]


def measure(plan: Plan) -> Report:
    waits = {words: _worst_waits(plan, durable=durable) for words, durable in (("no sync", False), ("synced", True))}
    cycles = _beside_a_reader(plan)
    bounds = [
        Bound(
            promise=f"worst wait of {PROCESSES} processes, {words}",
            measured=middle(worst for worst, _ in rounds) / 1e6,
            limit=150,
            unit="ms",
        )
        for words, rounds in waits.items()
    ]
    bounds.append(Bound(promise="cycle with a long-running reader", measured=_slower(cycles, "jotsam"), limit=1.5))
    tables = [_crowd_table(waits), _reader_table(cycles)]
    return Report(tables=tables, bounds=bounds, conditions=("payload 200 bytes", "cycles with the reader not synced"))


def _crowd_table(waits: dict[str, list[tuple[float, float]]]) -> Table:
    rows = [
        (words, duration(middle(worst for worst, _ in rounds)), number(middle(rate for _, rate in rounds)))
        for words, rounds in waits.items()
    ]
    return Table(caption=f"{PROCESSES} processes.", columns=("durability", "worst wait", "cycles/s of all"), rows=rows)


def _reader_table(cycles: dict[tuple[str, bool], list[float]]) -> Table:
    rows = [
        (
            name,
            duration(middle(cycles[name, False][-LAST:])),
            duration(middle(cycles[name, True][:LAST])),
            duration(middle(cycles[name, True][-LAST:])),
            number(_slower(cycles, name)),
        )
        for name in SIDES
    ]
    columns = ("side", "no reader", "with a reader, at first", "at the end", "ratio")
    return Table(caption="Put, claim and acknowledge: p50.", columns=columns, rows=rows)


def _slower(cycles: dict[tuple[str, bool], list[float]], name: str) -> float:
    return ratio(cycles[name, True][-LAST:], cycles[name, False][-LAST:])


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


def _beside_a_reader(plan: Plan) -> dict[tuple[str, bool], list[float]]:
    """The cycle in each round, by side and by whether somebody reads."""
    cycles = plan.of(full=500, quick=50)
    with Contest(plan, peers=False) as contest, Child(WORKER) as reader:
        files = {
            (name, is_read): contest.open(name, f"read-{is_read}", durable=False)
            for name in SIDES
            for is_read in (False, True)
        }
        for name in SIDES:
            reader.ask("read_for_ever", file=files[name, True])

        def turn(side: tuple[str, bool]) -> float:
            took = contest.children[side[0]].ask("cycles", file=files[side], count=cycles)
            return sum(middle(took[verb]) for verb in VERBS)

        return take_turns({side: side for side in files}, plan.of(full=30, quick=1), turn)


if __name__ == "__main__":
    main(measure, __doc__)
