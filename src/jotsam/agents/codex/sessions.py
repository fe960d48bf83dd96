"""Rollouts of Codex CLI."""

from __future__ import annotations

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
    text_of,
    time_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.agents.session_format import SessionFile


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


class Codex:
    """The parser of one file. A prompt occurs as a response item and as an event, whose type depends on the version.

    It is read from the first that comes. The answer is read from the response item.
    """

    def __init__(self, file: SessionFile) -> None:
        self._session = file.session
        self._is_known = self._is_subagent = False
        self._turn = ""
        self._folder: str | None = None
        self._prompts: dict[tuple[str, int], int] = {}  # how often each kind of line had a prompt
        self._read: dict[int, int] = {}  # how often a prompt was returned as a turn

    def turn_of(self, entry: dict[str, Any]) -> ParsedTurn | str:
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
            text=check_storable(text),
            actor=actor,
            session=name_of("session id", self._session, None),
            said_at=time_of(entry),
            line=optional(payload.get("id")),
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
                self._session = optional(payload.get("id")) or optional(payload.get("session_id")) or self._session
                self._is_known = True
                self._folder = optional(payload.get("cwd"))
        elif what == "turn_context" or payload.get("type") == "task_started":
            self._turn = optional(payload.get("turn_id")) or ""
            self._folder = optional(payload.get("cwd")) or self._folder


def _codex_event(payload: dict[str, Any]) -> tuple[str, str, str]:
    """The speaker and text of an event, and if the text is empty, the reason."""
    kind, item = payload.get("type"), payload.get("item")
    if kind == "item_completed" and isinstance(item, dict):
        if item.get("type") == "UserMessage":
            return "user", *text_of(item.get("content"), ())
        return "", "", _EVENT_ITEMS.get(str(item.get("type")), META)
    if kind == "user_message" and payload.get("kind") in (None, "plain"):
        return "user", *text_of(payload.get("message"), ())
    return "", "", _EVENTS.get(str(kind), META)


def _codex_item(payload: dict[str, Any]) -> tuple[str, str, str]:
    """The speaker and text of a response item, and if the text is empty, the reason."""
    kind, role = str(payload.get("type")), payload.get("role")
    if kind == "message":
        if role == "assistant":
            return "assistant", *text_of(payload.get("content"), ("output_text",))
        return "user", text_of(_typed_by_user(payload) if role == "user" else [], ("input_text",))[0], META
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


def _recognises(entry: dict[str, Any]) -> bool:
    return isinstance(entry.get("type"), str) and isinstance(entry.get("payload"), dict)


FORMAT = SessionFormat(
    parser=Codex,
    recognises=_recognises,
    described="Codex CLI (type and payload)",
    places=(Place(path="sessions", home="~/.codex", variable="CODEX_HOME"),),
)
