"""Codex CLI: `hooks.json` for hooks, `config.toml` for the MCP server."""

from __future__ import annotations

import os

from jotsam.agents.agent_files import JSON, TOML, AgentFile, hook_entries, hook_line, server_entry
from jotsam.agents.codex import AGENT
from jotsam.core.platform.folders import home_folder

TIMEOUT_S, END_TIMEOUT_S = 10, 3  # Codex warns of a longer limit at the end of a session.


def files(scope: str, folder: str, program: str) -> tuple[AgentFile, ...]:
    home = os.environ.get("CODEX_HOME") or os.path.join(home_folder(), ".codex")
    if scope == "project":
        home = os.path.join(folder, ".codex")
    limits = dict.fromkeys(AGENT.events, TIMEOUT_S) | {"SessionEnd": END_TIMEOUT_S}
    hooks = tuple(hook_entries(hook_line(program, AGENT.name), limits))
    return (
        AgentFile(path=os.path.join(home, "hooks.json"), syntax=JSON, entries=hooks),
        AgentFile(path=os.path.join(home, "config.toml"), syntax=TOML, entries=(server_entry(program, "mcp_servers"),)),
    )
