"""TurnParser of session files: which turn stands in them, and what is said of those that hold none."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.agents.registry import PLAIN, SESSION_FORMATS
from jotsam.agents.session_format import ParsedTurn, SessionFile
from jotsam.core.errors import InvalidInput
from jotsam.ingest import transcripts

CLAUDE, CODEX = "claude-code", "codex"

AT, AT_MS = "2026-03-01T14:00:00.250Z", 1_772_373_600_250


def claude(kind: str = "user", content: object = "Use tabs.", **more: object) -> dict[str, object]:
    message = {"role": kind, "content": content, "model": "some-model"}
    whole = {"type": kind, "message": message, "uuid": "u1", "sessionId": "s", "timestamp": AT, "cwd": "/shop"}
    return whole | {"isSidechain": False, "promptId": "p1"} | more


def block(kind: str, **more: object) -> list[dict[str, object]]:
    return [{"type": kind, **more}]


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


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
    assert transcripts.parser(CLAUDE, SessionFile()).read(entry) == why


def test_a_turn_of_claude_code_has_its_session_time_ids_and_folder():
    assert transcripts.parser(CLAUDE, SessionFile()).read(claude()) == ParsedTurn(
        text="Use tabs.", actor="user", session="s", said_at=AT_MS, line="u1", prompt="p1", folder="/shop"
    )


def test_a_turn_is_what_was_said_without_what_the_program_put_in_or_did():
    parts = [
        text("<ide_opened_file>a.py</ide_opened_file>"),
        text("Use tabs."),
        *block("image", source={}),
        text("Now."),
    ]
    assert transcripts.parser(CLAUDE, SessionFile()).read(claude(content=parts)).text == "Use tabs.\nNow."
    parts = [text("I look."), *block("tool_use", name="Read", input={})]
    assert transcripts.parser(CLAUDE, SessionFile()).read(claude("assistant", parts)).text == "I look."


def test_what_the_assistant_says_belongs_to_the_prompt_before_it():
    lines = transcripts.parser(CLAUDE, SessionFile())
    answer = claude("assistant", [text("Done.")])
    del answer["promptId"]
    assert lines.read(answer).prompt == ""
    lines.read(claude(promptId="p7"))
    result = claude(content=block("tool_result", content="42"))
    del result["promptId"]
    lines.read(result)
    lines.read(claude(promptId="of a subagent", isSidechain=True))
    assert lines.read(answer).prompt == "p7"
    unnamed = claude()
    del unnamed["promptId"]
    lines.read(unnamed)
    assert lines.read(answer).prompt == "", "an older version names no prompts, and its hooks name none either"


def item(kind: str = "message", **more: object) -> dict[str, object]:
    return {"timestamp": AT, "type": "response_item", "payload": {"type": kind, **more}}


def event(what: str, **more: object) -> dict[str, object]:
    return {"timestamp": AT, "type": "event_msg", "payload": {"type": what, **more}}


def header(**more: object) -> dict[str, object]:
    return {"timestamp": AT, "type": "session_meta", "payload": {"id": "c1", "cwd": "/shop", **more}}


def typed(*texts: str, kinds: list[str] | None = None) -> dict[str, object]:
    content = [{"type": "input_text", "text": text} for text in texts]
    about = {} if kinds is None else {"internal_chat_message_metadata_passthrough": {"content_item_kinds": kinds}}
    return item(role="user", content=content, **about)


def completed(text: str) -> dict[str, object]:
    return event("item_completed", item={"type": "UserMessage", "content": [{"type": "text", "text": text}]})


ANSWER = item(role="assistant", content=[{"type": "output_text", "text": "Tabs it is."}])
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
    lines.read(header())
    assert lines.read(entry) == why


def test_turns_of_codex_have_the_session_of_their_file_and_the_turn_that_hooks_name():
    lines = transcripts.parser(CODEX, SessionFile())
    lines.read(header())
    lines.read(event("task_started", turn_id="t1"))
    prompt = lines.read(event("user_message", message="Use tabs.", images=[]))
    assert prompt == ParsedTurn(
        text="Use tabs.", actor="user", session="c1", said_at=AT_MS, prompt="t1", folder="/shop"
    )
    lines.read({"timestamp": AT, "type": "turn_context", "payload": {"turn_id": "t2", "cwd": "/garden"}})
    lines.read(header(id="copied", cwd="/elsewhere"))
    answer = lines.read(ANSWER)
    assert (answer.text, answer.actor, answer.session) == ("Tabs it is.", "assistant", "c1")
    assert (answer.prompt, answer.folder) == ("t2", "/garden")


ROLLOUTS = sorted((Path(__file__).parent.parent / "rollouts").glob("codex-*.jsonl"))
ASKED = "Where do we store the terraform state?"


def test_a_prompt_in_rollouts_of_three_versions_of_codex_is_one_turn():
    """The files were written by `codex exec` and `codex exec resume` with the same prompt."""
    read = {}
    for path in ROLLOUTS:
        lines = transcripts.parser(CODEX, SessionFile())
        found = [lines.read(transcripts.entry(line)) for line in path.read_bytes().splitlines()]
        read[path.stem] = [(turn.actor, turn.text) for turn in found if isinstance(turn, ParsedTurn)]
    conversation = [("user", ASKED), ("assistant", "In the bucket acme-tf.")]
    twice = conversation * 2
    assert read == {"codex-0.50.0": conversation, "codex-0.110.0": twice, "codex-0.169.0": twice}


def test_each_kind_of_line_with_a_prompt_is_read_and_the_other_kinds_repeat_it():
    kinds = [typed("Use  tabs.\n"), event("user_message", message="Use tabs."), completed("Use tabs.")]
    for first in kinds:
        lines = transcripts.parser(CODEX, SessionFile(session="c1"))
        assert lines.read(first).text.split() == ["Use", "tabs."]
        assert [lines.read(other) for other in kinds if other is not first] == ["repeats", "repeats"]
        assert lines.read(first).actor == "user", "the same prompt again is another turn"


def test_an_attached_image_leaves_no_tags_in_a_prompt_of_codex():
    prompt = typed('<image name=[Image #1] path="photo.png">', "</image>", "What is this?", kinds=["user.text"] * 3)
    assert transcripts.parser(CODEX, SessionFile(session="c1")).read(prompt).text == "What is this?"


@pytest.mark.parametrize("more", [{"source": {"subagent": "review"}}, {"thread_source": "subagent"}])
def test_a_file_of_a_subagent_of_codex_holds_no_turns(more):
    lines = transcripts.parser(CODEX, SessionFile())
    lines.read(header(**more))
    assert lines.read(ANSWER) == "subagents"


def test_a_turn_of_codex_without_a_header_needs_a_session():
    with pytest.raises(InvalidInput, match=r"session id is missing: .* with --session"):
        transcripts.parser(CODEX, SessionFile()).read(ANSWER)
    assert transcripts.parser(CODEX, SessionFile(session="mine")).read(ANSWER).session == "mine"


def plain(**more: object) -> dict[str, object]:
    return {"role": "user", "content": "Use tabs.", "timestamp": AT, "session": "s", **more}


def test_a_plain_line_says_the_same_in_few_words():
    said = ParsedTurn(text="Use tabs.", actor="user", session="s", said_at=AT_MS)
    lines = transcripts.parser(PLAIN, SessionFile())
    assert lines.read(plain()) == said
    assert lines.read(plain(timestamp=AT_MS, id=7)) == said.replace(line="7")
    assert lines.read({"actor": "Ana", "text": "Use tabs.", "timestamp": AT, "session": "s"}) == said.replace(
        actor="Ana"
    )
    assert lines.read(plain(role="tool")) == "tool results"
    assert lines.read(plain(role="system")) == "meta"
    assert lines.read(plain(content=" ")) == "other"


BROKEN_PLAIN = {
    "a word too many": (plain(mood="good"), "unknown field 'mood'; allowed: actor, content, id, role, session, "),
    "two speakers": (plain(actor="Ana"), "has both role and actor"),
    "no speaker": ({"content": "x", "timestamp": AT, "session": "s"}, "has neither role nor actor"),
    "no text": ({"role": "user", "timestamp": AT, "session": "s"}, "has neither content nor text"),
    "an unknown role": (plain(role="bot"), "invalid role 'bot': must be one of user, assistant, system, tool; `actor`"),
    "a list as text": (plain(content=[text("x")]), "invalid content of type list: must be a string"),
    "a flag as id": (plain(id=True), "invalid id True: must be a string or an integer"),
    "an empty id": (plain(id=" "), "invalid id ' ': must be a string"),
    "no session": (plain(session=None), "session is missing: set it in the line, or for all lines with --session"),
    "a number as session": (plain(session=7), "invalid session 7: must be a non-empty string"),
    "no time": (plain(timestamp=None), "timestamp is missing"),
    "a word as time": (plain(timestamp="soon"), "invalid timestamp 'soon': must be a date"),
    "seconds": (plain(timestamp=1_772_373_600), "invalid timestamp 1772373600: must be milliseconds"),
    "a fraction": (plain(timestamp=1_772_373_600.25), "must be milliseconds"),
    "true as time": (plain(timestamp=True), "invalid timestamp True"),
    "a time before 1970": (plain(timestamp=-1), "invalid timestamp -1"),
    "NUL in the text": (plain(content="a\0b"), "the text contains NUL"),
    "half of a pair": (plain(content="a\ud800b"), "the text contains an unpaired surrogate"),
}


@pytest.mark.parametrize("what", BROKEN_PLAIN)
def test_a_broken_plain_line_is_named_with_what_is_allowed(what):
    entry, message = BROKEN_PLAIN[what]
    with pytest.raises(InvalidInput) as no:
        transcripts.parser(PLAIN, SessionFile()).read(entry)
    assert message in str(no.value)


BROKEN = {
    "cut off": (b'{"type": "user', "invalid JSON: Unterminated string"),
    "a list": (b"[1]", "not a JSON object, but list"),
    "no UTF-8": (b'{"a": "\xff"}', "not UTF-8 at byte 8"),
    "NUL": (b"\0\0\0", "contains NUL"),
    "very deep": (b"[" * 100_000, "nested too deeply"),
    "a number of a thousand digits": (b'{"a": ' + b"1" * 10_000 + b"}", "invalid JSON"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_line_that_is_no_object_is_an_error_that_says_why(what):
    line, message = BROKEN[what]
    with pytest.raises(InvalidInput, match=message):
        transcripts.entry(line)


def test_a_mark_of_byte_order_is_no_harm():
    assert transcripts.entry(b'\xef\xbb\xbf{"a": 1}\r\n') == {"a": 1}


@pytest.mark.parametrize(
    ("entry", "format"),
    [
        (claude(), CLAUDE),
        ({"type": "summary", "summary": "x", "leafUuid": "u"}, CLAUDE),
        (header(), CODEX),
        (plain(), PLAIN),
        ({"actor": "Ana", "text": "x"}, PLAIN),
        ({"type": "invoice", "total": 7}, None),
        ({"session_id": "s", "ts": 1, "text": "x"}, None),
        ({}, None),
    ],
)
def test_a_format_is_recognised_by_the_words_of_a_line(entry, format):
    assert transcripts.detect_format(entry) == format


THINGS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
WORDS = st.sampled_from([*claude(), *plain(), "payload", "actor", "text", "id", "forkedFrom", "promptSource"])
KINDS = st.sampled_from(["user", "assistant", "session_meta", "response_item", "event_msg", "turn_context"])


@given(st.lists(st.dictionaries(WORDS, THINGS), max_size=4), KINDS, st.sampled_from(SESSION_FORMATS))
def test_no_line_however_strange_does_anything_but_these_three(entries, kind, format):
    """A turn, a reason to leave it out, or a line that is said to be broken."""
    lines = transcripts.parser(format, SessionFile())
    for entry in entries:
        for strange in (entry, claude() | entry, header() | entry, ANSWER | entry, {"type": kind} | entry):
            transcripts.detect_format(strange)
            with contextlib.suppress(InvalidInput):
                assert isinstance(lines.read(json.loads(json.dumps(strange))), str | ParsedTurn)
