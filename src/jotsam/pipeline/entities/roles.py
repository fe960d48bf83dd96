"""Which names of actors are roles or programs, and so name no person. Pure."""

from __future__ import annotations

# Slugs. An agent is called by its own name or by that of its model.
_ROLES = """
user human assistant agent subagent team ai bot model llm system developer tool function me you admin root unknown
anonymous claude claude-code codex cursor gemini gemini-cli opencode vscode copilot github-copilot chatgpt gpt cline
windsurf aider git jotsam
"""
ROLES = frozenset(_ROLES.split())


def is_role(slug: str) -> bool:
    """Whether the slug of an actor is a role: `assistant`, `claude`, `agent-explore`.

    >>> is_role("assistant"), is_role("agent-explore"), is_role("ana-lima")
    (True, True, False)
    """
    return slug in ROLES or slug.startswith("agent-")


def names_role(category: str, slug: str) -> bool:
    """Whether an entity is no person but a role, which an earlier release took for one.

    >>> names_role("people", "assistant"), names_role("tools", "claude")
    (True, False)
    """
    return category == "people" and is_role(slug)
