"""The records of sessions: conversations of agents or programs, with what was noted of each turn."""

from __future__ import annotations

from jotsam.core.note_records import Note
from jotsam.core.records import Fact, Record


class Session(Record):
    """A conversation, without its turns. Times are those of its turns."""

    id: str  # as the agent or the caller named it
    title: str  # the beginning of the first turn of a person
    project: str | None  # of the latest turn
    agent: str | None  # the source of its turns, such as claude-code
    first: int
    last: int
    turns: int
    notes: int = 0  # rules, decisions, open ends and fixes that were read out of it, also those that ended since
    facts: int = 0
    pending: int = 0  # turns that are not enriched yet
    tokens: int = 0  # of requests to models about it
    cost: float = 0.0


class SessionPage(Record):
    """Sessions, the latest first. Pass `next` as `after` for the page that follows; None: this is the last."""

    sessions: tuple[Session, ...]
    next: str | None = None


class SessionTurn(Record):
    """What one speaker said at a time. A long turn is stored as several memories."""

    id: str  # UUID of its memory, the first if there are several
    memories: tuple[str, ...]  # UUIDs of all of them
    document: str | None  # UUID, of a long turn
    actor: str | None
    text: str
    at: int
    is_enriched: bool = True
    superseded_at: int | None = None
    archived_at: int | None = None
    notes: tuple[Note, ...] = ()
    facts: tuple[Fact, ...] = ()


class GivenText(Record):
    """What a hook gave a session, as it was sent."""

    kind: str  # start: the brief; prompt: what a prompt needed
    at: int
    text: str
    tokens: int  # about


class Conversation(Record):
    """A session with its turns in order. Pass `next` as `after` for those that follow; None: these are the last."""

    session: Session
    turns: tuple[SessionTurn, ...]
    next: str | None = None
    given: tuple[GivenText, ...] = ()  # in order, the latest 50; on the first page
