"""Keep the notes of a session up to date while its turns are enriched.

A turn is understood with its neighbours, and may come after them, so those are read again with it. What a note ends is
found in the same transaction, under a lock of the tenant.
"""

from __future__ import annotations

import logging
from itertools import groupby

from jotsam.core.names import DECISION, DONE, OLD, OPEN, PERSON_SCOPE, PROJECT_SCOPE, RULE, WRONG
from jotsam.core.note_records import FoundNote, Turn
from jotsam.pipeline.extraction.extract import Guard
from jotsam.pipeline.lifecycle.triage import ASSISTANTS, OTHERS
from jotsam.pipeline.notes.describe import described
from jotsam.pipeline.notes.names import names
from jotsam.pipeline.notes.read_session import read_turn
from jotsam.pipeline.notes.resolve import COMPARED, ends
from jotsam.pipeline.notes.sentences import cut
from jotsam.pipeline.notes.words import terms
from jotsam.storage.memories import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.memories.notes import Kept

log = logging.getLogger("jotsam.worker")

AROUND = 8  # memories of the session that are read in each direction
TOLD = {"rule": RULE, "decision": DECISION, "task": OPEN, "todo": OPEN, "open": OPEN}
"""Types of memories that a caller stores alone, and what they are as notes."""
MAX_TOLD, MAX_TITLE = 300, 200  # characters


def update_notes(tx: Transaction, row: Row) -> None:
    """Read a turn and those around it again, or a memory that a caller said to be a rule, a decision or a task."""
    if row["type_by"] is None and (row["type"] or "").lower() in TOLD and row["document_id"] is None:
        save_told(tx, row)
        return
    if row["session"] is None:
        return
    if notes.is_commit(row):  # It closes tasks, and orders and decides nothing.
        title = _title(row)
        _save_alone(tx, row, FoundNote(kind=DONE, text=title, ref=row["id"], at=_at(row), names=terms(title)))
        return
    around = notes.around(tx, row, limit=AROUND)
    turns = turns_of(around)
    here = next((n for n, turn in enumerate(turns) if row["id"] in turn.parts), None)
    if here is None:
        return
    notes.lock(tx)
    states = {one["id"]: one for one in around}
    guard = Guard()
    for at in range(max(0, here - 1), min(len(turns), here + 3)):
        if at != here and not _is_outdated(states[turns[at].ref], row):
            continue
        before = turns[at - 1].ref if at else None
        after = turns[at + 1].ref if at + 1 < len(turns) else None
        found = guard.all(_described, turns, at)
        saved = notes.replace(tx, turns[at].ref, found, before=before, after=after, project=row["project"])
        relate(tx, saved, row["project"])
    for failure in guard.failures:
        log.warning("memory %s: %s; its notes are left out", row["uuid"], failure)


def _is_outdated(other: Row, row: Row) -> bool:
    """Whether a turn was read before the one that is enriched now was stored as it is."""
    read_at = other["enriched_at"]
    return read_at is not None and (read_at <= row["created_at"] or row["version"] > 1)


def _described(turns: Sequence[Turn], at: int) -> list[FoundNote]:
    return [*map(described, read_turn(turns, at))]


def _title(row: Row) -> str:
    return str(row["body"]).lstrip().partition("\n")[0][:MAX_TITLE]


def save_told(tx: Transaction, row: Row) -> None:
    """The note of a memory that was stored as a rule, a decision or a task."""
    text, kind = " ".join(row["body"].split()), TOLD[row["type"].lower()]
    note = FoundNote(
        kind=kind,
        scope=PERSON_SCOPE if kind == RULE and row["project"] is None else PROJECT_SCOPE,
        text=cut(text, MAX_TOLD),
        ref=row["id"],
        at=_at(row),
        names=terms(text),
        heads=names(text),
        sure=1.0,
    )
    _save_alone(tx, row, note)


def _save_alone(tx: Transaction, row: Row, note: FoundNote) -> None:
    """Save the only note of a memory, which no other memory explains."""
    notes.lock(tx)
    saved = notes.replace(tx, row["id"], [described(note)], before=None, after=None, project=row["project"])
    relate(tx, saved, row["project"])


def _at(row: Row) -> int:
    return int(row["created_at"] if row["said_at"] is None else row["said_at"])


def turns_of(rows: Iterable[Row]) -> list[Turn]:
    """The turns of memories: the chunks of a long turn are one."""
    found: list[Turn] = []
    for _, group in groupby(rows, key=lambda row: row["document_id"] or -row["id"]):
        parts = [*group]
        who = (parts[0]["actor"] or "user").lower()
        if who not in OTHERS and not notes.is_commit(parts[0]):
            text = "\n".join(part["body"] for part in parts)
            found.append(
                Turn(
                    ref=parts[0]["id"],
                    parts=tuple(part["id"] for part in parts),
                    text=text,
                    by_user=who not in ASSISTANTS,
                    at=parts[0]["at"],
                )
            )
    return found


def relate_all(tx: Transaction, added: Mapping[str | None, Sequence[Kept]]) -> None:
    """The same for notes of several projects."""
    for project, some in added.items():
        relate(tx, some, project)


def relate(tx: Transaction, added: Sequence[Kept], project: str | None) -> None:
    """Find what the new notes end, and what ends them.

    Of several that end a note, the one that was said first counts, so the order in which they are read does not matter.
    """
    kinds = {kind for one in added for kind in COMPARED[one.note.kind]}
    if not kinds:
        return
    others = notes.compared(tx, project, kinds=sorted(kinds), at=min(one.note.at for one in added))
    ended_at = {(one.memory, one.place): one.ended for one in (*others, *added)}
    again: list[Kept] = []
    for one in added:
        for other in others:
            if WRONG in (one.verdict, other.verdict) or other.note.kind not in COMPARED[one.note.kind]:
                continue
            earlier, later = (one, other) if one.said < other.said else (other, one)
            found = ends(earlier.note, later.note)
            if found is None:
                continue
            ended, by = (earlier, later) if found.is_earlier else (later, earlier)
            held_until = ended_at[by.memory, by.place]
            if ended.verdict == OLD:
                continue  # A person ended it.
            if by is earlier and held_until is not None and held_until < later.said:
                continue  # Something else held when it was said again.
            before = ended_at[ended.memory, ended.place]
            if before is None or by.said < before:
                notes.end(tx, ended, by=by, how=found.how, names=found.names)
                ended_at[ended.memory, ended.place] = by.said
                if ended.note.kind == RULE:
                    again += notes.release_repeated(tx, ended, since=by)
    if again:
        relate(tx, again, project)
