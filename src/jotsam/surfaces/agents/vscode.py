"""VS Code: the MCP server in the `mcp.json` of the user or of the workspace. Its hooks are not used."""

from __future__ import annotations

import os
import sys

from jotsam.surfaces.agents.agent_files import JSONC, AgentFile
from jotsam.surfaces.agents.definitions import server_entry

NOTE = "Jotsam has no hooks in VS Code: the agent uses the tools of the MCP server, which VS Code asks you to trust"


def files(scope: str, folder: str) -> tuple[AgentFile, ...]:
    place = os.path.join(folder, ".vscode") if scope == "project" else _user_folder()
    server = server_entry("servers", {"type": "stdio"})
    return (AgentFile(path=os.path.join(place, "mcp.json"), syntax=JSONC, entries=(server,)),)


def _user_folder() -> str:
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support/Code/User")
    return os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"), "Code", "User")
