"""Gemini CLI: hooks and the MCP server in one file, its settings."""

from __future__ import annotations

import os

from jotsam.agents.agent_files import JSON_WITH_COMMENTS, AgentFile, hook_entries, hook_line, server_entry
from jotsam.agents.gemini import AGENT
from jotsam.core.platform.folders import home_folder

TIMEOUT_MS = 10_000
GROUP = {"matcher": "*"}


def files(scope: str, folder: str, program: str) -> tuple[AgentFile, ...]:
    home = folder if scope == "project" else os.environ.get("GEMINI_CLI_HOME") or home_folder()
    hooks = hook_entries(hook_line(program, AGENT.name), dict.fromkeys(AGENT.events, TIMEOUT_MS), GROUP)
    entries = (*hooks, server_entry(program, "mcpServers"))
    return (AgentFile(path=os.path.join(home, ".gemini", "settings.json"), syntax=JSON_WITH_COMMENTS, entries=entries),)
