"""Cursor: `hooks.json` for hooks, `mcp.json` for the MCP server."""

from __future__ import annotations

import os

from jotsam.agents.cursor import NAME
from jotsam.surfaces.agents.agent_files import JSONC, AgentFile
from jotsam.surfaces.agents.definitions import hook_line, server_entry
from jotsam.surfaces.agents.entries import DEFAULT, HOOK, Entry

EVENTS = ("sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "preCompact", "sessionEnd")
TIMEOUT_S = 10


def files(scope: str, folder: str) -> tuple[AgentFile, ...]:
    home = os.path.join(folder if scope == "project" else os.path.expanduser("~"), ".cursor")
    command = {"command": hook_line(NAME), "timeout": TIMEOUT_S}
    hooks = (
        Entry(kind=DEFAULT, place=("version",), value=1),  # Without it Cursor refuses the file.
        *(Entry(kind=HOOK, place=("hooks", event), value=command) for event in EVENTS),
    )
    server = server_entry("mcpServers")
    return (
        AgentFile(path=os.path.join(home, "hooks.json"), syntax=JSONC, entries=hooks),
        AgentFile(path=os.path.join(home, "mcp.json"), syntax=JSONC, entries=(server,)),
    )
