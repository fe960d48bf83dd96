"""Every turn of every agent is stored once, in order, in its session and project."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from stub_models import Reply, StubModels

if TYPE_CHECKING:
    from agent_programs import Agent
    from tests.agents.conftest import Program

pytestmark = pytest.mark.agents


def test_a_session_is_stored_once_in_order_and_continued_by_a_resume(
    agent: Agent, jotsam: Program, models: StubModels
) -> None:
    shop = jotsam.project("shop")
    jotsam.install(agent.name)
    models.will("Noted: the zebra lives in Bonn.", "The lion lives in Cologne.")
    agent.say("We keep the zebra in Bonn.", folder=shop)
    agent.say("Where is the lion?", folder=shop, resume=True)
    stored = jotsam.stored()
    assert [(memory["actor"], memory["text"]) for memory in stored] == [
        ("user", "We keep the zebra in Bonn."),
        ("assistant", "Noted: the zebra lives in Bonn."),
        ("user", "Where is the lion?"),
        ("assistant", "The lion lives in Cologne."),
    ]
    assert len({memory["session"] for memory in stored}) == 1
    assert {memory["project"] for memory in stored} == {str(shop)}
    assert stored[0]["session"]


def test_two_sessions_in_two_projects_stay_apart(agent: Agent, jotsam: Program, models: StubModels) -> None:
    jotsam.install(agent.name)
    models.will("Tabs it is.", "Spaces it is.")
    shop, bank = jotsam.project("shop"), jotsam.project("bank")
    agent.say("Use tabs.", folder=shop)
    agent.say("Use spaces.", folder=bank)
    stored = jotsam.stored()
    assert [(memory["project"], memory["text"]) for memory in stored] == [
        (str(shop), "Use tabs."),
        (str(shop), "Tabs it is."),
        (str(bank), "Use spaces."),
        (str(bank), "Spaces it is."),
    ]
    assert stored[0]["session"] == stored[1]["session"] != stored[2]["session"] == stored[3]["session"]


def test_what_an_answer_says_before_a_tool_call_arrives_after_the_session(
    agent: Agent, jotsam: Program, models: StubModels
) -> None:
    shop = jotsam.project("shop")
    (shop / "notes.txt").write_text("nothing here\n")
    jotsam.install(agent.name)
    tool, arguments = READS[agent.name]
    path = str(shop / "notes.txt")
    filled = {name: value.replace("PATH", path) for name, value in arguments.items()}
    models.will(Reply("The state lives in bucket acme-77.", tool, filled), "The file has no news.")
    agent.say("Look into notes.txt.", folder=shop)
    assert len(models.requests) == 2
    said = ["The state lives in bucket acme-77.", "The file has no news."]
    if agent.name == "gemini":
        said = ["\n".join(said)]  # It hands over a whole answer.
    assert jotsam.said() == [("user", "Look into notes.txt."), *(("assistant", text) for text in said)]


READS = {
    "claude": ("Read", {"file_path": "PATH"}),
    "codex": ("exec_command", {"cmd": "cat PATH"}),
    "gemini": ("read_file", {"file_path": "PATH"}),
    "opencode": ("read", {"filePath": "PATH"}),
}


def test_the_same_hooks_installed_twice_store_each_turn_once(
    start_agent: Callable[[str], Agent], jotsam: Program, models: StubModels
) -> None:
    for name in ("claude", "codex"):
        agent = start_agent(name)
        for _ in range(2):
            jotsam.install(name)
        models.will(f"Hello from {name}.")
        agent.say(f"Say hello, {name}.", folder=jotsam.project("shop"))
    assert jotsam.said() == [
        ("user", "Say hello, claude."),
        ("assistant", "Hello from claude."),
        ("user", "Say hello, codex."),
        ("assistant", "Hello from codex."),
    ]
