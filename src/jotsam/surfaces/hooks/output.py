"""What a hook prints for its agent to put before its model: the shape that each agent knows, and no other field.

Codex refuses unknown fields, Gemini reads nothing but JSON, and an agent that is not known gets nothing.
"""

from __future__ import annotations

import json

from jotsam.ingest import hook_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.ingest.hook_events import Event


def printed(event: Event, context: str) -> str:
    """What to print; empty without a context."""
    if not context or event.harness not in hook_events.HARNESSES:
        return ""
    if event.harness == hook_events.OPENCODE:
        return context  # Our plugin reads it.
    if event.harness == hook_events.CURSOR:
        if event.kind != hook_events.START:
            return ""  # It takes no context with a prompt.
        return json.dumps({"additional_context": context})
    return json.dumps({"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": context}})
