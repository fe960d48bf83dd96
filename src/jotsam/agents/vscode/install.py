"""VS Code: the MCP server in the `mcp.json` of the user or of the workspace. Its hooks are not used."""

from __future__ import annotations

import os
import sys

from jotsam.agents.agent_files import JSONC, AgentFile, server_entry


def files(scope: str, folder: str, program: str) -> tuple[AgentFile, ...]:
    place = os.path.join(folder, ".vscode") if scope == "project" else _user_folder()
    server = server_entry(program, "servers", {"type": "stdio"})
    return (AgentFile(path=os.path.join(place, "mcp.json"), syntax=JSONC, entries=(server,)),)


def _user_folder() -> str:
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support/Code/User")
    return os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"), "Code", "User")
