"""What an agent gets from memory at the start of a session and with a prompt, and the shape in which it is printed.

Each agent knows one shape, and no other field: Codex refuses unknown fields, Gemini reads nothing but JSON, and an
agent that is not known gets nothing.
"""

from __future__ import annotations

from jotsam.agents import agent
from jotsam.agents.agent import agent_of
from jotsam.agents.registry import SOURCES
from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import JotsamError
from jotsam.ingest import hook_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.agents.agent import Event
    from jotsam.core.settings import Settings


def context_for(settings: Settings, event: Event, *, started: int) -> str:
    """The text for the agent's model; empty if nothing is to be added. `started` is a time of `monotonic_ms`.

    A prompt was stored before this call, with the session and text of the event.
    """
    from jotsam.memory.sessions import session_context

    deadline = started + settings.recall_timeout_ms
    try:
        if event.kind == agent.START and not agent_of(event.harness).takes_brief_at_start:
            session_context.brief_later(session=event.session, reason=event.reason)
            return ""
        if event.kind == agent.START:
            return session_context.at_start(
                settings, session=event.session, reason=event.reason, deadline=deadline, folder=event.folder
            )
        if event.kind == agent.PROMPT:
            brief = session_context.at_first_prompt(
                settings, session=event.session, deadline=deadline, folder=event.folder
            )
            found = session_context.at_prompt(settings, session=event.session, prompt=event.text, deadline=deadline)
            return "\n".join(text for text in (brief, found) if text)
        session_context.context_lost(event.session)
    except JotsamError:
        if monotonic_ms() >= deadline:
            what = "a prompt" if event.kind == agent.PROMPT else "a session"
            hook_log.write(f"{hook_log.TOO_SLOW} {settings.recall_timeout_ms:,} ms; {what} got nothing from memory")
            return ""
        raise
    return ""


def printed(event: Event, context: str) -> str:
    """What to print; empty without a context."""
    if not context or event.harness not in SOURCES:
        return ""
    return agent_of(event.harness).printed(event.kind, event.name, context)
