"""Gemini CLI: hooks and the MCP server in one file, its settings."""

from __future__ import annotations

import os

from jotsam.agents.gemini import NAME
from jotsam.surfaces.agents.agent_files import JSON_WITH_COMMENTS, AgentFile
from jotsam.surfaces.agents.definitions import hook_entries, server_entry

EVENTS = ("SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd")
TIMEOUT_MS = 10_000

NOTE = "Gemini CLI runs hooks and MCP servers only in folders that you trust: it asks when you start it there"


def files(scope: str, folder: str) -> tuple[AgentFile, ...]:
    home = folder if scope == "project" else os.environ.get("GEMINI_CLI_HOME") or os.path.expanduser("~")
    hooks = hook_entries(NAME, EVENTS, timeout=TIMEOUT_MS, group={"matcher": "*"})
    entries = (*hooks, server_entry("mcpServers"))
    return (AgentFile(path=os.path.join(home, ".gemini", "settings.json"), syntax=JSON_WITH_COMMENTS, entries=entries),)
