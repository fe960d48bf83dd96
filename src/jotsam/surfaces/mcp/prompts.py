"""Prompts, which a user chooses: recall, remember, handoff. What they return is sent to the model for the user."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.memory.api.client import Jotsam

PROMPTS: list[dict[str, Any]] = [
    {
        "name": "recall",
        "description": "Search the memory and use what it knows",
        "arguments": [{"name": "query", "description": "A question or keywords", "required": True}],
    },
    {
        "name": "remember",
        "description": "Store a statement, or what this conversation has decided",
        "arguments": [{"name": "text", "description": "The statement; default: this conversation", "required": False}],
    },
    {"name": "handoff", "description": "Store what the next session must know to go on", "arguments": []},
]

REMEMBER = "Store this with the tool remember, as one statement with its reason: {text}"
REMEMBER_ALL = (
    "Store what this conversation has decided, preferred, learned or left open with the tool remember: one statement a"
    " call, each with its reason. First recall what is known, so that you store nothing twice, and use `replaces` for"
    " what is no longer true. Then list what you stored."
)
HANDOFF = (
    "Prepare the handoff to the next session. Store with the tool remember, one statement a call, with the tag"
    " handoff: what was done, what was decided and why, what is open, and the next step. Use `replaces` for what is no"
    " longer true. Then print the handoff.\n\nWhat the memory has of this project:\n{brief}"
)
RECALL = "What the memory has about {query!r}:\n\n{answer}\n\nUse it as reference. Say which ids you used."


def get(jot: Jotsam, params: Mapping[str, Any]) -> dict[str, Any]:
    """The messages of a prompt. Raises `InvalidInput`."""
    name, arguments = params.get("name"), params.get("arguments") or {}
    prompt = next((one for one in PROMPTS if one["name"] == name), None)
    if prompt is None:
        raise InvalidInput(f"unknown prompt {name!r}: the prompts are {', '.join(one['name'] for one in PROMPTS)}")
    if not isinstance(arguments, dict) or not all(isinstance(one, str) for one in arguments.values()):
        raise InvalidInput("invalid arguments: must be an object of strings")
    text = _text(jot, prompt["name"], arguments)
    return {
        "description": prompt["description"],
        "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
    }


def _text(jot: Jotsam, name: str, arguments: Mapping[str, str]) -> str:
    if name == "recall":
        from jotsam.surfaces.mcp import own_project

        query = arguments.get("query", "").strip()
        if not query:
            raise InvalidInput("missing argument query: must be a question or keywords")
        return RECALL.format(query=query, answer=jot.recall(query, project=own_project.chosen(jot)).text)
    if name == "remember":
        text = arguments.get("text", "").strip()
        return REMEMBER.format(text=text) if text else REMEMBER_ALL
    from jotsam.surfaces.mcp import calls

    return HANDOFF.format(brief=calls.brief(jot))
