"""Codex CLI: `hooks.json` for hooks, `config.toml` for the MCP server."""

from __future__ import annotations

import os

from jotsam.agents.codex import NAME
from jotsam.surfaces.agents.agent_files import JSON, TOML, AgentFile
from jotsam.surfaces.agents.definitions import hook_entries, server_entry

EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact", "PostCompact")
TIMEOUT_S, END_TIMEOUT_S = 10, 3  # Codex warns of a longer limit at the end of a session.

NOTE = 'Codex runs a hook only after you trust it: start `codex`, choose "Trust all and continue", or type /hooks'


def files(scope: str, folder: str) -> tuple[AgentFile, ...]:
    home = os.environ.get("CODEX_HOME") or os.path.expanduser("~/.codex")
    if scope == "project":
        home = os.path.join(folder, ".codex")
    hooks = (
        *hook_entries(NAME, EVENTS, timeout=TIMEOUT_S),
        *hook_entries(NAME, ("SessionEnd",), timeout=END_TIMEOUT_S),
    )
    return (
        AgentFile(path=os.path.join(home, "hooks.json"), syntax=JSON, entries=hooks),
        AgentFile(path=os.path.join(home, "config.toml"), syntax=TOML, entries=(server_entry("mcp_servers"),)),
    )
