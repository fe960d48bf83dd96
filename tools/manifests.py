"""The manifests by which other programs install Jotsam, each from the declarations of the code.

`committed` has what is in the repository, and `python -m tools.reference` writes and checks it: the plugin for Claude
Code with its marketplaces, and the extension for Gemini CLI. A release also has a bundle for MCP clients, and the entry
for the registry of MCP servers when the repository has an address:

    python -m tools.manifests bundle WHEEL FILE     writes the bundle, which contains the wheel
    python -m tools.manifests server ADDRESS FILE   prints server.json, which names the bundle of the release
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

from jotsam.agents.agent import agent_of
from jotsam.agents.agent_files import NAME, Entry, hook_entries, server_entry
from jotsam.agents.claude.install import TIMEOUT_S
from jotsam.agents.gemini.install import GROUP, TIMEOUT_MS
from jotsam.core.version import VERSION
from jotsam.surfaces.mcp.tools import TOOLS

ROOT = Path(__file__).parents[1]
CLAUDE, GEMINI = (f"src/jotsam/agents/{name}/{agent_of(name).plugin}" for name in ("claude", "gemini"))
TITLE = "Jotsam"
ABOUT = "Durable background memory for AI agents"  # at most 100 characters in the registry
RECORDS = "Durable background memory: records your prompts and the answers, and gives back what a session needs."
HOOKS = "Records turns and gives back what the session needs"
LICENSE = "MIT"
SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
OLDEST = (1980, 1, 1, 0, 0, 0)  # that a zip file can have: the bytes shall not depend on the hour


# Where `jotsam install` writes its hooks.
OF_CLAUDE = '"${CLAUDE_CONFIG_DIR:-$HOME/.claude}/settings.json" "$CLAUDE_PROJECT_DIR/.claude/settings.local.json"'
OF_GEMINI = '"${GEMINI_CLI_HOME:-$HOME}/.gemini/settings.json" "$GEMINI_PROJECT_DIR/.gemini/settings.json"'
RUN = r"""# Runs Jotsam for this plugin: the launcher of `jotsam install` if there is one, or `jotsam` on the PATH.
if [ "$1" = hook ]; then
    # `jotsam install` adds the same hooks. A turn is stored once, but its context would be given twice.
    for settings in SETTINGS; do
        grep -q "hook --harness $3" "$settings" 2>/dev/null && exit 0
    done
fi
data="${XDG_DATA_HOME:-$HOME/.local/share}"
[ -z "$XDG_DATA_HOME" ] && [ -d "$HOME/Library/Application Support" ] && data="$HOME/Library/Application Support"
program="$data/jotsam/bin/jotsam"
[ -n "$LOCALAPPDATA" ] && program="${XDG_DATA_HOME:-$LOCALAPPDATA}/jotsam/bin/jotsam.cmd" # Windows, in Git Bash
[ -f "$program" ] || program=$(command -v jotsam)
if [ "$1" = hook ]; then
    [ -n "$program" ] && "$program" "$@" 2>/dev/null
    exit 0
fi
[ -n "$program" ] && exec "$program" "$@"
echo "error: jotsam is not on the PATH: install it, for example with \`pipx install jotsam\`" >&2
exit 127
"""


def committed() -> dict[str, str]:
    """The text of each file, by its path in the repository."""
    return {
        ".claude-plugin/marketplace.json": _json(_marketplace(f"./{CLAUDE}")),
        f"{CLAUDE}/.claude-plugin/marketplace.json": _json(_marketplace("./")),
        f"{CLAUDE}/.claude-plugin/plugin.json": _json(_claude_plugin()),
        f"{CLAUDE}/hooks/hooks.json": _json(_hooks("claude", "${CLAUDE_PLUGIN_ROOT}", TIMEOUT_S, {})),
        f"{GEMINI}/gemini-extension.json": _json(_gemini_extension()),
        f"{GEMINI}/hooks/hooks.json": _json(_hooks("gemini", "${extensionPath}", TIMEOUT_MS, GROUP)),
        f"{CLAUDE}/run.sh": RUN.replace("SETTINGS", OF_CLAUDE),
        f"{GEMINI}/run.sh": RUN.replace("SETTINGS", OF_GEMINI),
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def _marketplace(source: str) -> dict[str, Any]:
    plugin = {"name": NAME, "source": source, "description": ABOUT}
    return {
        "name": NAME,
        "description": "The plugin of Jotsam for Claude Code",
        "owner": {"name": TITLE},
        "plugins": [plugin],
    }


def _claude_plugin() -> dict[str, Any]:
    return {
        "name": NAME,
        "version": VERSION,
        "description": RECORDS,
        "author": {"name": TITLE},
        "license": LICENSE,
        "keywords": ["memory"],
        "mcpServers": _servers("${CLAUDE_PLUGIN_ROOT}"),
    }


def _gemini_extension() -> dict[str, Any]:
    return {"name": NAME, "version": VERSION, "description": RECORDS, "mcpServers": _servers("${extensionPath}")}


def _servers(root: str) -> dict[str, Any]:
    """What `jotsam install` writes, run by the script of the plugin, which finds the program."""
    entry = server_entry("sh", "mcpServers")
    return {NAME: {**entry.value, "args": [f"{root}/run.sh", *entry.value["args"]]}}


def _hooks(agent: str, root: str, timeout: int, group: dict[str, str]) -> dict[str, Any]:
    """The hooks of `jotsam install`, run by the script of the plugin."""
    line = f'sh "{root}"/run.sh hook --harness {agent}'
    entries: list[Entry] = [*hook_entries(line, dict.fromkeys(agent_of(agent).events, timeout), group)]
    return {"description": HOOKS, "hooks": {entry.place[-1]: [entry.value] for entry in entries}}


def write_bundle(wheel: Path, path: Path) -> None:
    """A bundle (.mcpb) that its client runs with uv, which installs the wheel in it and what that needs."""
    project = (
        f'[project]\nname = "{NAME}-bundle"\nversion = "{VERSION}"\nrequires-python = ">=3.11"\n'
        f'dependencies = ["{NAME}"]\n\n[tool.uv]\npackage = false\n\n'
        f'[tool.uv.sources]\n{NAME} = {{ path = "{wheel.name}" }}\n'
    )
    start = (
        '"""Starts the MCP server of the wheel beside it."""\n\nimport sys\n\n'
        "from jotsam.surfaces.cli.start import main\n\n"
        'sys.argv[1:] = ["mcp", *sys.argv[1:]]\nsys.exit(main())\n'
    )
    files = {
        "manifest.json": _json(bundle_manifest()).encode(),
        "pyproject.toml": project.encode(),
        "server.py": start.encode(),
        "LICENSE": (ROOT / "LICENSE").read_bytes(),
        wheel.name: wheel.read_bytes(),
    }
    with zipfile.ZipFile(path, "w") as file:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, OLDEST)
            info.compress_type = zipfile.ZIP_STORED if name == wheel.name else zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            file.writestr(info, content)


def bundle_manifest() -> dict[str, Any]:
    start = ["run", "--quiet", "--project", "${__dirname}", "${__dirname}/server.py"]
    return {
        "manifest_version": "0.4",
        "name": NAME,
        "display_name": TITLE,
        "version": VERSION,
        "description": ABOUT,
        "author": {"name": TITLE},
        "license": LICENSE,
        "keywords": ["memory"],
        "server": {"type": "uv", "entry_point": "server.py", "mcp_config": {"command": "uv", "args": start}},
        "tools": [{"name": tool["name"], "description": tool["description"]} for tool in TOOLS],
        "prompts_generated": True,  # They have arguments, and their text is in the server.
        "compatibility": {"platforms": ["darwin", "linux"], "runtimes": {"python": ">=3.11"}},
    }


def server_json(repository: str, bundle: Path) -> dict[str, Any]:
    """The entry of the registry, which names servers by who owns them. Raises `ValueError` for another address."""
    found = re.fullmatch(r"https://github\.com/([\w.-]+)/([\w.-]+?)(?:\.git)?/?", repository)
    if not found:
        raise ValueError(f"invalid address {repository!r}: must be as https://github.com/OWNER/NAME")
    address = f"https://github.com/{found[1]}/{found[2]}"
    stdio = {"transport": {"type": "stdio"}}
    index = {
        "registryType": "pypi",
        "identifier": NAME,
        "version": VERSION,
        "runtimeHint": "uvx",
        "packageArguments": [{"type": "positional", "value": "mcp"}],
        **stdio,
    }
    file = {
        "registryType": "mcpb",
        "identifier": f"{address}/releases/download/v{VERSION}/{bundle.name}",
        "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
        **stdio,
    }
    return {
        "$schema": SCHEMA,
        "name": f"io.github.{found[1]}/{NAME}",
        "title": TITLE,
        "description": ABOUT,
        "repository": {"url": address, "source": "github"},
        "version": VERSION,
        "packages": [index, file],
    }


def main() -> int:
    match sys.argv[1:]:
        case ["bundle", wheel, path]:
            write_bundle(Path(wheel), Path(path))
        case ["server", address, path]:
            print(_json(server_json(address, Path(path))), end="")
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
