"""Codex runs a hook only after its user trusted it, and never asks again: not after an upgrade or a move either."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from agent_programs import Codex
from stub_models import StubModels
from terminals import Terminal

from processes import until

if TYPE_CHECKING:
    from agent_programs import Agent
    from tests.agents.conftest import Program

pytestmark = pytest.mark.agents


def test_hooks_run_once_they_are_trusted_and_stay_trusted_when_the_program_moves(
    start_agent: Callable[[str], Agent], jotsam: Program, models: StubModels
) -> None:
    agent = start_agent("codex")
    assert isinstance(agent, Codex)
    agent.bypass = ()
    shop = jotsam.project("shop")
    jotsam.install("codex")
    agent.say("Hello.", folder=shop)
    assert jotsam.said() == [], "nobody trusted the hooks"
    terminal = Terminal([agent.program], folder=shop, env=agent.env)
    try:
        terminal.shows("Ask Codex to do anything")
        terminal.type("Good morning.")
        terminal.press_until("\r", lambda: "Trustallandcontinue" in terminal.text)
        config = jotsam.home / ".codex" / "config.toml"
        terminal.type_and_see("j", "› 2. Trust all and continue")
        terminal.type("\r")
        until(lambda: "trusted_hash" in config.read_text())
    finally:
        terminal.end()
    models.will("Noted: the zebra lives in Bonn.")
    agent.say("We keep the zebra in Bonn.", folder=shop)
    assert ("user", "We keep the zebra in Bonn.") in jotsam.said()
    moved = jotsam.move()
    moved.install("codex")
    agent.say("The lion is in Cologne.", folder=shop)
    assert ("user", "The lion is in Cologne.") in moved.said()
