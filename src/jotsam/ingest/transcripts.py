"""Session files: the JSON of a line, the format it belongs to, and the parser of that format.

The formats of agents are undocumented and change between versions, so an unknown kind of line is skipped and only a
broken line is an error. The plain format is validated strictly. A parser keeps state between lines; it opens no file
and stores nothing.
"""

from __future__ import annotations

import json

from jotsam.core.errors import InvalidInput
from jotsam.core.names import SESSION_FORMATS
from jotsam.ingest.session_formats import claude, codex, cursor, gemini, opencode, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jotsam.ingest.session_formats.parsed_turn import SessionFile, TurnParser

CLAUDE, CODEX, GEMINI, OPENCODE, CURSOR, PLAIN = SESSION_FORMATS

EXPECTED = (
    "sessions of Claude Code (lines with type and sessionId), Codex CLI (type and payload), Gemini CLI (sessionId and "
    "projectHash), Cursor (role and message) or opencode (opencode.db, or an export), or lines with role, content, "
    "timestamp and session"
)


def entry(line: bytes) -> dict[str, Any]:
    """The JSON object of a line. Raises `InvalidInput`."""
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"not UTF-8 at byte {error.start + 1}") from error
    if "\0" in text:
        raise InvalidInput("contains NUL bytes, as after a crash")
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise InvalidInput("invalid JSON: nested too deeply") from error
    except json.JSONDecodeError as error:
        raise InvalidInput(f"invalid JSON: {error.msg} at character {error.pos + 1}") from error
    except ValueError as error:
        raise InvalidInput(f"invalid JSON: {error}") from error
    if not isinstance(found, dict):
        raise InvalidInput(f"not a JSON object, but {type(found).__name__}")
    return found


def split(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries of an object that holds a list of messages; any other object is one entry."""
    if "projectHash" in entry or "$set" in entry:
        return gemini.split(entry)
    return opencode.split(entry) if "info" in entry else [entry]


def detect_format(entry: dict[str, Any]) -> str | None:
    """The format of an entry; None if the entry alone does not show it."""
    kind = entry.get("type")
    if "projectHash" in entry:
        return GEMINI
    if isinstance(entry.get("info"), dict) and ("parts" in entry or "directory" in entry["info"]):
        return OPENCODE
    if "bubbleId" in entry or (kind is None and "role" in entry and isinstance(entry.get("message"), dict)):
        return CURSOR
    if isinstance(kind, str):
        if isinstance(entry.get("payload"), dict):
            return CODEX
        return CLAUDE if isinstance(entry.get("sessionId"), str) or kind in claude.WITHOUT_TURN else None
    has_speaker, has_text = ("role" in entry or "actor" in entry), ("content" in entry or "text" in entry)
    return PLAIN if has_speaker and has_text else None


def parser(format: str, file: SessionFile) -> TurnParser:
    """A parser for one file."""
    return _PARSERS[format](file)


_PARSERS: dict[str, Callable[[SessionFile], TurnParser]] = {
    CLAUDE: claude.Claude,
    CODEX: codex.Codex,
    GEMINI: gemini.Gemini,
    OPENCODE: opencode.OpenCode,
    CURSOR: cursor.Cursor,
    PLAIN: plain.Plain,
}
