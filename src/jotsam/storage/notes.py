"""Notes: what the turns of sessions say that lasts, with what became of each."""

from __future__ import annotations

import json
from functools import lru_cache

from jotsam.core.names import KEEP, RULE
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from jotsam.core.note_records import FoundNote
    from jotsam.storage.database import Row, Transaction, Value

MOST = 1_000  # of a project that are read
SETS = ("names", "heads", "against", "old", "stems", "concepts", "kinds", "values")


class Kept(Record):
    """A stored note. `memory` and `place` identify it. `ended_how` is None while it holds."""

    note: FoundNote
    memory: int
    place: int
    uuid: str
    project: str | None
    actor: str | None
    source: str | None
    session: str | None
    ended_how: str | None
    ended_by: int | None
    ended_text: str | None
    ended_at: int | None
    verdict: str | None
    before: str | None = None  # UUIDs of the turns around it, of which it may be made too
    after: str | None = None
    ended_names: frozenset[str] = frozenset()  # names and values of it that no longer hold, as they are written


def around(tx: Transaction, row: Row, *, limit: int) -> list[Row]:
    """The memories of a session around one: id, uuid, actor, body, document_id, at. In order."""
    at = row["created_at"] if row["said_at"] is None else row["said_at"]
    place = {"session": row["session"], "at": at, "place": row["position"] or 0, "id": row["id"], "limit": limit}
    return [*reversed(tx.all("notes.before", **place)), *tx.all("notes.from", **place)]


def rows(
    tx: Transaction, project: str | None, *, kinds: Collection[str], actor: str | None = None, limit: int = MOST
) -> list[Row]:
    """The notes of some kinds of a project, or of what has none, the latest first; then the rules of the person that
    were said elsewhere. As rows, for a hook that only prints them."""
    listed = {"kinds": json.dumps([*kinds]), "actor": actor, "limit": limit}
    if project is None:
        own = tx.all("notes.without_project", **listed)
    else:
        own = tx.all("notes.of_project", **listed, label=project)
    elsewhere = tx.all("notes.of_person", actor=actor, limit=limit)
    return own + [row for row in elsewhere if row["memory_project"] != project]


def of_project(
    tx: Transaction, project: str | None, *, kinds: Collection[str], actor: str | None = None, limit: int = MOST
) -> list[Kept]:
    """The same as records."""
    return [*map(_kept, rows(tx, project, kinds=kinds, actor=actor, limit=limit))]


def holds(one: Kept) -> bool:
    """Whether a note is shown: nothing ended it, or a person said to keep it; and no person called it wrong or old."""
    return one.verdict == KEEP or (one.ended_how is None and one.verdict is None)


def row_holds(row: Row) -> bool:
    return row["verdict"] == KEEP or (row["ended_by"] is None and row["verdict"] is None)


def of_memory(tx: Transaction, number: int) -> list[Kept]:
    return [*map(_kept, tx.all("notes.of_memory", memory_id=number))]


def replace(
    tx: Transaction,
    number: int,
    notes: Iterable[FoundNote],
    *,
    before: int | None,
    after: int | None,
    project: str | None,
) -> list[Kept]:
    """Save the notes of a memory instead of those that it had. A verdict stays with the same text.

    Returns those that are new; none if they are the same as before.
    """
    earlier = tx.all("notes.of_memories", memories=json.dumps([number]))
    by_text = {(row["kind"], row["body"]): row["verdict"] for row in earlier}
    rows = [
        {
            "memory_id": number,
            "position": place,
            "before_id": before,
            "after_id": after,
            "project": project,
            "kind": note.kind,
            "scope": note.scope,
            "body": note.text,
            "problem": note.problem or None,
            "old_names": json.dumps(sorted(note.old), ensure_ascii=False) if note.old else None,
            "terms": _terms(note),
            "sure": note.sure,
            "said_at": note.at,
            "verdict": by_text.get((note.kind, note.text)),
        }
        for place, note in enumerate(notes)
    ]
    if [*map(_identity, earlier)] == [*map(_identity, rows)]:
        return []  # What they end is known.
    if earlier:
        tx.run("notes.release", memory_id=number)
        tx.run("notes.delete", memory_id=number)
    tx.run_many("notes.save", rows)
    return [_compared({**row, "ended_by": None, "ended_how": None, "ended_names": None}) for row in rows]


def _identity(row: Row) -> tuple[Value, ...]:
    return row["kind"], row["body"], row["terms"], row["project"]


def delete_of_text(tx: Transaction, number: int) -> None:
    """Delete the notes that were made of a memory's text, which is another one now."""
    tx.run("notes.release", memory_id=number)
    tx.run("notes.delete_of_text", memory_id=number)


def end(tx: Transaction, ended: Kept, *, by: Kept, how: str, names: Iterable[str] = ()) -> None:
    tx.run(
        "notes.end",
        memory_id=ended.memory,
        position=ended.place,
        ended_by=by.memory,
        ended_position=by.place,
        ended_how=how,
        ended_names=json.dumps(sorted(names), ensure_ascii=False) if names else None,
    )


def reversals(tx: Transaction, *, project: str | None, limit: int) -> list[Row]:
    """What no longer holds in a project, or in any: `names` and `terms` are JSON, `until` is when it ended, `body` and
    `uuid` are of the note that holds instead. The latest first.
    """
    return tx.all("notes.reversals", project=project, limit=limit)


def judge(tx: Transaction, number: int, place: int, *, verdict: str | None) -> None:
    """Save what a person says of a note; None takes it back."""
    tx.run("notes.set_verdict", memory_id=number, position=place, verdict=verdict)


def _terms(note: FoundNote) -> str:
    found = {name: sorted(getattr(note, name)) for name in SETS if getattr(note, name)}
    return json.dumps(found | ({"change": 1} if note.is_change else {}), ensure_ascii=False, separators=(",", ":"))


def compared(tx: Transaction, project: str | None, *, kinds: Collection[str], at: int) -> list[Kept]:
    """The notes that one of a project, said at a time, may end or be ended by; without what only people read."""
    found = tx.all("notes.compared", project=project, kinds=json.dumps([*kinds]), at=at, limit=MOST)
    if RULE in kinds:
        found += tx.all("notes.rules_of_person", project=project, limit=MOST)
    return [_compared(row) for row in found]


def _compared(row: Row) -> Kept:
    absent = dict.fromkeys(("uuid", "memory_project", "actor", "source", "session", "ended_body", "ended_at"))
    return _kept({**absent, "before_uuid": None, "after_uuid": None, **row})


def _kept(row: Row) -> Kept:
    has_ended = row["ended_by"] is not None
    told = (row["kind"], row["body"], row["memory_id"], row["said_at"], row["scope"], row["sure"], row["problem"] or "")
    return Kept(
        note=_found(told, row["terms"]),
        memory=row["memory_id"],
        place=row["position"],
        uuid=row["uuid"],
        project=row["memory_project"],
        actor=row["actor"],
        source=row["source"],
        session=row["session"],
        ended_how=row["ended_how"] if has_ended else None,
        ended_by=row["ended_by"],
        ended_text=row["ended_body"],
        ended_at=row["ended_at"],
        verdict=row["verdict"],
        before=row["before_uuid"],
        after=row["after_uuid"],
        ended_names=frozenset(json.loads(row["ended_names"])) if has_ended and row["ended_names"] else frozenset(),
    )


@lru_cache(maxsize=4_096)  # A worker compares the notes of a project again with each turn.
def _found(told: tuple[str, str, int, int, str, float, str], terms: str) -> FoundNote:
    from jotsam.core.note_records import FoundNote  # The brief needs the rows only.

    kind, text, ref, at, scope, sure, problem = told
    found = json.loads(terms)
    sets = {name: frozenset(found.get(name, ())) for name in SETS}
    return FoundNote(
        kind=kind,
        text=text,
        ref=ref,
        at=at,
        scope=scope,
        sure=sure,
        problem=problem,
        is_change="change" in found,
        **sets,
    )
