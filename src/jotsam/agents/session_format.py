"""The contract of a format of session files: its turns, why a line has none, and the checks that formats share."""

from __future__ import annotations

import json

from jotsam.core.clock import parse_time
from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Protocol

    from jotsam.storage.sqlite.foreign_database import ForeignDatabase

    Entry = dict[str, Any]

    class TurnParser(Protocol):
        """Parses the lines of one file, in order."""

        def turn_of(self, entry: dict[str, Any]) -> ParsedTurn | str:
            """The turn of a line, or why it has none: one of the constants below. Raises `InvalidInput`."""
            ...


# Why a line has no turn. Meta lines are written by the program itself; repeats copy a turn of another line.
TOOL_CALLS, TOOL_RESULTS, THINKING = "tool calls", "tool results", "thinking"
ATTACHMENTS, SUBAGENTS, REPEATS, META, OTHER = "attachments", "subagents", "repeats", "meta", "other"

SMALLEST_MS = 100_000_000_000  # the year 1973; a smaller timestamp is in seconds

INJECTED: tuple[str, ...] = (
    "<command-",
    "<local-command-",
    "<bash-",
    "<system-reminder>",
    "<ide_",
    "<task-notification>",
)
INJECTED += ("[Request interrupted by user",)
BLOCKS = {"tool_result": TOOL_RESULTS, "tool_use": TOOL_CALLS, "thinking": THINKING, "redacted_thinking": THINKING}
BLOCKS |= {"image": ATTACHMENTS, "document": ATTACHMENTS}


class SessionFile(Record):
    """What is known of a file, for turns that do not hold it themselves."""

    session: str | None = None  # given by the user
    name: str = ""  # of the file, without its ending
    folder: str | None = None  # the working directory of the program, if a file beside it names it
    changed: int = 0  # time of the last modification


class ParsedTurn(Record):
    """One turn of a session. `folder` is the working directory of the program.

    `line` is the id of the line, if it has one. `prompt` is the id that a hook sends with the same turn: empty if the
    program gives none, None if the format has no hooks, or their id is not in the file.
    """

    text: str
    actor: str
    session: str
    said_at: int
    line: str | None = None
    prompt: str | None = None
    folder: str | None = None


def _no_folder(path: str) -> str | None:
    return None


class Place(Record):
    """A file or folder of an agent, in the folder that a variable of the environment names, or else in `home`."""

    path: str
    home: str = "~"
    variable: str = ""


class SessionFormat(Record):
    """How the session files of an agent are read. An entry is a JSON object: a line, or a row of a database."""

    parser: Callable[[SessionFile], TurnParser]  # of one file
    recognises: Callable[[Entry], bool]
    described: str  # for people whose file is not recognised
    patterns: tuple[str, ...] = ("*.jsonl",)  # what is read of a folder
    places: tuple[Place, ...] = ()  # where the agent keeps its sessions
    part_prefix: str = ""  # of the names of files that are only a part of a session, if they have one
    split: Callable[[Entry], list[Entry] | None] | None = None  # the entries of an object with a list of messages
    folder_of: Callable[[str], str | None] = _no_folder  # by path: where the session ran, if the entries do not say it
    tables: frozenset[str] = frozenset()  # of a SQLite database with sessions
    rows: Callable[[ForeignDatabase], Iterator[Entry]] | None = None  # its entries, session by session
    number: str = ""  # the query for the number of its sessions
    names_prompts: bool = True  # whether an entry has the id that the hook sends with its prompt
    splits_answers: bool = False  # whether an answer is in parts that the hook sends as a whole


def text_of(content: object, kinds: Iterable[str]) -> tuple[str, str]:
    """The text of a message without injected blocks, and if it is empty, the reason."""
    given_blocks: list[Any] = content if isinstance(content, list) else [{"type": "text", "text": content}]
    blocks: list[dict[str, Any]] = [block for block in given_blocks if isinstance(block, dict)]
    text_kinds = (*kinds, "text")
    texts = [
        block["text"] for block in blocks if block.get("type") in text_kinds and isinstance(block.get("text"), str)
    ]
    joined = "\n".join(text for text in texts if not text.lstrip().startswith(INJECTED))
    if joined.strip():
        return joined, ""
    others = [BLOCKS[block["type"]] for block in blocks if str(block.get("type")) in BLOCKS]
    return "", others[0] if others else META if "".join(texts).strip() else OTHER


def check_storable(text: str) -> str:
    """The text unchanged. Raises `InvalidInput` for NUL and lone surrogates, which no database can store."""
    if "\0" in text:
        raise InvalidInput("the text contains NUL")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("the text contains an unpaired surrogate") from error
    return text


def name_of(what: str, value: object, otherwise: str | None) -> str:
    name = otherwise if value is None else value
    if name is None:
        raise InvalidInput(f"{what} is missing: set it in the line, or for all lines with --session")
    if not isinstance(name, str) or not name.strip():
        raise InvalidInput(f"invalid {what} {shown(name)}: must be a non-empty string")
    return check_storable(name.strip())


def time_of(entry: dict[str, Any]) -> int:
    value = entry.get("timestamp")
    if value is None:
        raise InvalidInput("timestamp is missing")
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < SMALLEST_MS:
        raise InvalidInput(f"invalid timestamp {value}: must be milliseconds or a date such as 2026-03-01T14:00:00Z")
    if not isinstance(value, str | int):
        raise InvalidInput(
            f"invalid timestamp {shown(value)}: must be milliseconds or a date such as 2026-03-01T14:00:00Z"
        )
    return parse_time(value if isinstance(value, int) else value[:40], name="timestamp")


def optional(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:39]}…"


def object_in(value: object) -> Entry:
    """The JSON object in a column; empty for anything else, because one row must not stop the others."""
    if not isinstance(value, str | bytes):
        return {}
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
