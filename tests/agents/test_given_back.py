"""What each agent gets from memory, seen in the request that its model receives, and what never comes back from it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from stub_models import StubModels

if TYPE_CHECKING:
    from agent_programs import Agent
    from tests.agents.conftest import Program

pytestmark = pytest.mark.agents

DECISION = "We decided to deploy on Fridays from the release branch, never from main."
QUESTION = "On which day and from which branch do we deploy?"
TRIVIAL = "Thanks!"


def test_a_session_begins_with_what_was_decided_and_nothing_where_nothing_was(
    agent: Agent, jotsam: Program, models: StubModels
) -> None:
    shop = jotsam.project("shop")
    jotsam.install(agent.name)
    agent.say("Good morning.", folder=shop)
    assert "jotsam-memory" not in models.requests[0].text
    jotsam("remember", DECISION, "--type", "decision", folder=shop)
    agent.say("Good evening.", folder=shop)
    assert DECISION in models.requests[-1].text
    assert "jotsam-memory" in models.requests[-1].text


def test_a_prompt_gets_what_it_needs_and_a_trivial_one_gets_nothing(
    agent: Agent, jotsam: Program, models: StubModels
) -> None:
    shop = jotsam.project("shop")
    jotsam.install(agent.name)
    agent.say("Good morning.", folder=shop)
    jotsam("remember", DECISION, folder=shop)
    agent.say(TRIVIAL, folder=shop, resume=True)
    trivial = models.requests[-1].text
    agent.say(QUESTION, folder=shop, resume=True)
    assert DECISION in models.requests[-1].text
    assert trivial.count(DECISION) <= 1  # The brief of the session that was resumed may have it.
    assert models.requests[-1].text.count(DECISION) == 1


def test_nothing_that_was_given_is_stored(agent: Agent, jotsam: Program, models: StubModels) -> None:
    shop = jotsam.project("shop")
    jotsam.install(agent.name)
    jotsam("remember", DECISION, "--type", "decision", folder=shop)
    models.will("On Fridays.", "Gladly.")
    agent.say(QUESTION, folder=shop)
    agent.say("Tell me more about how we deploy.", folder=shop, resume=True)
    assert DECISION in models.requests[0].text
    texts = [memory["text"] for memory in jotsam.stored()]
    assert sorted(texts) == sorted([DECISION, QUESTION, "On Fridays.", "Tell me more about how we deploy.", "Gladly."])


def test_what_one_agent_was_told_the_next_vendors_agent_knows(
    start_agent: Callable[[str], Agent], jotsam: Program, models: StubModels
) -> None:
    shop = jotsam.project("shop")
    agents = [start_agent(name) for name in ("claude", "codex", "gemini", "opencode")]
    for agent in agents:
        jotsam.install(agent.name)
    for teller, listener in pairwise([*agents, agents[0]]):
        decision = f"We decided that {teller.name} reviews every change of the {listener.name} module."
        teller.say(decision, folder=shop)
        listener.say(f"Who reviews the changes of the {listener.name} module?", folder=shop)
        assert decision in models.requests[-1].text, f"{listener.name} does not know what {teller.name} was told"
