"""What the modules of the agents share: the hook line and the MCP server, in the shape that most of them read."""

from __future__ import annotations

import shlex

from jotsam.admin import launcher
from jotsam.surfaces.agents.entries import HOOK, SERVER, Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

NAME = "jotsam"  # of the MCP server


def hook_line(harness: str) -> str:
    """The command of every hook of an agent. The event has its name in itself."""
    return f"{shlex.quote(launcher.path())} hook --harness {harness}"


def hook_entries(
    harness: str, events: Iterable[str], *, timeout: int, group: Mapping[str, str] | None = None
) -> Iterator[Entry]:
    """A group of one command per event, as Claude Code, Codex and Gemini CLI read it."""
    for event in events:
        command = {"type": "command", "command": hook_line(harness), "timeout": timeout}
        yield Entry(kind=HOOK, place=("hooks", event), value={**(group or {}), "hooks": [command]})


def server_entry(place: str, first: Mapping[str, str] | None = None) -> Entry:
    """The MCP server, as most agents read it."""
    value = {**(first or {}), "command": launcher.path(), "args": ["mcp"]}
    return Entry(kind=SERVER, place=(place, NAME), value=value)
