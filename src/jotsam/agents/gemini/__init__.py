"""Gemini CLI: its hooks, and what it puts in front of a prompt."""

from __future__ import annotations

from jotsam.agents.agent import ANSWER, COMPACT, END, PROMPT, START, Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_EVENTS = {
    "SessionStart": (START, ""),
    "BeforeAgent": (PROMPT, "prompt"),
    "AfterAgent": (ANSWER, "prompt_response"),
    "PreCompress": (COMPACT, ""),
    "SessionEnd": (END, ""),
}

# What hooks gave at the start of a session is put in front of the next prompt.
_OPENING, _CLOSING = "<hook_context>", "</hook_context>\n\n"


def without_hook_context(prompt: str) -> str:
    """A prompt without what was put in front of it. The same words anywhere else are the user's."""
    if not prompt.startswith(_OPENING):
        return prompt
    _, closing, rest = prompt.partition(_CLOSING)
    return rest if closing else prompt


def _as_typed(kind: str, text: str) -> str:
    return without_hook_context(text)


def _is_ignored(kind: str, fields: Mapping[str, Any]) -> bool:
    """`auto` fires at every prompt, whether the session is compacted or not."""
    return kind == COMPACT and fields.get("trigger") == "auto"


AGENT = Agent(
    name="gemini",
    title="Gemini CLI",
    events=_EVENTS,
    prompt_event="BeforeAgent",
    # It names no prompt, but both hooks of a doubled entry get the same time.
    prompt_ids=("prompt_id", "turn_id", "generation_id", "timestamp"),
    # It would put the brief in front of the next prompt, and drop that prompt when the session is resumed.
    takes_brief_at_start=False,
    is_ignored=_is_ignored,
    as_typed=_as_typed,
    note="Gemini CLI runs hooks and MCP servers only in folders that you trust: it asks when you start it there",
    instructions="GEMINI.md",
    plugin="gemini_extension",
    variables=("GEMINI_CLI",),
)
