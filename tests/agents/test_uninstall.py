"""`jotsam agents uninstall` leaves every file as it was, byte for byte, also after the agent has run with it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from processes import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_programs import Agent
    from tests.agents.conftest import Program

pytestmark = pytest.mark.agents

# Files that a user has written, with comments and other people's entries, where the agent allows them.
FOREIGN = {
    "claude": {
        ".claude/settings.json": '{\n    "model": "opus",\n    "hooks": {"Stop": [{"hooks": [{"type": "command",'
        ' "command": "true"}]}]}\n}',
    },
    "codex": {".codex/hooks.json": '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}\n\n'},
    "gemini": {".gemini/GEMINI.md": "Be brief.\n"},
    "opencode": {".config/opencode/plugins/other.js": "export const Other = async () => ({})\n"},
}


def test_uninstall_leaves_every_file_byte_for_byte(agent: Agent, jotsam: Program) -> None:
    for name, text in FOREIGN[agent.name].items():
        (jotsam.home / name).parent.mkdir(parents=True, exist_ok=True)
        (jotsam.home / name).write_text(text)
    before = _files(jotsam)
    jotsam.install(agent.name)
    assert _files(jotsam) != before
    jotsam.install(agent.name)
    jotsam("uninstall", agent.name, "--yes")
    assert _files(jotsam) == before


def test_after_uninstall_an_agent_stores_nothing(agent: Agent, jotsam: Program) -> None:
    shop = jotsam.project("shop")
    agent.say("Good morning.", folder=shop)  # What the agent itself writes is there.
    jotsam.install(agent.name)
    agent.say("We keep the zebra in Bonn.", folder=shop)
    count = len(jotsam.said())
    jotsam("uninstall", agent.name, "--yes")
    agent.say("The lion is in Cologne.", folder=shop)
    assert len(jotsam.said()) == count == 2
    for path, content in _files(jotsam).items():
        if path.endswith((".json", ".toml", ".js")) and "/projects/" not in path:
            assert str(jotsam.data).encode() not in content, path


def test_claude_accepts_the_plugin(start_agent: Callable[[str], Agent], jotsam: Program) -> None:
    import jotsam as package

    agent = start_agent("claude")
    (plugin,) = Path(package.__file__).parent.rglob(".claude-plugin")
    done = subprocess.run(
        [agent.program, "plugin", "validate", str(plugin.parent)],
        env=agent.env,
        cwd=jotsam.home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # What a listing in the directory of plugins needs, such as an icon, is told apart from what the plugin needs.
    found = (done.stdout + done.stderr).partition("Plugin directory checks")[0]
    assert "warning" not in found.lower(), found


def _files(jotsam: Program) -> dict[str, bytes]:
    """All files of the home directory but Jotsam's own."""
    own = (jotsam.environment, jotsam.data, jotsam.config.parent, jotsam.home / ".local" / "state" / "jotsam")
    return {
        str(path.relative_to(jotsam.home)): path.read_bytes()
        for path in sorted(jotsam.home.rglob("*"))
        if path.is_file() and not any(path.is_relative_to(folder) for folder in own)
    }
