"""The agents with hooks, and the module of one of them. A hook imports the module of its own agent only."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.agents.agent import Agent

# By name: the source of its memories.
SOURCES = {
    "claude": "claude-code",
    "codex": "codex",
    "gemini": "gemini",
    "cursor": "cursor",
    "opencode": "opencode",
}
HARNESSES = tuple(SOURCES)


def agent_of(harness: str) -> Agent:
    """The agent of a harness. One that is not known is taken to send the events of Claude Code."""
    name = harness if harness in SOURCES else HARNESSES[0]
    found: Agent = __import__(f"jotsam.agents.{name}", fromlist=["AGENT"]).AGENT  # `importlib` is slow to import.
    return found


def has_transcripts(harness: str) -> bool:
    """Whether the transcript of a running session is read; that of an agent that is not known is not."""
    return harness in SOURCES and agent_of(harness).has_transcripts
