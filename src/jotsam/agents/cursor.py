"""Cursor: its hooks."""

from __future__ import annotations

from jotsam.agents.agent import ANSWER, COMPACT, END, PROMPT, START, Agent

NAME = "cursor"

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


AGENT = Agent(events=_EVENTS, prompt_event="beforeSubmitPrompt", printed=_printed)
