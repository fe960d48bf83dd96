"""Session files of Claude Code: which turn is in a line, and what is said of lines without one."""

from __future__ import annotations

import pytest

from jotsam.agents.session_format import ParsedTurn, SessionFile
from jotsam.ingest import transcripts
from session_lines import AT_MS, block, claude, text

CLAUDE = "claude-code"

LEFT_OUT = {
    "a subagent": (claude(isSidechain=True), "subagents"),
    "meta": (claude(isMeta=True), "meta"),
    "a copy of another session": (claude(forkedFrom={"sessionId": "r"}), "repeats"),
    "a summary of what was said": (claude(isCompactSummary=True), "repeats"),
    "an error of the service": (claude("assistant", isApiErrorMessage=True), "meta"),
    "a prompt of the program": (claude(promptSource="loop_wakeup"), "meta"),
    "a command": (claude(content="<command-name>/clear</command-name>"), "meta"),
    "an interruption": (claude(content=[text("[Request interrupted by user]")]), "meta"),
    "a result of a tool": (claude(content=block("tool_result", content="42")), "tool results"),
    "a call of a tool": (claude("assistant", block("tool_use", name="Bash", input={})), "tool calls"),
    "thinking": (claude("assistant", block("thinking", thinking="hm")), "thinking"),
    "an image alone": (claude(content=block("image", source={})), "attachments"),
    "an attachment": ({"type": "attachment", "sessionId": "s"}, "attachments"),
    "a summary": ({"type": "summary", "summary": "Tabs", "leafUuid": "u"}, "meta"),
    "an empty text": (claude(content="  "), "other"),
    "content of another kind": (claude(content=[7, "x", {"type": ["odd"]}, {"type": "text", "text": 7}]), "other"),
    "a kind of tomorrow": ({"type": "hologram", "sessionId": "s"}, "other"),
}


@pytest.mark.parametrize("what", LEFT_OUT)
def test_what_is_no_turn_of_claude_code_is_left_out_and_named(what):
    entry, why = LEFT_OUT[what]
    assert transcripts.parser(CLAUDE, SessionFile()).turn_of(entry) == why


def test_a_turn_of_claude_code_has_its_session_time_ids_and_folder():
    assert transcripts.parser(CLAUDE, SessionFile()).turn_of(claude()) == ParsedTurn(
        text="Use tabs.", actor="user", session="s", said_at=AT_MS, line="u1", prompt="p1", folder="/shop"
    )


def test_a_turn_is_what_was_said_without_what_the_program_put_in_or_did():
    parts = [
        text("<ide_opened_file>a.py</ide_opened_file>"),
        text("Use tabs."),
        *block("image", source={}),
        text("Now."),
    ]
    assert transcripts.parser(CLAUDE, SessionFile()).turn_of(claude(content=parts)).text == "Use tabs.\nNow."
    parts = [text("I look."), *block("tool_use", name="Read", input={})]
    assert transcripts.parser(CLAUDE, SessionFile()).turn_of(claude("assistant", parts)).text == "I look."


def test_what_the_assistant_says_belongs_to_the_prompt_before_it():
    lines = transcripts.parser(CLAUDE, SessionFile())
    answer = claude("assistant", [text("Done.")])
    del answer["promptId"]
    assert lines.turn_of(answer).prompt == ""
    lines.turn_of(claude(promptId="p7"))
    result = claude(content=block("tool_result", content="42"))
    del result["promptId"]
    lines.turn_of(result)
    lines.turn_of(claude(promptId="of a subagent", isSidechain=True))
    assert lines.turn_of(answer).prompt == "p7"
    unnamed = claude()
    del unnamed["promptId"]
    lines.turn_of(unnamed)
    assert lines.turn_of(answer).prompt == "", "an older version names no prompts, and its hooks name none either"
