"""The plugin for Claude Code, the extension for Gemini CLI and the bundle, installed by the programs they are for."""

from __future__ import annotations

import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from stub_models import StubModels
from tools import manifests

from processes import PATIENCE

if TYPE_CHECKING:
    from agent_programs import Agent
    from tests.agents.conftest import Program

pytestmark = pytest.mark.agents

PLUGIN, EXTENSION = manifests.ROOT / manifests.CLAUDE, manifests.ROOT / manifests.GEMINI


def test_claude_accepts_the_plugin_and_its_marketplaces(start_agent: Callable[[str], Agent], jotsam: Program) -> None:
    agent = start_agent("claude")
    for folder in (PLUGIN, manifests.ROOT):
        printed = run(agent, jotsam, "plugin", "validate", folder)
        # What a listing in the directory of plugins needs, such as an icon, is told apart from what the plugin needs.
        assert "warning" not in printed.partition("Plugin directory checks")[0].lower(), printed


def test_the_plugin_of_the_marketplace_records_turns_and_offers_its_tools(
    start_agent: Callable[[str], Agent], jotsam: Program, models: StubModels
) -> None:
    agent = start_agent("claude")
    run(agent, jotsam, "plugin", "marketplace", "add", manifests.ROOT)
    run(agent, jotsam, "plugin", "install", "jotsam@jotsam")
    check_session(agent, jotsam, models)


def test_the_extension_records_turns_and_offers_its_tools(
    start_agent: Callable[[str], Agent], jotsam: Program, models: StubModels
) -> None:
    agent = start_agent("gemini")
    run(agent, jotsam, "extensions", "validate", EXTENSION)
    run(agent, jotsam, "extensions", "install", EXTENSION, "--consent")
    check_session(agent, jotsam, models)


def test_the_bundle_is_valid(programs: Path, jotsam: Program, tmp_path: Path) -> None:
    wheel, bundle, unpacked = tmp_path / "jotsam.whl", tmp_path / "jotsam.mcpb", tmp_path / "unpacked"
    wheel.write_bytes(b"PK")
    manifests.write_bundle(wheel, bundle)
    mcpb = programs / "node_modules" / ".bin" / "mcpb"
    if not mcpb.exists():
        pytest.skip("the newest version of mcpb is the pinned one")
    for command in (["unpack", bundle, unpacked], ["validate", unpacked / "manifest.json"]):
        done = subprocess.run([mcpb, *command], capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert {path.name for path in unpacked.iterdir()} == {*zipfile.ZipFile(bundle).namelist()}


def run(agent: Agent, jotsam: Program, *arguments: str | Path) -> str:
    """What a command of the agent prints. Gemini CLI asks whether the source of an extension is trusted."""
    done = subprocess.run(
        [agent.program, *map(str, arguments)],
        env=agent.env,
        cwd=jotsam.home,
        input="y\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def check_session(agent: Agent, jotsam: Program, models: StubModels) -> None:
    """With `jotsam` on the PATH and nothing that `jotsam install` writes."""
    models.will("Noted: the zebra lives in Bonn.")
    path = f"{jotsam.environment}/bin:{agent.env['PATH']}"
    agent.say("We keep the zebra in Bonn.", folder=jotsam.project("shop"), PATH=path)
    assert jotsam.said() == [("user", "We keep the zebra in Bonn."), ("assistant", "Noted: the zebra lives in Bonn.")]
    request = models.requests[-1]
    names = [name for name, _ in request.tools]
    missing = [tool for tool in manifests.TOOLS if not any(name.endswith(tool["name"]) for name in names)]
    # The newest Claude Code only names the others, until the model searches for them.
    assert [tool["name"] for tool in missing if "_meta" in tool or tool["name"] not in request.text] == [], names
