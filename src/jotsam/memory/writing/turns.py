"""Accepts turns of a conversation from a program that is not an agent with hooks. As a hook, it stores no fenced answer
of memory again, cuts what is very long, and makes a document of a long turn.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.clock import new_id, parse_time
from jotsam.core.errors import InvalidInput
from jotsam.core.names import as_type
from jotsam.ingest.capture import MAX_PART_BYTES, Turn, accept_turn, cut_turn, text_mark
from jotsam.ingest.hook_events import without_memory
from jotsam.ingest.validation import check_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.core.records import Receipt
    from jotsam.core.settings import Settings
    from jotsam.storage.database import Transaction

SOURCE = "turns"


def add_turn(tx: Transaction, text: str, *, key: str | None, settings: Settings, fields: dict[str, Any]) -> Receipt:
    """Store a turn. Raises `InvalidInput`, before anything is written."""
    lines = {name: check_line(name, fields.get(name)) for name in ("session", "actor", "source", "type", "project")}
    session, position, said_at = lines["session"], fields.get("position"), fields.get("said_at")
    if session is None:
        raise InvalidInput("session is missing or empty: give the id of the conversation")
    if position is not None:
        validate.check_int("position", position, 0, validate.MAX_ID)
    turn = Turn(
        text=cut_turn(without_memory(validate.check_text("text", text))),
        actor=lines["actor"] or "user",
        session=session,
        key=check_line("key", key) or _key(session, position),
        source=lines["source"] or SOURCE,
        said_at=tx.now if said_at is None else parse_time(said_at, name="said_at"),
        tenant=settings.tenant,
        project=lines["project"] or settings.project or None,
        position=position,
        type=lines["type"] and as_type(lines["type"]),
    )
    return accept_turn(tx, turn, settings)


def _key(session: str, position: int | None) -> str:
    """The same for the same place in a conversation; without a place, a new one."""
    if position is None:
        return f"turn:{new_id()}"
    return f"turn:{validate.cut_name(session, limit=MAX_PART_BYTES)}:{text_mark(session)}:{position}"
