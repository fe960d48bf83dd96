"""Session files: the JSON of a line, the format it belongs to, and the parser of that format.

The formats of agents are undocumented and change between versions, so an unknown kind of line is skipped and only a
broken line is an error. The plain format is validated strictly. A parser keeps state between lines; it opens no file
and stores nothing.
"""

from __future__ import annotations

import json

from jotsam.agents.agent import agent_of
from jotsam.agents.registry import PLAIN, WITH_SESSIONS
from jotsam.core.errors import InvalidInput
from jotsam.ingest import plain_sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.agents.session_format import SessionFile, TurnParser

FORMATS = {source: agent_of(name).sessions for source, name in WITH_SESSIONS.items()} | {PLAIN: plain_sessions.FORMAT}

# In the order in which they are tried: the first one listed recognises lines of others too.
_TRIED = (*((source, FORMATS[source]) for source in reversed(WITH_SESSIONS)), (PLAIN, FORMATS[PLAIN]))
_SPLITS = [one.split for one in FORMATS.values() if one.split]

# What is read of a folder.
PATTERNS = tuple(dict.fromkeys(pattern for one in FORMATS.values() for pattern in one.patterns))


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
    for of_format in _SPLITS:
        if (entries := of_format(entry)) is not None:
            return entries
    return [entry]


def detect_format(entry: dict[str, Any]) -> str | None:
    """The format of an entry; None if the entry alone does not show it."""
    return next((name for name, one in _TRIED if one.recognises(entry)), None)


def parser(format: str, file: SessionFile) -> TurnParser:
    """A parser for one file."""
    return FORMATS[format].parser(file)


def names_prompts(source: str | None) -> bool:
    """Whether the entries of a source name the prompt of a turn as the hooks do."""
    return source not in FORMATS or FORMATS[source].names_prompts


def splits_answers(source: str | None) -> bool:
    """Whether the files of a source have an answer in parts that the hooks send as a whole."""
    return source in FORMATS and FORMATS[source].splits_answers


def expected() -> str:
    """What a session file has in it, for people whose file is not recognised."""
    *agents, plain = (one.described for one in FORMATS.values())
    return f"sessions of {', '.join(agents[:-1])} or {agents[-1]}, or {plain}"
