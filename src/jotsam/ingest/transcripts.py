"""Lines of session files: which turn of a conversation stands in one, or why it holds none.

Three formats are known: the transcript of Claude Code, the rollout of Codex CLI, and a plain one of ours that anything
can be turned into. The first two are not promised to anybody and change with each version of their programs: so a kind
of line that is not known here is left out, and only what is broken is an error. The plain one is checked strictly.
This room reads single lines and remembers what earlier ones said; it opens no file, and decides nothing about memory.
"""

from __future__ import annotations

import json

from jotsam.core import validate
from jotsam.core.clock import parse_time
from jotsam.core.errors import InvalidInput
from jotsam.core.names import SESSION_FORMATS
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Protocol

    class Lines(Protocol):
        """Reads the lines of one file, in their order."""

        def read(self, entry: dict[str, Any]) -> Said | str:
            """The turn in a line, or what the line is instead. Raises `InvalidInput`."""
            ...


CLAUDE, CODEX, PLAIN = SESSION_FORMATS

TOOL_CALLS, TOOL_RESULTS, THINKING = "tool calls", "tool results", "thinking"
ATTACHMENTS, SUBAGENTS, REPEATS, META, OTHER = "attachments", "subagents", "repeats", "meta", "other"
"""What a line is that holds no turn. Meta is what the program itself put in; repeats were said, and stand elsewhere."""

EXPECTED = (
    "lines of Claude Code (with type and sessionId), of Codex CLI (with type and payload), "
    "or objects with role, content, timestamp and session"
)
WORDS = ("actor", "content", "id", "role", "session", "text", "timestamp")
"""All that a line of the plain format may have."""

ROLES = {"user": None, "assistant": None, "system": META, "tool": TOOL_RESULTS}
SOONEST_MS = 100_000_000_000
"""The year 1973: a smaller number counts seconds."""


class Said(Record):
    """A turn: who said what, when, and in which session. `folder` is where the program ran.

    `line` is the id of the line, where it has one. `prompt` is the id under which a hook hands in the same turn, empty
    where the program gives none; None: there are no hooks.
    """

    text: str
    actor: str
    session: str
    said_at: int
    line: str | None = None
    prompt: str | None = None
    folder: str | None = None


def entry(line: bytes) -> dict[str, Any]:
    """The object that a line is. Raises `InvalidInput`."""
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


def recognise(entry: dict[str, Any]) -> str | None:
    """The format that a line has; None where it could be anything."""
    kind = entry.get("type")
    if isinstance(kind, str):
        if isinstance(entry.get("payload"), dict):
            return CODEX
        return CLAUDE if isinstance(entry.get("sessionId"), str) or kind in _OF_CLAUDE else None
    has_speaker, has_text = ("role" in entry or "actor" in entry), ("content" in entry or "text" in entry)
    return PLAIN if has_speaker and has_text else None


def lines(format: str, *, session: str | None = None) -> Lines:
    """A reader of one file. `session` is the name for turns that name none."""
    return _READERS[format](session)


_OF_CLAUDE = {"file-history-snapshot": META, "summary": META, "system": META, "attachment": ATTACHMENTS}
_OF_CLAUDE |= {"progress": META, "queue-operation": META, "last-prompt": META, "custom-title": META}

_MARKS = {"isSidechain": SUBAGENTS, "forkedFrom": REPEATS, "isCompactSummary": REPEATS, "isMeta": META}
_MARKS |= {"isVisibleInTranscriptOnly": META, "isApiErrorMessage": META}
_UNSPOKEN = ("system", "loop_wakeup", "schedule_wakeup", "poll_event")
_INJECTED: tuple[str, ...] = (
    "<command-",
    "<local-command-",
    "<bash-",
    "<system-reminder>",
    "<ide_",
    "<task-notification>",
)
_INJECTED += ("[Request interrupted by user",)
_BLOCKS = {"tool_result": TOOL_RESULTS, "tool_use": TOOL_CALLS, "thinking": THINKING, "redacted_thinking": THINKING}
_BLOCKS |= {"image": ATTACHMENTS, "document": ATTACHMENTS}


class _Claude:
    """Claude Code: one object for each block of a message."""

    def __init__(self, session: str | None) -> None:
        self._session = session
        self._prompt = ""

    def read(self, entry: dict[str, Any]) -> Said | str:
        kind = entry.get("type")
        if kind not in ("user", "assistant"):
            return _OF_CLAUDE.get(str(kind), OTHER)
        for mark, why in _MARKS.items():
            if entry.get(mark):
                return why
        message = entry.get("message")
        if not isinstance(message, dict):
            raise InvalidInput("message is missing")
        text, other = _text_of(message.get("content"), ("text",))
        if kind == "user":
            named = entry.get("promptId")
            # A result of a tool belongs to the prompt before it; a prompt without an id has none.
            self._prompt = named if isinstance(named, str) else "" if text else self._prompt
        if not text:
            return other
        if entry.get("promptSource") in _UNSPOKEN or message.get("model") == "<synthetic>":
            return META
        return Said(
            text=_clean(text),
            actor=str(kind),
            session=_name("sessionId", entry.get("sessionId"), self._session),
            said_at=_time(entry),
            line=_optional(entry.get("uuid")),
            prompt=self._prompt,
            folder=_optional(entry.get("cwd")),
        )


_ITEMS = {"reasoning": THINKING, "agent_message": SUBAGENTS}
_EVENTS = {"agent_message": REPEATS, "agent_reasoning": THINKING, "agent_reasoning_raw_content": THINKING}


class _Codex:
    """Codex CLI. What the user typed is an event; among the items it stands once more, with what the program adds.

    What the assistant says is an item, and once more an event.
    """

    def __init__(self, session: str | None) -> None:
        self._session = session
        self._is_known = self._is_subagent = False
        self._turn = ""
        self._folder: str | None = None

    def read(self, entry: dict[str, Any]) -> Said | str:
        what, payload = entry.get("type"), entry.get("payload")
        payload = payload if isinstance(payload, dict) else {}
        self._listen(what, payload)
        if what == "event_msg":
            actor, (text, other) = "user", self._typed(payload)
        elif what == "response_item":
            actor, (text, other) = "assistant", self._answered(payload)
        else:
            return META if what in ("session_meta", "turn_context", "compacted") else OTHER
        if not text:
            return other
        if self._is_subagent:
            return SUBAGENTS
        return Said(
            text=_clean(text),
            actor=actor,
            session=_name("session id", self._session, None),
            said_at=_time(entry),
            line=_optional(payload.get("id")),
            prompt=self._turn,
            folder=self._folder,
        )

    def _listen(self, what: object, payload: dict[str, Any]) -> None:
        """What holds for the lines that follow. The first header is that of this file; later ones were copied."""
        if what == "session_meta":
            if not self._is_known:
                source = payload.get("source")
                is_spawned = isinstance(source, dict) and "subagent" in source
                self._is_subagent = is_spawned or payload.get("thread_source") == "subagent"
                self._session = _optional(payload.get("id")) or _optional(payload.get("session_id")) or self._session
                self._is_known = True
                self._folder = _optional(payload.get("cwd"))
        elif what == "turn_context" or payload.get("type") == "task_started":
            self._turn = _optional(payload.get("turn_id")) or ""
            self._folder = _optional(payload.get("cwd")) or self._folder

    @staticmethod
    def _typed(payload: dict[str, Any]) -> tuple[str, str]:
        kind = payload.get("type")
        if kind != "user_message":
            return "", _EVENTS.get(str(kind), META)
        return ("", META) if payload.get("kind") not in (None, "plain") else _text_of(payload.get("message"), ())

    @staticmethod
    def _answered(payload: dict[str, Any]) -> tuple[str, str]:
        kind = str(payload.get("type"))
        if kind == "message":
            is_said = payload.get("role") == "assistant"
            return _text_of(payload.get("content"), ("output_text", "text")) if is_said else ("", META)
        if kind.endswith(("_output", "_result")):
            return "", TOOL_RESULTS
        return "", TOOL_CALLS if kind.endswith("_call") else _ITEMS.get(kind, OTHER)


class _Plain:
    """One object for each turn: `role` or `actor`, `content` or `text`, `timestamp`, `session`, and perhaps `id`."""

    def __init__(self, session: str | None) -> None:
        self._session = session

    def read(self, entry: dict[str, Any]) -> Said | str:
        validate.check_fields(entry, WORDS)
        speaker, text = _either(entry, "role", "actor"), _either(entry, "content", "text")
        actor, line = entry[speaker], entry.get("id")
        if not isinstance(actor, str) or not actor.strip() or (speaker == "role" and actor not in ROLES):
            raise InvalidInput(
                f"invalid {speaker} {_shown(actor)}: must be one of {', '.join(ROLES)}; `actor` may be any name"
            )
        if not isinstance(entry[text], str):
            raise InvalidInput(f"invalid {text} of type {type(entry[text]).__name__}: must be a string")
        if line is not None and (isinstance(line, bool) or not isinstance(line, str | int) or not str(line).strip()):
            raise InvalidInput(f"invalid id {_shown(line)}: must be a string or an integer, or missing")
        why = (ROLES[actor] if speaker == "role" else None) or ("" if entry[text].strip() else OTHER)
        return why or Said(
            text=_clean(entry[text]),
            actor=_clean(actor),
            session=_name("session", entry.get("session"), self._session),
            said_at=_time(entry),
            line=None if line is None else _clean(str(line)),
        )


_READERS: dict[str, Callable[[str | None], Lines]] = {CLAUDE: _Claude, CODEX: _Codex, PLAIN: _Plain}


def _text_of(content: object, kinds: Iterable[str]) -> tuple[str, str]:
    """The text of a message, without what the program put in; and where there is none, what stands there instead."""
    given_blocks: list[Any] = content if isinstance(content, list) else [{"type": "text", "text": content}]
    blocks: list[dict[str, Any]] = [block for block in given_blocks if isinstance(block, dict)]
    spoken = (*kinds, "text")
    texts = [block["text"] for block in blocks if block.get("type") in spoken and isinstance(block.get("text"), str)]
    said = "\n".join(text for text in texts if not text.lstrip().startswith(_INJECTED))
    if said.strip():
        return said, ""
    others = [_BLOCKS[block["type"]] for block in blocks if str(block.get("type")) in _BLOCKS]
    return "", others[0] if others else META if "".join(texts).strip() else OTHER


def _either(entry: dict[str, Any], one: str, other: str) -> str:
    """Which of two words a line has."""
    if (one in entry) == (other in entry):
        raise InvalidInput(
            f"has {'both' if one in entry else 'neither'} {one} {'and' if one in entry else 'nor'} {other}"
        )
    return one if one in entry else other


def _clean(text: str) -> str:
    """A text as it is. Raises `InvalidInput` for what no database can keep."""
    if "\0" in text:
        raise InvalidInput("the text contains NUL")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("the text contains an unpaired surrogate") from error
    return text


def _name(what: str, value: object, otherwise: str | None) -> str:
    name = otherwise if value is None else value
    if name is None:
        raise InvalidInput(f"{what} is missing: set it in the line, or for all lines with --session")
    if not isinstance(name, str) or not name.strip():
        raise InvalidInput(f"invalid {what} {_shown(name)}: must be a non-empty string")
    return _clean(name.strip())


def _time(entry: dict[str, Any]) -> int:
    value = entry.get("timestamp")
    if value is None:
        raise InvalidInput("timestamp is missing")
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < SOONEST_MS:
        raise InvalidInput(f"invalid timestamp {value}: must be milliseconds or a date such as 2026-03-01T14:00:00Z")
    if not isinstance(value, str | int):
        raise InvalidInput(
            f"invalid timestamp {_shown(value)}: must be milliseconds or a date such as 2026-03-01T14:00:00Z"
        )
    return parse_time(value if isinstance(value, int) else value[:40], name="timestamp")


def _optional(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:39]}…"
