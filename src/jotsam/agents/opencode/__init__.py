"""opencode: the events that our plugin for it makes. They have the names and fields of Claude Code."""

from __future__ import annotations

from jotsam.agents.agent import PROMPT, Agent


def without_quotes(prompt: str) -> str:
    """A prompt without the quotation marks that `opencode run` puts around its argument."""
    inside = prompt[1:-1]
    is_quoted = len(prompt) > 1 and prompt[0] == prompt[-1] == '"' and '"' not in inside
    return inside if is_quoted else prompt


def _as_typed(kind: str, text: str) -> str:
    return without_quotes(text) if kind == PROMPT else text


def _printed(kind: str, name: str, context: str) -> str:
    """Our plugin reads the text."""
    return context


AGENT = Agent(name="opencode", title="opencode", as_typed=_as_typed, printed=_printed, variables=("OPENCODE",))
