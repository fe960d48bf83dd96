"""Session files of Codex CLI: which turn is in a line, and what is said of lines without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from jotsam.agents.session_format import ParsedTurn, SessionFile
from jotsam.core.errors import InvalidInput
from jotsam.ingest import transcripts
from session_lines import ANSWER, AT, AT_MS, completed, event, header, item, typed

CODEX = "codex"

LEFT_OUT_OF_CODEX = {
    "the header": (header(), "meta"),
    "the context": ({"timestamp": AT, "type": "turn_context", "payload": {"cwd": "/x"}}, "meta"),
    "what the program tells the model": (item(role="developer", content=[]), "meta"),
    "instructions of the project": (typed("# AGENTS.md instructions for /shop\n\n<INSTRUCTIONS>"), "meta"),
    "the environment": (typed("<environment_context>\n  <cwd>/shop</cwd>\n</environment_context>"), "meta"),
    "context that it names itself": (typed("Ana likes tabs.", kinds=["memories.context"]), "meta"),
    "the answer once more": (event("agent_message", message="Tabs it is."), "repeats"),
    "a prompt of the program": (event("user_message", message="x", kind="environment_context"), "meta"),
    "thinking": (item("reasoning", summary=[]), "thinking"),
    "thinking aloud": (event("agent_reasoning", text="hm"), "thinking"),
    "a call": (item("function_call", name="shell"), "tool calls"),
    "another call": (item("custom_tool_call", name="patch"), "tool calls"),
    "a result": (item("function_call_output", output="42"), "tool results"),
    "a count": (event("token_count"), "meta"),
    "an item of tomorrow": (item("hologram"), "other"),
    "a line of tomorrow": ({"timestamp": AT, "type": "hologram", "payload": {}}, "other"),
}


@pytest.mark.parametrize("what", LEFT_OUT_OF_CODEX)
def test_what_is_no_turn_of_codex_is_left_out_and_named(what):
    entry, why = LEFT_OUT_OF_CODEX[what]
    lines = transcripts.parser(CODEX, SessionFile())
    lines.turn_of(header())
    assert lines.turn_of(entry) == why


def test_turns_of_codex_have_the_session_of_their_file_and_the_turn_that_hooks_name():
    lines = transcripts.parser(CODEX, SessionFile())
    lines.turn_of(header())
    lines.turn_of(event("task_started", turn_id="t1"))
    prompt = lines.turn_of(event("user_message", message="Use tabs.", images=[]))
    assert prompt == ParsedTurn(
        text="Use tabs.", actor="user", session="c1", said_at=AT_MS, prompt="t1", folder="/shop"
    )
    lines.turn_of({"timestamp": AT, "type": "turn_context", "payload": {"turn_id": "t2", "cwd": "/garden"}})
    lines.turn_of(header(id="copied", cwd="/elsewhere"))
    answer = lines.turn_of(ANSWER)
    assert (answer.text, answer.actor, answer.session) == ("Tabs it is.", "assistant", "c1")
    assert (answer.prompt, answer.folder) == ("t2", "/garden")


ROLLOUTS = sorted((Path(__file__).parents[2] / "rollouts").glob("codex-*.jsonl"))
ASKED = "Where do we store the terraform state?"


def test_a_prompt_in_rollouts_of_three_versions_of_codex_is_one_turn():
    """The files were written by `codex exec` and `codex exec resume` with the same prompt."""
    read = {}
    for path in ROLLOUTS:
        lines = transcripts.parser(CODEX, SessionFile())
        found = [lines.turn_of(transcripts.entry(line)) for line in path.read_bytes().splitlines()]
        read[path.stem] = [(turn.actor, turn.text) for turn in found if isinstance(turn, ParsedTurn)]
    conversation = [("user", ASKED), ("assistant", "In the bucket acme-tf.")]
    twice = conversation * 2
    assert read == {"codex-0.50.0": conversation, "codex-0.110.0": twice, "codex-0.169.0": twice}


def test_each_kind_of_line_with_a_prompt_is_read_and_the_other_kinds_repeat_it():
    kinds = [typed("Use  tabs.\n"), event("user_message", message="Use tabs."), completed("Use tabs.")]
    for first in kinds:
        lines = transcripts.parser(CODEX, SessionFile(session="c1"))
        assert lines.turn_of(first).text.split() == ["Use", "tabs."]
        assert [lines.turn_of(other) for other in kinds if other is not first] == ["repeats", "repeats"]
        assert lines.turn_of(first).actor == "user", "the same prompt again is another turn"


def test_an_attached_image_leaves_no_tags_in_a_prompt_of_codex():
    prompt = typed('<image name=[Image #1] path="photo.png">', "</image>", "What is this?", kinds=["user.text"] * 3)
    assert transcripts.parser(CODEX, SessionFile(session="c1")).turn_of(prompt).text == "What is this?"


@pytest.mark.parametrize("more", [{"source": {"subagent": "review"}}, {"thread_source": "subagent"}])
def test_a_file_of_a_subagent_of_codex_holds_no_turns(more):
    lines = transcripts.parser(CODEX, SessionFile())
    lines.turn_of(header(**more))
    assert lines.turn_of(ANSWER) == "subagents"


def test_a_turn_of_codex_without_a_header_needs_a_session():
    with pytest.raises(InvalidInput, match=r"session id is missing: .* with --session"):
        transcripts.parser(CODEX, SessionFile()).turn_of(ANSWER)
    assert transcripts.parser(CODEX, SessionFile(session="mine")).turn_of(ANSWER).session == "mine"
