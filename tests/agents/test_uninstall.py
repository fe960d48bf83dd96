"""`jotsam agents uninstall` leaves every file as it was, byte for byte, also after the agent has run with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
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


def _files(jotsam: Program) -> dict[str, bytes]:
    """All files of the home directory but Jotsam's own."""
    own = (jotsam.environment, jotsam.data, jotsam.config.parent, jotsam.home / ".local" / "state" / "jotsam")
    return {
        str(path.relative_to(jotsam.home)): path.read_bytes()
        for path in sorted(jotsam.home.rglob("*"))
        if path.is_file() and not any(path.is_relative_to(folder) for folder in own)
    }
