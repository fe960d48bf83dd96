"""Session files: the JSON of a line, the format it belongs to, and the parser of that format.

The formats of agents are undocumented and change between versions, so an unknown kind of line is skipped and only a
broken line is an error. The plain format is validated strictly. A parser keeps state between lines; it opens no file
and stores nothing.
"""

from __future__ import annotations

import json

from jotsam.core.errors import InvalidInput
from jotsam.core.names import SESSION_FORMATS
from jotsam.ingest.session_formats.claude import WITHOUT_TURN, Claude
from jotsam.ingest.session_formats.codex import Codex
from jotsam.ingest.session_formats.plain import Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jotsam.ingest.session_formats.parsed_turn import TurnParser

CLAUDE, CODEX, PLAIN = SESSION_FORMATS

EXPECTED = (
    "lines of Claude Code (with type and sessionId), of Codex CLI (with type and payload), "
    "or objects with role, content, timestamp and session"
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


def detect_format(entry: dict[str, Any]) -> str | None:
    """The format of a line; None if it cannot be told from the line alone."""
    kind = entry.get("type")
    if isinstance(kind, str):
        if isinstance(entry.get("payload"), dict):
            return CODEX
        return CLAUDE if isinstance(entry.get("sessionId"), str) or kind in WITHOUT_TURN else None
    has_speaker, has_text = ("role" in entry or "actor" in entry), ("content" in entry or "text" in entry)
    return PLAIN if has_speaker and has_text else None


def parser(format: str, *, session: str | None = None) -> TurnParser:
    """A parser for one file. `session` is used for turns without a session id."""
    return _PARSERS[format](session)


_PARSERS: dict[str, Callable[[str | None], TurnParser]] = {CLAUDE: Claude, CODEX: Codex, PLAIN: Plain}
