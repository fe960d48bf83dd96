"""The time that `Jotsam.forget` takes among many memories: for one of them, and for a source of 1,000.

Merging the text index, which removes the words of deleted texts, takes most of it for one memory, and reads the whole
index. The memories are not enriched: each has its text, its source and its words.
"""

from __future__ import annotations

import random

import jotsam
from benchmarks.plan import Plan, main
from benchmarks.report import Report, Table, duration
from benchmarks.timing import timed

WORDS = 40  # of a memory
BATCH = 500


def measure(plan: Plan) -> Report:
    count, many = plan.of(full=100_000, quick=2_000), plan.of(full=1_000, quick=100)
    with jotsam.Jotsam(str(plan.folder / "forget.db"), worker="off") as jot:
        _fill(jot, count, many)
        one = jot.plan_forget(query="", limit=1)
        source = jot.plan_forget(source="3.md")
        rows = [
            (f"{len(chosen.memories):,}", duration(timed(lambda chosen=chosen: jot.forget(chosen), 1)[0]))
            for chosen in (one, source)
        ]
    return Report(tables=[Table(caption=f"Among {count:,}.", columns=("memories", "time"), rows=rows)], bounds=[])


def _fill(jot: jotsam.Jotsam, count: int, many: int) -> None:
    dice = random.Random(1)
    words = ["".join(dice.choices("abcdefghijklmnop", k=7)) for _ in range(20_000)]
    for begin in range(0, count, BATCH):
        places = range(begin, begin + BATCH)
        jot.remember_many({"text": " ".join(dice.choices(words, k=WORDS)), "source": f"{n // many}.md"} for n in places)


if __name__ == "__main__":
    main(measure, __doc__)
