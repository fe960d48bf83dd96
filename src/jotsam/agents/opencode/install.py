"""opencode: a plugin of ours that runs the hook, and the MCP server in its settings."""

from __future__ import annotations

import json
import os
from importlib.resources import files as package_files

from jotsam.agents.agent_files import DEFAULT, JSONC, NAME, SCRIPT, SERVER, AgentFile, Entry
from jotsam.core.platform import shells
from jotsam.core.platform.folders import home_folder

SCHEMA = "https://opencode.ai/config.json"
NAMES = ("opencode.json", "opencode.jsonc")


def files(scope: str, folder: str, program: str) -> tuple[AgentFile, ...]:
    """The plugin, and the settings: those that exist, as opencode itself would choose."""
    if scope == "project":
        home = os.path.join(folder, ".opencode")
        places = [os.path.join(place, name) for place in (folder, home) for name in NAMES]
    else:
        home = os.environ.get("OPENCODE_CONFIG_DIR") or os.path.join(_config_folder(), "opencode")
        places = [os.path.join(home, name) for name in NAMES]
    settings = next((place for place in places if os.path.exists(place)), places[0])
    server = {"type": "local", "command": [*shells.words(program), "mcp"], "enabled": True}
    return (
        AgentFile(path=os.path.join(home, "plugins", "jotsam.js"), syntax=SCRIPT, content=_plugin(program)),
        AgentFile(
            path=settings,
            syntax=JSONC,
            entries=(
                Entry(kind=DEFAULT, place=("$schema",), value=SCHEMA),  # opencode adds it to a file that has none
                Entry(kind=SERVER, place=("mcp", NAME), value=server),
            ),
        ),
    )


def _config_folder() -> str:
    return os.environ.get("XDG_CONFIG_HOME") or os.path.join(home_folder(), ".config")


def _plugin(program: str) -> str:
    """The plugin with the words that start the program."""
    text = (package_files(__package__) / "plugin.js").read_text(encoding="utf-8")
    return text.replace('["LAUNCHER"]', json.dumps(shells.words(program), ensure_ascii=False))
