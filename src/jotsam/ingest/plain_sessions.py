"""The plain JSON Lines format, which any program can write. It is validated strictly."""

from __future__ import annotations

from jotsam.agents.session_format import (
    META,
    OTHER,
    TOOL_RESULTS,
    ParsedTurn,
    SessionFormat,
    check_storable,
    name_of,
    shown,
    time_of,
)
from jotsam.core import validate
from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.agents.session_format import SessionFile


# The fields of a line.
FIELDS = ("actor", "content", "id", "role", "session", "text", "timestamp")
ROLES = {"user": None, "assistant": None, "system": META, "tool": TOOL_RESULTS}


class Plain:
    """One object per turn: `role` or `actor`, `content` or `text`, `timestamp`, `session` and an optional `id`."""

    def __init__(self, file: SessionFile) -> None:
        self._session = file.session

    def turn_of(self, entry: dict[str, Any]) -> ParsedTurn | str:
        validate.check_fields(entry, FIELDS)
        speaker, text = _alternative_field(entry, "role", "actor"), _alternative_field(entry, "content", "text")
        actor, line = entry[speaker], entry.get("id")
        if not isinstance(actor, str) or not actor.strip() or (speaker == "role" and actor not in ROLES):
            raise InvalidInput(
                f"invalid {speaker} {shown(actor)}: must be one of {', '.join(ROLES)}; `actor` may be any name"
            )
        if not isinstance(entry[text], str):
            raise InvalidInput(f"invalid {text} of type {type(entry[text]).__name__}: must be a string")
        if line is not None and (isinstance(line, bool) or not isinstance(line, str | int) or not str(line).strip()):
            raise InvalidInput(f"invalid id {shown(line)}: must be a string or an integer, or missing")
        why = (ROLES[actor] if speaker == "role" else None) or ("" if entry[text].strip() else OTHER)
        return why or ParsedTurn(
            text=check_storable(entry[text]),
            actor=check_storable(actor),
            session=name_of("session", entry.get("session"), self._session),
            said_at=time_of(entry),
            line=None if line is None else check_storable(str(line)),
        )


def _alternative_field(entry: dict[str, Any], one: str, other: str) -> str:
    """Which of two alternative fields a line has. Raises `InvalidInput` if it has both or neither."""
    if (one in entry) == (other in entry):
        raise InvalidInput(
            f"has {'both' if one in entry else 'neither'} {one} {'and' if one in entry else 'nor'} {other}"
        )
    return one if one in entry else other


def _recognises(entry: dict[str, Any]) -> bool:
    if isinstance(entry.get("type"), str):
        return False  # a kind of line of an agent that is not known
    return ("role" in entry or "actor" in entry) and ("content" in entry or "text" in entry)


FORMAT = SessionFormat(
    parser=Plain, recognises=_recognises, described="lines with role, content, timestamp and session"
)
