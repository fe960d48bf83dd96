"""VS Code: the MCP server in the `mcp.json` of the user or of the workspace. Its hooks are not used."""

from __future__ import annotations

import os

from jotsam.agents.agent_files import JSONC, AgentFile, server_entry
from jotsam.core.platform.folders import vscode_folder


def files(scope: str, folder: str, program: str) -> tuple[AgentFile, ...]:
    place = os.path.join(folder, ".vscode") if scope == "project" else vscode_folder(os.environ)
    server = server_entry(program, "servers", {"type": "stdio"})
    return (AgentFile(path=os.path.join(place, "mcp.json"), syntax=JSONC, entries=(server,)),)
