"""Hooks with the events of real agents: each turn once, in its session, in order, with what was said between tools."""

from __future__ import annotations

import os

import pytest

from agent_hooks import STORED, Hooks, memories, turns
from jotsam.storage.memories import memories as stored
from transcripts import add, claude, tool, write


@pytest.fixture
def hooks(monkeypatch: pytest.MonkeyPatch, tmp_path, url) -> Hooks:
    return Hooks(monkeypatch, tmp_path / "home", url)


@pytest.mark.parametrize("harness", STORED)
def test_a_recorded_session_is_stored_once_and_in_order(hooks, jot, harness, capfd):
    """Each hook is registered twice, and fires again after all is stored."""
    events = hooks.recorded(harness)
    has_transcript = hooks.write_transcript(harness)
    for _ in range(2):
        for event in events:
            for _ in range(2):
                hooks.fire(harness, event)
        stored = memories(jot)
        assert [(memory.actor, memory.text) for memory in stored] == STORED[harness]
        assert {memory.project for memory in stored} == {str(hooks.project)}
        assert len({memory.session for memory in stored}) == 1
        assert hooks.requests() == []
    if has_transcript:  # It has three more prompts with their answers, whose hooks were not recorded.
        assert jot.import_sessions([hooks.transcript]).added == {"claude": 6, "codex": 0}[harness]
    assert capfd.readouterr() == ("", "")


def test_only_answers_to_prompts_that_hooks_have_stored_are_read(hooks, jot):
    """Not what was said before the hooks were there, or while capture was off; and no other prompt."""
    write(
        hooks.transcript,
        claude(1, "Before all hooks.", prompt="o"),
        claude(2, "Also before.", "assistant"),
        claude(3, "Which bucket?"),
        claude(4, "I look.", "assistant"),
        tool(5),
        claude(6, "It is acme-77.", "assistant"),
        claude(7, "A secret question.", prompt="q"),
        claude(8, "A secret thought.", "assistant"),
        claude(9, "A secret answer.", "assistant"),
    )
    hooks.claude("UserPromptSubmit", prompt="Which bucket?")
    hooks.claude("Stop", last_assistant_message="It is acme-77.")
    hooks.monkeypatch.setenv("JOTSAM_CAPTURE", "off")
    hooks.claude("UserPromptSubmit", "q", prompt="A secret question.")
    hooks.claude("Stop", "q", last_assistant_message="A secret answer.")
    hooks.monkeypatch.setenv("JOTSAM_CAPTURE", "on")
    hooks.claude("SessionEnd", "q", reason="other")
    assert {text for _, text in turns(jot)} == {"Which bucket?", "I look.", "It is acme-77."}
    assert hooks.requests() == []


def test_what_was_interrupted_is_read_when_the_session_goes_on_ends_or_is_idle(hooks, jot):
    """Escape, or a killed terminal: there is no Stop."""
    write(hooks.transcript, claude(1, "One?"), claude(2, "Thought 1.", "assistant"))
    hooks.claude("UserPromptSubmit", prompt="One?")
    jot.work()
    assert hooks.requests() == [".open"]
    add(hooks.transcript, claude(3, "Two?", prompt="q"), claude(4, "Thought 2.", "assistant"))
    hooks.claude("UserPromptSubmit", "q", prompt="Two?")
    assert "Thought 1." in [text for _, text in turns(jot)]
    add(hooks.transcript, claude(5, "Three?", prompt="r"), claude(6, "Thought 3.", "assistant"))
    hooks.claude("SessionEnd", "q", reason="prompt_input_exit")
    assert [text for _, text in turns(jot) if "Thought" in text] == ["Thought 1.", "Thought 2."]
    hooks.claude("UserPromptSubmit", "r", prompt="Three?")
    os.utime(hooks.transcript, (0, 0))
    assert [text for _, text in turns(jot) if "Thought" in text] == ["Thought 1.", "Thought 2.", "Thought 3."]
    assert hooks.requests() == []


def test_a_transcript_that_is_behind_is_read_again(hooks, jot):
    write(hooks.transcript, claude(1, "One?"))
    hooks.claude("UserPromptSubmit", prompt="One?")
    hooks.claude("Stop", last_assistant_message="Answer.")
    assert jot.status().spooled == 1
    assert len(turns(jot)) == 2
    assert hooks.requests() == [".open"]
    add(hooks.transcript, claude(2, "Thought.", "assistant"), claude(3, "Answer.", "assistant"))
    hooks.claude("SessionEnd", reason="other")
    assert {text for _, text in turns(jot)} == {"One?", "Thought.", "Answer."}
    assert hooks.requests() == []


def test_what_was_forgotten_does_not_come_back(hooks, jot):
    for number, prompt in ((1, "p"), (3, "q"), (5, "r")):
        said = [claude(number, "One?", prompt=prompt), claude(number + 1, f"Thought {prompt}.", "assistant")]
        add(hooks.transcript, *said, claude(number + 2, "Answer.", "assistant"))
        hooks.claude("UserPromptSubmit", prompt, prompt="One?")
        hooks.claude("Stop", prompt, last_assistant_message="Answer.")
        thought = next(memory for memory in memories(jot) if memory.text == f"Thought {prompt}.")
        jot.forget(jot.plan_forget(ids=[thought.id]))
    assert [text for _, text in turns(jot) if "Thought" in text] == []


def test_a_transcript_that_is_gone_or_is_none_is_given_up(hooks, jot):
    hooks.claude("UserPromptSubmit", prompt="One?")
    hooks.claude("Stop", last_assistant_message="Answer.")
    assert len(turns(jot)) == 2
    hooks.transcript.write_text("no session\n" * 200)
    hooks.claude("UserPromptSubmit", "q", prompt="Two?")
    hooks.claude("Stop", "q", last_assistant_message="Answer.")
    hooks.claude("SessionEnd", reason="clear")
    assert len(turns(jot)) == 4
    assert hooks.requests() == []


@pytest.mark.needs_server
def test_the_last_turn_of_an_agent_is_known(hooks, jot):
    def last(tenant: str) -> list[int | None]:
        with jot.database.snapshot(tenant=tenant) as tx:
            return [stored.last_turn(tx, tenant=tenant, source=source) for source in ("claude-code", "codex")]

    assert last("default") == [None, None]
    jot.remember("We use tabs.", source="codex")
    hooks.claude("UserPromptSubmit", prompt="One?")
    hooks.claude("Stop", last_assistant_message="Answer.")
    newest = max(one.said_at for one in jot.list(limit=200).memories if one.source == "claude-code")
    assert last("default") == [newest, None]
    assert last("other") == [None, None]
