"""A coding agent as a language model, with a small program in its place: what it gets, what is read, how it fails."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from fake_agents import FakeAgents
from jotsam.core.errors import CutOff, NoAnswer, ProviderUnavailable, Refused, RetryJob, TooLong
from jotsam.core.settings import LLM_AGENTS
from jotsam.models import agent_program
from jotsam.models.agent_program import AgentProgram
from jotsam.models.chat import MAX_REPLY_BYTES, ChatReply
from processes import PATIENCE, until

PROMPT = [{"role": "system", "content": "Answer with JSON."}, {"role": "user", "content": "Marcus uses Flask."}]
ANSWER = '{"summary": "ok"}'
LONG_MS = PATIENCE * 1_000


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeAgents:
    folder = tmp_path / "programs"
    folder.mkdir()
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(agent_program, "PLACES", ())
    return FakeAgents(folder)


def lines(*events: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(event)}\n" for event in events)


CLAUDE = {
    "type": "result",
    "is_error": False,
    "result": ANSWER,
    "stop_reason": "end_turn",
    "total_cost_usd": 0.002,
    "usage": {
        "input_tokens": 10,
        "cache_creation_input_tokens": 3,
        "cache_read_input_tokens": 7,
        "output_tokens": 5,
    },
}
CODEX = (
    {"type": "thread.started"},
    {"type": "error", "message": "Reconnecting... 2/5"},
    {"type": "item.completed", "item": {"type": "reasoning", "text": "hm"}},
    {"type": "item.completed", "item": {"type": "agent_message", "text": ANSWER}},
    {"type": "turn.completed", "usage": {"input_tokens": 20, "cached_input_tokens": 7, "output_tokens": 5}},
)
GEMINI = {
    "response": ANSWER,
    "stats": {
        "models": {"flash": {"tokens": {"prompt": 20, "cached": 7, "candidates": 4, "thoughts": 1}}},
        "tools": {"totalCalls": 0, "byName": {}},
    },
}
OPENCODE = (
    {"type": "step_start", "part": {}},
    {"type": "text", "part": {"text": ANSWER}},
    {
        "type": "step_finish",
        "part": {
            "reason": "stop",
            "cost": 0.002,
            "tokens": {"input": 13, "output": 4, "reasoning": 1, "cache": {"read": 7, "write": 0}},
        },
    },
)
PRINTED = {
    "claude": json.dumps(CLAUDE),
    "codex": lines(*CODEX),
    "gemini": f"Loaded.\n{json.dumps(GEMINI, indent=2)}\n",
    "opencode": lines(*OPENCODE),
}
CATALOGUE = {
    "models": [
        {"slug": "gpt-9-sol", "visibility": "list", "priority": 1, "shell_type": "unified_exec"},
        {"slug": "gpt-9-luna", "visibility": "list", "priority": 2, "shell_type": "unified_exec", "tool_mode": "code"},
    ]
}


def listed(name: str, price: float, *, context: int = 200_000) -> str:
    provider, model = name.split("/")
    about = {"id": model, "providerID": provider, "status": "active", "limit": {"context": context}}
    return f"{name}\n{json.dumps(about | {'cost': {'input': price, 'output': price}}, indent=2)}\n"


MODELS = (
    listed("free/one", 0) + listed("shop/large", 9) + listed("shop/small", 1) + listed("shop/tiny", 0.1, context=4_096)
)
QUERIES = {"debug models": {"print": json.dumps(CATALOGUE)}, "models --verbose": {"print": MODELS}}


def asked(name: str, *, timeout_ms: int = LONG_MS) -> ChatReply:
    return AgentProgram(name, timeout_ms=timeout_ms).complete(PROMPT)


@pytest.mark.parametrize("name", LLM_AGENTS)
def test_text_tokens_and_cost_are_read_from_what_each_prints(fake: FakeAgents, name: str) -> None:
    fake.will({"print": PRINTED[name]}, **QUERIES)
    reply = asked(name)
    assert (reply.require_text(), reply.tokens_in, reply.tokens_cached, reply.tokens_out) == (ANSWER, 20, 7, 5)
    assert reply.cost == (0.002 if name in ("claude", "opencode") else None)


@pytest.mark.parametrize("name", LLM_AGENTS)
def test_each_gets_the_prompt_on_standard_input_an_empty_folder_and_few_variables(
    fake: FakeAgents, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("SECRET_OF_OTHERS", "x")
    monkeypatch.setenv("JOTSAM_LLM_API_KEY", "x")
    fake.will({"print": PRINTED[name]}, seen=["GEMINI_SYSTEM_MD"], **QUERIES)
    asked(name)
    call = fake.calls[-1]
    assert (call["stdin"], call["files"]) == ("Marcus uses Flask.", [])
    assert not {"CLAUDECODE", "SECRET_OF_OTHERS", "JOTSAM_LLM_API_KEY"} & call["environ"].keys()
    assert (call["environ"]["JOTSAM_CAPTURE"], call["environ"]["JOTSAM_RECALL"]) == ("off", "off")
    assert call["environ"]["HOME"] == os.environ["HOME"]
    given = [*call["arguments"], *call["seen"].values(), call["environ"].get("OPENCODE_CONFIG_CONTENT", "")]
    assert name == "codex" or any("Answer with JSON." in text for text in given)
    assert not [*fake.folder.parent.glob("jotsam-model-*")]


def test_the_cheapest_model_is_chosen_unless_one_is_named(fake: FakeAgents) -> None:
    fake.will({"print": PRINTED["codex"]}, **QUERIES)
    asked("codex")
    fake.will({"print": PRINTED["opencode"]}, **QUERIES)
    asked("opencode")
    AgentProgram("opencode", model="shop/large", timeout_ms=LONG_MS).complete(PROMPT)
    fake.will({"print": PRINTED["claude"]})
    asked("claude")
    fake.will({"print": PRINTED["gemini"]})
    asked("gemini")
    chosen = [
        call["arguments"][call["arguments"].index(option) + 1]
        for call, option in zip(
            [call for call in fake.calls if call["stdin"]], ("-m", "-m", "-m", "--model", "-m"), strict=True
        )
    ]
    assert chosen == ["gpt-9-luna", "shop/small", "shop/large", "haiku", "flash-lite"]


def test_a_model_without_a_price_is_never_chosen(fake: FakeAgents) -> None:
    fake.will({"print": PRINTED["opencode"]}, **{"models --verbose": {"print": listed("free/one", 0)}})
    with pytest.raises(ProviderUnavailable, match="set llm_model"):
        asked("opencode")


def test_the_catalogue_of_codex_is_asked_once_and_given_back_without_tools(fake: FakeAgents) -> None:
    fake.will({"print": PRINTED["codex"]}, **QUERIES)
    model = AgentProgram("codex", timeout_ms=LONG_MS)
    model.complete(PROMPT)
    model.complete(PROMPT)
    assert [call["arguments"][0] for call in fake.calls] == ["debug", "exec", "exec"]
    assert any(argument.startswith("model_catalog_json=") for argument in fake.calls[-1]["arguments"])


def test_a_file_that_the_text_names_is_not_added_to_the_prompt(fake: FakeAgents) -> None:
    fake.will({"print": PRINTED["claude"]})
    text = 'Ask @ana about @/etc/passwd, @~/.ssh/id, @../x, @"a b" and ana@example.com.'
    AgentProgram("claude", timeout_ms=LONG_MS).complete([{"role": "user", "content": text}])
    assert fake.calls[0]["stdin"] == 'Ask @ana about @ /etc/passwd, @ ~/.ssh/id, @ ../x, @ "a b" and ana@example.com.'


def test_a_model_that_calls_a_tool_has_refused(fake: FakeAgents) -> None:
    used = {"prompt": 20, "candidates": 5}
    calls = {
        "claude": json.dumps(CLAUDE | {"is_error": True, "result": "", "subtype": "x", "stop_reason": "tool_use"}),
        "codex": lines({"type": "item.completed", "item": {"type": "command_execution"}}, *CODEX),
        "gemini": json.dumps(
            {
                "response": ANSWER,
                "stats": {"models": {"a": {"tokens": used}}, "tools": {"totalCalls": 1, "byName": {"shell": {}}}},
            }
        ),
        "opencode": lines({"type": "tool_use", "part": {"tool": "bash"}}, *OPENCODE),
    }
    for name, printed in calls.items():
        fake.will({"print": printed}, **QUERIES)
        reply = asked(name)
        assert (reply.tokens_in, reply.tokens_out) == (20, 5), name
        with pytest.raises(Refused, match="asked for a tool"):
            reply.require_text()


def test_our_own_count_is_used_where_an_agent_reports_none(fake: FakeAgents) -> None:
    fake.will({"print": json.dumps({"response": ANSWER})})
    reply = asked("gemini")
    assert (reply.tokens_in, reply.tokens_out, reply.cost) == (35 // 4, len(ANSWER) // 4, None)


def test_a_reply_that_is_cut_off_says_so(fake: FakeAgents) -> None:
    fake.will({"print": json.dumps(CLAUDE | {"stop_reason": "max_tokens"})})
    assert asked("claude").is_cut_off
    assert issubclass(CutOff, RetryJob)


def failed(text: str) -> dict[str, Any]:
    return {"print": json.dumps({"is_error": True, "result": text}), "code": 1}


FAILURES = [
    (failed("Not logged in · Please run /login"), ProviderUnavailable, "sign in: `claude /login`"),
    (failed("You've hit your limit · resets 3am"), ProviderUnavailable, "used up"),
    (failed("There's an issue with the selected model (x). It may not exist"), ProviderUnavailable, "set llm_model"),
    (failed("API Error: Unable to connect to API (ECONNREFUSED)"), ProviderUnavailable, "ECONNREFUSED"),
    ({"errors": "error: unknown option '--safe-mode'", "code": 1}, ProviderUnavailable, "update it"),
    (failed("API Error: 429 rate_limit_error"), RetryJob, "429"),
    (failed("Prompt is too long"), TooLong, "too long"),
    (failed("API Error: 500 Internal server error"), RetryJob, "500"),
    ({"code": 3}, RetryJob, "exit code 3"),
    ({"print": "not JSON at all"}, RetryJob, "not JSON at all"),
]


def test_each_failure_raises_the_error_that_fits(fake: FakeAgents) -> None:
    for reply, error, text in FAILURES:
        fake.will(reply)
        with pytest.raises(error, match=text) as raised:
            asked("claude")
        assert type(raised.value) is error, text
        assert not raised.value.may_be_billed


def test_a_failure_without_a_reason_says_that_it_failed(fake: FakeAgents) -> None:
    fake.will({"print": lines({"type": "turn.failed", "error": {}}), "code": 1}, **QUERIES)
    with pytest.raises(RetryJob, match=r"\(exit code 1\): failed"):
        asked("codex")


def test_after_a_rate_limit_no_program_is_started_and_no_attempt_spent(fake: FakeAgents) -> None:
    fake.will(failed("API Error: 429 rate_limit_error"))
    model = AgentProgram("claude", timeout_ms=LONG_MS)
    for _ in range(2):
        with pytest.raises(RetryJob) as raised:
            model.complete(PROMPT)
        assert raised.value.after_ms
        assert not raised.value.spend
    assert len(fake.calls) == 1


def test_a_program_that_is_absent_is_an_outage(fake: FakeAgents, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ProviderUnavailable, match="the program codex of Codex CLI is not in /nowhere"):
        asked("codex")


def test_no_program_of_the_current_folder_is_run(fake: FakeAgents, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(fake.folder)
    for path in ("", ".", f":{os.defpath}"):
        monkeypatch.setenv("PATH", path)
        assert agent_program.find_program("claude") is None


def test_a_program_that_does_not_end_is_killed_with_its_children(fake: FakeAgents) -> None:
    fake.will({"hangs": True, "child": True, "print": "{"})
    with pytest.raises(NoAnswer, match="timed out") as raised:
        asked("claude", timeout_ms=3_000)
    assert raised.value.may_be_billed
    child = int((fake.folder / "child").read_text())
    until(lambda: not is_running(child))


def test_what_a_program_leaves_running_is_killed(fake: FakeAgents) -> None:
    fake.will({"child": True, "print": PRINTED["claude"]})
    asked("claude")
    until(lambda: not is_running(int((fake.folder / "child").read_text())))


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def test_a_program_that_prints_too_much_is_killed(fake: FakeAgents) -> None:
    fake.will({"print": "x" * 1_000, "times": MAX_REPLY_BYTES // 1_000 + 1, "hangs": True})
    with pytest.raises(Refused, match="exceeds 4,000,000 bytes"):
        asked("claude")


def test_a_sign_in_that_the_program_replaces_is_moved_to_the_user(fake: FakeAgents) -> None:
    own = Path(os.environ["HOME"]) / ".codex" / "auth.json"
    own.parent.mkdir()
    own.write_text("old")
    fake.will({"print": PRINTED["codex"], "renews": "new"}, **QUERIES)
    asked("codex")
    assert own.read_text() == "new"
    assert [path.name for path in own.parent.iterdir()] == ["auth.json"]
