"""A coding agent as the language model, from the command line: switch it on, what `install` and `doctor` say of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from fake_agents import FakeAgents

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell


def test_it_is_switched_on_and_off_by_one_setting_beside_which_no_server_is_allowed(jotsam: Shell) -> None:
    assert jotsam.json("config")["settings"]["llm"] == "off"
    assert jotsam("config", "set", "llm", "codex").returncode == 0
    refused = jotsam("config", "set", "llm", "cursor")
    assert "invalid llm 'cursor'" in refused.stderr
    assert "must be one of off, claude, codex, gemini, opencode" in refused.stderr
    both = jotsam("config", "set", "llm_url", "http://127.0.0.1:9/v1")
    assert both.stderr.startswith("error: llm is codex and llm_url is http://127.0.0.1:9/v1: unset one of them")
    assert jotsam.json("config")["settings"]["llm_url"] == ""
    jotsam("config", "unset", "llm")
    assert jotsam("config", "set", "llm_url", "http://127.0.0.1:9/v1").returncode == 0
    assert "llm is claude and llm_url is" in jotsam("config", "set", "llm", "claude").stderr


def test_a_project_cannot_switch_it_on(jotsam: Shell) -> None:
    assert "llm cannot be set for a project" in jotsam("config", "set", "llm", "claude", "--project").stderr


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "opencode", "cursor"])
def test_install_offers_an_agent_that_can_be_asked_with_its_price_and_only_once(jotsam: Shell, agent: str) -> None:
    printed = jotsam("install", agent, "--dry-run").stdout
    lines = [line for line in printed.splitlines() if line.startswith("model ")]
    offer = (
        f"model      off; `jotsam config set llm {agent}` lets its cheapest model read memories: about 1,500 tokens "
        "of your plan or key for each memory, at most 1,000,000 a day"
    )
    assert lines == ([] if agent == "cursor" else [offer])
    assert "\nmodel " not in jotsam("install", agent, "--dry-run", JOTSAM_LLM="claude").stdout


def test_doctor_says_whether_the_program_is_there_and_asks_no_model(jotsam: Shell) -> None:
    folder = jotsam.home / "programs"
    folder.mkdir()
    agents = FakeAgents(folder)
    agents.will({"print": "2.1.197 (Claude Code)\n"})
    jotsam("migrate")
    path = {"PATH": f"{folder}:{jotsam.env['PATH']}"}
    done = jotsam("doctor", JOTSAM_LLM="claude", **path)
    found = f"ok    model        Claude Code ({folder}/claude, 2.1.197 (Claude Code)) with its cheapest model"
    assert found in done.stdout
    assert [call["arguments"] for call in agents.calls] == [["--version"]]
    (folder / "codex").unlink()
    lost = jotsam("doctor", "--json", JOTSAM_LLM="codex", **path)
    (check,) = [one for one in json.loads(lost.stdout)["checks"] if one["name"] == "model"]
    assert check["level"] == "fail"
    assert "the program codex of Codex CLI is not in" in check["text"]
    both = jotsam("doctor", JOTSAM_LLM="codex", JOTSAM_LLM_URL="http://127.0.0.1:9/v1")
    assert "fail  model        llm is codex and llm_url is http://127.0.0.1:9/v1" in both.stdout
