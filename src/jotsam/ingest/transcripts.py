"""Parsers for the lines of session files: each line gives one turn of a conversation, or the reason it has none.

Three formats: transcripts of Claude Code, rollouts of Codex CLI, and a plain JSON Lines format that any program can
write. The first two are undocumented and change between versions, so an unknown kind of line is skipped and only a
broken line is an error. The plain format is validated strictly. A parser keeps state between lines; it opens no file
and stores nothing.
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

    class TurnParser(Protocol):
        """Parses the lines of one file, in order."""

        def read(self, entry: dict[str, Any]) -> ParsedTurn | str:
            """The turn of a line, or why it has none: one of the constants below. Raises `InvalidInput`."""
            ...


CLAUDE, CODEX, PLAIN = SESSION_FORMATS

# Why a line has no turn. Meta lines are written by the program itself; repeats copy a turn of another line.
TOOL_CALLS, TOOL_RESULTS, THINKING = "tool calls", "tool results", "thinking"
ATTACHMENTS, SUBAGENTS, REPEATS, META, OTHER = "attachments", "subagents", "repeats", "meta", "other"

EXPECTED = (
    "lines of Claude Code (with type and sessionId), of Codex CLI (with type and payload), "
    "or objects with role, content, timestamp and session"
)
# The fields of a line of the plain format.
FIELDS = ("actor", "content", "id", "role", "session", "text", "timestamp")

ROLES = {"user": None, "assistant": None, "system": META, "tool": TOOL_RESULTS}
SMALLEST_MS = 100_000_000_000  # the year 1973; a smaller timestamp is in seconds


class ParsedTurn(Record):
    """One turn of a session. `folder` is the working directory of the program.

    `line` is the id of the line, if it has one. `prompt` is the id that a hook sends with the same turn: empty if the
    program gives none, None if the format has no hooks.
    """

    text: str
    actor: str
    session: str
    said_at: int
    line: str | None = None
    prompt: str | None = None
    folder: str | None = None


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
        return CLAUDE if isinstance(entry.get("sessionId"), str) or kind in _OF_CLAUDE else None
    has_speaker, has_text = ("role" in entry or "actor" in entry), ("content" in entry or "text" in entry)
    return PLAIN if has_speaker and has_text else None


def parser(format: str, *, session: str | None = None) -> TurnParser:
    """A parser for one file. `session` is used for turns without a session id."""
    return _PARSERS[format](session)


_OF_CLAUDE = {"file-history-snapshot": META, "summary": META, "system": META, "attachment": ATTACHMENTS}
_OF_CLAUDE |= {"progress": META, "queue-operation": META, "last-prompt": META, "custom-title": META}

_FLAGS = {"isSidechain": SUBAGENTS, "forkedFrom": REPEATS, "isCompactSummary": REPEATS, "isMeta": META}
_FLAGS |= {"isVisibleInTranscriptOnly": META, "isApiErrorMessage": META}
_AUTOMATIC_PROMPTS = ("system", "loop_wakeup", "schedule_wakeup", "poll_event")
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
    """Claude Code: one line per block of a message."""

    def __init__(self, session: str | None) -> None:
        self._session = session
        self._prompt = ""

    def read(self, entry: dict[str, Any]) -> ParsedTurn | str:
        kind = entry.get("type")
        if kind not in ("user", "assistant"):
            return _OF_CLAUDE.get(str(kind), OTHER)
        for flag, why in _FLAGS.items():
            if entry.get(flag):
                return why
        message = entry.get("message")
        if not isinstance(message, dict):
            raise InvalidInput("message is missing")
        text, other = _text_of(message.get("content"), ("text",))
        if kind == "user":
            named = entry.get("promptId")
            # A tool result belongs to the previous prompt; a prompt without an id resets it.
            self._prompt = named if isinstance(named, str) else "" if text else self._prompt
        if not text:
            return other
        if entry.get("promptSource") in _AUTOMATIC_PROMPTS or message.get("model") == "<synthetic>":
            return META
        return ParsedTurn(
            text=_check_storable(text),
            actor=str(kind),
            session=_name("sessionId", entry.get("sessionId"), self._session),
            said_at=_time(entry),
            line=_optional(entry.get("uuid")),
            prompt=self._prompt,
            folder=_optional(entry.get("cwd")),
        )


_ITEMS = {"reasoning": THINKING, "agent_message": SUBAGENTS}
_EVENTS = {"agent_message": REPEATS, "agent_reasoning": THINKING, "agent_reasoning_raw_content": THINKING}
_EVENT_ITEMS = {"AgentMessage": REPEATS, "Reasoning": THINKING}
# What Codex CLI itself sends in the role of the user. Newer versions name the kind of each part; older ones do not.
_TYPED, _UNNAMED = "user.text", "unknown"
_INJECTED_BY_CODEX = (
    *("<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<INSTRUCTIONS>", "<permissions"),
    *("<turn_aborted>", "<user_shell_command>", "<user_action>", "<subagent_notification>", "<collaboration_mode>"),
    *("<recommended_plugins>", "<skill>", "<image", "</image>"),
)


class _Codex:
    """Codex CLI. A prompt occurs as a response item and as an event, whose type depends on the version.

    It is read from whichever comes first. The answer is read from the response item.
    """

    def __init__(self, session: str | None) -> None:
        self._session = session
        self._is_known = self._is_subagent = False
        self._turn = ""
        self._folder: str | None = None
        self._prompts: dict[tuple[str, int], int] = {}  # how often each kind of line had a prompt
        self._read: dict[int, int] = {}  # how often a prompt was returned as a turn

    def read(self, entry: dict[str, Any]) -> ParsedTurn | str:
        what, payload = entry.get("type"), entry.get("payload")
        payload = payload if isinstance(payload, dict) else {}
        self._update_state(what, payload)
        if what not in ("event_msg", "response_item"):
            return META if what in ("session_meta", "turn_context", "compacted", "world_state") else OTHER
        actor, text, other = _codex_event(payload) if what == "event_msg" else _codex_item(payload)
        if not text:
            return other
        if self._is_subagent:
            return SUBAGENTS
        if actor == "user" and self._is_repeated(f"{what} {payload.get('type')}", text):
            return REPEATS
        return ParsedTurn(
            text=_check_storable(text),
            actor=actor,
            session=_name("session id", self._session, None),
            said_at=_time(entry),
            line=_optional(payload.get("id")),
            prompt=self._turn,
            folder=self._folder,
        )

    def _is_repeated(self, kind: str, text: str) -> bool:
        """Whether a prompt was read from another kind of line. The same prompt given twice is two turns."""
        mark = hash(" ".join(text.split()))
        count = self._prompts[kind, mark] = self._prompts.get((kind, mark), 0) + 1
        if count <= self._read.get(mark, 0):
            return True
        self._read[mark] = count
        return False

    def _update_state(self, what: object, payload: dict[str, Any]) -> None:
        """Update the state for the next lines. The first header belongs to this file; later ones are copies."""
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


def _codex_event(payload: dict[str, Any]) -> tuple[str, str, str]:
    """The speaker and text of an event, and if the text is empty, the reason."""
    kind, item = payload.get("type"), payload.get("item")
    if kind == "item_completed" and isinstance(item, dict):
        if item.get("type") == "UserMessage":
            return "user", *_text_of(item.get("content"), ())
        return "", "", _EVENT_ITEMS.get(str(item.get("type")), META)
    if kind == "user_message" and payload.get("kind") in (None, "plain"):
        return "user", *_text_of(payload.get("message"), ())
    return "", "", _EVENTS.get(str(kind), META)


def _codex_item(payload: dict[str, Any]) -> tuple[str, str, str]:
    """The speaker and text of a response item, and if the text is empty, the reason."""
    kind, role = str(payload.get("type")), payload.get("role")
    if kind == "message":
        if role == "assistant":
            return "assistant", *_text_of(payload.get("content"), ("output_text",))
        return "user", _text_of(_typed_by_user(payload) if role == "user" else [], ("input_text",))[0], META
    if kind.endswith(("_output", "_result")):
        return "", "", TOOL_RESULTS
    return "", "", TOOL_CALLS if kind.endswith("_call") else _ITEMS.get(kind, OTHER)


def _typed_by_user(payload: dict[str, Any]) -> list[Any]:
    """The parts of an item in the role of the user without what the program injected; empty if it injected all."""
    content, about = payload.get("content"), payload.get("internal_chat_message_metadata_passthrough")
    parts = content if isinstance(content, list) else [{"type": "input_text", "text": content}]
    kinds = about.get("content_item_kinds") if isinstance(about, dict) else None
    if not isinstance(kinds, list) or len(kinds) != len(parts):
        kinds = [_UNNAMED] * len(parts)
    return [
        part
        for part, kind in zip(parts, kinds, strict=True)
        if kind in (_TYPED, _UNNAMED) and not (isinstance(part, dict) and _is_injected_by_codex(part.get("text")))
    ]


def _is_injected_by_codex(text: object) -> bool:
    return isinstance(text, str) and text.lstrip().startswith(_INJECTED_BY_CODEX)


class _Plain:
    """One object per turn: `role` or `actor`, `content` or `text`, `timestamp`, `session` and an optional `id`."""

    def __init__(self, session: str | None) -> None:
        self._session = session

    def read(self, entry: dict[str, Any]) -> ParsedTurn | str:
        validate.check_fields(entry, FIELDS)
        speaker, text = _alternative_field(entry, "role", "actor"), _alternative_field(entry, "content", "text")
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
        return why or ParsedTurn(
            text=_check_storable(entry[text]),
            actor=_check_storable(actor),
            session=_name("session", entry.get("session"), self._session),
            said_at=_time(entry),
            line=None if line is None else _check_storable(str(line)),
        )


_PARSERS: dict[str, Callable[[str | None], TurnParser]] = {CLAUDE: _Claude, CODEX: _Codex, PLAIN: _Plain}


def _text_of(content: object, kinds: Iterable[str]) -> tuple[str, str]:
    """The text of a message without injected blocks, and if it is empty, the reason."""
    given_blocks: list[Any] = content if isinstance(content, list) else [{"type": "text", "text": content}]
    blocks: list[dict[str, Any]] = [block for block in given_blocks if isinstance(block, dict)]
    text_kinds = (*kinds, "text")
    texts = [
        block["text"] for block in blocks if block.get("type") in text_kinds and isinstance(block.get("text"), str)
    ]
    joined = "\n".join(text for text in texts if not text.lstrip().startswith(_INJECTED))
    if joined.strip():
        return joined, ""
    others = [_BLOCKS[block["type"]] for block in blocks if str(block.get("type")) in _BLOCKS]
    return "", others[0] if others else META if "".join(texts).strip() else OTHER


def _alternative_field(entry: dict[str, Any], one: str, other: str) -> str:
    """Which of two alternative fields a line has. Raises `InvalidInput` if it has both or neither."""
    if (one in entry) == (other in entry):
        raise InvalidInput(
            f"has {'both' if one in entry else 'neither'} {one} {'and' if one in entry else 'nor'} {other}"
        )
    return one if one in entry else other


def _check_storable(text: str) -> str:
    """The text unchanged. Raises `InvalidInput` for NUL and lone surrogates, which no database can store."""
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
    return _check_storable(name.strip())


def _time(entry: dict[str, Any]) -> int:
    value = entry.get("timestamp")
    if value is None:
        raise InvalidInput("timestamp is missing")
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < SMALLEST_MS:
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
