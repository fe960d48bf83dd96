"""Sessions of Gemini CLI: one object per line, or in earlier versions one object with a list of messages.

A message is written again when a tool call of it has ended. The folder of a session is not in its file.
"""

from __future__ import annotations

import os

from jotsam.agents.gemini import without_hook_context
from jotsam.agents.session_format import (
    META,
    OTHER,
    REPEATS,
    SUBAGENTS,
    THINKING,
    TOOL_CALLS,
    TOOL_RESULTS,
    ParsedTurn,
    Place,
    SessionFormat,
    check_storable,
    name_of,
    optional,
    time_of,
)
from jotsam.core.own_files import read_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.agents.session_format import SessionFile

_PROJECT_ROOT = ".project_root"  # beside the folder of a session: the folder in which it ran
_MAX_PATH_BYTES = 4_096

_ACTORS = {"user": "user", "gemini": "assistant"}
_META = ("info", "error", "warning")
_INJECTED = ("<session_context>", "<state_snapshot>")


def _split(entry: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The messages of an entry that holds a list of them, after what the entry holds about the session."""
    changes = entry.get("$set")
    if isinstance(changes, dict) and isinstance(changes.get("messages"), list):
        return [message for message in changes["messages"] if isinstance(message, dict)]
    if "projectHash" in entry and isinstance(entry.get("messages"), list):
        return [{**entry, "messages": None}, *(one for one in entry["messages"] if isinstance(one, dict))]
    return None


class Gemini:
    """The parser of one file."""

    def __init__(self, file: SessionFile) -> None:
        self._session, self._folder = file.session, file.folder
        self._is_subagent = False
        self._read: set[str] = set()  # ids of the messages that were returned

    def turn_of(self, entry: dict[str, Any]) -> ParsedTurn | str:
        kind = entry.get("type")
        if not isinstance(kind, str) or kind not in _ACTORS:
            if "projectHash" in entry:
                self._session = optional(entry.get("sessionId")) or self._session
                self._is_subagent = entry.get("kind") == "subagent"
            return META if kind is None or str(kind) in _META else OTHER
        text, other = _text_of(entry)
        if not text:
            return other
        line = optional(entry.get("id"))
        if self._is_subagent or line in self._read:
            return SUBAGENTS if self._is_subagent else REPEATS
        if line:
            self._read.add(line)
        return ParsedTurn(
            text=check_storable(text),
            actor=_ACTORS[kind],
            session=name_of("sessionId", self._session, None),
            said_at=time_of(entry),
            line=line,
            folder=self._folder,
        )


def _text_of(entry: dict[str, Any]) -> tuple[str, str]:
    """The text of a message, and if it is empty, the reason."""
    content = entry.get("content")
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
    text = without_hook_context("\n".join(text for text in texts if not text.lstrip().startswith(_INJECTED)))
    if text.strip():
        return text, ""
    if any(isinstance(part, dict) and "functionResponse" in part for part in parts):
        return "", TOOL_RESULTS
    if entry.get("toolCalls"):
        return "", TOOL_CALLS
    return "", META if "".join(texts).strip() else THINKING if entry.get("thoughts") else OTHER


def _folder_of(path: str) -> str | None:
    beside = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(path))), _PROJECT_ROOT)
    try:
        return read_regular(beside, _MAX_PATH_BYTES).decode().strip() or None
    except (OSError, ValueError):
        return None


def _recognises(entry: dict[str, Any]) -> bool:
    return "projectHash" in entry


FORMAT = SessionFormat(
    parser=Gemini,
    recognises=_recognises,
    described="Gemini CLI (sessionId and projectHash)",
    patterns=("*.jsonl", "session-*.json"),
    places=(Place(path=".gemini/tmp", variable="GEMINI_CLI_HOME"),),
    split=_split,
    folder_of=_folder_of,
    names_prompts=False,
    splits_answers=True,
)
