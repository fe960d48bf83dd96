"""What the worker's loop promises, with handlers of its own making on a real database."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from jotsam.core.errors import BuryJob, DatabaseBusy, JotsamError, RetryJob
from jotsam.core.job_records import Job, JobSpec
from jotsam.queueing.loop import Loop
from jotsam.queueing.options import LoopHooks, LoopOptions
from jotsam.storage import queue
from processes import PATIENCE, until

if TYPE_CHECKING:
    from jotsam.storage.database import Database, Transaction


class Leaves(LoopHooks):
    """Lets the loop end as soon as nothing is left."""

    def should_exit(self, tx: Transaction) -> bool:
        return True


@pytest.fixture
def send(database: Database) -> Callable[..., int]:
    def send(**fields: object) -> int:
        with database.transaction() as tx:
            return queue.send(tx, JobSpec(**{"queue": "q", "kind": "k", **fields})).id

    return send


NEVER_MS = PATIENCE * 1_000
"""No heart beats, no grace time ends and no batch is settled early, unless a test says so: threads may stand still."""


@pytest.fixture
def loop(database: Database) -> Callable[..., Loop]:
    calm = {
        "concurrency": 2,
        "worker_idle_ms": 0,
        "heartbeat_ms": NEVER_MS,
        "shutdown_grace_ms": NEVER_MS,
        "settle_ms": NEVER_MS,
    }

    def loop(handlers: object, hooks: LoopHooks | None = None, **options: object) -> Loop:
        handlers = handlers if isinstance(handlers, dict) else {"k": handlers}
        chosen = LoopOptions(**{**calm, **options})
        return Loop(database, handlers, queues=("q",), owner="me", options=chosen, hooks=hooks or Leaves())

    return loop


@contextmanager
def running(loop: Loop) -> Iterator[threading.Thread]:
    """The loop in a thread of its own, stopped and joined at the end."""
    thread = threading.Thread(target=loop.run, daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        loop.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def depth(database: Database) -> tuple[int, int, int, int]:
    with database.snapshot() as tx:
        found = queue.depth(tx, queues=("q",), tenant="default")
    return found.pending, found.in_progress, found.failed, found.dead


def outcomes(database: Database, job_id: int) -> list[str]:
    with database.snapshot() as tx:
        return [row["outcome"] for row in queue.attempts(tx, job_id)]


def test_it_does_everything_and_ends(send, loop, database):
    """MB-10, GK-7: real counts, and then it leaves."""
    ids = [send() for _ in range(30)]
    seen: list[int] = []
    assert loop(lambda job: seen.append(job.id)).run() == 30
    assert sorted(seen) == ids
    assert depth(database) == (0, 0, 0, 0)


def test_a_pool_runs_a_batch_of_its_size_together_and_a_barrier_alone(database, send, loop):
    """GK-1: P1 P2 S1 P3 P4 S2 with two threads is [P1 P2] [S1] [P3 P4] [S2]; a third parallel job would wait."""
    names = ("P1", "P2", "S1", "P3", "P4", "S2")
    for name in names:
        send(kind=name, lane="lane", parallel=name.startswith("P"))
    together = threading.Barrier(2)
    seen: list[tuple[str, int]] = []

    def handler(job: Job) -> None:
        if job.kind.startswith("P"):
            together.wait(PATIENCE)  # It breaks unless the other of its batch runs at this moment.
        seen.append((job.kind, depth(database)[1]))

    assert loop(dict.fromkeys(names, handler)).run() == 6
    assert [kind[0] for kind, _ in seen] == ["P", "P", "S", "P", "P", "S"]
    assert [held for kind, held in seen if kind.startswith("S")] == [1, 1]


def test_what_a_handler_returns_is_written_with_the_acknowledgement(send, loop, database):
    send()
    loop(lambda job: lambda tx: queue.send(tx, JobSpec(queue="results", kind=str(job.id)))).run()
    with database.snapshot() as tx:
        assert [job.kind for job in queue.jobs(tx, queue="results")] == ["1"]


def test_each_result_of_a_batch_is_written_for_the_tenant_of_its_job(send, loop):
    for tenant in ("ana", "eve"):
        send(tenant=tenant)
    seen = []

    def handler(job: Job) -> Callable[[Transaction], None]:
        return lambda tx: seen.append((job.tenant, tx.tenant))

    loop(handler, concurrency=1, batch=2).run()
    assert sorted(seen) == [("ana", "ana"), ("eve", "eve")]


def test_a_failing_job_waits_and_the_others_go_on_meanwhile(send, loop, database, clock):
    """MB-11, GK-3, AM-8: 10, 20, 40 s, then the next failure buries it with every error."""

    def handler(job: Job) -> None:
        if job.id == failing:
            raise ValueError("malformed")

    failing, other = send(max_receive=4), send()
    waits = []
    for _ in range(3):
        loop(handler).run()
        with database.snapshot() as tx:
            job = queue.get(tx, failing)
        assert job is not None
        assert job.wake_at is not None
        waits.append(job.wake_at - clock.now)
        clock.tick(waits[-1])
    loop(handler).run()
    assert [round(wait, -4) for wait in waits] == [10_000, 20_000, 40_000]
    assert depth(database) == (0, 0, 0, 1)
    assert outcomes(database, failing) == ["retry", "retry", "retry", "dead"]
    assert outcomes(database, other) == ["done"]
    with database.snapshot() as tx:
        (first, *_) = queue.attempts(tx, failing)
    assert first["error"] == "ValueError: malformed"
    assert "test_loop" in first["trace"]


def test_a_kind_without_a_handler_is_given_back_and_done_by_a_worker_that_has_it(send, loop, database, clock, caplog):
    """GQ-10: in a rolling deploy old workers receive jobs of the new version, more often than `max_receive` allows."""
    unknown, same, known = send(kind="new", max_receive=2), send(kind="new"), send()
    waits = []
    for delivery in range(9):
        assert loop(lambda job: None).run() == int(delivery == 0)
        with database.snapshot() as tx:
            job, whole = queue.get(tx, unknown), queue.depth(tx, queues=("q",), tenant="default")
        assert (job.state, job.failures, job.error) == (
            "waiting",
            0,
            "no handler for jobs of kind 'new'; known kinds: k",
        )
        assert (whole.pending, whole.failed, whole.dead, whole.unknown) == (2, 0, 0, 2)
        waits.append(job.wake_at - clock.now)
        clock.tick(1_000_000)
    assert waits[:4] == [pytest.approx(wait, rel=0.1) for wait in (10_000, 20_000, 40_000, 80_000)]
    assert waits[-1] == 900_000
    assert outcomes(database, known) == ["done"]
    told = [line for line in caplog.messages if "no handler" in line]
    assert len(told) == 9  # one per worker, not one per job
    assert loop({"k": lambda job: None, "new": lambda job: None}).run() == 2
    assert [outcomes(database, one)[-1] for one in (unknown, same)] == ["done", "done"]
    with database.snapshot() as tx:
        assert queue.depth(tx, queues=("q",), tenant="default").unknown == 0


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError, RecursionError])
def test_whatever_a_handler_raises_fails_its_job_and_not_the_loop(error, send, loop, database):
    """GQ-7."""

    def handler(job: Job) -> None:
        if job.id == bad:
            raise error("out")

    bad, good = send(), send()
    assert loop(handler).run() == 1
    assert outcomes(database, bad) == ["retry"]
    assert outcomes(database, good) == ["done"]


def test_a_rate_limit_spends_no_attempt(send, loop, database, clock):
    def handler(job: Job) -> None:
        raise RetryJob("429", after_ms=7_000, spend=False)

    job_id = send(max_receive=1)
    for _ in range(3):
        loop(handler).run()
        clock.tick(7_000)
    assert outcomes(database, job_id) == ["released"] * 3
    assert depth(database)[3] == 0


def test_a_permanent_error_buries_at_once(send, loop, database):
    def handler(job: Job) -> None:
        raise BuryJob("no such model")

    job_id = send()
    loop(handler).run()
    assert outcomes(database, job_id) == ["dead"]


def test_when_writing_the_result_fails_nothing_of_it_stands_and_the_job_is_tried_again(send, loop, database):
    def save(tx: Transaction) -> None:
        queue.send(tx, JobSpec(queue="results", kind="half"))
        raise ValueError("the second half")

    job_id = send()
    loop(lambda job: save).run()
    assert outcomes(database, job_id) == ["retry"]
    with database.snapshot() as tx:
        assert queue.jobs(tx, queue="results") == []


def test_a_result_that_meets_a_busy_database_is_written_a_moment_later(send, loop, database):
    tried: list[int] = []

    def save(tx: Transaction) -> None:
        tried.append(queue.send(tx, JobSpec(queue="results", kind="whole")).id)
        if len(tried) < 3:
            raise DatabaseBusy("somebody writes")

    job_id = send()
    loop(lambda job: save).run()
    assert len(tried) == 3
    assert outcomes(database, job_id) == ["done"]
    with database.snapshot() as tx:
        assert len(queue.jobs(tx, queue="results")) == 1


def test_a_hook_that_fails_is_logged_and_the_failure_is_written(send, loop, database, caplog):
    class Breaks(Leaves):
        def on_failure(self, job: Job, error: BaseException) -> None:
            raise ValueError("the hook")

    def handler(job: Job) -> None:
        raise BuryJob("never")

    job_id = send()
    loop(handler, Breaks()).run()
    assert outcomes(database, job_id) == ["dead"]
    assert f"job {job_id}: the on_failure hook failed: the hook" in caplog.text


def test_a_failure_that_cannot_be_written_is_logged_and_its_lease_expires(send, loop, database, caplog):
    class Breaks(Leaves):
        def on_outcome(self, tx: Transaction, job: Job, outcome: str, error: str | None) -> None:
            if outcome != "done":
                raise JotsamError("the hook")

    def handler(job: Job) -> None:
        if job.id == bad:
            raise RetryJob("not yet")

    bad, good = send(), send()
    assert loop(handler, Breaks(), concurrency=1).run() == 1
    assert (depth(database)[1], outcomes(database, good)) == (1, ["done"])
    assert f"job {bad}: its failure cannot be written; its lease will expire: the hook" in caplog.text


def test_a_result_is_not_written_when_the_lease_was_lost_meanwhile(send, loop, open_database, database, clock):
    """MB bug 2: two receivers must not both write. One thread, or the loop's second could be the other receiver."""
    other = open_database()

    def slow(job: Job) -> Callable[[Transaction], None]:
        clock.tick(job.lease_ms)
        with other.transaction() as tx:
            assert len(queue.receive(tx, queue="q", owner="other")) == 1
        return lambda tx: queue.send(tx, JobSpec(queue="results", kind="zombie"))

    send()
    assert loop(slow, concurrency=1).run() == 0
    with database.snapshot() as tx:
        assert queue.jobs(tx, queue="results") == []
    assert depth(database) == (0, 1, 0, 0)


def test_the_heart_keeps_a_long_job_leased(send, loop, open_database, clock):
    """SQ-21, GQ-8: a handler that takes three leases runs once."""
    other, beats = open_database(), []

    def slow(job: Job) -> None:
        for _ in range(3):
            clock.tick(job.lease_ms - 1)
            until(lambda: wakes(other, job) > clock.now + 1)
            with other.transaction() as tx:
                beats.append(queue.receive(tx, queue="q", owner="other"))

    send(lease_ms=60_000)
    assert loop(slow, heartbeat_ms=5).run() == 1
    assert beats == [[], [], []]


def wakes(database: Database, job: Job) -> int:
    with database.snapshot() as tx:
        found = queue.get(tx, job.id)
    assert found is not None
    return found.wake_at or 0


def test_as_many_run_at_once_as_allowed_and_never_more(send, loop):
    """SQ-22."""
    together, most, lock = threading.Barrier(3, timeout=PATIENCE), [0, 0], threading.Lock()

    def handler(job: Job) -> None:
        with lock:
            most[0] += 1
            most[1] = max(most)
        together.wait()
        with lock:
            most[0] -= 1

    for _ in range(9):
        send()
    assert loop(handler, concurrency=3).run() == 9
    assert most[1] == 3


def test_stopping_lets_the_running_job_finish(send, loop, database):
    """SQ-23, GQ-13."""
    started, finish = threading.Event(), threading.Event()

    def handler(job: Job) -> None:
        started.set()
        assert finish.wait(PATIENCE)

    send(), send()
    stopped = loop(handler, concurrency=1)
    with running(stopped):
        assert started.wait(PATIENCE)
        stopped.stop()
        threading.Timer(0.05, finish.set).start()  # Were nobody waiting for it, it would be given back by then.
    assert depth(database) == (1, 0, 0, 0)
    assert stopped.done == 1


def test_what_does_not_finish_within_the_grace_time_is_given_back_unspent(send, loop, database):
    """GK-9."""
    started, finish = threading.Event(), threading.Event()

    def handler(job: Job) -> None:
        started.set()
        assert finish.wait(PATIENCE)

    job_id = send(max_receive=1)
    with running(loop(handler, shutdown_grace_ms=0)):
        assert started.wait(PATIENCE)
    assert outcomes(database, job_id) == ["released"]
    assert depth(database) == (1, 0, 0, 0)
    finish.set()


def test_a_job_sent_while_the_loop_is_about_to_leave_is_still_done(send, loop):
    """MB bug 4: between "empty" and "released" no wake-up may be lost."""

    class Late(Leaves):
        sent = False

        def on_idle(self) -> None:
            if not self.sent:
                self.sent = True
                send()

    assert loop(lambda job: None, Late()).run() == 1


def test_a_loop_stays_for_a_retry_that_is_due_soon(send, loop, database, clock):
    attempts = []

    def handler(job: Job) -> None:
        attempts.append(job.received)
        if job.received == 1:
            raise RetryJob("not yet", after_ms=500)

    class Ticking(Leaves):
        def on_idle(self) -> None:
            clock.tick(100)

    send()
    assert loop(handler, Ticking(), worker_idle_ms=1_000).run() == 1
    assert attempts == [1, 2]


def test_a_send_elsewhere_wakes_the_loop(loop, open_database):
    """GK-6: from another connection, as from another process."""
    other, done = open_database(), threading.Event()
    with running(loop(lambda job: done.set(), LoopHooks())):
        for _ in range(3):
            done.clear()
            with other.transaction() as tx:
                queue.send(tx, JobSpec(queue="q", kind="k"))
            assert done.wait(PATIENCE)


def test_what_nobody_rang_for_is_found_by_looking(send, loop, database):
    done = threading.Event()
    job_id = send(delay_ms=3_600_000)
    with running(loop(lambda job: done.set(), LoopHooks(), poll_interval_ms=20)):
        with database.transaction() as tx:  # As if the ring of whoever sent it had been lost.
            tx.execute("update queue_job set state = 'ready', wake_at = null where id = :id", {"id": job_id})
        assert done.wait(PATIENCE)


@pytest.mark.parametrize("poll_interval_ms", [40, 2_500])
def test_a_loop_that_nobody_wakes_waits_as_long_as_it_is_told(poll_interval_ms, database):
    noted = Noted(database)
    told = LoopOptions(concurrency=1, poll_interval_ms=poll_interval_ms)
    with running(Loop(noted, {}, queues=("q",), owner="me", options=told, hooks=LoopHooks())):
        until(
            lambda: poll_interval_ms in noted.waits
        )  # The first may be short, while the thread looks for something to do.


class Noted:
    """A database that notes how long somebody wanted to wait."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.waits: set[int] = set()

    def __getattr__(self, name: str) -> object:
        return getattr(self._database, name)

    def wait(self, timeout_ms: int) -> bool:
        self.waits.add(timeout_ms)
        return self._database.wait(timeout_ms)


def test_a_loop_that_cannot_go_on_ends_with_the_reason(send, loop, database):
    """A worker that does nothing, and whose heart goes on beating, is the worst of all."""
    job_id = send()
    with database.transaction() as tx:
        tx.execute("alter table queue_payload rename to hidden")
    with pytest.raises(JotsamError, match="queue_payload"):
        loop(lambda job: None, LoopHooks()).run()
    with database.transaction() as tx:
        tx.execute("alter table hidden rename to queue_payload")
    assert loop(lambda job: None).run() == 1
    assert outcomes(database, job_id) == ["done"]


def test_a_loop_whose_tenure_ends_stops(loop, send):
    class Evicted(LoopHooks):
        def on_heartbeat(self, tx: Transaction) -> bool:
            return False

    assert loop(lambda job: None, Evicted(), heartbeat_ms=5).run() == 0


def test_a_batch_is_done_and_every_result_of_it_is_written(send, loop, database):
    ids = [send() for _ in range(25)]

    def handler(job: Job) -> Callable[[Transaction], None]:
        return lambda tx: queue.save_result(tx, job, json=str(job.id), life_ms=1_000)

    assert loop(handler, batch=10, concurrency=1).run() == 25
    with database.snapshot() as tx:
        assert [queue.result(tx, job_id) for job_id in ids] == [str(job_id) for job_id in ids]
        assert queue.totals(tx)["done"] == 25


def test_a_batch_is_claimed_and_settled_in_one_commit(send, loop, database, clock):
    """A commit has one now, and the clock moves in every handler: two commits would show."""
    ids = [send() for _ in range(5)]
    loop(lambda job: clock.tick(7), batch=5, concurrency=1).run()
    with database.snapshot() as tx:
        ended = {queue.attempts(tx, job_id)[0]["ended_at"] for job_id in ids}
        begun = {queue.attempts(tx, job_id)[0]["started_at"] for job_id in ids}
    assert len(ended) == len(begun) == 1


def test_no_job_of_a_batch_waits_for_the_others_longer_than_it_is_told(send, loop, database, clock):
    """Here not at all. The clock moves in every handler, so that each commit has a now of its own."""
    ids = [send() for _ in range(3)]
    passed = threading.Event()

    def handler(job: Job) -> None:
        clock.tick(7)
        passed.wait(0.01)  # So that the time that a batch may wait is over.

    assert loop(handler, batch=3, concurrency=1, settle_ms=0).run() == 3
    with database.snapshot() as tx:
        assert len({queue.attempts(tx, job_id)[0]["ended_at"] for job_id in ids}) == 3


def test_in_a_batch_a_job_whose_writing_fails_fails_alone(send, loop, database):
    ids = [send() for _ in range(5)]

    def save(tx: Transaction, job: Job) -> None:
        tx.execute("select * from nowhere") if job.id == ids[2] else None
        queue.save_result(tx, job, json="1", life_ms=1_000)

    assert loop(lambda job: lambda tx: save(tx, job), batch=5, concurrency=1).run() == 4
    assert [outcomes(database, job_id) for job_id in ids] == [["done"], ["done"], ["retry"], ["done"], ["done"]]
    with database.snapshot() as tx:
        assert [queue.result(tx, job_id) for job_id in ids] == ["1", "1", None, "1", "1"]


def test_in_a_batch_a_failing_handler_and_an_unknown_kind_take_nobody_along(send, loop, database):
    good, bad, strange = send(), send(), send(kind="strange")

    def handler(job: Job) -> None:
        if job.id == bad:
            raise BuryJob("no")

    assert loop(handler, batch=5, concurrency=1).run() == 1
    assert [outcomes(database, job_id) for job_id in (good, bad, strange)] == [["done"], ["dead"], ["released"]]


def test_in_a_batch_a_lost_lease_costs_its_own_result_alone(send, loop, database, open_database):
    ids = [send() for _ in range(3)]
    other = open_database()

    def handler(job: Job) -> Callable[[Transaction], None]:
        if job.id == ids[2]:
            with other.transaction() as tx:
                lost = queue.get(tx, ids[1])
                assert lost is not None
                queue.bury(tx, lost, error="taken away")
        return lambda tx: queue.save_result(tx, job, json="1", life_ms=1_000)

    assert loop(handler, batch=3, concurrency=1).run() == 2
    assert [outcomes(database, job_id) for job_id in ids] == [["done"], ["dead"], ["done"]]
    with database.snapshot() as tx:
        assert [queue.result(tx, job_id) for job_id in ids] == ["1", None, "1"]


def test_what_of_a_batch_has_not_begun_when_the_loop_stops_is_given_back_unspent(send, loop, database):
    ids = [send(max_receive=1) for _ in range(3)]
    stopping: list[Loop] = []

    def handler(job: Job) -> None:
        stopping[0].stop()

    stopping.append(loop(handler, batch=3, concurrency=1))
    assert stopping[0].run() == 1
    assert [outcomes(database, job_id) for job_id in ids] == [["done"], ["released"], ["released"]]
    assert depth(database) == (2, 0, 0, 0)
