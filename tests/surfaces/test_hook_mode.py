"""Commands inside an agent's hook: changes are silent, or queued if they can take long; reading prints its output."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jotsam import Queue
from processes import until

if TYPE_CHECKING:
    from tests.surfaces.conftest import Process, Shell

HOOK = {"AI_AGENT": "claude-code_2-1-197_harness", "CLAUDE_PROJECT_DIR": "/p", "CLAUDECODE": "1"}
AGENT = {"AI_AGENT": "claude-code_2-1-197_agent", "CLAUDECODE": "1"}


def is_silent(done: Process) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, "", "")


def result_of(shell: Shell, id: int) -> dict[str, Any]:
    """The result of a queued command."""
    found: dict[str, Any] = shell.json("show", str(id))["result"]
    return found


def bury(shell: Shell) -> int:
    id: int = shell.json("remember", "x marks the spot")["receipt"]["job_id"]
    queue = Queue(shell.url, "enrich")
    job = queue.receive()
    assert job
    queue.bury(job, error="the model said no")
    queue.close()
    return id


@pytest.mark.parametrize(
    "hook",
    [
        HOOK,
        {"CLAUDE_PROJECT_DIR": "/p"},
        {"AI_AGENT": "x_harness"},
        {"JOTSAM_ASYNC": "1"},
        {**AGENT, "JOTSAM_ASYNC": "1"},
    ],
)
def test_short_changes_run_immediately_without_output(jotsam: Shell, hook: dict[str, str]) -> None:
    """GK-8: silent, exit 0. A single commit is not queued, so that its text is found immediately."""
    path = jotsam.file("note.md", "Ana moved to Bonn.")
    assert is_silent(jotsam("add", path, **hook))
    assert is_silent(jotsam("add", "-", "--json", input="Ben stayed.", **hook))
    assert is_silent(jotsam("remember", "-", input="Cem left.", **hook))
    assert is_silent(jotsam("pause", "ingest", "--reason", "lunch", **hook))
    text = jotsam("recall", "Ana Ben Cem").stdout
    assert ["Bonn" in text, "stayed" in text, "left" in text] == [True] * 3
    assert [one["queue"] for one in jotsam.json("status")["status"]["paused"]] == ["ingest"]
    assert is_silent(jotsam("resume", "ingest", **hook))
    assert jotsam.json("jobs", "--kind", "command")["jobs"] == []
    assert not Path(f"{jotsam.db}.log").exists()


@pytest.mark.on_both
@pytest.mark.parametrize("verb", ["retry", "discard"])
def test_changes_of_jobs_are_queued_without_output(jotsam: Shell, verb: str) -> None:
    """GK-8: queued, silent, exit 0."""
    id = bury(jotsam)
    assert is_silent(jotsam("jobs", "--state", "dead", verb, "all", "--yes", **HOOK))
    assert is_silent(jotsam("--async", "jobs", "retry", "all", "--yes", **HOOK))
    assert [job["kind"] for job in jotsam.json("jobs", "--state", "dead")["jobs"]] == ["enrich"]
    assert jotsam("work").stdout == f"completed {3 if verb == 'retry' else 2} jobs\n"
    assert jotsam.json("jobs")["jobs"] == []
    assert result_of(jotsam, id + 1)["code"] == 0


@pytest.mark.parametrize(
    "env", [{}, AGENT, {"CI": "true"}, {**HOOK, "JOTSAM_ASYNC": "0"}, {**AGENT, "CLAUDE_PROJECT_DIR": "/p"}]
)
def test_outside_a_hook_output_and_exit_codes_are_normal(jotsam: Shell, env: dict[str, str]) -> None:
    """GK-8: a missing terminal, CI and an agent's shell are not hooks."""
    done = jotsam("remember", "We use tabs.", **env)
    assert (done.returncode, done.stdout.split()[0]) == (0, "accepted")
    assert jotsam("add", "missing.md", **env).returncode == 1
    assert jotsam("jobs", "retry", "999", **env).returncode == 1


@pytest.mark.on_both
def test_reading_commands_print_their_output(jotsam: Shell) -> None:
    """GK-8: a hook that runs `recall` needs its output."""
    jotsam("remember", "We use tabs.")
    assert "We use tabs." in jotsam("recall", "tabs", **HOOK).stdout
    assert "1 pending" in jotsam("status", **HOOK).stdout
    assert "enrich" in jotsam("jobs", "--error", "", **HOOK).stdout
    jotsam("pause", "enrich")
    assert jotsam("status", "--check", **HOOK).returncode == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ["add"],
        ["add", "--no-such-flag"],
        ["add", "missing.md"],
        ["remember"],
        ["remember", "x", "--importance", "9"],
        ["pause", "nothing"],
        ["jobs", "retry", "--no-such-flag"],
        ["--async", "sing"],
        ["--async"],
        ["--debug", "remember", " "],
    ],
)
def test_errors_are_silent_and_logged(jotsam: Shell, arguments: list[str]) -> None:
    """GK-8. `jotsam doctor` reports the logged error."""
    jotsam("migrate")
    assert is_silent(jotsam(*arguments, **HOOK))
    assert "ERROR in a hook: " in (jotsam.home / "data" / "jotsam" / "hooks.log").read_text()
    assert "ERROR in a hook: " in jotsam("doctor").stdout


def test_errors_are_silent_even_if_they_cannot_be_logged(jotsam: Shell) -> None:
    """GK-8."""
    assert is_silent(jotsam("remember", "x", "--db", "/dev/null/x.db", **HOOK))
    assert is_silent(jotsam("add", "missing.md", JOTSAM_SOFT_CAP="many", **HOOK))


def test_a_queued_usage_error_becomes_a_dead_job(jotsam: Shell) -> None:
    assert is_silent(jotsam("jobs", "discard", **HOOK))
    jotsam("work")
    (job,) = jotsam.json("jobs")["jobs"]
    assert (job["state"], "give job numbers" in job["error"]) == ("dead", True)


@pytest.mark.parametrize("arguments", [["recall", "--no-such-flag"], ["sing"], ["status", "more"]])
def test_a_usage_error_does_not_exit_with_2(jotsam: Shell, arguments: list[str]) -> None:
    """Exit code 2 of a hook would block the prompt; 1 is ignored."""
    done = jotsam(*arguments, **HOOK)
    assert (done.returncode, "usage: jotsam" in done.stderr) == (1, True)


def test_a_worker_started_by_a_hook_runs_queued_commands_normally(jotsam: Shell) -> None:
    """It inherits the environment of the hook, but its commands do not run in hook mode."""
    jotsam.env |= {"JOTSAM_WORKER": "auto", "JOTSAM_WORKER_IDLE_MS": "0"}
    id = bury_with_worker_off(jotsam)
    assert is_silent(jotsam("jobs", "retry", str(id), **HOOK))
    assert jotsam("wait", **AGENT).returncode == 0
    until(lambda: result_of(jotsam, id + 1))
    assert result_of(jotsam, id + 1)["stdout"] == "retried 1 job\n"


def bury_with_worker_off(shell: Shell) -> int:
    shell.env["JOTSAM_WORKER"], before = "off", shell.env["JOTSAM_WORKER"]
    id = bury(shell)
    shell.env["JOTSAM_WORKER"] = before
    return id


def test_standard_input_is_only_read_for_a_dash(jotsam: Shell) -> None:
    reading, writing = os.pipe()
    assert jotsam("--async", "remember", "x", stdin=reading).returncode == 0
    assert is_silent(jotsam("remember", "We use tabs.", stdin=reading, **HOOK))
    os.close(writing)
    os.close(reading)
