"""Queued commands: carried out in order and one at a time by what is handed in, and followed like any other job."""

from __future__ import annotations

import math
import threading

import pytest

from jotsam import InvalidInput, Jotsam
from jotsam.core.job_records import CommandResult, JobSpec, QueuedCommand
from jotsam.core.names import COMMAND, EVERY_QUEUE, MEMORY_QUEUES
from jotsam.storage import queue
from jotsam.worker.command import MAX_BYTES, PRINTED_LIMIT, RESULT_LIFE_MS


def carried_out(jot: Jotsam, *codes: int, printed: str = "", complained: str = "") -> list[QueuedCommand]:
    """Work until nothing is left, with commands that end like this, one after the other. Returns those that ran."""
    ran: list[QueuedCommand] = []
    endings = iter(codes)

    def run(command: QueuedCommand) -> CommandResult:
        ran.append(command)
        return CommandResult(code=next(endings, 0), stdout=printed, stderr=complained)

    jot.work(commands=run)
    return ran


def test_a_command_arrives_as_it_was_sent_and_what_it_printed_is_kept_for_a_day(jot, clock):
    sent = jot.send_command(["status", "--json"], folder="/notes", input="Müller\n")
    jot.send_command(["jobs"], folder="/")
    first, second = carried_out(jot, printed="fine\n", complained="warning: old\n")
    assert first == QueuedCommand(arguments=("status", "--json"), folder="/notes", input="Müller\n", job_id=sent.id)
    assert second.input is None
    story = jot.show(str(sent.id))
    expected = CommandResult(code=0, stdout="fine\n", stderr="warning: old\n", arguments=("status", "--json"))
    assert story.result == expected
    assert (story.arguments, story.done, story.jobs) == (("status", "--json"), True, ())
    clock.tick(RESULT_LIFE_MS)
    assert jot.show(str(sent.id)).result is None


def test_a_command_runs_in_the_tenant_and_project_that_sent_it(jot, clock):
    settings = jot.settings.replace(tenant="ana", project="shop")
    with Jotsam(settings=settings, clock=clock) as ana:
        sent = ana.send_command(["status"], folder="/")
        (command,) = carried_out(jot)
        assert (command.tenant, command.project) == ("ana", "shop")
        assert ana.show(str(sent.id)).result
    with pytest.raises(LookupError):
        jot.show(str(sent.id))


def test_secrets_do_not_reach_the_queue(jot):
    """GK-11: neither in what is said nor in what comes through the pipe."""
    secret = "api_key = 'sk-abcdefghij0123456789'"
    jot.send_command(["remember", secret, "<private>my diagnosis</private>"], folder="/", input=f"x\n{secret}")
    with jot.database.snapshot() as tx:
        (row,) = tx.execute("select json from queue_payload")
    assert row["json"].count("[redacted:") == 2
    assert "sk-abc" not in row["json"]
    assert "diagnosis" not in row["json"]


def test_commands_of_a_tenant_run_one_at_a_time_in_their_order(url, clock, jot):
    """GK-1: each is a barrier, so none ever overlaps another, however many threads there are."""
    order: list[str] = []
    running = threading.Lock()

    def run(command: QueuedCommand) -> CommandResult:
        assert running.acquire(blocking=False)
        order.append(command.arguments[0])
        jot.status()  # Time for another thread to take the next one, if it may.
        running.release()
        return CommandResult(code=0, stdout="", stderr="")

    for number in range(20):
        jot.send_command([str(number)], folder="/")
    with Jotsam(settings=jot.settings.replace(concurrency=8), clock=clock) as many:
        assert many.work(commands=run) == 20
    assert order == [str(number) for number in range(20)]


def test_a_command_that_fails_is_tried_again_and_the_next_one_does_not_wait_for_it(jot, clock):
    """GK-3: again after 10, 20, 40, 80 s, and the fifth failure buries it with every error."""
    failing, other = jot.send_command(["recall"], folder="/"), jot.send_command(["status"], folder="/")
    complaint = "error: the database is busy\nhint: try later\n"
    assert [one.job_id for one in carried_out(jot, 1, 0, complained=complaint)] == [failing.id, other.id]
    waits = []
    for _ in range(4):
        (job,) = jot.jobs()
        assert job.wake_at is not None
        waits.append(10 << round(math.log2((job.wake_at - clock.now) / 10_000)))
        clock.tick(job.wake_at - clock.now)
        carried_out(jot, 1, complained=complaint)
    (job,) = jot.jobs()
    story = jot.show(str(failing.id))
    assert waits == [10, 20, 40, 80]
    assert (job.state, job.failures, story.result and story.result.code) == ("dead", 5, 1)
    assert [tried.outcome for tried in story.attempts] == ["retry"] * 4 + ["dead"]
    assert {tried.error for tried in story.attempts} == {"RetryJob: exit code 1: error: the database is busy"}


def test_a_command_that_is_not_understood_is_buried_at_once(jot):
    jot.send_command(["sing"], folder="/")
    carried_out(jot, 2, complained="usage: jotsam\njotsam: error: invalid choice: 'sing'\n")
    (job,) = jot.jobs()
    assert (job.state, job.failures) == ("dead", 1)
    assert "exit code 2: jotsam: error: invalid choice: 'sing'" in job.error


@pytest.mark.parametrize(
    "payload",
    [
        *("{", "[]", '"status"', "null", "7", "{}", b"\xff", "[" * 100_000),
        '{"arguments": "status", "folder": "/", "project": "", "input": null}',
        '{"arguments": [7], "folder": "/", "project": "", "input": null}',
        '{"arguments": [], "folder": "/", "project": "", "input": 7}',
    ],
)
def test_what_is_no_command_is_buried_and_can_be_shown(jot, payload):
    with jot.database.transaction() as tx:
        sent = queue.send(tx, JobSpec(queue=COMMAND, kind=COMMAND, payload=payload))
    assert carried_out(jot) == []
    story = jot.show(str(sent.id))
    assert (story.jobs[0].state, story.result) == ("dead", None)
    assert "the payload is not a command" in story.jobs[0].error


def test_a_command_that_carries_too_much_is_refused(jot):
    with pytest.raises(InvalidInput, match=f"at most {MAX_BYTES:,} can be queued"):
        jot.send_command(["add", "-"], folder="/", input="x" * MAX_BYTES)
    assert jot.jobs() == []


def test_of_much_that_is_printed_the_beginning_is_kept_and_of_complaints_the_end(jot):
    sent = jot.send_command(["recall"], folder="/")
    carried_out(jot, printed="a" * (PRINTED_LIMIT + 5), complained="b" * PRINTED_LIMIT + "the end \udcff")
    ran = jot.show(str(sent.id)).result
    assert ran
    assert ran.stdout.endswith("a\n[5 more characters]\n")
    assert ran.stderr.startswith("[9 more characters]\nb")
    assert ran.stderr.endswith("the end ?")


def test_a_worker_without_the_commands_leaves_them_where_they_are(jot):
    """A program that only has `Jotsam.work()` must not bury what it cannot carry out."""
    jot.send_command(["status"], folder="/"), jot.remember("One.")
    assert jot.work() == 1
    assert [(job.kind, job.state) for job in jot.jobs()] == [(COMMAND, "ready")]


def test_a_queued_command_is_work_to_do_but_makes_no_answer_incomplete(jot):
    """It holds no text that was accepted, so what is known of memory does not depend on it."""
    jot.send_command(["jobs"], folder="/")
    coverage = jot.recall("anything").coverage
    assert (coverage.pending, coverage.oldest_pending_ms) == (0, None)
    assert "nothing found" in jot.recall("anything").text
    assert jot.status().depth.pending == 1
    assert jot.wait(timeout_ms=0) is False
    carried_out(jot)
    assert jot.wait(timeout_ms=0) is True


def test_commands_do_not_wait_behind_the_backlog_they_are_about(jot, clock):
    jot.remember("One.")
    jot.send_command(["pause", "enrich"], folder="/")

    def run(command: QueuedCommand) -> CommandResult:
        with jot.database.transaction() as tx:
            queue.pause(tx, "enrich", reason="by a command")
        return CommandResult(code=0, stdout="", stderr="")

    with Jotsam(settings=jot.settings.replace(concurrency=1), clock=clock) as one:
        assert one.work(commands=run) == 1
    assert [job.kind for job in jot.jobs()] == ["enrich"]


def test_a_worker_that_lost_its_lease_writes_no_result(jot, clock):
    sent = jot.send_command(["recall"], folder="/")

    def run(command: QueuedCommand) -> CommandResult:
        clock.tick(60_000)
        with jot.database.transaction() as tx:
            assert queue.receive(tx, queue=COMMAND, owner="somebody else")
        return CommandResult(code=1, stdout="", stderr="")

    # One thread, or another one of the same worker might be first to take the job back.
    with Jotsam(settings=jot.settings.replace(concurrency=1), clock=clock) as alone:
        alone.work(commands=run)
    story = jot.show(str(sent.id))
    assert (story.result, [tried.outcome for tried in story.attempts]) == (None, ["expired"])


def test_forgetting_a_tenant_forgets_its_commands(jot):
    jot.send_command(["status"], folder="/")
    jot.forget_tenant()
    with jot.database.snapshot() as tx:
        assert tx.execute("select count(*) as n from queue_payload") == [{"n": 0}]
    assert set(EVERY_QUEUE) == {COMMAND, *MEMORY_QUEUES}
