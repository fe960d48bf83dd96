"""Operating the queue: `jobs` with filters, stuck jobs, failure groups, `retry`, `discard`, `pause`, `status`."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jotsam import Jotsam
from jotsam.core.clock import system_clock
from jotsam.core.job_records import JobSpec
from jotsam.core.settings import Settings
from jotsam.storage import connect, queue
from processes import PATIENCE

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

HOUR_MS = 3_600_000


def fail(shell: Shell, *errors: str, tenant: str = "default") -> list[int]:
    """Create one dead job per error."""
    ids = [
        shell.json("remember", f"number {number}", "--tenant", tenant)["receipt"]["job_id"]
        for number, _ in enumerate(errors)
    ]
    database = connect(shell.url)
    with database.transaction() as tx:
        jobs = [job for job in queue.receive(tx, queue="enrich", owner="test", limit=1_000) if job.tenant == tenant]
        for job, error in zip(jobs, errors, strict=True):
            queue.bury(tx, job, error=error)
    database.close()
    return ids


def alter(shell: Shell, sql: str, *values: str | int | None) -> None:
    """Change rows of the database, for example to make jobs older."""
    for number in range(len(values)):
        sql = sql.replace("?", f":v{number}", 1)
    database = connect(shell.url)
    with database.transaction() as tx:
        tx.execute(sql, {f"v{number}": value for number, value in enumerate(values)})
    database.close()


@pytest.mark.on_both
def test_jobs_are_filtered_by_error_and_age_and_listed_in_pages(jotsam: Shell) -> None:
    ids = fail(jotsam, "timeout after 30 s", "timeout after 7 s", "refused")
    assert [job["id"] for job in jotsam.json("jobs", "--error", "timeout")["jobs"]] == ids[:2]
    alter(jotsam, "update queue_job set created_at = created_at - ? where id = ?", 2 * HOUR_MS, ids[0])
    assert [job["id"] for job in jotsam.json("jobs", "--older-than", "1h")["jobs"]] == ids[:1]
    assert [job["id"] for job in jotsam.json("jobs", "list", "--older-than=0s")["jobs"]] == ids
    first = jotsam.json("jobs", "--limit", "2")
    assert ([job["id"] for job in first["jobs"]], first["next"]) == (ids[:2], ids[1])
    second = jotsam.json("jobs", "--limit", "2", "--after", str(first["next"]))
    assert ([job["id"] for job in second["jobs"]], "next" in second) == (ids[2:], False)
    assert f"continue with --after {ids[1]}" in jotsam("jobs", "--limit", "2").stderr
    assert jotsam("jobs", "--limit", "3").stderr == ""


@pytest.mark.on_both
def test_the_jobs_of_all_tenants_are_listed_on_request(jotsam: Shell) -> None:
    fail(jotsam, "mine"), fail(jotsam, "theirs", tenant="ana")
    assert "theirs" not in jotsam("jobs").stdout
    lines = jotsam("jobs", "--all-tenants").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["TENANT", "default", "ana"]
    assert len(jotsam.json("jobs", "groups", "--all-tenants")["groups"]) == 2
    assert [job["tenant"] for job in jotsam.json("--tenant", "ana", "jobs")["jobs"]] == ["ana"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--older-than", "soon"],
        ["--older-than", "10"],
        ["--older-than", "-1m"],
        ["--older-than", "m"],
        ["--limit", "0"],
        ["--limit", "-1"],
        ["--after", "x"],
        ["--stuck", "--state", "dead"],
        ["retry"],
        ["retry", "all", "1", "--yes"],
        ["retry", "1", "--error", "x", "--yes"],
        ["discard", "--error", "", "--yes"],
        ["discard", "first"],
        ["discard", "²"],
    ],
)
def test_a_usage_error_of_jobs_exits_with_2(jotsam: Shell, arguments: list[str]) -> None:
    done = jotsam("jobs", *arguments)
    assert (done.returncode, done.stdout, "usage: jotsam jobs" in done.stderr) == (2, "", True)


@pytest.mark.on_both
def test_stuck_jobs_are_listed_with_the_reason(jotsam: Shell) -> None:
    assert jotsam("jobs", "--stuck").stdout == "no job is stuck\n"
    for number in range(5):
        jotsam("remember", f"number {number}")
    assert jotsam.json("jobs", "--stuck") == {"schema": 1, "stuck": []}
    now = system_clock()
    leased = "update queue_job set state = 'leased', leased_at = ?, wake_at = ? where id = ?"
    alter(jotsam, leased, now - HOUR_MS, now - 3 * 60_000, 1)
    alter(jotsam, leased, now - HOUR_MS, now + 60_000, 2)
    alter(jotsam, "update queue_job set state = 'waiting', wake_at = ? where id = ?", now - 2 * HOUR_MS, 3)
    alter(jotsam, "update queue_job set created_at = ? where id = ?", now - 26 * HOUR_MS, 4)
    lines = jotsam("jobs", "--stuck").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["ID", "1", "2", "3", "4"]
    assert "lease expired 3 min ago, not reclaimed yet" in lines[1]
    assert "running for 1 h, lease extended repeatedly" in lines[2]
    assert "retry was due 2 h ago" in lines[3]
    assert "ready for 1 d: no worker is running" in lines[4]
    page = jotsam.json("jobs", "--stuck", "--limit", "1")
    assert (page["stuck"][0]["why"], page["next"]) == ("expired", 1)
    jotsam("pause", "enrich")
    assert [one["why"] for one in jotsam.json("jobs", "--stuck")["stuck"]] == ["expired", "held", "overdue"]


@pytest.mark.on_both
def test_failures_are_grouped_by_error(jotsam: Shell) -> None:
    assert jotsam("jobs", "groups").stdout == "no job has failed\n"
    ids = fail(jotsam, "timeout after 30 s", "no model 'gpt'", "timeout after 7 s")
    first, second = jotsam.json("jobs", "groups")["groups"]
    assert (first["error"], first["jobs"], first["dead"], first["example"]) == ("timeout after <n> s", 2, 2, ids[2])
    assert second["error"] == "no model <text>"
    lines = jotsam("jobs", "groups", "--limit", "1").stdout.splitlines()
    assert lines[0].split() == ["KEY", "JOBS", "DEAD", "EXAMPLE", "NEWEST", "ERROR"]
    assert lines[1].split()[:4] == [first["key"], "2", "2", str(ids[2])]
    assert "1 of 2 groups" in jotsam("jobs", "groups", "--limit", "1").stderr


@pytest.mark.on_both
@pytest.mark.parametrize(("verb", "did"), [("retry", "retried"), ("discard", "discarded")])
def test_changing_a_group_needs_yes_and_can_be_previewed(jotsam: Shell, verb: str, did: str) -> None:
    ids = fail(jotsam, "timeout after 30 s", "refused", "timeout after 7 s")
    key = jotsam.json("jobs", "groups")["groups"][0]["key"]
    dry = jotsam("jobs", verb, "--group", key, "--dry-run")
    assert dry.returncode == 0
    assert f"would {verb} job {ids[0]} (enrich): timeout after 30 s\n" in dry.stdout
    assert dry.stdout.endswith(f"would {verb} 2 jobs; nothing was changed\n")
    said = jotsam.json("jobs", verb, "--group", key, "--dry-run")
    assert said == {"schema": 1, did: [ids[0], ids[2]], "errors": [], "dry_run": True}
    refused = jotsam("jobs", verb, "--group", key)
    assert (refused.returncode, "2 dead jobs: add --yes" in refused.stderr) == (2, True)
    assert len(jotsam.json("jobs", "--state", "dead")["jobs"]) == 3
    assert jotsam("jobs", verb, "--group", key, "--yes").stdout == f"{did} 2 jobs\n"
    assert [job["id"] for job in jotsam.json("jobs", "--state", "dead")["jobs"]] == [ids[1]]
    gone = jotsam("jobs", verb, "--group", key, "--yes")
    assert (gone.returncode, f"no group '{key}'" in gone.stderr) == (1, True)


@pytest.mark.on_both
def test_jobs_are_changed_by_error_text_and_kind(jotsam: Shell) -> None:
    ids = fail(jotsam, "timeout after 30 s", "refused", "timeout after 7 s")
    assert jotsam.json("jobs", "retry", "--error", "timeout", "--kind", "ingest", "--yes")["retried"] == []
    assert jotsam.json("jobs", "retry", "--error", "timeout", "--yes")["retried"] == [ids[0], ids[2]]
    assert jotsam.json("jobs", "discard", "all", "--error", "refused", "--yes")["discarded"] == [ids[1]]


def test_a_dry_run_reports_jobs_that_cannot_be_changed(jotsam: Shell) -> None:
    (id,) = fail(jotsam, "refused")
    done = jotsam("jobs", "retry", str(id), str(id), "999", "--dry-run")
    assert (done.returncode, "no job 999" in done.stderr) == (1, True)
    assert done.stdout.endswith("would retry 1 job; nothing was changed\n")
    assert jotsam.json("status")["status"]["depth"]["dead"] == 1


@pytest.mark.on_both
def test_retry_keeps_the_order_and_resets_the_failure_count(jotsam: Shell) -> None:
    """GK-4: one job and all; attempts are kept, the failure count restarts at 0; an unknown id exits with 1."""
    ids = fail(jotsam, "x", "y")
    jotsam("remember", "the last")
    assert jotsam("jobs", "retry", str(ids[1])).returncode == 0
    assert jotsam("jobs", "retry", "all", "--yes").stdout == "retried 1 job\n"
    assert [(job["id"], job["failures"], job["state"]) for job in jotsam.json("jobs")["jobs"]] == [
        (id, 0, "ready") for id in (*ids, ids[-1] + 1)
    ]
    jotsam("work", JOTSAM_CONCURRENCY="1")
    database = connect(jotsam.url)
    with database.snapshot() as tx:
        done = tx.execute("select job_id from queue_attempt where outcome = 'done' order by started_at, job_id")
    database.close()
    assert [row["job_id"] for row in done] == [*ids, ids[-1] + 1]
    assert jotsam("jobs", "retry", "999").returncode == 1


def test_a_retry_starts_a_worker(jotsam: Shell) -> None:
    (id,) = fail(jotsam, "x")
    jotsam.env |= {"JOTSAM_WORKER": "auto", "JOTSAM_WORKER_IDLE_MS": "0"}
    jotsam("jobs", "retry", str(id))
    assert Path(f"{jotsam.db}.log").exists()
    assert jotsam("wait").returncode == 0


@pytest.mark.on_both
def test_a_job_of_a_killed_worker_is_delivered_again_when_its_lease_expires(jotsam: Shell) -> None:
    """GK-5: not earlier, and not because another process reads the queue."""
    jotsam("remember", "We use tabs.")
    code = f"""
import os, signal
from jotsam import Queue
queue = Queue({jotsam.url!r}, "enrich")
assert queue.receive(lease_ms=3_600_000)
os.kill(os.getpid(), signal.SIGKILL)
"""
    held = jotsam.start_python(code)
    assert held.wait(PATIENCE) == -signal.SIGKILL
    for arguments in (["jobs"], ["status"], ["jobs", "--stuck"], ["doctor"], ["work"]):
        jotsam(*arguments, JOTSAM_WORKER_IDLE_MS="0")
        (job,) = jotsam.json("jobs")["jobs"]
        assert (job["state"], job["received"]) == ("leased", 1)
    alter(jotsam, "update queue_job set wake_at = 1")
    assert jotsam("work").stdout == "completed 1 job\n"
    assert jotsam.json("status")["status"]["enriched"] == 1


@pytest.mark.on_both
def test_a_queue_can_be_paused_and_resumed(jotsam: Shell) -> None:
    done = jotsam("pause", "enrich", "--reason", "the provider is being repaired")
    assert jotsam("status", "--check").returncode == 3
    assert done.stdout == "enrich is paused until `jotsam jobs resume enrich`; new jobs are still accepted\n"
    jotsam("remember", "We use tabs.")
    assert jotsam("work").stdout == "completed 0 jobs\n"
    said = "The queue enrich is paused: the provider is being repaired: run `jotsam jobs resume enrich`"
    assert f"paused   {said}" in jotsam("status").stdout.splitlines()
    told = {"queue": "enrich", "reason": "the provider is being repaired", "probe_ms": None}
    assert jotsam.json("status")["status"]["paused"] == [told]
    found = jotsam("doctor")
    assert found.returncode == 3
    assert "enrich is paused: the provider is being repaired" in found.stdout
    assert "→ jotsam jobs resume enrich" in found.stdout
    assert "round trip   skipped: enrich is paused" in found.stdout
    assert jotsam.json("resume", "enrich") == {"schema": 1, "queue": "enrich", "paused": False, "was_paused": True}
    assert jotsam("resume", "enrich").stdout == "enrich was not paused\n"
    assert jotsam("work").stdout == "completed 1 job\n"
    assert jotsam.json("pause", "command") == {"schema": 1, "queue": "command", "paused": True}
    assert jotsam("pause", "mail").returncode == 2


@pytest.mark.on_both
def test_an_open_circuit_breaker_is_reported_with_its_next_attempt(jotsam: Shell) -> None:
    jotsam("migrate")
    database = connect(jotsam.url)
    with database.transaction() as tx:
        queue.open_breaker(tx, "enrich", reason="no route to the provider")
    database.close()
    (paused,) = jotsam.json("status")["status"]["paused"]
    assert 0 < paused["probe_ms"] <= 10_000
    said = "The queue enrich is paused: no route to the provider; the next attempt is in "
    assert said in jotsam("status").stdout
    assert said in jotsam("doctor").stdout


@pytest.mark.on_both
def test_status_prints_throughput_and_run_times(jotsam: Shell) -> None:
    assert "done in the last hour" not in jotsam("status").stdout
    for number in range(3):
        jotsam("remember", f"number {number}")
    jotsam("work")
    alter(jotsam, "update queue_attempt set started_at = ended_at - job_id * 4000")
    status = jotsam.json("status")["status"]
    assert (status["done_last_hour"], status["p50_ms"], status["p95_ms"]) == (3, 8_000, 12_000)
    line = "worker   none · 3 done in the last hour · p50 8.0 s · p95 12.0 s"
    lines = jotsam("status").stdout.splitlines()
    assert line in lines
    assert [one["name"] for one in status["stages"]] == ["ingest", "enrich", "embed", "model"]
    enriched = {"name": "enrich", "done": 3, "degraded": 0, "failed_attempts": 0, "p50_ms": 8_000, "p95_ms": 12_000}
    assert status["stages"][1] == enriched
    assert [" ".join(one.split()) for one in lines[-5:]] == [
        "STAGE DONE DEGRADED FAILED ATTEMPTS P50 P95",
        "ingest 0 0 0",
        "enrich 3 0 0 8.0 s 12.0 s",
        "embed 0 0 0",
        "model 0 0 0",
    ]
    alter(jotsam, "update queue_attempt set ended_at = ended_at - ?", HOUR_MS)
    assert jotsam.json("status")["status"]["done_last_hour"] == 0


@pytest.mark.on_both
def test_status_reports_the_level_of_the_soft_cap(jotsam: Shell) -> None:
    """GK-2: the first import of a folder is ok. At the cap, jobs that wait too long are a warning or an error."""
    settings = Settings(db=jotsam.url, worker="off")
    with Jotsam(settings=settings) as jot:
        stages = ((99, 120, False), (100, 9, False), (100, 10, "warning"), (101, 59, "warning"), (101, 60, "error"))
        for accepted, minutes, late in stages:
            level = late or "warning"  # No worker runs.
            with jot.database.transaction() as tx:
                for _ in range(accepted - queue.depth(tx, queues=("enrich",), tenant="default").live):
                    queue.send(tx, JobSpec(queue="enrich", kind="enrich"))
                tx.execute("update queue_job set created_at = :sent", {"sent": tx.now - minutes * 60_000})
            status = jotsam.json("status")["status"]
            assert (status["level"], status["soft_cap"], status["depth"]["pending"]) == (level, 100, accepted)
            line = f"level    {level}: {accepted} jobs (soft cap 100)"
            shown = jotsam("status").stdout
            assert line in shown
            waited = "1 h" if minutes == 60 else f"{minutes} min"
            said = f"{accepted} jobs are not done, and the oldest has waited {waited}: the workers do not keep up"
            assert (said in shown) == bool(late)
            assert "and no worker runs: run `jotsam jobs work --forever`" in shown
            assert jotsam("status", "--check").returncode == 3
    assert jotsam("remember", "one more").returncode == 0
    shape = {"pending", "in_progress", "failed", "dead", "oldest", "unknown"}
    assert (set(status["depth"]), status["worker"], status["worker_pid"]) == (shape, "none", None)


@pytest.mark.on_both
def test_a_queued_command_counts_as_a_job(jotsam: Shell) -> None:
    jotsam("--async", "remember", "y")
    status = jotsam.json("status")["status"]
    assert (status["depth"]["pending"], status["memories"]) == (1, 0)
    assert jotsam.json("remember", "x", JOTSAM_SOFT_CAP="2")["receipt"]["warnings"] == []
    alter(jotsam, "update queue_job set created_at = created_at - ?", HOUR_MS)
    (warning,) = jotsam.json("remember", "z", JOTSAM_SOFT_CAP="2")["receipt"]["warnings"]
    assert warning == "more than 2 jobs are waiting, the oldest for 60 minutes: the workers do not keep up"
    assert "accepted = 0 done + 0 discarded + 3 live + 0 dead" in jotsam("doctor").stdout
