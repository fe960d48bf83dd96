"""Cursor: its hooks."""

from __future__ import annotations

from jotsam.agents.agent import ANSWER, COMPACT, END, PROMPT, START, Agent

_EVENTS = {
    "sessionStart": (START, ""),
    "beforeSubmitPrompt": (PROMPT, "prompt"),
    "afterAgentResponse": (ANSWER, "text"),
    "preCompact": (COMPACT, ""),
    "sessionEnd": (END, ""),
}


def _printed(kind: str, name: str, context: str) -> str:
    """It takes no context with a prompt."""
    import json

    return json.dumps({"additional_context": context}) if kind == START else ""


AGENT = Agent(
    name="cursor",
    title="Cursor",
    events=_EVENTS,
    prompt_event="beforeSubmitPrompt",
    printed=_printed,
    has_user_instructions=False,
    rule_files=(".cursorrules",),
    rule_folders=(".cursor/rules",),
    variables=("CURSOR_AGENT",),
)
