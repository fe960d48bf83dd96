"""The latency of an answer: `Jotsam.recall` within a process, and `jotsam recall` as a whole process.

The questions are the headings of the documents, so each has an answer and most have many candidates. Within the
process the other side is one bare full-text query for the same words on the same file, the best fifty by rank, without
footer, excerpts and packing. The whole process is compared with `python -c` that opens a database, inserts and
commits.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import jotsam
from benchmarks.corpus import accepted, headings, shape
from benchmarks.plan import Plan, main
from benchmarks.processes import JOTSAM, bare_insert, process_ns
from benchmarks.report import Report, Table, duration, number
from benchmarks.timing import middle, percentile, ratio, take_turns, timed

MATCH = "select rowid from text_index where text_index match :match order by rank limit 50"
OURS, BARE, COMMAND, PYTHON = "Jotsam.recall", "bare full-text query", "jotsam recall", "python -c, inserts"
ASKED = 40


def measure(plan: Plan) -> Report:
    database = plan.folder / "recall.db"
    accepted(plan.documents, database)
    questions = headings(plan.documents)
    with jotsam.Jotsam(str(database), worker="off") as jot:
        jot.work()
        memories = jot.status().memories
        inside = take_turns(_inside(jot, questions), plan.of(full=25, quick=1), lambda ask: timed(ask, ASKED))
    outside = take_turns(_outside(plan, database, questions), plan.of(full=31, quick=2), lambda run: run())
    tables = [
        Table(
            caption="Within a process, over all questions.",
            columns=("side", "p50", "p95", "against bare"),
            rows=[(side, *_spread(inside[side]), number(_ratio(inside[side], inside[BARE]))) for side in (BARE, OURS)],
        ),
        Table(
            caption="Whole processes.",
            columns=("command", "median", "against bare"),
            rows=[
                (side, duration(middle(outside[side])), number(ratio(outside[side], outside[PYTHON])))
                for side in (PYTHON, COMMAND)
            ],
        ),
    ]
    conditions = (shape(plan.documents), f"{memories} memories", f"{len(questions)} questions", "2,000 tokens wanted")
    return Report(tables=tables, conditions=conditions)


def _inside(jot: jotsam.Jotsam, questions: list[str]) -> dict[str, Callable[[], object]]:
    ours, bare = itertools.cycle(questions), itertools.cycle(questions)

    def match() -> object:
        words = re.findall(r"\w+", next(bare))
        with jot.database.snapshot() as tx:
            return tx.execute(MATCH, {"match": " OR ".join(f'"{word}"' for word in words) or '"nothing"'})

    return {OURS: lambda: jot.recall(next(ours)), BARE: match}


def _outside(plan: Plan, database: Path, questions: list[str]) -> dict[str, Callable[[], int]]:
    asked: Iterator[str] = itertools.cycle(questions)
    settings = {"JOTSAM_DB": str(database), "JOTSAM_WORKER": "off", "XDG_CONFIG_HOME": str(plan.folder)}
    file = plan.folder / "document.md"
    file.write_text("x" * 5_000)
    return {
        COMMAND: lambda: process_ns([JOTSAM, "recall", "--", next(asked)], **settings),
        PYTHON: lambda: process_ns(bare_insert(plan.folder / "bare.db", file)),
    }


def _spread(rounds: list[list[int]]) -> tuple[str, str]:
    took = [ns for times in rounds for ns in times]
    return duration(percentile(took, 0.5)), duration(percentile(took, 0.95))


def _ratio(ours: list[list[int]], theirs: list[list[int]]) -> float:
    return ratio([middle(times) for times in ours], [middle(times) for times in theirs])


if __name__ == "__main__":
    main(measure, __doc__)
