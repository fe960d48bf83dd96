"""Sessions: their list, and one as a conversation with what was noted of each turn."""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.cursors import cursor, place
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.session_records import Conversation, GivenText, Session, SessionPage, SessionTurn
from jotsam.pipeline.text.words import estimate_tokens
from jotsam.storage.graph import facts
from jotsam.storage.memories import given_texts, notes, projects, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from jotsam.core.note_records import Note
    from jotsam.core.records import Fact
    from jotsam.storage.database import Database, Row, Transaction

MAX_SESSIONS, MAX_TURNS = 200, 200
MAX_TITLE = 200  # characters
START = (-1, 0, 0)


def list_sessions(tx: Transaction, *, project: str | None, after: str | None, limit: int) -> SessionPage:
    """A page of sessions. Raises `InvalidInput`."""
    validate.check_int("limit", limit, 1, MAX_SESSIONS)
    begin = None if after is None else place(after, int, str)
    rows = sessions.listed(tx, project=projects.asked(tx, project) or None, after=begin, limit=limit + 1)
    found = _records(tx, rows[:limit])
    last = found[-1] if len(rows) > limit else None
    return SessionPage(sessions=found, next=cursor(last.last, last.id) if last else None)


def read_session(tx: Transaction, id: str, *, after: str | None, limit: int) -> Conversation:
    """A page of the turns of a session. Raises `NotFound`, `InvalidInput`."""
    validate.check_int("limit", limit, 1, MAX_TURNS)
    begin = START if after is None else place(after, int, int, int)
    (session,) = _records(tx, [_named(tx, validate.check_text("id", id))])
    rows = sessions.turns(tx, session.id, after=begin, limit=limit + 1)
    last = rows[limit - 1] if len(rows) > limit else None
    return Conversation(
        session=session,
        turns=tuple(_turns(tx, rows[:limit])),
        next=cursor(last["at"], last["place"], last["id"]) if last else None,
        given=_given(tx, session.id) if after is None else (),
    )


def session_titles(database: Database, names: Iterable[str], *, tenant: str) -> dict[str, str]:
    """By session its title, on one line; "" for one without turns."""
    wanted = [*dict.fromkeys(names)]
    if not wanted:
        return {}
    with database.snapshot(tenant=tenant) as tx:
        return {name: _title(body) for name, body in sessions.titles(tx, wanted).items()}


def _title(body: str) -> str:
    return " ".join(body.split())[:MAX_TITLE]


def _named(tx: Transaction, name: str) -> Row:
    """The session of a name, or of the beginning of one."""
    if found := sessions.latest(tx, name):
        return found
    names = sessions.starting(tx, name)
    if not names:
        raise NotFound(f"there is no session {validate.shown(name)}: `jotsam sessions` lists them")
    if len(names) > 1:
        raise InvalidInput(f"session {validate.shown(name)} is the beginning of several: give more of it")
    row = sessions.latest(tx, names[0])
    assert row is not None  # it is the same snapshot
    return row


def _records(tx: Transaction, rows: Iterable[Row]) -> tuple[Session, ...]:
    listed = [*rows]
    added_up = sessions.sums(tx, [row["session"] for row in listed])
    return tuple(_record(row, added_up[row["session"]]) for row in listed)


def _record(row: Row, added_up: Mapping[str, Any]) -> Session:
    title = _title(added_up["body"])
    rest = {name: value for name, value in added_up.items() if name != "body"}
    return Session(id=row["session"], title=title, project=row["project"], last=row["at"], **rest)


def _turns(tx: Transaction, rows: list[Row]) -> Iterable[SessionTurn]:
    chunks = sessions.chunks(tx, [row["document_id"] for row in rows if row["document_id"] is not None])
    parts = {row["id"]: chunks.get(row["document_id"], [row]) for row in rows}
    numbers = [part["id"] for each in parts.values() for part in each]
    said: dict[int, list[Note]] = {}
    for one in notes.of_each(tx, numbers):
        if notes.is_told(one.note.kind, one.note.text):
            said.setdefault(one.memory, []).append(notes.record(one))
    stated = facts.of_each(tx, numbers)
    for row in rows:
        of_turn = parts[row["id"]]
        yield SessionTurn(
            id=row["uuid"],
            memories=tuple(part["uuid"] for part in of_turn),
            document=row["document"],
            actor=row["actor"],
            text=row["text"],
            at=row["at"],
            is_enriched=all(part["enriched_at"] is not None for part in of_turn),
            superseded_at=row["superseded_at"],
            archived_at=row["archived_at"],
            notes=tuple(note for part in of_turn for note in said.get(part["id"], ())),
            facts=_facts(fact for part in of_turn for fact in stated.get(part["id"], ())),
        )


def _given(tx: Transaction, session: str) -> tuple[GivenText, ...]:
    rows = given_texts.of_session(tx, session)
    return tuple(GivenText(**row, tokens=estimate_tokens(row["text"])) for row in rows)


def _facts(found: Iterable[Fact]) -> tuple[Fact, ...]:
    """Each once: the chunks of a long turn may state the same."""
    return tuple({(one.subject, one.predicate, one.object): one for one in found}.values())
