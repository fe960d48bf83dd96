"""Notes: what the turns of sessions say that lasts, with what became of each."""

from __future__ import annotations

import json
from functools import lru_cache

from jotsam.core.names import DONE, KEEP, PERSON_SCOPE, RULE
from jotsam.core.note_records import Note
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import Any

    from jotsam.core.note_records import FoundNote
    from jotsam.storage.database import Row, Transaction, Value

MOST = 1_000  # of a project that are read
BY_MODEL = 100  # the first place of notes that a model made; those of the rules come before it
EVERY = 2**31
COMMITS = "git"  # the source of commits, and how their actors begin
MIN_DONE = 5  # words of what was done, to be shown
DENIED = 0.1  # how sure a note is of which a model said that it is none
HOLDS = "holds"  # the state of a note that nothing ended
ENDED = ("ended_by", "ended_position", "ended_how", "ended_names")
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
    ended_place: int | None
    ended_text: str | None
    ended_at: int | None
    verdict: str | None
    before: str | None = None  # UUIDs of the turns around it, of which it may be made too
    after: str | None = None
    ended_names: frozenset[str] = frozenset()  # names and values of it that no longer hold, as they are written

    @property
    def said(self) -> tuple[int, int, int]:
        """Its place in the order in which notes were said."""
        return self.note.at, self.memory, self.place

    @property
    def ended(self) -> tuple[int, int, int] | None:
        """The place of the note that ended it."""
        return None if self.ended_by is None else (self.ended_at or 0, self.ended_by, self.ended_place or 0)


def lock(tx: Transaction) -> None:
    """Block other transactions that write notes of the tenant until this one ends: each would not see what the others
    end, and a rule of a person holds in each project. Taken after the rows of memories and the lock of facts, and
    before the rows of notes."""
    tx.lock(f"notes {tx.tenant}")


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
    return [*map(kept, rows(tx, project, kinds=kinds, actor=actor, limit=limit))]


def holds(one: Kept) -> bool:
    """Whether a note is shown: nothing ended it, or a person said to keep it; and no person called it wrong or old."""
    return one.verdict == KEEP or (one.ended_how is None and one.verdict is None)


def row_holds(row: Row) -> bool:
    return row["verdict"] == KEEP or (row["ended_by"] is None and row["verdict"] is None)


def is_commit(row: Row) -> bool:
    """Whether the hook of git captured a memory. Anyone may be the author of a commit, also one named `user`."""
    return row["source"] == COMMITS or (row["actor"] or "").startswith(f"{COMMITS} ")


def of_memory(tx: Transaction, number: int) -> list[Kept]:
    return [*map(kept, tx.all("notes.of_memory", memory_id=number))]


def of_each(tx: Transaction, numbers: Iterable[int]) -> list[Kept]:
    return [*map(kept, tx.all("notes.of_each", memories=json.dumps([*numbers])))]


def is_told(kind: str, text: str) -> bool:
    """Whether a note says something by itself: "Done." only closes the open ends that the request before it names."""
    return kind != DONE or len(text.split()) >= MIN_DONE


def record(one: Kept, times: int = 1) -> Note:
    """What people see of a note that was said so often."""
    state = HOLDS if holds(one) else one.verdict if one.verdict not in (None, KEEP) else one.ended_how
    return Note(
        id=f"{one.uuid}.{one.place}",
        kind=one.note.kind,
        text=one.note.text,
        state=state or HOLDS,
        project=one.project,
        everywhere=one.note.scope == PERSON_SCOPE,
        said_at=one.note.at,
        confidence=one.note.sure,
        problem=one.note.problem or None,
        times=times,
        verdict=one.verdict,
        ended_by=one.ended_text,
        ended_at=one.ended_at,
    )


def replace(
    tx: Transaction,
    number: int,
    notes: Iterable[FoundNote],
    *,
    before: int | None,
    after: int | None,
    project: str | None,
) -> list[Kept]:
    """Save the notes of the rules of a memory instead of those that it had.

    A verdict, and what a model said of a note, stay with the same text. Returns those that are new, and of other
    memories those that hold again because what ended them is gone; none if the notes are the same as before.
    """
    found = tx.all("notes.of_memories", memories=json.dumps([number]))
    earlier = [row for row in found if row["position"] < BY_MODEL]
    by_text = {(row["kind"], row["body"]): row for row in earlier}
    around = {"before_id": before, "after_id": after, "project": project}
    rows = [
        _columns(note, place) | around | _said_of(by_text.get((note.kind, note.text)), note)
        for place, note in zip(range(BY_MODEL), notes, strict=False)
    ]
    if [*map(_identity, earlier)] == [*map(_identity, rows)]:
        return []  # What they end is known.
    released: list[Row] = []
    if earlier:
        released = _release(tx, [number], first=0, below=BY_MODEL)
        tx.run("notes.delete", memory_id=number, below=BY_MODEL)
    tx.run_many("notes.save", rows)
    return [*map(_compared, (*rows, *released))]


def _identity(row: Row) -> tuple[Value, ...]:
    return row["kind"], row["body"], row["terms"], row["project"]


def add(tx: Transaction, note: FoundNote, *, before: int | None, project: str | None) -> Kept:
    """Save a note that a model made of a memory, which stays when the rules read that again."""
    places = [one.place for one in of_memory(tx, note.ref)]
    place = max(BY_MODEL, *(place + 1 for place in places)) if places else BY_MODEL
    around = {"before_id": before, "after_id": None, "project": project}
    tx.run("notes.save", **_columns(note, place), **around, **_said_of(None, note))
    return next(one for one in of_memory(tx, note.ref) if one.place == place)


def deny(tx: Transaction, one: Kept) -> None:
    """Make a note less sure than what is shown: a model said that it is none."""
    tx.run("notes.deny", memory_id=one.memory, position=one.place, sure=DENIED)


def sessions_to_ask(tx: Transaction, *, since: int, before: int, asked: str, limit: int) -> list[str]:
    """The UUIDs of the last turns of sessions, said after `since` and stored until `before`, of which no reply of the
    extractor `asked` is kept."""
    found = tx.all("notes.sessions_to_ask", since=since, before=before, extractor=asked, limit=limit)
    return [row["uuid"] for row in found]


def unread_sessions(tx: Transaction) -> list[Row]:
    """`session` and `turns` of the sessions that an earlier release enriched without notes, the latest first."""
    return tx.all("notes.unread_sessions")


def _columns(note: FoundNote, place: int) -> dict[str, Value]:
    return {
        "memory_id": note.ref,
        "position": place,
        "kind": note.kind,
        "scope": note.scope,
        "body": note.text,
        "problem": note.problem or None,
        "old_names": json.dumps(sorted(note.old), ensure_ascii=False) if note.old else None,
        "terms": _terms(note),
        "said_at": note.at,
    }


def _said_of(earlier: Row | None, note: FoundNote) -> dict[str, Value]:
    """What a person and a model said of a note, if it was there before."""
    is_ended = earlier is not None and (earlier["ended_position"] or 0) >= BY_MODEL
    ended = {name: earlier[name] if earlier is not None and is_ended else None for name in ENDED}
    is_denied = earlier is not None and earlier["sure"] <= DENIED
    return {
        "sure": DENIED if is_denied else note.sure,
        "verdict": None if earlier is None else earlier["verdict"],
        **ended,
    }


def delete_of_text(tx: Transaction, number: int) -> dict[str | None, list[Kept]]:
    """Delete the notes that were made of a memory's text, which is another one now. Returns what `release` does."""
    released = release(tx, [number])
    tx.run("notes.delete_of_text", memory_id=number)
    return released


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


def release(tx: Transaction, memories: Iterable[int], *, place: int | None = None) -> dict[str | None, list[Kept]]:
    """What the notes of memories ended, or one of them, holds again. Returns it by project."""
    first, below = (0, EVERY) if place is None else (place, place + 1)
    return _by_project(_release(tx, memories, first=first, below=below))


def _release(tx: Transaction, memories: Iterable[int], *, first: int, below: int) -> list[Row]:
    return tx.all("notes.release", memories=json.dumps([*memories]), first=first, below=below)


def written(tx: Transaction, memories: Iterable[int]) -> dict[str | None, list[Kept]]:
    """The notes of memories, by project."""
    return _by_project(tx.all("notes.written", memories=json.dumps(sorted(memories))))


def _by_project(rows: Iterable[Row]) -> dict[str | None, list[Kept]]:
    found: dict[str | None, list[Kept]] = {}
    for row in rows:
        found.setdefault(row["project"], []).append(_compared(row))
    return found


def endings(tx: Transaction, memories: Iterable[int]) -> list[Row]:
    """How the notes of memories ended those of others: what `end_again` takes."""
    return tx.all("notes.endings", memories=json.dumps([*memories]))


def end_again(tx: Transaction, endings: Iterable[Row]) -> None:
    """End notes as they were, unless something that was said before ends them now, or either is gone."""
    tx.run_many("notes.end_again", [*endings])


def release_repeated(tx: Transaction, ended: Kept, *, since: Kept) -> list[Kept]:
    """What repeats a note that ended before that was said holds again."""
    at = {"memory_id": ended.memory, "position": ended.place, "since": since.note.at}
    return [*map(_compared, tx.all("notes.release_repeated", **at))]


def reversals(tx: Transaction, *, project: str | None, limit: int) -> list[Row]:
    """What no longer holds in a project, or in any: `names` and `terms` are JSON, `until` is when it ended, `body` and
    `uuid` are of the note that holds instead. The latest first.
    """
    return tx.all("notes.reversals", project=project, limit=limit)


def judge(tx: Transaction, number: int, place: int, *, verdict: str | None) -> None:
    """Save what a person says of a note; None takes it back."""
    tx.run("notes.set_verdict", memory_id=number, position=place, verdict=verdict)


def move(tx: Transaction, project: str) -> None:
    """Give the notes of a project the projects that their memories belong to by now."""
    tx.run("notes.move", key=project)


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
    absent = ("uuid", "memory_project", "actor", "source", "session", "ended_body", "before_uuid", "after_uuid")
    return kept({**dict.fromkeys((*absent, "ended_at")), **row})


def kept(row: Row) -> Kept:
    """A row of `rows` as a record."""
    from jotsam.core.note_records import FoundNote  # The brief needs the rows only.

    has_ended = row["ended_by"] is not None
    note = FoundNote(
        kind=row["kind"],
        text=row["body"],
        ref=row["memory_id"],
        at=row["said_at"],
        scope=row["scope"],
        sure=row["sure"],
        problem=row["problem"] or "",
        **_read_terms(row["terms"]),
    )
    return Kept(
        note=note,
        memory=row["memory_id"],
        place=row["position"],
        uuid=row["uuid"],
        project=row["memory_project"],
        actor=row["actor"],
        source=row["source"],
        session=row["session"],
        ended_how=row["ended_how"] if has_ended else None,
        ended_by=row["ended_by"],
        ended_place=row["ended_position"],
        ended_text=row["ended_body"],
        ended_at=row["ended_at"],
        verdict=row["verdict"],
        before=row["before_uuid"],
        after=row["after_uuid"],
        ended_names=frozenset(json.loads(row["ended_names"])) if has_ended and row["ended_names"] else frozenset(),
    )


@lru_cache(maxsize=4_096)  # A worker compares the notes of a project again with each turn.
def _read_terms(terms: str) -> Mapping[str, Any]:
    found = json.loads(terms)
    return {"is_change": "change" in found, **{name: frozenset(found[name]) for name in SETS if name in found}}
