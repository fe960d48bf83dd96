"""Cursor: `hooks.json` for hooks, `mcp.json` for the MCP server."""

from __future__ import annotations

import os

from jotsam.agents.agent_files import DEFAULT, HOOK, JSONC, AgentFile, Entry, hook_line, server_entry
from jotsam.agents.cursor import AGENT
from jotsam.core.platform.folders import home_folder

TIMEOUT_S = 10


def files(scope: str, folder: str, program: str) -> tuple[AgentFile, ...]:
    home = os.path.join(folder if scope == "project" else home_folder(), ".cursor")
    command = {"command": hook_line(program, AGENT.name), "timeout": TIMEOUT_S}
    hooks = (
        Entry(kind=DEFAULT, place=("version",), value=1),  # Without it Cursor refuses the file.
        *(Entry(kind=HOOK, place=("hooks", event), value=command) for event in AGENT.events),
    )
    server = server_entry(program, "mcpServers")
    return (
        AgentFile(path=os.path.join(home, "hooks.json"), syntax=JSONC, entries=hooks),
        AgentFile(path=os.path.join(home, "mcp.json"), syntax=JSONC, entries=(server,)),
    )
