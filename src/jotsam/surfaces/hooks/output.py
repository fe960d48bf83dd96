"""What a hook prints for its agent to put before its model: the shape that each agent knows, and no other field.

Codex refuses unknown fields, Gemini reads nothing but JSON, and an agent that is not known gets nothing.
"""

from __future__ import annotations

from jotsam.agents.agent import agent_of
from jotsam.agents.registry import SOURCES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.agents.agent import Event


def printed(event: Event, context: str) -> str:
    """What to print; empty without a context."""
    if not context or event.harness not in SOURCES:
        return ""
    return agent_of(event.harness).printed(event.kind, event.name, context)
