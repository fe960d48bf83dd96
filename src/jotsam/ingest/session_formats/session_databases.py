"""Sessions in SQLite databases, of opencode and Cursor, as the entries that the parsers of these formats read."""

from __future__ import annotations

import json

from jotsam.core.errors import InvalidInput
from jotsam.storage import foreign_database

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from jotsam.storage.foreign_database import ForeignDatabase

    Entry = dict[str, Any]

BEGINNING = b"SQLite format 3\0"

_SESSIONS = "select * from session order by time_created, id"
_MESSAGES = "select id, data from message where session_id = ? order by time_created, id"
_PARTS = "select data from part where message_id = ? order by id"
# A range instead of `like`, because it is an index search and the table can have gigabytes.
_COMPOSERS = "select key, value from cursorDiskKV where key >= 'composerData:' and key < 'composerData;'"
_BUBBLES = "select key, value from cursorDiskKV where key >= ? and key < ?"


def detect(path: str) -> bool:
    """Whether a SQLite database contains sessions. Raises `InvalidInput` if it cannot be read."""
    return _reader(foreign_database.tables(path)) is not None


def entries(path: str) -> Iterator[Entry]:
    """All messages of a database, session by session. Raises `InvalidInput` if it has none, or cannot be read."""
    with foreign_database.opened(path) as database:
        reader = _reader(database.tables)
        if reader is None:
            raise InvalidInput("has no tables of opencode or Cursor")
        yield from reader(database)


def _reader(tables: frozenset[str]) -> Any:
    if tables >= {"session", "message", "part"}:
        return _of_opencode
    return _of_cursor if "cursorDiskKV" in tables else None


def _of_opencode(database: ForeignDatabase) -> Iterator[Entry]:
    for session in database.rows(_SESSIONS):
        about = {"directory": session.get("directory"), "parentID": session.get("parent_id")}
        yield {"info": {"id": session["id"], **about}}
        for message in database.rows(_MESSAGES, session["id"]):
            info = {**_object(message["data"]), "id": message["id"], "sessionID": session["id"]}
            yield {"info": info, "parts": [_object(part["data"]) for part in database.rows(_PARTS, message["id"])]}


def _of_cursor(database: ForeignDatabase) -> Iterator[Entry]:
    for row in database.rows(_COMPOSERS):
        composer, session = _object(row["value"]), str(row["key"]).partition(":")[2]
        about = {"composerId": session, "began": composer.get("createdAt"), "subagent": "subagentInfo" in composer}
        prefix = f"bubbleId:{session}:"
        stored = {str(one["key"])[len(prefix) :]: one for one in database.rows(_BUBBLES, prefix, f"{prefix[:-1]};")}
        headers = composer.get("fullConversationHeadersOnly")
        named = [one.get("bubbleId") for one in headers if isinstance(one, dict)] if isinstance(headers, list) else []
        if isinstance(composer.get("conversation"), list):  # as earlier versions stored it
            bubbles = [one for one in composer["conversation"] if isinstance(one, dict)]
        else:
            bubbles = [_object(stored[name]["value"]) for name in named if name in stored]
        for bubble in bubbles:
            if isinstance(bubble.get("bubbleId"), str):
                yield {**bubble, **about}


def _object(value: object) -> Entry:
    """The JSON object in a column; empty for anything else, because one row must not stop the others."""
    if not isinstance(value, str | bytes):
        return {}
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
