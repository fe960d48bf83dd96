"""Commands about extraction: by a model over HTTP, by rules, and by an agent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from jotsam.models.fake_endpoint import FakeEndpoint, fake_extraction

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

KEY = "sk-very-secret-0123456789"
TEXT = "Marcus prefers Flask. The billing service uses PostgreSQL and Zylophon."


@pytest.fixture
def shell(jotsam: Shell, fake_endpoint: FakeEndpoint) -> Shell:
    jotsam.env |= {"JOTSAM_LLM_URL": fake_endpoint.url, "JOTSAM_LLM_MODEL": "gpt-x", "JOTSAM_LLM_API_KEY": KEY}
    jotsam.env |= {"JOTSAM_LLM_PRICE_IN": "0.15", "JOTSAM_LLM_PRICE_OUT": "0.6", "JOTSAM_WORKER_IDLE_MS": "0"}
    return jotsam


def without(shell: Shell) -> dict[str, str]:
    return {"JOTSAM_LLM_URL": ""}


def remembered(shell: Shell, text: str = TEXT, **env: str) -> str:
    id: str = shell.json("remember", text, **env)["receipt"]["id"]
    shell("work", **env)
    return id


@pytest.mark.on_both
@pytest.mark.usefixtures("one_day")
def test_status_facts_costs_and_show_report_what_a_model_extracted(shell: Shell) -> None:
    id = remembered(shell)
    status = shell("status").stdout
    assert "gpt-x · 1 call · " in status
    assert "of 1,000,000 tokens today · cost 0.0" in status
    assert " facts · " in status
    facts = shell("facts").stdout
    assert "Marcus" in facts
    assert "llm:gpt-x prompt/3 schema/2" in facts
    preferred = shell("facts", "--predicate", "likes").stdout
    assert "Flask" in preferred
    assert "PostgreSQL" not in preferred
    assert shell("facts", "elephants").stdout == "no matching facts\n"
    (day,) = shell.json("costs")["costs"]
    assert (day["model"], day["calls"]) == ("gpt-x", 1)
    shown = shell("show", id).stdout
    assert "Marcus · prefers · Flask  (0.80, llm:gpt-x prompt/3 schema/2)" in shown
    assert "Zylophon (tools, 0.90, llm:gpt-x prompt/3 schema/2)" in shown


def test_the_api_key_is_never_printed_or_logged(shell: Shell, fake_endpoint: FakeEndpoint) -> None:
    fake_endpoint.script(["401"])
    remembered(shell)
    for command in (("config", "show"), ("config", "show", "--json"), ("status",), ("status", "--json"), ("doctor",)):
        done = shell(*command)
        assert KEY not in done.stdout + done.stderr
    assert 'llm_api_key = "(set)"' in shell("config", "show").stdout
    assert KEY not in shell("work", "--debug", JOTSAM_LLM_URL="nonsense").stderr
    log = shell.home / "memory" / "jotsam.db.log"
    assert not log.exists() or KEY not in log.read_text()


def test_a_project_settings_file_cannot_configure_a_model(shell: Shell) -> None:
    for line in ('llm_url = "http://evil.example/v1"', 'llm_api_key = "x"', "llm_daily_tokens = 0"):
        (shell.home / ".jotsam.toml").write_text(line)
        done = shell("status")
        assert done.returncode == 1
        assert "unknown setting" in done.stderr


def test_a_url_without_a_model_name_is_an_error(shell: Shell) -> None:
    done = shell("work", JOTSAM_LLM_MODEL="")
    assert done.returncode == 1
    assert "JOTSAM_LLM_MODEL" in done.stderr


@pytest.mark.on_both
def test_degraded_memories_are_counted_and_can_be_reprocessed(shell: Shell, fake_endpoint: FakeEndpoint) -> None:
    fake_endpoint.script(["400"] * 3)
    id = remembered(shell)
    assert "1 memory was processed in part, because the model or a rule failed" in shell("status").stdout
    assert shell.json("status")["status"]["degraded"] == 1
    assert "Refused: " in shell("show", id).stdout
    refused = shell("reprocess", "--degraded")
    assert refused.returncode == 2
    assert "1 memory would be queued" in refused.stdout
    assert "about 1 call and " in refused.stdout
    assert "--yes" in refused.stderr
    assert "queued 1 memory;" in shell("reprocess", "--degraded", "--yes").stdout
    shell("work")
    assert "in part" not in shell("status").stdout


@pytest.mark.on_both
def test_reprocess_by_id_needs_no_yes_and_queues_a_memory_once(shell: Shell) -> None:
    id = remembered(shell, **without(shell))
    dry = shell.json("reprocess", id[:8], "--dry-run")
    assert (dry["due"], dry["queued"], dry["cost"]["calls"]) == (1, 0, 1)
    assert shell.json("reprocess", id[:8])["queued"] == 1
    again = shell.json("reprocess", id[:8])
    assert (again["queued"], again["waiting"]) == (0, 1)


def test_reprocess_without_ids_or_filter_is_a_usage_error(shell: Shell) -> None:
    """AM-7."""
    done = shell("reprocess")
    assert done.returncode == 2
    assert "--degraded" in done.stderr


@pytest.mark.on_both
@pytest.mark.usefixtures("one_day")
def test_status_reports_that_the_daily_cap_is_reached(shell: Shell) -> None:
    shell.env |= {"JOTSAM_LLM_DAILY_TOKENS": "4000", "JOTSAM_CONCURRENCY": "1"}
    for number in range(4):
        shell("remember", f"{TEXT} Number {number}.")
    shell("work")
    status = shell("status").stdout
    assert "of 4,000 tokens today" in status
    assert "until 00:00 UTC: the daily cap is reached: run `jotsam config set llm_daily_tokens NUMBER`" in status
    assert shell("status", "--check").returncode == 3


@pytest.mark.on_both
def test_an_agent_extracts_through_files_and_pipes(jotsam: Shell) -> None:
    """MB-30."""
    id = remembered(jotsam)
    prompt = jotsam("extract-prompt", id[:8]).stdout
    assert f"memory: {id}\n<text>\n{TEXT}\n</text>" in prompt
    assert json.loads(jotsam("extract-prompt", "--schema").stdout)["properties"]["extractions"]
    handed = json.dumps({"extractions": [{"memory": id, **fake_extraction(TEXT)}]}, indent=1)
    path = jotsam.file("reading.json", handed)
    assert "saved" in jotsam("extract-apply", path, "--by", "claude").stdout
    assert "agent:claude prompt/3 schema/2" in {fact["extractor"] for fact in jotsam.json("facts")["facts"]}
    assert jotsam.json("extract-apply", "-", input=handed)["saved"][0]["facts"] == 2


def test_an_invalid_extraction_is_reported_with_line_and_column(jotsam: Shell) -> None:
    id = remembered(jotsam)
    wrong = json.dumps({"extractions": [{"memory": id, **fake_extraction(TEXT), "type": "Opinion"}]}, indent=1)
    done = jotsam("extract-apply", "-", input=wrong)
    assert done.returncode == 1
    assert "line 6, column 12: extractions[0].type must be one of Decision, " in done.stderr
    assert "nothing was saved" in done.stderr
    assert jotsam("extract-apply", "-", input="{").returncode == 1
    assert jotsam("extract-prompt").returncode == 2


def test_the_fake_endpoint_runs_as_a_program(jotsam: Shell) -> None:
    server = jotsam.start_python(
        "import sys; sys.argv = ['fake', '--latency-ms', '1']\nfrom jotsam.models.fake_endpoint import main; main()"
    )
    assert server.stdout is not None
    url = server.stdout.readline().strip()
    id = remembered(jotsam, JOTSAM_LLM_URL=url, JOTSAM_LLM_MODEL="m")
    assert "Zylophon" in jotsam("show", id).stdout
    server.kill()


@pytest.mark.on_both
def test_show_prints_rejected_items_and_model_use(shell: Shell, fake_endpoint: FakeEndpoint) -> None:
    fake_endpoint.script(["mixed"])
    id = remembered(shell)
    shown = shell("show", id).stdout
    assert "rejected     entities[0]" in shown
    assert "Nobody Anywhere" in shown
    assert "model use    gpt-x: 1 call, " in shown
    assert "tokens, cost 0.0" in shown
    story = shell.json("show", id)
    assert len(story["rejected"]) == 1
    assert (story["usage"][0]["model"], story["usage"][0]["state"]) == ("gpt-x", "done")
    job = str(story["usage"][0]["job_id"])
    assert shell("show", job).stdout.count("model use    gpt-x: 1 call, ") == 1
    document = shell.json("add", shell.file("notes.md", f"# Notes\n\n{TEXT}\n"))["receipts"][0]["id"]
    shell("work")
    assert "model use    gpt-x: 1 call, " in shell("show", document).stdout


def test_show_prints_validity_links_patterns_and_periods(jotsam: Shell) -> None:
    fact = {"subject": "Bob", "predicate": "uses", "object": "MySQL", "confidence": 0.8}
    id = jotsam.json("remember", "Bob used MySQL until 2025-03-04.")["receipt"]["id"]
    for number in range(3):
        jotsam("remember", f"We decided to use green paint, because number {number} was better.")
    jotsam("work")
    ended = {
        **fake_extraction(""),
        "memory": id,
        "facts": [{**fact, "valid_from": "2024", "valid_until": "2025-03-04"}],
    }
    jotsam("extract-apply", "-", input=json.dumps({"extractions": [ended]}))
    assert (
        "fact         Bob · uses · MySQL  (0.80, from 2024-01-01, until 2025-03-05, agent " in jotsam("show", id).stdout
    )
    assert "period       2025-03-04\n" in jotsam("show", id).stdout
    latest = jotsam.json("recall", "paint number 2")["hits"][0]["id"]
    shown = jotsam("show", latest).stdout
    assert "(0.50, rules/" in shown
    assert "pattern      Decision: green (green, " in shown


def test_extract_apply_accepts_a_byte_order_mark_a_fence_and_a_memory_given_twice(jotsam: Shell) -> None:
    id = remembered(jotsam)
    handed = json.dumps({"extractions": [{"memory": id, **fake_extraction(TEXT)}]})
    assert "saved" in jotsam("extract-apply", jotsam.file("reading.json", "\ufeff" + handed)).stdout
    assert "saved" in jotsam("extract-apply", "-", input="\ufeff" + handed).stdout
    fenced = jotsam("extract-apply", "-", input=f"\n```json\n{handed}\n```\n")
    assert "saved" in fenced.stdout
    wrong = jotsam("extract-apply", "-", input=f"```json\n{handed[:-1]}\n```\n").stderr
    assert "line 3, column 1: invalid JSON" in wrong
    twice = [{"memory": id, **fake_extraction(TEXT), "summary": text} for text in ("first", "second")]
    done = jotsam("extract-apply", "-", input=json.dumps({"extractions": twice}))
    assert done.stdout.count("saved") == 1
    assert f"{id}: given 2 times; the last one was saved" in done.stderr
    assert jotsam.json("show", id)["memory"]["summary"] == "second"
    assert jotsam("extract-apply", "-", input='{"extractions": []}').stdout == (
        "nothing was saved: the file contains no extractions\n"
    )


@pytest.mark.on_both
def test_reprocess_finds_a_source_by_its_stored_and_by_its_relative_path(jotsam: Shell) -> None:
    path = jotsam.file("notes/a.md", f"# Notes\n\n{TEXT}\n")
    jotsam("add", path)
    jotsam("work")
    for source in (path, "notes/a.md", "./notes/a.md"):
        assert jotsam.json("reprocess", "--source", source, "--force", "--dry-run")["due"] == 1
    none = jotsam("reprocess", "--source", "notes/b.md", "--force", "--dry-run")
    assert "no memory matches" in none.stderr


@pytest.mark.on_both
def test_doctor_checks_the_model_server_without_calling_a_model(shell: Shell, fake_endpoint: FakeEndpoint) -> None:
    listed = {"JOTSAM_LLM_MODEL": "fake-model"}
    shell("migrate")
    done = shell("doctor", **listed)
    assert f"ok    model        fake-model at {fake_endpoint.url}: reachable, API key accepted" in done.stdout
    assert "found again as a memory after" in done.stdout
    assert (done.stderr, fake_endpoint.requests) == ("", [])
    assert "has no model 'gpt-x', but fake-model" in shell("doctor").stdout
    lost = shell("doctor", JOTSAM_LLM_URL="http://127.0.0.1:9/v1")
    assert "fail  model        cannot connect to http://127.0.0.1:9/v1" in lost.stdout
    assert "found again as a memory after" in lost.stdout
    assert (lost.returncode, lost.stderr) == (3, "")
    assert "as a fault" not in lost.stdout
    shell("remember", TEXT)
    assert "round trip   skipped: other jobs run first, and they would call a paid model" in shell("doctor").stdout
    fake_endpoint.script(["401"])
    shell("work")
    wrong = shell("doctor", **listed).stdout
    assert "but the queue is paused: " in wrong
    assert "returned 401" in wrong
    assert len(fake_endpoint.requests) == 1


def test_doctor_names_the_reranker_without_asking_it(jotsam: Shell, fake_endpoint: FakeEndpoint) -> None:
    assert "reranker  " not in jotsam("doctor").stdout
    server = {"JOTSAM_RERANK_URL": fake_endpoint.url}
    reached = f"ok    reranker     fake-model at {fake_endpoint.url}: reachable"
    assert reached in jotsam("doctor", **server).stdout
    jotsam("migrate")
    for chosen in ("", "fake-model"):
        assert reached in jotsam("doctor", **server, JOTSAM_RERANK_MODEL=chosen).stdout
    other = jotsam("doctor", **server, JOTSAM_RERANK_MODEL="x").stdout
    assert "warn  reranker" in other
    assert "has no model 'x', but fake-model" in other
    lost = jotsam("doctor", JOTSAM_RERANK_URL="http://127.0.0.1:9/v1").stdout
    assert "warn  reranker     cannot connect to http://127.0.0.1:9/v1" in lost
    assert "answers have the order without it" in lost
    assert fake_endpoint.requests == []


def test_doctor_reports_an_unusable_ner_pipeline(jotsam: Shell) -> None:
    found = jotsam("doctor", JOTSAM_SPACY_MODEL="no_such_model")
    assert "fail  names        spacy_model is 'no_such_model'" in found.stdout
    assert "using the bundled tagger" in found.stdout
    assert found.stderr == ""


@pytest.mark.on_both
def test_status_reports_jobs_that_a_raised_cap_lets_continue(shell: Shell) -> None:
    shell.env |= {"JOTSAM_LLM_DAILY_TOKENS": "4000", "JOTSAM_CONCURRENCY": "1"}
    for number in range(4):
        shell("remember", f"{TEXT} Number {number}.")
    shell("work")
    shell.env["JOTSAM_LLM_DAILY_TOKENS"] = "100000"
    status = shell("status").stdout
    assert "daily cap is reached" not in status
    assert "for a daily cap that was changed: run `jotsam jobs work`" in status
    shell("work")
    assert shell.json("status")["status"]["depth"]["pending"] == 0
