"""Commands about what was read: by a model over real HTTP, by the rules, and by an agent itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from jotsam.models.scripted import Scripted, extraction

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

KEY = "sk-very-secret-0123456789"
TEXT = "Marcus prefers Flask. The billing service uses PostgreSQL and Zylophon."


@pytest.fixture
def shell(jotsam: Shell, scripted: Scripted) -> Shell:
    jotsam.env |= {"JOTSAM_LLM_URL": scripted.url, "JOTSAM_LLM_MODEL": "gpt-x", "JOTSAM_LLM_KEY": KEY}
    jotsam.env |= {"JOTSAM_LLM_PRICE_IN": "0.15", "JOTSAM_LLM_PRICE_OUT": "0.6", "JOTSAM_LINGER_MS": "0"}
    return jotsam


def without(shell: Shell) -> dict[str, str]:
    return {"JOTSAM_LLM_URL": ""}


def remembered(shell: Shell, text: str = TEXT, **env: str) -> str:
    id: str = shell.json("remember", text, **env)["receipt"]["id"]
    shell("work", **env)
    return id


@pytest.mark.on_both
def test_status_facts_costs_and_show_tell_what_a_model_has_read(shell: Shell) -> None:
    id = remembered(shell)
    status = shell("status").stdout
    assert "gpt-x · 1 call · " in status
    assert "of 1,000,000 tokens today · cost 0.0" in status
    assert " facts · " in status
    facts = shell("facts").stdout
    assert "Marcus" in facts
    assert "llm:gpt-x reading/1 schema/1" in facts
    preferred = shell("facts", "--predicate", "likes").stdout
    assert "Flask" in preferred
    assert "PostgreSQL" not in preferred
    assert shell("facts", "elephants").stdout == "no such facts\n"
    (day,) = shell.json("costs")["costs"]
    assert (day["model"], day["calls"]) == ("gpt-x", 1)
    shown = shell("show", id).stdout
    assert "Marcus · prefers · Flask  (0.80, llm:gpt-x reading/1 schema/1)" in shown
    assert "Zylophon (tools, 0.90, llm:gpt-x reading/1 schema/1)" in shown


def test_the_key_is_shown_nowhere(shell: Shell, scripted: Scripted) -> None:
    scripted.script(["401"])
    remembered(shell)
    for command in (("config", "show"), ("config", "show", "--json"), ("status",), ("status", "--json"), ("doctor",)):
        done = shell(*command)
        assert KEY not in done.stdout + done.stderr
    assert 'llm_key = "(set)"' in shell("config", "show").stdout
    assert KEY not in shell("work", "--debug", JOTSAM_LLM_URL="nonsense").stderr
    log = shell.home / "memory" / "jotsam.db.log"
    assert not log.exists() or KEY not in log.read_text()


def test_a_project_file_may_say_nothing_about_a_model(shell: Shell) -> None:
    for line in ('llm_url = "http://evil.example/v1"', 'llm_key = "x"', "llm_daily_tokens = 0"):
        (shell.home / ".jotsam.toml").write_text(line)
        done = shell("status")
        assert done.returncode == 1
        assert "which is not allowed there" in done.stderr


def test_a_url_without_a_model_is_told(shell: Shell) -> None:
    done = shell("work", JOTSAM_LLM_MODEL="")
    assert done.returncode == 1
    assert "JOTSAM_LLM_MODEL" in done.stderr


@pytest.mark.on_both
def test_degraded_memories_are_counted_and_read_again(shell: Shell, scripted: Scripted) -> None:
    scripted.script(["400"] * 3)
    id = remembered(shell)
    assert "1 memory read by rules alone" in shell("status").stdout
    assert shell.json("status")["status"]["degraded"] == 1
    assert "Refused: " in shell("show", id).stdout
    refused = shell("reprocess", "--degraded")
    assert refused.returncode == 2
    assert "1 memory would be queued" in refused.stdout
    assert "about 1 call and " in refused.stdout
    assert "--yes" in refused.stderr
    assert "queued 1;" in shell("reprocess", "--degraded", "--yes").stdout
    shell("work")
    assert "by rules alone" not in shell("status").stdout


@pytest.mark.on_both
def test_reprocess_by_id_needs_no_yes_and_twice_queues_once(shell: Shell) -> None:
    id = remembered(shell, **without(shell))
    dry = shell.json("reprocess", id[:8], "--dry-run")
    assert (dry["due"], dry["queued"], dry["cost"]["calls"]) == (1, 0, 1)
    assert shell.json("reprocess", id[:8])["queued"] == 1
    again = shell.json("reprocess", id[:8])
    assert (again["queued"], again["waiting"]) == (0, 1)


def test_reprocess_without_ids_or_filter_is_wrong_usage(shell: Shell) -> None:
    """AM-7."""
    done = shell("reprocess")
    assert done.returncode == 2
    assert "--degraded" in done.stderr


@pytest.mark.on_both
def test_the_cap_is_told_by_status(shell: Shell) -> None:
    shell.env["JOTSAM_LLM_DAILY_TOKENS"] = "4000"
    for number in range(4):
        shell("remember", f"{TEXT} Number {number}.")
    shell("work")
    status = shell("status").stdout
    assert "of 4,000 tokens today" in status
    assert "the cap is reached: " in status
    assert "wait until 00:00 UTC" in status


@pytest.mark.on_both
def test_an_agent_reads_and_hands_in_through_files_and_pipes(jotsam: Shell) -> None:
    """MB-30."""
    id = remembered(jotsam)
    prompt = jotsam("extract-prompt", id[:8]).stdout
    assert f"memory: {id}\n<text>\n{TEXT}\n</text>" in prompt
    assert json.loads(jotsam("extract-prompt", "--schema").stdout)["properties"]["readings"]
    handed = json.dumps({"readings": [{"memory": id, **extraction(TEXT)}]}, indent=1)
    path = jotsam.file("reading.json", handed)
    assert "saved" in jotsam("extract-apply", path, "--by", "claude").stdout
    assert "agent:claude reading/1 schema/1" in {fact["extractor"] for fact in jotsam.json("facts")["facts"]}
    assert jotsam.json("extract-apply", "-", input=handed)["saved"][0]["facts"] == 2


def test_what_an_agent_got_wrong_is_named_with_its_place(jotsam: Shell) -> None:
    id = remembered(jotsam)
    wrong = json.dumps({"readings": [{"memory": id, **extraction(TEXT), "type": "Opinion"}]}, indent=1)
    done = jotsam("extract-apply", "-", input=wrong)
    assert done.returncode == 1
    assert 'line 6, column 12: readings[0].type is "Opinion"; give one of Decision, ' in done.stderr
    assert "nothing was saved" in done.stderr
    assert jotsam("extract-apply", "-", input="{").returncode == 1
    assert jotsam("extract-prompt").returncode == 2


def test_the_scripted_server_is_a_program_too(jotsam: Shell) -> None:
    server = jotsam.start_python(
        "import sys; sys.argv = ['scripted', '--latency-ms', '1']\nfrom jotsam.models.scripted import main; main()"
    )
    assert server.stdout is not None
    url = server.stdout.readline().strip()
    id = remembered(jotsam, JOTSAM_LLM_URL=url, JOTSAM_LLM_MODEL="m")
    assert "Zylophon" in jotsam("show", id).stdout
    server.kill()
