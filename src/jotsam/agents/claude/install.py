"""Claude Code: hooks in its settings, the MCP server beside them."""

from __future__ import annotations

import os

from jotsam.agents.agent_files import JSON, AgentFile, hook_entries, hook_line, server_entry
from jotsam.agents.claude import AGENT
from jotsam.core.platform import shells
from jotsam.core.platform.folders import home_folder

TIMEOUT_S = 10  # Without it, a hook at the end of a session has 1.5 s, and one that hangs holds the agent for 10 min.


def files(scope: str, folder: str, program: str) -> tuple[AgentFile, ...]:
    """The files of the user, or of a project: its settings of this machine, which Claude Code keeps out of git."""
    shell = shells.of_claude(os.environ)
    line, more = hook_line(program, AGENT.name, shell), {"shell": shell} if shell == shells.POWERSHELL else {}
    hooks = tuple(hook_entries(line, dict.fromkeys(AGENT.events, TIMEOUT_S), more=more))
    server = server_entry(program, "mcpServers", {"type": "stdio"})
    if scope == "project":
        settings, servers = (os.path.join(folder, name) for name in (".claude/settings.local.json", ".mcp.json"))
    else:
        own = os.environ.get("CLAUDE_CONFIG_DIR")
        settings = os.path.join(own or os.path.join(home_folder(), ".claude"), "settings.json")
        servers = os.path.join(own or home_folder(), ".claude.json")
    return (
        AgentFile(path=settings, syntax=JSON, entries=hooks),
        AgentFile(path=servers, syntax=JSON, entries=(server,)),
    )
