"""What is written into the files of an agent: the contract of `files`, and the entries that most agents read."""

from __future__ import annotations

import shlex

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


def guarded(program: str, command: str) -> str:
    """A shell line that is silent where its program is missing, as in a container that mounts the settings."""
    return f"[ -x {shlex.quote(program)} ] && {command} || :"


def hook_command(program: str, harness: str) -> str:
    """What every hook of an agent runs. The event has its name in itself."""
    return f"{shlex.quote(program)} hook --harness {harness}"


def hook_line(program: str, harness: str) -> str:
    """The line of every hook of an agent."""
    return guarded(program, hook_command(program, harness))


def hook_entries(line: str, limits: Mapping[str, int], group: Mapping[str, str] | None = None) -> Iterator[Entry]:
    """A group of one command per event, as most agents read it. `limits` has the timeout of each event."""
    for event, limit in limits.items():
        command = {"type": "command", "command": line, "timeout": limit}
        yield Entry(kind=HOOK, place=("hooks", event), value={**(group or {}), "hooks": [command]})


def server_entry(program: str, place: str, first: Mapping[str, str] | None = None) -> Entry:
    """The MCP server, as most agents read it."""
    value = {**(first or {}), "command": program, "args": ["mcp"]}
    return Entry(kind=SERVER, place=(place, NAME), value=value)
