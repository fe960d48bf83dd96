"""Transcripts of Claude Code: one line per block of a message."""

from __future__ import annotations

from jotsam.agents.session_format import (
    ATTACHMENTS,
    META,
    OTHER,
    REPEATS,
    SUBAGENTS,
    ParsedTurn,
    Place,
    SessionFormat,
    check_storable,
    name_of,
    optional,
    text_of,
    time_of,
)
from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.agents.session_format import SessionFile


WITHOUT_TURN = {"file-history-snapshot": META, "summary": META, "system": META, "attachment": ATTACHMENTS}
WITHOUT_TURN |= {"progress": META, "queue-operation": META, "last-prompt": META, "custom-title": META}

_FLAGS = {"isSidechain": SUBAGENTS, "forkedFrom": REPEATS, "isCompactSummary": REPEATS, "isMeta": META}
_FLAGS |= {"isVisibleInTranscriptOnly": META, "isApiErrorMessage": META}
_AUTOMATIC_PROMPTS = ("system", "loop_wakeup", "schedule_wakeup", "poll_event")


class Claude:
    """The parser of one file."""

    def __init__(self, file: SessionFile) -> None:
        self._session = file.session
        self._prompt = ""

    def turn_of(self, entry: dict[str, Any]) -> ParsedTurn | str:
        kind = entry.get("type")
        if kind not in ("user", "assistant"):
            return WITHOUT_TURN.get(str(kind), OTHER)
        for flag, why in _FLAGS.items():
            if entry.get(flag):
                return why
        message = entry.get("message")
        if not isinstance(message, dict):
            raise InvalidInput("message is missing")
        text, other = text_of(message.get("content"), ("text",))
        if kind == "user":
            named = entry.get("promptId")
            # A tool result belongs to the previous prompt; a prompt without an id resets it.
            self._prompt = named if isinstance(named, str) else "" if text else self._prompt
        if not text:
            return other
        if entry.get("promptSource") in _AUTOMATIC_PROMPTS or message.get("model") == "<synthetic>":
            return META
        return ParsedTurn(
            text=check_storable(text),
            actor=str(kind),
            session=name_of("sessionId", entry.get("sessionId"), self._session),
            said_at=time_of(entry),
            line=optional(entry.get("uuid")),
            prompt=self._prompt,
            folder=optional(entry.get("cwd")),
        )


def _recognises(entry: dict[str, Any]) -> bool:
    kind = entry.get("type")
    return isinstance(kind, str) and (isinstance(entry.get("sessionId"), str) or kind in WITHOUT_TURN)


FORMAT = SessionFormat(
    parser=Claude,
    recognises=_recognises,
    described="Claude Code (lines with type and sessionId)",
    places=(Place(path="projects", home="~/.claude", variable="CLAUDE_CONFIG_DIR"),),
    part_prefix="agent-",
)
