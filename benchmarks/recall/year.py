"""A year of a person's talk, with and without the lifecycle: what is stored, what recall looks through, what it finds.

    python -m benchmarks.recall.year --scorer FOLDER --data locomo.json
    python -m benchmarks.recall.year --scorer FOLDER --data locomo.json --archive-below 0 --row plain

The conversations of LoCoMo, moved by whole years where needed, and one page of the documentation a month are said on
their days, in one memory with a clock that the benchmark sets. A worker runs every day. With the lifecycle the steps
run by their schedule, and `forget` every week, with the given threshold. At the end of each month every question is
asked whose evidence was said by then: R@10 is the part of the evidence in the first ten results. Evidence is old from
90 days on. No question counts as use, which is the hardest case: nothing is kept because somebody asked for it.
Questions about pages are their headings, found in a result that has the heading.

LoCoMo is CC BY-NC 4.0: measured with, and no part of this project.
"""

from __future__ import annotations

import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean, median
from time import process_time_ns
from typing import Any

import jotsam
from benchmarks.child import ROOT
from benchmarks.recall.adapter import WIDEST, remember
from benchmarks.recall.scorers import keep_row, options, scorer
from jotsam.core.answers import Question
from jotsam.core.settings import load_settings
from jotsam.memory import lifecycle
from jotsam.retrieval.answer import recall
from jotsam.retrieval.rank.weights import chosen_weights

BEGIN, END = datetime(2023, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
OLD = timedelta(days=90)
CHOSEN = 3  # the conversations on which the rules were chosen come first; the others are reported apart
PAGES = 12
COLUMNS = ("", "stored", "looked through", "file", "R@10 old", "R@10 new", "R@10 others", "R@10 pages", "CPU")


@dataclass
class SetClock:
    now: datetime = BEGIN

    def __call__(self) -> int:
        return int(self.now.timestamp() * 1000)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question, what answers it, and when all of that was said."""

    text: str
    said: datetime
    evidence: frozenset[str] = frozenset()  # external ids
    heading: str = ""  # instead of evidence: what a result must contain
    is_chosen: bool = False  # of a conversation on which the rules were chosen


@dataclass(kw_only=True)
class Year:
    """What is said on which day, and what is asked."""

    turns: Mapping[datetime, list[Any]] = field(default_factory=lambda: defaultdict(list))
    pages: dict[datetime, tuple[str, str]] = field(default_factory=dict)
    questions: list[Asked] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Month:
    stored: int
    current: int
    size: int
    found: Mapping[str, float]
    cpu_ms: float

    def row(self, name: str) -> tuple[str, ...]:
        parts = [
            f"{100 * self.found[kind]:.1f}" if kind in self.found else "" for kind in ("old", "new", "others", "pages")
        ]
        share = f"{self.current:,} ({self.current / max(1, self.stored):.2f})"
        return (name, f"{self.stored:,}", share, f"{self.size / 1e6:.1f} MB", *parts, f"{self.cpu_ms:.1f} ms")


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--documents", type=Path, default=ROOT / "docs", help="a folder of Markdown (default: docs)")
    parser.add_argument("--archive-below", type=float, default=0.06, metavar="NUMBER", help="default: 0.06")
    given = parser.parse_args()
    year = planned(scorer(given.scorer, "recall").load(given.data), given.documents)
    settings: dict[str, dict[str, Any]] = {
        "without": {"lifecycle": "off"},
        "with": {"lifecycle": "on", "forget_every_days": 7, "archive_below": given.archive_below},
    }
    print(" | ".join(COLUMNS), flush=True)
    for side, chosen in settings.items():
        with tempfile.TemporaryDirectory(prefix="jotsam-benchmark-") as folder:
            for number, month in enumerate(lived(year, Path(folder) / "year.db", chosen), 1):
                row = month.row(f"{side}, month {number}")
                print(" | ".join(row), flush=True)
                if given.row and number in (3, 6, 9, 12):
                    keep_row("recall.year", COLUMNS, row)


def planned(conversations: Sequence[Any], folder: Path) -> Year:
    """Everything that is said in the year. Questions whose evidence is said later are left out."""
    year = Year()
    for place, one in enumerate(conversations):
        years = BEGIN.year - median([turn.when.year for turn in one.turns])
        said: dict[str, datetime] = {}
        for turn in one.turns:
            when = turn.when.replace(tzinfo=UTC) + timedelta(days=364 * years)
            id, session = f"{one.id}/{turn.id}", f"{one.id}/{turn.session}"
            moved = {"id": id, "session": session, "when": when, "text": _moved(turn.text, years)}
            if when < END:
                said[turn.id] = when
                year.turns[max(BEGIN, when).replace(hour=0, minute=0)].append(type(turn)(**{**vars(turn), **moved}))
        for question in one.questions:
            if question.category != 5 and question.evidence <= said.keys():
                latest = max(said[id] for id in question.evidence)
                evidence = frozenset(f"{one.id}/{id}" for id in question.evidence)
                text = _moved(question.text, years)
                year.questions.append(Asked(text=text, said=latest, evidence=evidence, is_chosen=place < CHOSEN))
    for number, path in enumerate(sorted(folder.glob("*.md"))[:PAGES]):
        day, text = BEGIN + timedelta(days=30 * number + 14), path.read_text()
        year.pages[day] = path.name, text
        for heading in re.findall(r"^##+ (.+)$", text, re.MULTILINE):
            year.questions.append(Asked(text=heading, said=day, heading=heading))
    return year


def _moved(text: str, years: int) -> str:
    return re.sub(r"\b20\d\d\b", lambda match: str(int(match.group()) + years), text) if years else text


def lived(year: Year, path: Path, chosen: Mapping[str, Any]) -> Iterator[Month]:
    """The memory at the end of each month."""
    clock = SetClock()
    loaded = load_settings({"db": str(path), "worker": "off", **chosen})[0]
    with jotsam.Jotsam(settings=loaded, clock=clock) as jot:
        while clock.now < END:
            day = clock.now
            for turn in year.turns.get(day, ()):
                remember(jot, turn)
            if day in year.pages:
                name, text = year.pages[day]
                jot.add(text, source=name)
            clock.now = day + timedelta(hours=23)
            jot.work()
            if jot.settings.lifecycle == "on":
                lifecycle.add_due(jot.database, jot.settings)
                jot.work()
            clock.now = day + timedelta(days=1)
            if clock.now.day == 1:
                yield _measured(jot, year, clock.now)


def _measured(jot: jotsam.Jotsam, year: Year, now: datetime) -> Month:
    found: dict[str, list[float]] = defaultdict(list)
    times: list[int] = []
    for asked in year.questions:
        if asked.said >= now:
            continue
        began = process_time_ns()
        hits = _hits(jot, asked.text)
        times.append(process_time_ns() - began)
        if asked.heading:
            found["pages"].append(float(any(asked.heading in hit.text for hit in hits)))
            continue
        part = len({hit.external_id for hit in hits} & asked.evidence) / len(asked.evidence)
        found["old" if now - asked.said > OLD else "new"].append(part)
        if not asked.is_chosen:
            found["others"].append(part)
    jot.database.maintain()
    with jot.database.snapshot() as tx:
        (row,) = tx.execute(
            "select count(*) as stored, sum(archived_at is null and superseded_at is null) as current,"
            " (select page_count * page_size from pragma_page_count, pragma_page_size) as size from memory"
        )
    return Month(
        stored=row["stored"],
        current=row["current"],
        size=row["size"],
        found={kind: fmean(parts) for kind, parts in found.items()},
        cpu_ms=median(times) / 1e6,
    )


def _hits(jot: jotsam.Jotsam, text: str) -> Sequence[Any]:
    asked = Question(text=text, tenant=jot.settings.tenant, tokens=WIDEST, limit=10)
    with jot.database.snapshot() as tx:
        return recall(tx, asked, weights=chosen_weights(jot.settings)).hits


if __name__ == "__main__":
    main()
