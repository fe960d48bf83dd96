"""Queued commands: run in order, one at a time, by a function passed in, and tracked like any other job."""

from __future__ import annotations

import math
import threading

import pytest

from jotsam import InvalidInput, Jotsam
from jotsam.core.job_records import MAX_COMMAND_BYTES, CommandResult, JobSpec, QueuedCommand
from jotsam.core.names import COMMAND, EVERY_QUEUE, LIFECYCLE, MEMORY_QUEUES, MIRROR_QUEUES
from jotsam.memory.jobs.worker_session import run_worker
from jotsam.storage import queue
from jotsam.worker.command import MAX_OUTPUT_CHARACTERS, RESULT_RETENTION_MS


def run_commands(
    jot: Jotsam, *codes: int, stdout: str = "", stderr: str = "", retry: bool = False
) -> list[QueuedCommand]:
    """Work until no job is left; commands end with these codes and outputs. Returns the commands that ran."""
    ran: list[QueuedCommand] = []
    endings = iter(codes)

    def run(command: QueuedCommand) -> CommandResult:
        ran.append(command)
        code = next(endings, 0)
        return CommandResult(code=code, stdout=stdout, stderr=stderr, retry=retry and code == 1)

    run_worker(jot, commands=run)
    return ran


def test_a_command_runs_as_sent_and_its_output_is_kept_for_a_day(jot, clock):
    sent = jot.admin.send_command(["status", "--json"], input="Müller\n")
    jot.admin.send_command(["jobs"])
    first, second = run_commands(jot, stdout="fine\n", stderr="warning: old\n")
    assert first == QueuedCommand(arguments=("status", "--json"), input="Müller\n", job_id=sent.id)
    assert second.input is None
    story = jot.show(str(sent.id))
    expected = CommandResult(code=0, stdout="fine\n", stderr="warning: old\n", arguments=("status", "--json"))
    assert story.result == expected
    assert (story.arguments, story.done, story.jobs) == (("status", "--json"), True, ())
    clock.tick(RESULT_RETENTION_MS)
    assert jot.show(str(sent.id)).result is None


def test_a_command_runs_in_the_tenant_and_project_that_sent_it(jot, clock):
    settings = jot.settings.replace(tenant="ana", project="shop")
    with Jotsam(settings=settings, clock=clock) as ana:
        sent = ana.admin.send_command(["status"])
        (command,) = run_commands(jot)
        assert (command.tenant, command.project) == ("ana", "shop")
        assert ana.show(str(sent.id)).result
    with pytest.raises(LookupError):
        jot.show(str(sent.id))


def test_secrets_do_not_reach_the_queue(jot):
    """GK-11: neither from the arguments nor from standard input."""
    secret = "api_key = 'sk-abcdefghij0123456789'"
    jot.admin.send_command(["remember", secret, "<private>my diagnosis</private>"], input=f"x\n{secret}")
    with jot.database.snapshot() as tx:
        (row,) = tx.execute("select payload as json from queue_job")
    assert row["json"].count("[redacted:") == 2
    assert "sk-abc" not in row["json"]
    assert "diagnosis" not in row["json"]


def test_commands_of_a_tenant_run_one_at_a_time_in_their_order(url, clock, jot):
    """GK-1: each is a barrier, so commands never overlap, with any number of threads."""
    order: list[str] = []
    running = threading.Lock()

    def run(command: QueuedCommand) -> CommandResult:
        assert running.acquire(blocking=False)
        order.append(command.arguments[0])
        jot.status()  # Gives another thread time to claim the next one, if it could.
        running.release()
        return CommandResult(code=0, stdout="", stderr="")

    for number in range(20):
        jot.admin.send_command([str(number)])
    with Jotsam(settings=jot.settings.replace(concurrency=8), clock=clock) as many:
        assert run_worker(many, commands=run) == 20
    assert order == [str(number) for number in range(20)]


def test_a_failed_command_is_retried_without_blocking_the_next_one(jot, clock):
    """GK-3: retried after 10, 20, 40 and 80 s; the fifth failure buries it with every error."""
    failing, other = jot.admin.send_command(["recall"]), jot.admin.send_command(["status"])
    error = "error: the database is busy\nhint: try later\n"
    assert [one.job_id for one in run_commands(jot, 1, 0, stderr=error, retry=True)] == [failing.id, other.id]
    waits = []
    for _ in range(4):
        (job,) = jot.admin.jobs()
        assert job.wake_at is not None
        waits.append(10 << round(math.log2((job.wake_at - clock.now) / 10_000)))
        clock.tick(job.wake_at - clock.now)
        run_commands(jot, 1, stderr=error, retry=True)
    (job,) = jot.admin.jobs()
    story = jot.show(str(failing.id))
    assert waits == [10, 20, 40, 80]
    assert (job.state, job.failures, story.result and story.result.code) == ("dead", 5, 1)
    assert [tried.outcome for tried in story.attempts] == ["retry"] * 4 + ["dead"]
    assert {tried.error for tried in story.attempts} == {"RetryJob: exit code 1: error: the database is busy"}


def test_an_invalid_command_line_is_buried_at_once(jot):
    jot.admin.send_command(["sing"])
    run_commands(jot, 2, stderr="usage: jotsam\njotsam: error: invalid choice: 'sing'\n")
    (job,) = jot.admin.jobs()
    assert (job.state, job.failures) == ("dead", 1)
    assert "exit code 2: jotsam: error: invalid choice: 'sing'" in job.error


@pytest.mark.parametrize(
    "payload",
    [
        *("{", "[]", '"status"', "null", "7", "{}", b"\xff", "[" * 100_000),
        '{"arguments": "status", "project": "", "input": null, "documents": [], "turns": []}',
        '{"arguments": [7], "project": "", "input": null, "documents": [], "turns": []}',
        '{"arguments": [], "project": "", "input": null, "documents": {}, "turns": []}',
        '{"arguments": [], "project": "", "input": null, "documents": [], "turns": [7]}',
        '{"arguments": [], "project": "", "input": 7, "documents": [], "turns": []}',
    ],
)
def test_an_invalid_payload_is_buried_and_can_be_shown(jot, payload):
    with jot.database.transaction() as tx:
        sent = queue.send(tx, JobSpec(queue=COMMAND, kind=COMMAND, payload=payload))
    assert run_commands(jot) == []
    story = jot.show(str(sent.id))
    assert (story.jobs[0].state, story.result) == ("dead", None)
    assert "invalid command payload" in story.jobs[0].error


def test_a_command_with_too_much_input_is_rejected(jot):
    with pytest.raises(InvalidInput, match=f"at most {MAX_COMMAND_BYTES:,} can be queued"):
        jot.admin.send_command(["add", "-"], input="x" * MAX_COMMAND_BYTES)
    assert jot.admin.jobs() == []


def test_long_output_keeps_the_beginning_of_stdout_and_the_end_of_stderr(jot):
    sent = jot.admin.send_command(["recall"])
    run_commands(jot, stdout="a" * (MAX_OUTPUT_CHARACTERS + 5), stderr="b" * MAX_OUTPUT_CHARACTERS + "the end \udcff")
    ran = jot.show(str(sent.id)).result
    assert ran
    assert ran.stdout.endswith("a\n[5 more characters]\n")
    assert ran.stderr.startswith("[9 more characters]\nb")
    assert ran.stderr.endswith("the end ?")


def test_a_worker_that_cannot_run_commands_leaves_them_in_the_queue(jot):
    """A program that only calls `Jotsam.work()` must not bury commands."""
    jot.admin.send_command(["status"]), jot.remember("One.")
    assert jot.work() == 1
    assert [(job.kind, job.state) for job in jot.admin.jobs()] == [(COMMAND, "ready")]


def test_a_queued_command_is_pending_work_but_makes_no_answer_incomplete(jot):
    """It contains no accepted text, so coverage does not depend on it."""
    jot.admin.send_command(["jobs"])
    coverage = jot.recall("anything").coverage
    assert (coverage.pending, coverage.oldest_pending_ms) == (0, None)
    assert "nothing found" in jot.recall("anything").text
    assert jot.status().depth.pending == 1
    assert jot.wait(timeout_ms=0) is False
    run_commands(jot)
    assert jot.wait(timeout_ms=0) is True


def test_commands_run_before_the_backlog(jot, clock):
    jot.remember("One.")
    jot.admin.send_command(["pause", "enrich"])

    def run(command: QueuedCommand) -> CommandResult:
        with jot.database.transaction() as tx:
            queue.pause(tx, "enrich", reason="by a command")
        return CommandResult(code=0, stdout="", stderr="")

    with Jotsam(settings=jot.settings.replace(concurrency=1), clock=clock) as one:
        assert run_worker(one, commands=run) == 1
    assert [job.kind for job in jot.admin.jobs()] == ["enrich"]


def test_a_worker_that_lost_its_lease_saves_no_result(jot, clock):
    sent = jot.admin.send_command(["recall"])

    def run(command: QueuedCommand) -> CommandResult:
        clock.tick(60_000)
        with jot.database.transaction() as tx:
            assert queue.receive(tx, queue=COMMAND, owner="another worker")
        return CommandResult(code=1, stdout="", stderr="")

    # One thread: another thread of the same worker could claim the job first.
    with Jotsam(settings=jot.settings.replace(concurrency=1), clock=clock) as alone:
        run_worker(alone, commands=run)
    story = jot.show(str(sent.id))
    assert (story.result, [tried.outcome for tried in story.attempts]) == (None, ["interrupted"])


def test_forgetting_a_tenant_forgets_its_commands(jot):
    jot.admin.send_command(["status"])
    jot.admin.forget_tenant()
    with jot.database.snapshot() as tx:
        for table in ("queue_job", "queue_payload"):
            assert tx.execute(f"select count(*) as n from {table}") == [{"n": 0}]
    assert set(EVERY_QUEUE) == {COMMAND, *MEMORY_QUEUES, *MIRROR_QUEUES, LIFECYCLE}
