"""The notes that a prompt needs, and what of stored texts no longer holds."""

from __future__ import annotations

from jotsam.core.answers import BriefLine
from jotsam.core.clock import format_time
from jotsam.core.fence import beginning
from jotsam.core.names import DECISION, FIX, OLD, OPEN, RULE, WRONG
from jotsam.core.records import Record
from jotsam.pipeline.notes.match import read_prompt, relevant
from jotsam.pipeline.notes.words import plain, terms
from jotsam.retrieval.brief_text import why_of
from jotsam.storage import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from jotsam.core.answers import Hit
    from jotsam.storage.database import Transaction
    from jotsam.storage.notes import Kept

MAX_NOTES = 400
MAX_LINES, MAX_RULES, MAX_OPEN = 4, 2, 4
MAX_TEXT = 220
MIN_SURE = 0.4
LABELS = {RULE: "rule", DECISION: "decided", OPEN: "open", FIX: "fixed"}


class Reversal(Record):
    """What held until a time, by the words that say it, and the note that holds instead."""

    names: frozenset[str]
    alive: frozenset[str]  # names of what holds instead: a text with one of them says both
    until: int
    now: Kept


class Noted(Record):
    """The lines for a prompt, and what no longer holds."""

    lines: tuple[BriefLine, ...]
    reversals: tuple[Reversal, ...]
    struck: frozenset[str]  # memories of which a person called a note wrong or old
    is_general: bool  # the prompt asks about the world, or for a mechanical edit: it needs nothing of a project

    def without_known(self, hits: Iterable[Hit]) -> tuple[list[Hit], list[BriefLine]]:
        """The hits that the lines do not cover and that still hold, and lines with what holds instead of others."""
        told = {line.id for line in self.lines}
        kept: list[Hit] = []
        instead: list[BriefLine] = []
        for hit in hits:
            if hit.id in told or hit.id in self.struck or any(_covers(line.text, hit.text) for line in self.lines):
                continue
            now = _reversed_by(hit.text, hit.date or 0, self.reversals)
            if now is None:
                kept.append(hit)
            elif now.uuid not in told:
                told.add(now.uuid)
                instead.append(_line(now))
        return kept, instead


def for_prompt(
    tx: Transaction, text: str, *, project: str | None, skip: Container[str], session: str | None, since: int
) -> Noted:
    """What the notes of a project and of the person have for a prompt.

    Left out are notes of `skip`, by `note_id`, and those of `session` said since `since`.
    """
    every = notes.of_project(tx, project, kinds=(RULE, DECISION, OPEN, FIX), limit=MAX_NOTES)

    def is_new(one: Kept) -> bool:
        return not (session is not None and one.session == session and one.note.at >= since)

    reversals = tuple(_reversals(every))
    usable = [one for one in every if is_new(one) and one.note.sure >= MIN_SURE and _is_usable(one)]
    asked = read_prompt(text)
    if asked.wants_open:
        ends = [one for one in usable if one.note.kind == OPEN]
        matching = [ends[at] for _, at in relevant(asked, [one.note for one in ends])]
        found = (matching or [one for one in ends if notes.holds(one)])[:MAX_OPEN]
    else:
        holding = [one for one in usable if notes.holds(one)]
        ranked = relevant(asked, [one.note for one in holding])
        best = [holding[at] for _, at in ranked]
        found = [one for one in best if one.note.kind == RULE][:MAX_RULES]
        found += [one for one in best if one.note.kind not in (RULE, OPEN)][: MAX_LINES - len(found)]
    lines = tuple(_line(one) for one in found if note_id(one) not in skip)
    struck = frozenset(one.uuid for one in every if one.verdict in (WRONG, OLD))
    return Noted(lines=lines, reversals=reversals, struck=struck, is_general=asked.is_general)


def _is_usable(one: Kept) -> bool:
    return notes.holds(one) or (one.note.kind == OPEN and one.ended_how is not None and one.verdict is None)


def note_id(one: Kept) -> str:
    """By what a session knows a note that it was given with a prompt."""
    return f"{one.uuid}#{one.place}"


def _reversals(every: Sequence[Kept]) -> list[Reversal]:
    """What held before, of replaced notes and of values that a note itself gives as old."""
    current = {one.memory: one for one in reversed(every) if notes.holds(one)}
    found = [
        Reversal(
            names=one.ended_names,
            alive=(now.note.values | {name for name in now.note.heads - one.note.heads if len(name) > 3})
            - one.ended_names,
            until=now.note.at,
            now=now,
        )
        for one in every
        if one.ended_names and one.ended_by is not None and (now := current.get(one.ended_by)) is not None
    ]
    return found + [
        Reversal(names=one.note.old, alive=one.note.values, until=one.note.at, now=one)
        for one in every
        if one.note.old and notes.holds(one)
    ]


def _reversed_by(text: str, said_at: int, reversals: Sequence[Reversal]) -> Kept | None:
    """The note that holds instead of what a text says, if the text says something that no longer holds."""
    lower = plain(text)
    for one in reversals:
        if said_at < one.until and _says(lower, one.names) and not _says(lower, one.alive):
            return one.now
    return None


def _says(lower: str, names: frozenset[str]) -> bool:
    """Whether a text has one of some names as whole words."""
    for name in names:
        at = lower.find(name)
        while at >= 0:
            around = lower[at - 1 : at] + lower[at + len(name) : at + len(name) + 1]
            if not any(map(str.isalnum, around)):
                return True
            at = lower.find(name, at + 1)
    return False


COVERED = 0.6  # of the words of a stored text in a line: it adds nothing


def _covers(line: str, text: str) -> bool:
    """Whether a line says most of a stored text."""
    said = terms(text)
    return len(said & terms(line)) >= COVERED * len(said)


def _line(one: Kept) -> BriefLine:
    note = one.note
    label, text = LABELS[note.kind], note.text
    if note.kind == FIX:
        text = f"{note.problem} - {note.text}"
    if note.kind == OPEN and one.ended_how is not None:
        when = f" on {format_time(one.ended_at)[:10]}" if one.ended_at else ""
        label, text = f"closed{when}", f"{note.text}: {one.ended_text or 'done'}"
    return BriefLine(
        id=one.uuid,
        label=label,
        text=beginning(text, MAX_TEXT),
        date=note.at,
        source=one.source,
        actor=one.actor,
        project=one.project,
        note=one.place,
        why=why_of(note.kind, note.sure),
    )
