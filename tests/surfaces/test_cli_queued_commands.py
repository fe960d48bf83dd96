"""`jotsam --async`, and commands inside a hook: run later, or at once without a word."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jotsam import Queue
from jotsam.surfaces.cli.send_command import INPUT_LIMIT
from processes import until

if TYPE_CHECKING:
    from tests.surfaces.conftest import Process, Shell

HOOK = {"AI_AGENT": "claude-code_2-1-197_harness", "CLAUDE_PROJECT_DIR": "/p", "CLAUDECODE": "1"}
SECRET = "AKIA" + "Q3EGRIZ7XT5NVLWB"
AGENT = {"AI_AGENT": "claude-code_2-1-197_agent", "CLAUDECODE": "1"}


def is_silent(done: Process) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, "", "")


def ran(shell: Shell, id: int) -> dict[str, Any]:
    """How a queued command ended."""
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


@pytest.mark.on_both
def test_a_queued_command_prints_one_line_and_runs_when_a_worker_comes(jotsam: Shell) -> None:
    """GK-8: `--async` gives one line with the id."""
    jotsam.file("note.md", "Ana moved to Bonn.\n")
    done = jotsam("--async", "add", "note.md")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "queued    job 1  see its result with `jotsam show 1`\n"
    assert "nothing found" in jotsam("recall", "Ana").stdout
    assert "jotsam add note.md" in jotsam("show", "1").stdout
    assert jotsam("work").stdout == "completed 3 jobs\n"
    assert "Ana moved to Bonn." in jotsam("recall", "Ana").stdout
    shown = jotsam("jobs", "show", "1").stdout
    assert "command      jotsam add note.md" in shown
    assert "exit code    0" in shown
    assert "\naccepted  " in shown


def test_a_queued_command_starts_a_worker_of_its_own(jotsam: Shell) -> None:
    jotsam.env |= {"JOTSAM_WORKER": "auto", "JOTSAM_WORKER_IDLE_MS": "0"}
    assert jotsam.json("--async", "remember", "We use tabs.") == {"schema": 1, "job_id": 1}
    assert jotsam("wait").returncode == 0
    assert "We use tabs." in jotsam("recall", "tabs").stdout


@pytest.mark.on_both
def test_it_runs_in_the_folder_tenant_and_project_it_was_sent_from(jotsam: Shell) -> None:
    (jotsam.home / "shop" / ".git").mkdir(parents=True)
    jotsam.file("shop/docs/a.md", "apples"), jotsam.file("shop/docs/b.md", "pears")
    command = jotsam.command("--tenant", "ana", "--async", "add", "--dir", "docs")
    home, jotsam.home = jotsam.home, jotsam.home / "shop"
    assert jotsam(*command[3:]).returncode == 0
    said = jotsam("--async", "remember", "We sell fruit.", "--tenant=ana", JOTSAM_PROJECT="market")
    assert said.returncode == 0
    jotsam.home = home
    jotsam("work")
    hits = jotsam.json("recall", "--tenant", "ana")["hits"]
    assert {hit["source"] for hit in hits} == {"~/shop/docs/a.md", "~/shop/docs/b.md", None}
    assert sorted(hit["project"] for hit in hits) == ["market", "shop", "shop"]
    assert jotsam.json("recall")["hits"] == []


def test_it_works_on_the_database_in_which_it_stands_even_if_that_was_moved(jotsam: Shell) -> None:
    jotsam("--async", "remember", "We use tabs.")
    moved = jotsam.home / "elsewhere" / jotsam.db.name
    jotsam.db.parent.rename(moved.parent)
    assert jotsam("work", "--db", moved).stdout == "completed 2 jobs\n"
    assert "We use tabs." in jotsam("recall", "tabs", "--db", moved).stdout
    assert not jotsam.db.exists()


@pytest.mark.on_both
@pytest.mark.parametrize("arguments", [["add", "-"], ["remember", "-", "--type", "fact"]])
def test_standard_input_is_read_at_once_and_kept_once_though_it_runs_twice(jotsam: Shell, arguments: list[str]) -> None:
    """A worker that dies before it can acknowledge lets the command run again: nothing is doubled."""
    text = "Ana moved to Köln."
    id = jotsam.json("--async", *arguments, input=text.encode("utf-16"))["job_id"]
    with Queue(jotsam.url, "command") as queue:
        job = queue.get(id)
    assert job
    jotsam("work")
    given = {"id": id, "payload": job.payload}
    with Queue(jotsam.url, "command") as queue, queue.transaction() as tx:
        form = tx.one("tables.forms")["insert"]
        columns = "id, queue, tenant, kind, state, priority, place, parallel, lease_ms, max_receive, created_at"
        values = "(:id, 'command', 'default', 'command', 'ready', 0, 0, 0, 60000, 5, 0)"
        tx.execute(form.format(table="queue_job", columns=columns, rows=values), given)
        tx.execute("insert into queue_payload (job_id, json) values (:id, :payload)", given)
        tx.execute("delete from queue_attempt where job_id = :id", given)
    assert jotsam("work").stdout == "completed 1 job\n"
    assert '"duplicate":true' in ran(jotsam, id)["stdout"]
    status = jotsam.json("status")["status"]
    assert (status["documents"] + status["memories"], status["depth"]["dead"]) == (2 if arguments[0] == "add" else 1, 0)


@pytest.mark.parametrize(
    ("input", "reason"),
    [
        (b"x" * (INPUT_LIMIT + 1), "the limit of a queued command"),
        (b"\x89PNG\0\0", "binary"),
        (b"\xff" * 900_000, "can be queued"),
    ],
)
def test_an_input_that_cannot_be_carried_is_refused_clearly(jotsam: Shell, input: bytes, reason: str) -> None:
    done = jotsam("--async", "add", "-", input=input)
    assert (done.returncode, done.stdout) == (1, "")
    assert reason in done.stderr
    assert not jotsam.db.exists() or jotsam.json("jobs")["jobs"] == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--async", "work"], "jotsam work: error: this command cannot be queued"),
        (["--async", "wait"], "jotsam wait: error: this command cannot be queued"),
        (["--async", "doctor"], "jotsam doctor: error: this command cannot be queued"),
        (["--async", "completion", "bash"], "jotsam completion: error: this command cannot be queued"),
        (["--async", "add", "x", "--wait"], "--wait cannot be queued"),
        (["--async", "--async", "status"], "--async is given twice"),
        (
            ["--async", "remember", "x", "--external-id", "AKIA" + "Q3EGRIZ7XT5NVLWB"],
            "--external-id looks like a secret",
        ),
        (["--async"], "--async needs a command"),
        (["--async", "sing"], "invalid choice"),
        (["--async", "rm", "-rf", "/"], "invalid choice"),
        (["status", "--async"], "unrecognized arguments: --async"),
    ],
)
def test_what_cannot_be_queued_is_wrong_usage(jotsam: Shell, arguments: list[str], reason: str) -> None:
    done = jotsam(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert not jotsam.db.exists()


@pytest.mark.parametrize(
    "arguments",
    [["work"], ["hook", "Stop"], ["completion", "bash"], ["--async", "status"], ["add"], ["sing"], [], ["--help"]],
)
def test_what_somebody_else_put_into_the_queue_is_refused_as_well(jotsam: Shell, arguments: list[str]) -> None:
    """The queue is a table: whoever writes to it must gain nothing but our own commands."""
    jotsam("migrate")
    with Queue(jotsam.url, "command") as queue:
        queue.send({"arguments": arguments, "folder": "/", "project": "", "input": None}, kind="command")
    jotsam("work")
    (job,) = jotsam.json("jobs")["jobs"] or [{"state": "done"}]
    assert job["state"] == ("done" if arguments == ["--help"] else "dead")
    assert ran(jotsam, 1)["code"] == (0 if arguments == ["--help"] else 2)


@pytest.mark.on_both
def test_an_error_is_kept_and_retried_and_can_be_mended(jotsam: Shell) -> None:
    id = jotsam.json("--async", "add", "missing.md")["job_id"]
    done = jotsam("work", JOTSAM_WORKER_IDLE_MS="0")
    assert (done.returncode, done.stdout) == (0, "completed 0 jobs\n")
    (job,) = jotsam.json("jobs")["jobs"]
    assert (job["state"], job["failures"]) == ("waiting", 1)
    assert "exit code 1: error: " in job["error"]
    assert "missing.md cannot be read: No such file or directory" in job["error"]
    assert ran(jotsam, id)["code"] == 1
    jotsam.file("missing.md", "Here it is.")
    with Queue(jotsam.url, "command") as queue, queue.transaction() as tx:
        tx.execute("update queue_job set wake_at = 1")
    jotsam("work")
    assert ran(jotsam, id)["code"] == 0
    assert "Here it is." in jotsam("recall", "here").stdout


@pytest.mark.on_both
def test_what_commands_print_is_not_mixed_up_with_what_the_worker_prints(jotsam: Shell) -> None:
    """GK-7: real counts; and each command's words are its own, though other threads work beside it."""
    for number in range(8):
        jotsam("--async", "--tenant", f"t{number % 4}", "remember", f"number {number}")
        jotsam("--async", "--tenant", f"t{number % 4}", "--json", "recall", "number")
    done = jotsam("work", JOTSAM_CONCURRENCY="8", CLICOLOR_FORCE="1")
    assert done.stdout == "completed 24 jobs\n"
    for number in range(4):
        shown = [jotsam.json("--tenant", f"t{number}", "show", str(id)) for id in range(2 * number + 1, 2 * number + 3)]
        remember, recall = (story["result"]["stdout"] for story in shown)
        assert remember.startswith("accepted  ")
        assert "\x1b" not in remember
        assert [hit["text"] for hit in json.loads(recall)["hits"]] == [f"number {number}"]


def test_the_log_of_the_worker_holds_no_words_of_a_command(jotsam: Shell) -> None:
    jotsam.env |= {"JOTSAM_WORKER": "auto", "JOTSAM_WORKER_IDLE_MS": "0"}
    jotsam("--async", "config", "show")
    jotsam("wait")
    log = Path(f"{jotsam.db}.log").read_text()
    assert "soft_cap" not in log
    assert "soft_cap" in ran(jotsam, 1)["stdout"]


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
def test_in_a_hook_a_change_is_silent_and_done(jotsam: Shell, hook: dict[str, str]) -> None:
    """GK-8: silent, exit 0. What is one commit is done at once, so that its text is found from that moment on."""
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
def test_in_a_hook_jobs_are_changed_by_the_worker(jotsam: Shell, verb: str) -> None:
    """GK-8: queued, silent, exit 0."""
    id = bury(jotsam)
    assert is_silent(jotsam("jobs", "--state", "dead", verb, "all", "--yes", **HOOK))
    assert is_silent(jotsam("--async", "status", **HOOK))
    assert [job["kind"] for job in jotsam.json("jobs", "--state", "dead")["jobs"]] == ["enrich"]
    assert jotsam("work").stdout == f"completed {3 if verb == 'retry' else 2} jobs\n"
    assert jotsam.json("jobs")["jobs"] == []
    assert ran(jotsam, id + 1)["code"] == 0


@pytest.mark.parametrize(
    "env", [{}, AGENT, {"CI": "true"}, {**HOOK, "JOTSAM_ASYNC": "0"}, {**AGENT, "CLAUDE_PROJECT_DIR": "/p"}]
)
def test_elsewhere_a_change_is_told(jotsam: Shell, env: dict[str, str]) -> None:
    """GK-8: no terminal, a CI and an agent's shell are no hook; whoever stands there reads what is printed."""
    done = jotsam("remember", "We use tabs.", **env)
    assert (done.returncode, done.stdout.split()[0]) == (0, "accepted")
    assert jotsam("add", "missing.md", **env).returncode == 1
    assert jotsam("jobs", "retry", "999", **env).returncode == 1


@pytest.mark.on_both
def test_in_a_hook_what_reads_is_printed_for_the_agent(jotsam: Shell) -> None:
    """GK-8: a hook that asks wants the answer."""
    jotsam("remember", "We use tabs.")
    assert "We use tabs." in jotsam("recall", "tabs", **HOOK).stdout
    assert "1 pending" in jotsam("status", **HOOK).stdout
    assert "enrich" in jotsam("jobs", "--error", "", **HOOK).stdout
    assert jotsam("status", "--check", JOTSAM_SOFT_CAP="1", **HOOK).returncode == 3


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
def test_in_a_hook_what_goes_wrong_is_silent_and_stands_in_the_log(jotsam: Shell, arguments: list[str]) -> None:
    """GK-8. The doctor tells of it, since nobody else can."""
    jotsam("migrate")
    assert is_silent(jotsam(*arguments, **HOOK))
    assert "ERROR in a hook: " in Path(f"{jotsam.db}.log").read_text()
    assert "ERROR in a hook: " in jotsam("doctor").stdout


def test_in_a_hook_what_can_be_told_nowhere_is_silent_all_the_same(jotsam: Shell) -> None:
    """GK-8."""
    assert is_silent(jotsam("remember", "x", "--db", "/dev/null/x.db", **HOOK))
    assert is_silent(jotsam("add", "missing.md", JOTSAM_SOFT_CAP="many", **HOOK))


def test_in_a_hook_a_change_that_names_nothing_is_found_out_by_the_worker(jotsam: Shell) -> None:
    assert is_silent(jotsam("jobs", "discard", **HOOK))
    jotsam("work")
    (job,) = jotsam.json("jobs")["jobs"]
    assert (job["state"], "give job numbers" in job["error"]) == ("dead", True)


@pytest.mark.parametrize("arguments", [["recall", "--no-such-flag"], ["sing"], ["status", "more"]])
def test_in_a_hook_wrong_usage_never_ends_with_2(jotsam: Shell, arguments: list[str]) -> None:
    """2 is what blocks an agent's prompt; 1 is a failure that it passes over."""
    done = jotsam(*arguments, **HOOK)
    assert (done.returncode, "usage: jotsam" in done.stderr) == (1, True)


def test_a_worker_that_a_hook_started_runs_commands_as_any_other(jotsam: Shell) -> None:
    """It inherits the hook's environment, and must not take its own commands for those of a hook."""
    jotsam.env |= {"JOTSAM_WORKER": "auto", "JOTSAM_WORKER_IDLE_MS": "0"}
    id = bury_with_worker_off(jotsam)
    assert is_silent(jotsam("jobs", "retry", str(id), **HOOK))
    assert jotsam("wait", **AGENT).returncode == 0
    until(lambda: ran(jotsam, id + 1))
    assert ran(jotsam, id + 1)["stdout"] == "retried 1 job\n"


def bury_with_worker_off(shell: Shell) -> int:
    shell.env["JOTSAM_WORKER"], before = "off", shell.env["JOTSAM_WORKER"]
    id = bury(shell)
    shell.env["JOTSAM_WORKER"] = before
    return id


def test_an_input_that_stays_open_is_read_only_by_who_asks_for_it(jotsam: Shell) -> None:
    reading, writing = os.pipe()
    assert jotsam("--async", "status", stdin=reading).returncode == 0
    assert is_silent(jotsam("remember", "We use tabs.", stdin=reading, **HOOK))
    os.close(writing)
    os.close(reading)
