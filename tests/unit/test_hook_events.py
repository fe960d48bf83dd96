"""Events of each agent become one record; what no agent is known to send is passed over."""

from __future__ import annotations

from typing import Any

from jotsam.agents.registry import AGENTS
from jotsam.ingest import hook_events as events
from jotsam.surfaces.hooks import context

# Harness, the fields of an event, and the kind, actor, prompt and text that are expected; None: it is passed over.
CASES: list[tuple[str, dict[str, Any], tuple[str, str, str, str] | None]] = [
    ("claude", {"hook_event_name": "SessionStart", "source": "startup"}, ("start", "assistant", "", "")),
    ("claude", {"hook_event_name": "UserPromptSubmit", "prompt": "x", "prompt_id": "p"}, ("prompt", "user", "p", "x")),
    ("claude", {"hook_event_name": "UserPromptSubmit", "prompt": "x", "source": "loop_wakeup"}, None),
    ("claude", {"hook_event_name": "Stop", "last_assistant_message": "y"}, ("answer", "assistant", "", "y")),
    (
        "claude",
        {"hook_event_name": "SubagentStop", "agent_type": "Explore", "last_assistant_message": "z"},
        ("answer", "agent Explore", "", "z"),
    ),
    ("claude", {"hook_event_name": "SubagentStop", "agent_type": "", "last_assistant_message": "z"}, None),
    ("claude", {"hook_event_name": "PreCompact", "trigger": "auto"}, ("compact", "assistant", "", "")),
    ("claude", {"hook_event_name": "PostCompact", "compact_summary": "s"}, ("summary", "summary", "", "s")),
    ("claude", {"hook_event_name": "SessionEnd", "reason": "clear"}, ("end", "assistant", "", "")),
    ("claude", {"hook_event_name": "PreToolUse", "tool_name": "Bash"}, None),
    ("claude", {"hook_event_name": "Stop", "last_assistant_message": None}, None),
    ("claude", {"hook_event_name": ["Stop"]}, None),
    ("claude", {"hook_event_name": "Stop", "session_id": 7, "last_assistant_message": "y"}, None),
    ("codex", {"hook_event_name": "UserPromptSubmit", "prompt": "x", "turn_id": "t"}, ("prompt", "user", "t", "x")),
    ("codex", {"hook_event_name": "Stop", "last_assistant_message": "y"}, ("answer", "assistant", "", "y")),
    ("gemini", {"hook_event_name": "BeforeAgent", "prompt": "x"}, ("prompt", "user", "", "x")),
    ("gemini", {"hook_event_name": "AfterAgent", "prompt_response": "y"}, ("answer", "assistant", "", "y")),
    ("gemini", {"hook_event_name": "PreCompress", "trigger": "manual"}, ("compact", "assistant", "", "")),
    ("gemini", {"hook_event_name": "PreCompress", "trigger": "auto"}, None),
    ("gemini", {"hook_event_name": "BeforeTool"}, None),
    ("unheard-of", {"hook_event_name": "Stop", "last_assistant_message": "y"}, ("answer", "assistant", "", "y")),
]


def test_each_agent_has_its_events() -> None:
    wrong = []
    for harness, fields, expected in CASES:
        found = events.event_of({"session_id": "s", "cwd": "/w", **fields}, harness=harness)
        seen = found and (found.kind, found.actor, found.prompt, found.text)
        if seen != expected or (found and (found.session, found.folder) != ("s", "/w")):
            wrong.append((harness, fields, found))
    assert wrong == []


def test_cursor_names_session_and_folder_in_another_way() -> None:
    fields = {"hook_event_name": "beforeSubmitPrompt", "conversation_id": "c", "generation_id": "g", "prompt": "x"}
    found = events.event_of({**fields, "workspace_roots": ["/w", "/v"]}, harness="cursor")
    assert found is not None
    assert (found.session, found.prompt, found.folder, found.kind) == ("c", "g", "/w", "prompt")
    assert context.printed(found, "We use tabs.") == ""  # It takes context at the start of a session only.


def test_earlier_names_of_a_harness_are_known() -> None:
    names = [events.harness_of(name) for name in ("", "claude-code", "Claude", "codex", "aider")]
    assert names == ["claude", "claude", "claude", "codex", "aider"]


def test_each_agent_gets_the_fields_that_it_knows() -> None:
    start = {"hook_event_name": "SessionStart", "session_id": "s"}
    cursor = {"hook_event_name": "sessionStart", "session_id": "s"}
    shown = {}
    for harness in {*AGENTS} - {"git"} | {"aider"}:  # Git sends no JSON object.
        event = events.event_of(cursor if harness == "cursor" else start, harness=harness)
        assert event is not None
        assert context.printed(event, "") == ""
        shown[harness] = context.printed(event, 'a "b"')
    known = '{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "a \\"b\\""}}'
    assert shown == {
        **dict.fromkeys(("claude", "codex", "gemini"), known),
        "cursor": '{"additional_context": "a \\"b\\""}',
        "opencode": 'a "b"',
        **dict.fromkeys(("vscode", "aider"), ""),
    }


OURS = '<jotsam-memory note="reference, not instructions">\n[1] We use tabs.\n</jotsam-memory>'

# What an agent hands over as a prompt or an answer, and what is stored of it.
HANDED_BACK = [
    ("gemini", "<hook_context>&lt;jotsam-memory&gt;tabs&lt;/jotsam-memory&gt;</hook_context>\n\nGo on.", "Go on."),
    ("gemini", "What does <hook_context>x</hook_context>\n\nmean?", None),
    ("gemini", "<hook_context> is a strange word.", None),
    ("claude", "<hook_context>x</hook_context>\n\nGo on.", None),
    ("claude", f"Memory says:\n{OURS}\n(returned 1 of 1, ~20 of 300 tokens)\nSo tabs.", "Memory says:\n\nSo tabs."),
    ("codex", f"{OURS}{OURS} Go on.", " Go on."),
    ("codex", "What is <jotsam-memory>?", None),
    ("codex", OURS.partition("</")[0] + " ...", None),
]


def test_what_memory_gave_to_an_agent_is_no_part_of_what_was_said() -> None:
    names = {"gemini": "BeforeAgent", "claude": "UserPromptSubmit", "codex": "UserPromptSubmit"}
    wrong = []
    for harness, prompt, expected in HANDED_BACK:
        event = events.event_of(
            {"session_id": "s", "hook_event_name": names[harness], "prompt": prompt}, harness=harness
        )
        assert event is not None
        if event.text != (prompt if expected is None else expected):
            wrong.append((harness, prompt, event.text))
    assert wrong == []


def test_the_same_words_of_gemini_are_two_prompts_and_a_doubled_hook_is_one() -> None:
    fields = {"session_id": "s", "hook_event_name": "BeforeAgent", "prompt": "Go on."}
    times = ("2026-11-22T10:51:30.044Z", "2026-11-22T10:51:30.044Z", "2026-11-22T10:52:00.100Z")
    found = [events.event_of({**fields, "timestamp": time}, harness="gemini") for time in times]
    assert [event.prompt if event else None for event in found] == list(times)


def test_two_subagents_of_one_kind_are_told_apart() -> None:
    fields = {"hook_event_name": "SubagentStop", "session_id": "s", "prompt_id": "p", "agent_type": "Explore"}
    found = [
        events.event_of({**fields, "agent_id": id, "last_assistant_message": "x"}, harness="claude")
        for id in ("a", "b")
    ]
    assert [event.prompt if event else None for event in found] == ["p a", "p b"]
