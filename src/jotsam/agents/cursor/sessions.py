"""Sessions of Cursor: the transcripts of its agent, and the conversations in its database `state.vscdb`.

A line of a transcript has neither a time nor an id: its time is that of the file, its id the number of the line.
"""

from __future__ import annotations

from jotsam.agents.session_format import (
    META,
    OTHER,
    SUBAGENTS,
    ParsedTurn,
    Place,
    SessionFormat,
    check_storable,
    name_of,
    object_in,
    optional,
    text_of,
    time_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from jotsam.agents.session_format import SessionFile
    from jotsam.storage.sqlite.foreign_database import ForeignDatabase

# A range instead of `like`, because it is an index search and the table can have gigabytes.
_OF_COMPOSERS = "from cursorDiskKV where key >= 'composerData:' and key < 'composerData;'"
_COMPOSERS, _NUMBER = f"select key, value {_OF_COMPOSERS}", f"select count(*) as number {_OF_COMPOSERS}"
_BUBBLES = "select key, value from cursorDiskKV where key >= ? and key < ?"

_SPEAKERS = {1: "user", 2: "assistant"}  # types of a bubble, which is one message
_QUERY, _QUERY_END = "<user_query>", "</user_query>"


class Cursor:
    """The parser of one transcript, or of one database with many conversations."""

    def __init__(self, file: SessionFile) -> None:
        self._file = file
        self._number = 0

    def turn_of(self, entry: dict[str, Any]) -> ParsedTurn | str:
        self._number += 1
        return self._bubble(entry) if "bubbleId" in entry else self._line(entry)

    def _line(self, entry: dict[str, Any]) -> ParsedTurn | str:
        actor, message = entry.get("role"), entry.get("message")
        if actor not in _SPEAKERS.values() or not isinstance(message, dict):
            return OTHER
        text, other = text_of(message.get("content"), ())
        if actor == "user" and text:
            text, other = _typed(text), META
        return self._turn(text, str(actor), other, line=f"line {self._number}", said_at=self._file.changed)

    def _bubble(self, entry: dict[str, Any]) -> ParsedTurn | str:
        actor = _SPEAKERS.get(entry["type"]) if isinstance(entry.get("type"), int) else None
        if actor is None:
            return OTHER
        if entry.get("subagent"):
            return SUBAGENTS
        text = entry.get("text")
        said_at = time_of({"timestamp": entry.get("createdAt") or entry.get("began")})
        session = optional(entry.get("composerId"))
        line = optional(entry.get("bubbleId"))
        return self._turn(text if isinstance(text, str) else "", actor, META, line=line, said_at=said_at, of=session)

    def _turn(
        self, text: str, actor: str, other: str, *, line: str | None, said_at: int, of: str | None = None
    ) -> ParsedTurn | str:
        if not text.strip():
            return other
        return ParsedTurn(
            text=check_storable(text.strip()),
            actor=actor,
            session=name_of("session", of or self._file.session, self._file.name or None),
            said_at=said_at,
            line=line,
            folder=self._file.folder,
        )


def _typed(text: str) -> str:
    """What the user typed: between the marks, if the program put them there beside context of its own."""
    before, mark, rest = text.partition(_QUERY)
    return rest.rpartition(_QUERY_END)[0] or rest if mark else before


def _rows(database: ForeignDatabase) -> Iterator[dict[str, Any]]:
    for row in database.rows(_COMPOSERS):
        composer, session = object_in(row["value"]), str(row["key"]).partition(":")[2]
        about = {"composerId": session, "began": composer.get("createdAt"), "subagent": "subagentInfo" in composer}
        prefix = f"bubbleId:{session}:"
        stored = {str(one["key"])[len(prefix) :]: one for one in database.rows(_BUBBLES, prefix, f"{prefix[:-1]};")}
        headers = composer.get("fullConversationHeadersOnly")
        named = [one.get("bubbleId") for one in headers if isinstance(one, dict)] if isinstance(headers, list) else []
        if isinstance(composer.get("conversation"), list):  # as earlier versions stored it
            bubbles = [one for one in composer["conversation"] if isinstance(one, dict)]
        else:
            bubbles = [object_in(stored[name]["value"]) for name in named if name in stored]
        for bubble in bubbles:
            if isinstance(bubble.get("bubbleId"), str):
                yield {**bubble, **about}


def _recognises(entry: dict[str, Any]) -> bool:
    is_line = entry.get("type") is None and "role" in entry and isinstance(entry.get("message"), dict)
    return "bubbleId" in entry or is_line


FORMAT = SessionFormat(
    parser=Cursor,
    recognises=_recognises,
    described="Cursor (role and message)",
    patterns=("*.jsonl", "state.vscdb"),
    places=(
        Place(path=".cursor/projects"),
        Place(path="Cursor/User/globalStorage/state.vscdb", home="~/.config", variable="XDG_CONFIG_HOME"),
    ),
    tables=frozenset(("cursorDiskKV",)),
    rows=_rows,
    number=_NUMBER,
    names_prompts=False,
)
