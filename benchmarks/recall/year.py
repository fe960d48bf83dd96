"""A year of talk with and without the lifecycle: what is stored, what recall looks through, and what it finds.

    python -m benchmarks.recall.year --scorer FOLDER --data locomo.json
    python -m benchmarks.recall.year --scorer FOLDER --data locomo.json --fast
    python -m benchmarks.recall.year --scorer FOLDER --data locomo.json --row

The conversations of LoCoMo, moved by whole years where needed, and one page of the documentation a month are said on
their days, in one memory with a clock that the benchmark sets. A worker runs every day. With the lifecycle the steps
run by their schedule, and `forget` every week. At the end of each month every question is
asked whose evidence was said by then, of both sides by turns: R@10 is the part of the evidence in the first ten
results. Evidence is old from 90 days on. No question counts as use, which is the hardest case: nothing is kept because
somebody asked for it. Questions about pages are their headings, found in a result that has the heading. The rules of
the lifecycle were chosen on the first three conversations, so the others are reported apart.

LoCoMo is CC BY-NC 4.0: measured with, and no part of this project.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path
from statistics import fmean, median
from time import process_time_ns
from typing import Any

import jotsam
from benchmarks.child import ROOT
from benchmarks.corpus import shape
from benchmarks.recall.adapter import WIDEST, remember
from benchmarks.recall.scorers import scorer
from benchmarks.report import Bound, Report, Table
from benchmarks.run import PAGE, keep, write_page
from jotsam.core.answers import Question
from jotsam.core.settings import load_settings
from jotsam.memory.lifecycle import lifecycle
from jotsam.retrieval.answer import recall
from jotsam.retrieval.rank.weights import chosen_weights

BEGIN, END = datetime(2023, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
OLD = timedelta(days=90)
MONTHS, FAST = 12, 4
CHOSEN = 3  # the conversations on which the rules were chosen come first; the others are reported apart
PAGES = 12
ARCHIVE_BELOW = 0.06
THRESHOLDS = (0.03, 0.04, 0.05, 0.08)  # others, at the end
MOST_LOOKED_THROUGH = 0.7
KINDS = ("old", "new", "old others", "new others", "pages")
COLUMNS = ("", "stored", "looked through", "file", *(f"R@10 {kind}" for kind in KINDS), "CPU of an answer")


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
    asked: int

    def row(self, name: str) -> tuple[str, ...]:
        parts = [f"{100 * self.found[kind]:.1f}" if kind in self.found else "" for kind in KINDS]
        share = f"{self.current:,} ({self.current / max(1, self.stored):.2f})"
        return (name, f"{self.stored:,}", share, f"{self.size / 1e6:.1f} MB", *parts, f"{self.cpu_ms:.1f} ms")


def main() -> None:
    given = _given()
    year = planned(scorer(given.scorer, "recall").load(given.data), given.documents)
    chosen = {"lifecycle": "on", "forget_every_days": 7, "archive_below": ARCHIVE_BELOW}
    print(" | ".join(COLUMNS), flush=True)
    months: list[dict[str, Month]] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="jotsam-benchmark-")))
        plain = Life(year, folder / "without.db", {"lifecycle": "off"}, stack)
        kept_up = Life(year, folder / "with.db", chosen, stack)
        for number in range(1, (FAST if given.fast else MONTHS) + 1):
            now = END if number == MONTHS else BEGIN.replace(month=number + 1)
            months.append(_asked(year, {"without": plain, "with": kept_up}, now))
            _tell(months[-1], f"{number}, ")
        others: dict[str, Month] = {}
        for threshold in THRESHOLDS:
            kept_up.archive_again(threshold)
            found = _asked(year, {f"{threshold:g}": kept_up}, now)
            _tell(found, "archive_below ")
            others |= found
    report = _report(months, others, shape(given.documents))
    print(report.markdown())
    if given.row:
        keep("recall.year", report)
        write_page(PAGE)


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scorer", type=Path, required=True, metavar="FOLDER", help="the folder of the scorer")
    parser.add_argument("--data", type=Path, required=True, help="the questions")
    parser.add_argument("--documents", type=Path, default=ROOT / "docs", help="a folder of Markdown (default: docs)")
    parser.add_argument("--fast", action="store_true", help=f"{FAST} months, to see that it works")
    parser.add_argument("--row", action="store_true", help="keep the outcome, and show it in docs/benchmarks.md")
    return parser.parse_args()


def _tell(month: Mapping[str, Month], before: str) -> None:
    for name, one in month.items():
        print(" | ".join(one.row(before + name)), flush=True)


def _report(months: Sequence[Mapping[str, Month]], others: Mapping[str, Month], documents: str) -> Report:
    plain, kept_up = months[-1]["without"], months[-1]["with"]
    by_threshold = {f"{ARCHIVE_BELOW:g}": kept_up, **others}
    bounds = [
        Bound(
            promise=f"R@10 of {said} questions after a year with the lifecycle, against without",
            measured=kept_up.found[said] / plain.found[said],
            limit=1.0,
            at_least=True,
        )
        for said in ("old", "new")
        if said in plain.found
    ]
    looked = Bound(
        promise="memories to look through after a year with the lifecycle, against without",
        measured=kept_up.current / plain.current,
        limit=MOST_LOOKED_THROUGH,
    )
    monthly = [one.row(f"{number}, {name}") for number, month in enumerate(months, 1) for name, one in month.items()]
    ends = [plain.row("without"), *(by_threshold[name].row(name) for name in sorted(by_threshold, key=float))]
    caption = f"At the end of each month, without the lifecycle and with it, `archive_below` = {ARCHIVE_BELOW:g}."
    again = "At the end of the last month, by `archive_below`: the same memories archived again, and asked alone."
    return Report(
        tables=[
            Table(caption=caption, columns=("month, lifecycle", *COLUMNS[1:]), rows=monthly),
            Table(caption=again, columns=("`archive_below`", *COLUMNS[1:]), rows=ends),
        ],
        bounds=[looked, *bounds],
        conditions=(documents, f"{kept_up.asked} questions in the last month"),
    )


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


class Life:
    """A memory that gets what is said, and whose worker runs every day."""

    def __init__(self, year: Year, path: Path, chosen: Mapping[str, Any], stack: ExitStack) -> None:
        self._year = year
        self._clock = SetClock()
        loaded = load_settings({"db": str(path), "worker": "off", **chosen})[0]
        self.jot = stack.enter_context(jotsam.Jotsam(settings=loaded, clock=self._clock))

    def live(self, until: datetime) -> None:
        jot, clock = self.jot, self._clock
        while clock.now < until:
            day = clock.now
            for turn in self._year.turns.get(day, ()):
                remember(jot, turn)
            if day in self._year.pages:
                name, text = self._year.pages[day]
                jot.add(text, source=name)
            clock.now = day + timedelta(hours=23)
            jot.work()
            if jot.settings.lifecycle == "on":
                lifecycle.add_due(jot.database, jot.settings)
                jot.work()
            clock.now = day + timedelta(days=1)

    def archive_again(self, threshold: float) -> None:
        """Have `forget` archive by another threshold what it has archived."""
        with self.jot.database.transaction(tenant=self.jot.settings.tenant) as tx:
            tx.execute(
                "update memory set archived_at = null where archived_at is not null and archived_by is null"
                " and id not in (select memory_id from memory_tag where tag = 'summary')"
            )
        lifecycle.request(self.jot.database, self.jot.settings.replace(archive_below=threshold), "forget")
        self.jot.work()


def _asked(year: Year, lives: Mapping[str, Life], now: datetime) -> dict[str, Month]:
    """What each side is at a time, at which all questions are asked."""
    for life in lives.values():
        life.live(now)
        life.jot.database.maintain()
    found: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in lives}
    times: dict[str, list[int]] = {name: [] for name in lives}
    turns = cycle(([*lives], [*reversed([*lives])]))
    questions = [asked for asked in year.questions if asked.said < now]
    for asked in questions:
        for name in next(turns):
            began = process_time_ns()
            hits = _hits(lives[name].jot, asked.text)
            times[name].append(process_time_ns() - began)
            part = _part(asked, hits)
            for kind in _kinds(asked, now):
                found[name][kind].append(part)
    return {
        name: Month(
            **_stored(life.jot),
            found={kind: fmean(parts) for kind, parts in found[name].items()},
            cpu_ms=median(times[name]) / 1e6,
            asked=len(questions),
        )
        for name, life in lives.items()
    }


def _kinds(asked: Asked, now: datetime) -> Iterator[str]:
    if asked.heading:
        yield "pages"
        return
    age = "old" if now - asked.said > OLD else "new"
    yield age
    if not asked.is_chosen:
        yield f"{age} others"


def _part(asked: Asked, hits: Sequence[Any]) -> float:
    if asked.heading:
        return float(any(asked.heading in hit.text for hit in hits))
    return len({hit.external_id for hit in hits} & asked.evidence) / len(asked.evidence)


def _stored(jot: jotsam.Jotsam) -> dict[str, int]:
    with jot.database.snapshot() as tx:
        (row,) = tx.execute(
            "select count(*) as stored, sum(archived_at is null and superseded_at is null) as current,"
            " (select page_count * page_size from pragma_page_count, pragma_page_size) as size from memory"
        )
    return dict(row)


def _hits(jot: jotsam.Jotsam, text: str) -> Sequence[Any]:
    asked = Question(text=text, tenant=jot.settings.tenant, tokens=WIDEST, limit=10)
    with jot.database.snapshot() as tx:
        return recall(tx, asked, weights=chosen_weights(jot.settings)).hits


if __name__ == "__main__":
    main()
