"""What is written into the files of an agent: the contract of `files`, and the entries that most agents read."""

from __future__ import annotations

from jotsam.core.platform import shells
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

# JSONC has comments and trailing commas; Gemini CLI reads only the former.
JSON, JSON_WITH_COMMENTS, JSONC = "json", "json with comments", "jsonc"
TOML, SHELL, TEXT, SCRIPT = "toml", "shell", "text", "script"
HOOK, SERVER, DEFAULT = "hook", "server", "default"

MARK = "Written by `jotsam install`"  # in a file that is ours as a whole
NAME = "jotsam"  # of the MCP server


class Entry(Record):
    """One entry of ours.

    kind: `hook` is an element of the list at `place`, `server` the value at `place`, and `default` a value that is
    written if the file has none, and left alone afterwards.
    """

    kind: str
    place: tuple[str, ...]
    value: Any


class AgentFile(Record):
    """One file of an agent, and what belongs into it: entries, or `content`.

    The content is the whole file for the syntax `script`, and a block of it for `shell` and `text`.
    """

    path: str
    syntax: str
    entries: tuple[Entry, ...] = ()
    content: str = ""


def hook_command(program: str, harness: str, shell: str) -> str:
    """What every hook of an agent runs. The event has its name in itself."""
    return shells.line(program, f"hook --harness {harness}", shell)


def hook_line(program: str, harness: str, shell: str | None = None) -> str:
    """The line of every hook of an agent. `shell`: by which the agent runs it, if not by that of most agents."""
    shell = shell or shells.of_agents()
    return shells.guarded(program, hook_command(program, harness, shell), shell)


def hook_entries(
    line: str,
    limits: Mapping[str, int],
    group: Mapping[str, str] | None = None,
    more: Mapping[str, str] | None = None,
) -> Iterator[Entry]:
    """A group of one command per event, as most agents read it. `limits` has the timeout of each event."""
    for event, limit in limits.items():
        command = {"type": "command", "command": line, "timeout": limit, **(more or {})}
        yield Entry(kind=HOOK, place=("hooks", event), value={**(group or {}), "hooks": [command]})


def server_entry(program: str, place: str, first: Mapping[str, str] | None = None) -> Entry:
    """The MCP server, as most agents read it."""
    command, *arguments = shells.words(program)
    value = {**(first or {}), "command": command, "args": [*arguments, "mcp"]}
    return Entry(kind=SERVER, place=(place, NAME), value=value)
