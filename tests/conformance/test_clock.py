"""The clock of the machine is set back, or ahead, by an hour: nothing is lost, and nothing stands still for an hour."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from jotsam import RetryJob
from jotsam.core.job_records import JobSpec
from jotsam.queueing.loop import Loop
from jotsam.queueing.options import LoopOptions
from jotsam.storage import queue
from processes import PATIENCE, until

if TYPE_CHECKING:
    from jotsam.core.job_records import Job
    from jotsam.storage.database import Database

pytestmark = pytest.mark.needs_server

AN_HOUR, LEASE_MS, BACKOFF_MS = 3_600_000, 60_000, 10_000
EITHER_WAY = pytest.mark.parametrize("leap", [-AN_HOUR, AN_HOUR], ids=["back", "ahead"])


def receive(database: Database, owner: str = "me") -> list[Job]:
    with database.transaction() as tx:
        return queue.receive(tx, queue="q", owner=owner, limit=10)


def send(database: Database, **fields: Any) -> int:
    with database.transaction() as tx:
        return queue.send(tx, JobSpec(**{"queue": "q", "kind": "k", "lease_ms": LEASE_MS, **fields})).id


@EITHER_WAY
def test_a_waiting_job_comes_after_its_delay_at_the_latest(leap, database, clock):
    receive(database)
    job_id = send(database, delay_ms=BACKOFF_MS)
    clock.tick(leap)
    receive(database)
    clock.tick(BACKOFF_MS)
    with database.snapshot() as tx:
        job = queue.get(tx, job_id)
    assert job is not None
    assert job.state == "leased" or [found.id for found in receive(database)] == [job_id]


@EITHER_WAY
def test_a_job_whose_holder_died_comes_again_after_its_lease_at_the_latest(leap, database, clock):
    send(database)
    (job,) = receive(database, "dead")
    clock.tick(leap)
    found = receive(database)
    clock.tick(LEASE_MS)
    found += receive(database)
    assert found[0].id == job.id
    assert found[0].received == 2


@pytest.mark.parametrize("remembers", [False, True])
def test_small_steps_back_are_seen_one_by_one_and_not_together_as_a_large_one(remembers, database, clock):
    watermark = queue.Watermark() if remembers else None
    for _ in range(3):
        send(database)
    receives: list[Job] = []
    for step in (0, -600, -600):
        clock.tick(step)
        with database.transaction() as tx:
            receives += queue.receive(tx, queue="q", owner="me", watermark=watermark)
    clock.tick(-900)
    with database.transaction() as tx:
        assert queue.extend(tx, receives[-1], lease_ms=LEASE_MS)
    with database.snapshot() as tx:
        first = queue.get(tx, receives[0].id)
    assert first is not None
    assert first.wake_at == receives[0].wake_at, "no step was longer than what clocks differ by anyway"


@EITHER_WAY
def test_a_job_that_was_given_to_another_too_early_is_still_done_once(leap, database, clock):
    send(database)
    (first,) = receive(database, "first")
    clock.tick(leap)
    again = receive(database, "second")
    with database.transaction() as tx:
        assert queue.delete(tx, first) == (not again)
    with database.transaction() as tx:
        assert [queue.delete(tx, job) for job in again] == [True] * len(again)
        assert queue.totals(tx, queue="q")["done"] == 1


def test_a_job_whose_lease_was_prolonged_after_the_clock_went_back_stays_with_its_holder(database, clock):
    send(database)
    (job,) = receive(database)
    clock.tick(-AN_HOUR)
    with database.transaction() as tx:
        assert queue.extend(tx, job, lease_ms=LEASE_MS)
    assert receive(database, "other") == []
    clock.tick(LEASE_MS)
    assert [found.id for found in receive(database, "other")] == [job.id]


def test_a_job_that_is_delayed_after_the_clock_went_back_waits_as_long_as_it_shall(database, clock):
    receive(database)
    clock.tick(-AN_HOUR)
    job_id = send(database, delay_ms=BACKOFF_MS)
    assert receive(database) == []
    clock.tick(BACKOFF_MS)
    assert [job.id for job in receive(database)] == [job_id]


@EITHER_WAY
def test_a_key_that_was_used_before_stays_used(leap, database, jot, clock):
    job_id = send(database, key="k")
    receipt = jot.add("A document about aardvarks.", key="k")
    clock.tick(leap)
    assert send(database, key="k") == job_id
    again = jot.add("Something else.", key="k")
    assert (again.id, again.duplicate) == (receipt.id, True)


@EITHER_WAY
def test_a_leap_while_the_loop_runs_loses_nothing_and_does_nothing_twice(leap, database, clock):
    """One job runs, one waits out its backoff, and one is sent after the leap."""
    with database.transaction() as tx:
        tx.execute("create table effect (job_id integer not null)")
    ids = [send(database), send(database)]
    started, go_on = threading.Event(), threading.Event()

    def handler(job: Job) -> Any:
        if job.id == ids[0] and not started.is_set():
            started.set()
            assert go_on.wait(PATIENCE)
        if job.id == ids[1] and job.received == 1:
            raise RetryJob("later")
        return lambda tx: tx.execute("insert into effect (job_id) values (:id)", {"id": job.id})

    def effects() -> list[int]:
        with database.snapshot() as tx:
            return sorted(row["job_id"] for row in tx.execute("select job_id from effect"))

    def states() -> dict[int, str]:
        with database.snapshot() as tx:
            return {job.id: job.state for job in queue.jobs(tx, queue="q")}

    loop = Loop(
        database, {"k": handler}, queues=("q",), owner="me", options=LoopOptions(concurrency=2, heartbeat_ms=20)
    )
    thread = threading.Thread(target=loop.run, daemon=True)
    thread.start()
    assert started.wait(PATIENCE)
    until(lambda: states()[ids[1]] == "waiting")
    clock.tick(leap)
    ids.append(send(database))
    until(lambda: ids[2] in effects())
    go_on.set()
    clock.tick(2 * BACKOFF_MS)
    until(lambda: set(effects()) == set(ids))
    loop.stop()
    thread.join(PATIENCE)
    assert effects() == ids


@EITHER_WAY
def test_a_loop_with_nothing_else_to_do_notices_the_leap_by_itself(leap, database, clock):
    """Nobody sends anything: what waits is a retry, and a job whose holder died."""
    retried, orphan = send(database), send(database)
    with database.transaction() as tx:
        queue.release(tx, queue.receive(tx, queue="q", owner="me")[0], error="later", delay_ms=BACKOFF_MS)
        queue.receive(tx, queue="q", owner="dead")
    done: list[int] = []
    loop = Loop(database, {"k": lambda job: done.append(job.id)}, queues=("q",), owner="me")
    thread = threading.Thread(target=loop.run, daemon=True)
    thread.start()
    before = wakes(database)
    clock.tick(leap)
    until(lambda: leap > 0 or wakes(database) != before)
    clock.tick(LEASE_MS)
    until(lambda: sorted(done) == [retried, orphan])
    loop.stop()
    thread.join(PATIENCE)
    assert sorted(done) == [retried, orphan]


def wakes(database: Database) -> dict[int, int | None]:
    with database.snapshot() as tx:
        return {job.id: job.wake_at for job in queue.jobs(tx, queue="q")}
