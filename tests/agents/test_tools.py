"""The agents call the tools of the MCP server that `jotsam install` registered."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from stub_models import Reply, StubModels

from processes import PATIENCE, until

if TYPE_CHECKING:
    from agent_programs import Agent
    from tests.agents.conftest import Program

pytestmark = pytest.mark.agents

FACT = "The staging database is called heron-2."


def test_an_agent_remembers_and_another_session_recalls(agent: Agent, jotsam: Program, models: StubModels) -> None:
    shop = jotsam.project("shop")
    jotsam.install(agent.name)
    models.will(Reply(tool="remember", arguments={"text": FACT}), "Remembered.")
    agent.say("Remember what I told you about staging.", folder=shop)
    (memory,) = [memory for memory in jotsam.stored() if memory["text"] == FACT]
    assert memory["project"] == str(shop)
    assert memory["id"][:8] in models.requests[-1].text
    models.will(Reply(tool="recall", arguments={"query": "staging database"}), "It is heron-2.")
    agent.say("hello", folder=shop)
    before, after = models.requests[-2:]
    assert after.text.count(FACT) == before.text.count(FACT) + 1


def test_a_wrong_call_is_answered_with_advice(agent: Agent, jotsam: Program, models: StubModels) -> None:
    jotsam.install(agent.name)
    models.will(Reply(tool="remember", arguments={"text": FACT, "importance": 7}), "I see.")
    agent.say("Remember that.", folder=jotsam.project("shop"))
    assert "importance" in models.requests[-1].text
    assert FACT not in [text for _, text in jotsam.said()]


def test_no_server_is_left_after_its_agent_was_killed(agent: Agent, jotsam: Program, models: StubModels) -> None:
    jotsam.install(agent.name)
    models.hold()
    agent.start("Wait for me.", folder=jotsam.project("shop"))
    until(lambda: models.requests and jotsam.running("mcp"))
    (server,) = jotsam.running("mcp")
    os.kill(parent_of(server), signal.SIGKILL)  # Some agents are a script that has started the agent itself.
    until(lambda: not jotsam.running("mcp"))


def parent_of(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def test_each_agent_lists_the_server(agent: Agent, jotsam: Program) -> None:
    shop = jotsam.project("shop")
    jotsam.install(agent.name)
    done = subprocess.run(
        [agent.program, "mcp", "list"],
        env=agent.env | {"GEMINI_CLI_TRUST_WORKSPACE": "true"},
        cwd=shop,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    printed = done.stdout + done.stderr
    line = next(line for line in printed.splitlines() if "jotsam" in line)
    assert any(word in line for word in ("onnected", "enabled")), printed
    assert "isconnected" not in line, printed
