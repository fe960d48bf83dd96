"""Extraction with a coding agent as the language model: what is stored, and what it counts within the daily cap."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from fake_agents import FakeAgents
from jotsam import Jotsam
from jotsam.core.errors import InvalidInput
from jotsam.models import agent_program
from jotsam.models.fake_endpoint import fake_extraction
from jotsam.storage.costs import ledger
from processes import PATIENCE

TEXT = "The billing service uses Zylophon."


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeAgents:
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setattr(agent_program, "PLACES", ())
    return FakeAgents(folder)


@pytest.fixture
def jot(jot: Jotsam) -> Jotsam:
    jot.settings = jot.settings.replace(llm="claude", llm_timeout_ms=PATIENCE * 1_000, concurrency=1)
    return jot


def answer(text: str, **more: object) -> dict[str, object]:
    usage = {"input_tokens": 900, "output_tokens": 100}
    found = {"is_error": False, "result": json.dumps(fake_extraction(text)), "usage": usage, "total_cost_usd": 0.25}
    return {"print": json.dumps(found | more)}


def test_an_agent_adds_to_the_rules_and_its_own_count_is_what_was_spent(jot: Jotsam, agents: FakeAgents) -> None:
    agents.will(answer(TEXT))
    id = jot.remember(TEXT).id
    jot.remember(TEXT)
    jot.work()
    assert {one.name: one.extractor for one in jot.show(id).entities}["Zylophon"] == "llm:claude prompt/3 schema/2"
    assert len(agents.calls) == 1, "the same text is not paid for twice"
    with jot.database.snapshot() as tx:
        assert ledger.spent(tx) == (1_000, 0.25)
    (row,) = jot.show(id).usage
    assert (row.model, row.tokens_in, row.tokens_out, row.cost) == ("claude", 900, 100, 0.25)


def test_the_daily_cap_holds_before_a_program_is_started(jot: Jotsam, agents: FakeAgents) -> None:
    agents.will(answer(TEXT))
    jot.settings = jot.settings.replace(llm_daily_tokens=4_000, llm_daily_cost=0.2)
    jot.remember(TEXT)
    jot.work()
    jot.remember("The shop uses Redis.")
    jot.work()
    assert len(agents.calls) == 1
    assert jot.status().capped


def test_a_text_for_which_the_model_calls_a_tool_is_degraded_at_once(jot: Jotsam, agents: FakeAgents) -> None:
    agents.will(answer(TEXT, is_error=True, stop_reason="tool_use"))
    id = jot.remember(TEXT).id
    jot.work()
    assert "asked for a tool" in (jot.show(id).memory.degraded or "")
    with jot.database.snapshot() as tx:
        assert ledger.spent(tx)[0] == 1_000, "it was paid for"


def test_an_agent_that_is_signed_out_pauses_the_queue_and_spends_no_attempt(jot: Jotsam, agents: FakeAgents) -> None:
    agents.will(answer(TEXT, is_error=True, result="Not logged in · Please run /login", usage={}))
    id = jot.remember(TEXT).id
    jot.work()
    assert [job.failures for job in jot.show(id).jobs] == [0]
    with jot.database.snapshot() as tx:
        assert ledger.spent(tx) == (0, 0.0)


def test_an_agent_and_a_server_together_are_refused(jot: Jotsam) -> None:
    jot.settings = jot.settings.replace(llm_url="http://user:secret@127.0.0.1:9/v1", llm_model="m")
    with pytest.raises(InvalidInput, match="llm is claude and llm_url is http://") as raised:
        jot.work()
    assert "secret" not in str(raised.value)
