"""The contract of an agent with hooks. It names no agent, and imports nothing that slows the start of a hook."""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

# What happened.
START, PROMPT, ANSWER, COMPACT, SUMMARY, END = "start", "prompt", "answer", "compact", "summary", "end"
COMMIT = "commit"


def _same(kind: str, text: str) -> str:
    return text


def _nothing(kind: str, fields: Mapping[str, Any]) -> bool:
    return False


def _specific_output(kind: str, name: str, context: str) -> str:
    import json

    return json.dumps({"hookSpecificOutput": {"hookEventName": name, "additionalContext": context}})


class Agent(Record):
    """One agent. The defaults are what Claude Code does, which others follow."""

    events: Mapping[str, tuple[str, str]]  # by name of the event: its kind, and the field with the text
    prompt_event: str = "UserPromptSubmit"
    prompt_ids: tuple[str, ...] = ("prompt_id", "turn_id", "generation_id")  # fields that identify a prompt
    # Hooks of the other agents see everything, or their files cannot be read.
    has_transcripts: bool = False
    takes_brief_at_start: bool = True
    is_ignored: Callable[[str, Mapping[str, Any]], bool] = _nothing  # by kind and fields of the event
    as_typed: Callable[[str, str], str] = _same  # by kind and text: without what the agent added to it
    printed: Callable[[str, str, str], str] = _specific_output  # by kind, name of the event and context
