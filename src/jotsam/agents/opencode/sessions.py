"""Sessions of opencode: its database, a message with its parts per entry, or the file that `opencode export` writes."""

from __future__ import annotations

from jotsam.agents.opencode import without_quotes
from jotsam.agents.session_format import (
    ATTACHMENTS,
    META,
    OTHER,
    REPEATS,
    SUBAGENTS,
    THINKING,
    TOOL_CALLS,
    ParsedTurn,
    Place,
    SessionFormat,
    check_storable,
    name_of,
    object_in,
    optional,
    time_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from jotsam.agents.session_format import SessionFile
    from jotsam.storage.sqlite.foreign_database import ForeignDatabase

_NUMBER = "select count(*) as number from session"
_SESSIONS = "select * from session order by time_created, id"
_MESSAGES = "select id, data from message where session_id = ? order by time_created, id"
_PARTS_OF = "select data from part where message_id = ? order by id"

_ROLES = ("user", "assistant")
_PARTS = {"tool": TOOL_CALLS, "reasoning": THINKING, "file": ATTACHMENTS, "subtask": SUBAGENTS, "agent": SUBAGENTS}


def _split(entry: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The messages of an exported session, after what the export holds about the session."""
    messages = entry.get("messages")
    if isinstance(entry.get("info"), dict) and isinstance(messages, list):
        return [{"info": entry["info"]}, *(message for message in messages if isinstance(message, dict))]
    return None


class OpenCode:
    """The parser of one file, or of one database with many sessions.

    An entry with `parts` is a message; one without describes the session of the following messages.
    """

    def __init__(self, file: SessionFile) -> None:
        self._session = file.session
        self._folder: str | None = None
        self._is_subagent = False

    def turn_of(self, entry: dict[str, Any]) -> ParsedTurn | str:
        info, parts = entry.get("info"), entry.get("parts")
        info = info if isinstance(info, dict) else {}
        if not isinstance(parts, list):
            self._session = optional(info.get("id")) or self._session
            self._folder = optional(info.get("directory"))
            self._is_subagent = bool(info.get("parentID"))
            return META
        if info.get("role") not in _ROLES:
            return OTHER
        if info.get("summary") is True or info.get("mode") == "compaction":
            return REPEATS
        text, other = _text_of(parts)
        if info["role"] == "user":
            text = without_quotes(text)
        if not text:
            return other
        if self._is_subagent:
            return SUBAGENTS
        times, line = info.get("time"), optional(info.get("id"))
        return ParsedTurn(
            text=check_storable(text),
            actor=info["role"],
            session=name_of("session id", info.get("sessionID"), self._session),
            said_at=time_of({"timestamp": times.get("created") if isinstance(times, dict) else None}),
            line=line,
            # Our plugin sends the id of the prompt with the prompt and with its answer.
            prompt=(line if info["role"] == "user" else optional(info.get("parentID"))) or "",
            folder=self._folder,
        )


def _text_of(parts: list[Any]) -> tuple[str, str]:
    """The text of a message without what the program added, and if it is empty, the reason."""
    known = [part for part in parts if isinstance(part, dict)]
    texts = [part for part in known if part.get("type") == "text" and isinstance(part.get("text"), str)]
    text = "\n".join(part["text"] for part in texts if not (part.get("synthetic") or part.get("ignored")))
    if text.strip():
        return text, ""
    others = [_PARTS[part["type"]] for part in known if str(part.get("type")) in _PARTS]
    return "", others[0] if others else META


def _rows(database: ForeignDatabase) -> Iterator[dict[str, Any]]:
    for session in database.rows(_SESSIONS):
        about = {"directory": session.get("directory"), "parentID": session.get("parent_id")}
        yield {"info": {"id": session["id"], **about}}
        for message in database.rows(_MESSAGES, session["id"]):
            info = {**object_in(message["data"]), "id": message["id"], "sessionID": session["id"]}
            yield {"info": info, "parts": [object_in(part["data"]) for part in database.rows(_PARTS_OF, message["id"])]}


def _recognises(entry: dict[str, Any]) -> bool:
    return isinstance(entry.get("info"), dict) and ("parts" in entry or "directory" in entry["info"])


FORMAT = SessionFormat(
    parser=OpenCode,
    recognises=_recognises,
    described="opencode (opencode.db, or an export)",
    patterns=("opencode.db",),
    places=(Place(path="opencode/opencode.db", home="~/.local/share", variable="XDG_DATA_HOME"),),
    split=_split,
    tables=frozenset(("session", "message", "part")),
    rows=_rows,
    number=_NUMBER,
)
