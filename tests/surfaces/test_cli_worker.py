"""`jotsam jobs work`, `wait` and `jobs`: processing the queue, signals, dead jobs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from terminal import AtTerminal

import roles
from jotsam.storage import connect, queue
from processes import PATIENCE, Running, start, until

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell


def bury(shell: Shell, id: int | None = None) -> int:
    """Make a job dead: a new one, or the one that is ready."""
    id = id or int(shell.json("remember", "x marks the spot")["receipt"]["job_id"])
    database = connect(shell.url)
    with database.transaction() as tx:
        (job,) = queue.receive(tx, queue="enrich", owner="test")
        queue.bury(tx, job, error="the model said no")
    database.close()
    return id


@pytest.mark.on_both
def test_jobs_lists_unfinished_jobs(jotsam: Shell) -> None:
    assert jotsam("jobs").stdout == "no matching jobs\n"
    jotsam("add", "-", input="Ana moved to Bonn.")
    lines = jotsam("jobs").stdout.splitlines()
    assert lines[0].split() == ["ID", "KIND", "STATE", "FAILURES", "AGE", "NEXT", "ERROR"]
    assert lines[1].split()[:3] == ["1", "ingest", "ready"]
    assert [job["kind"] for job in jotsam.json("jobs", "list", "--kind", "ingest")["jobs"]] == ["ingest"]
    assert jotsam.json("jobs", "--kind", "enrich")["jobs"] == []
    jotsam("work")
    assert jotsam.json("jobs") == {"schema": 1, "jobs": []}


@pytest.mark.on_both
def test_a_dead_job_can_be_inspected_and_retried(jotsam: Shell) -> None:
    id = bury(jotsam)
    assert "the model said no" in jotsam("jobs", "--state", "dead").stdout
    assert "the model said no" in jotsam("jobs", "show", str(id)).stdout
    assert "run `jotsam jobs groups`" in jotsam("status").stdout
    assert jotsam("status", "--check").returncode == 3
    assert jotsam("jobs", "retry", str(id)).stdout == "retried 1 job\n"
    assert jotsam("work").stdout == "completed 1 job\n"
    assert jotsam("status", "--check").returncode == 0


@pytest.mark.on_both
def test_changing_all_dead_jobs_needs_yes(jotsam: Shell) -> None:
    ids = [bury(jotsam), bury(jotsam)]
    refused = jotsam("jobs", "discard", "all")
    assert (refused.returncode, "2 dead jobs: add --yes" in refused.stderr) == (2, True)
    assert jotsam.json("jobs", "discard", "all", "--yes") == {"schema": 1, "discarded": ids, "errors": []}
    assert jotsam.json("jobs")["jobs"] == []


@pytest.mark.on_both
def test_a_job_that_cannot_be_changed_does_not_stop_the_others(jotsam: Shell) -> None:
    id = bury(jotsam)
    done = jotsam("jobs", "retry", "999", str(id))
    assert (done.returncode, done.stdout) == (1, "retried 1 job\n")
    assert "there is no job 999" in done.stderr
    assert jotsam("jobs", "retry", "first").returncode == 2


@pytest.mark.on_both
def test_wait_exits_with_8_while_jobs_are_pending(jotsam: Shell) -> None:
    id = jotsam.json("remember", "tabs")["receipt"]["id"]
    assert jotsam("wait", "--timeout", "0").returncode == 8
    assert jotsam("wait", id, "--timeout", "0.1").stdout == "1 job not done yet\n"
    jotsam("work")
    assert jotsam.json("wait", id) == {"schema": 1, "done": True, "live": 0, "spooled": 0, "dead": [], "discarded": []}


@pytest.mark.on_both
def test_wait_fails_with_the_error_of_a_dead_job(jotsam: Shell) -> None:
    id = bury(jotsam)
    memory = jotsam.json("jobs", "show", str(id))["memory"]["id"]
    everything = jotsam("wait")
    assert (everything.returncode, everything.stdout) == (0, "done\n"), "it waited for none of them"
    assert everything.stderr == "hint: 1 job died before: `jotsam jobs groups` groups them by error\n"
    assert jotsam.json("wait")["dead"] == []
    done = jotsam("wait", memory)
    assert (done.returncode, "the model said no" in done.stderr) == (1, True)
    assert f"jotsam jobs retry {id}" in done.stderr


def test_wait_fails_with_the_jobs_that_die_while_it_waits(jotsam: Shell) -> None:
    bury(jotsam)
    jotsam("remember", "tabs")
    running = AtTerminal(jotsam, "wait", NO_COLOR="1")
    until(lambda: "0 done · 1 remaining" in running.text)
    id = bury(jotsam, jotsam.json("jobs", "list", "--state", "ready")["jobs"][0]["id"])
    told = running.end()
    assert running.process.returncode == 1
    assert told.count("is dead: ") == 1
    assert f"jotsam jobs retry {id}" in told


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_an_idle_worker_exits_cleanly_on_a_signal(jotsam: Shell, stop: signal.Signals) -> None:
    process = jotsam.start("work", "--forever")
    until(lambda: jotsam.json("status")["status"]["worker"] == "running")
    jotsam("remember", "tabs")
    assert jotsam("wait").returncode == 0
    process.send_signal(stop)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (0, "completed 1 job\n")
    assert f"stopping on {stop.name}" in err
    assert jotsam.json("status")["status"]["worker"] == "none"


@pytest.mark.on_both
def test_a_stopped_worker_releases_its_jobs_without_counting_a_failure(jotsam: Shell) -> None:
    for number in range(60):
        jotsam.file(f"docs/{number}.md", f"Ana wrote number {number} in Bonn. " * 50)
    jotsam("add", "docs")
    process = jotsam.start("work", "--forever", JOTSAM_SHUTDOWN_GRACE_MS="0")
    until(lambda: jotsam.json("status")["status"]["done"] > 0)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    depth = jotsam.json("status")["status"]["depth"]
    assert (depth["in_progress"], depth["failed"], depth["dead"]) == (0, 0, 0)
    jotsam("work")
    status = jotsam.json("status")["status"]
    assert (status["enriched"], status["depth"]["pending"]) == (status["memories"], 0)


def test_a_worker_runs_as_many_jobs_at_once_as_requested(jotsam: Shell) -> None:
    process = jotsam.start("work", "--forever", "--concurrency", "20")
    until(lambda: len(os.listdir(f"/proc/{process.pid}/task")) > 20)
    process.kill()
    process.communicate()
    assert jotsam("work", "--concurrency", "0").returncode == 2
    many = jotsam("work", "--concurrency", "65")
    assert (many.returncode, "invalid concurrency 65 (option): must be an integer from 1 to 64" in many.stderr) == (
        1,
        True,
    )


def test_a_second_worker_exits_and_prints_the_pid_of_the_first(jotsam: Shell) -> None:
    process = jotsam.start("work", "--forever")
    until(lambda: jotsam.json("status")["status"]["worker"] == "running")
    second = jotsam("work")
    said = f"another worker is running (pid {process.pid}) and processes the queue\n"
    assert (second.returncode, second.stdout) == (0, said)
    assert jotsam.json("work") == {"schema": 1, "done": None, "another_worker": True}


def test_wait_replaces_a_killed_worker(jotsam: Shell) -> None:
    process = jotsam.start("work", "--forever")
    until(lambda: jotsam.json("status")["status"]["worker"] == "running")
    process.kill()
    process.communicate()
    jotsam("remember", "tabs")
    assert jotsam("wait", JOTSAM_WORKER="auto").returncode == 0


@pytest.mark.parametrize("on_a_terminal", [True, False])
def test_work_shows_progress_only_on_a_terminal(jotsam: Shell, on_a_terminal: bool) -> None:
    jotsam("remember", "tabs")
    if not on_a_terminal:
        assert "\x1b" not in jotsam("work").stderr
        return
    ours, theirs = os.openpty()
    process = jotsam.start("work", stderr=theirs)
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 1024):
            shown += piece
    except OSError:
        pass  # Reading from a terminal that its last user has closed raises an error.
    os.close(ours)
    assert process.wait(PATIENCE) == 0
    assert "─" in shown.decode() or "━" in shown.decode()
    assert shown.endswith(b"\r\x1b[K")


def test_the_log_of_a_background_worker_is_its_standard_error(jotsam: Shell) -> None:
    jotsam("remember", "tabs", JOTSAM_WORKER="auto")
    jotsam("wait", JOTSAM_WORKER="auto")
    line = Path(f"{jotsam.db}.log").read_text().splitlines()[0]
    assert line[10] == "T"
    assert f"INFO working on {jotsam.db}" in line


def test_wait_replaces_a_killed_worker_whose_jobs_are_done_at_once(jotsam: Shell, processes: list[Running]) -> None:
    """Not when their leases expire: the attempt says that the worker ended."""
    job_id = jotsam.json("remember", "Ana moved to Bonn.")["receipt"]["job_id"]
    processes.append(start(roles.stall, jotsam.url, "enrich", 1))
    assert processes[0].says() == "begun"
    processes[0].kill()
    assert jotsam("wait", JOTSAM_WORKER="auto").returncode == 0
    attempts = jotsam.json("show", str(job_id))["attempts"]
    assert [one["outcome"] for one in attempts] == ["interrupted", "done"]
    assert " ended" in attempts[0]["error"]


BOOK = """
import os
from jotsam import Jotsam
with Jotsam(worker="auto") as jot:
    log = jot.database.url + ".log"  # a worker is started with its log open
    try:
        with jot.database.transaction() as tx:
            jot.remember("It is red.", tx=tx)
            raise KeyError
    except KeyError:
        pass
    with jot.database.transaction() as tx:
        print(jot.remember("It is blue.", tx=tx).id, os.path.exists(log))
    print(os.path.exists(log))
"""


def test_a_worker_starts_after_the_transaction_of_a_caller_is_committed(jotsam: Shell) -> None:
    env = jotsam.env | {"JOTSAM_WORKER_IDLE_MS": "0"}
    done = subprocess.run([sys.executable, "-c", BOOK], env=env, capture_output=True, text=True, check=True)
    id, in_transaction, after = done.stdout.split()
    assert (in_transaction, after) == ("False", "True")
    until(lambda: jotsam.json("show", id)["done"])


@pytest.mark.on_both
def test_wait_tells_of_discarded_jobs(jotsam: Shell) -> None:
    id = bury(jotsam)
    memory = jotsam.json("jobs", "show", str(id))["memory"]["id"]
    assert jotsam("jobs", "discard", str(id)).returncode == 0
    done = jotsam("wait")
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", ""), "it waited for none of them"
    done = jotsam("wait", memory)
    assert (done.returncode, done.stdout) == (1, "discarded\n")
    assert "is not processed: its job was discarded" in done.stderr
