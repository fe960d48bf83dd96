"""Concurrent claims: locked jobs are skipped, and jobs below the watermark are found eventually."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from jotsam.core.job_records import JobSpec
from jotsam.storage import queue
from jotsam.storage.queue.watermark import RESET_MS
from processes import until


def send(database) -> int:
    with database.transaction() as tx:
        return queue.send(tx, JobSpec(queue="q", kind="k")).id


def receive(tx, **how) -> list[int]:
    return [job.id for job in queue.receive(tx, queue="q", owner="me", **how)]


@pytest.mark.parametrize("limit", [1, 2])
def test_a_claim_steps_over_what_another_has_in_hand_and_waits_for_nobody(limit, database, open_database):
    """Had it waited, then until its lock timed out, for the first ends only after it."""
    ids = [send(database) for _ in range(2 * limit)]
    other = open_database()
    with database.transaction() as first, other.transaction() as second:
        assert receive(first, limit=limit) == ids[:limit]
        assert receive(second, limit=limit) == ids[limit:]


def test_a_heartbeat_skips_a_job_that_its_handler_has_locked(database, open_database, clock):
    """A slice of `ingest` extends its own lease in a long transaction. A heartbeat that waits for it logs an outage."""
    ids = [send(database) for _ in range(3)]
    with database.transaction() as tx:
        locked, free, lost = jobs = queue.receive(tx, queue="q", owner="me", limit=3)
        assert queue.delete(tx, lost)
    clock.tick(1_000)
    with open_database().transaction() as first:
        assert queue.extend(first, locked, lease_ms=60_000)
        with database.transaction() as second:
            assert queue.extend_many(second, jobs) == {(ids[0], 1): False, (ids[1], 1): False}
        with database.transaction() as second:
            assert second.execute("select id, wake_at from queue_job order by id") == [
                {"id": ids[0], "wake_at": clock.now - 1_000 + locked.lease_ms},
                {"id": ids[1], "wake_at": clock.now + free.lease_ms},
            ]
        assert queue.delete(first, locked)
    with database.transaction() as tx:
        assert queue.extend_many(tx, jobs) == {(ids[1], 1): False}


def test_what_is_due_is_woken_by_one_while_the_other_goes_on(database, open_database, clock):
    ids = [send(database) for _ in range(2)]
    with database.transaction() as tx:
        for job in queue.receive(tx, queue="q", owner="me", limit=2):
            queue.release(tx, job, error="x", delay_ms=1_000)
    clock.tick(1_000)
    with database.transaction() as first, open_database().transaction() as second:
        assert receive(first, limit=2) == ids
        assert receive(second, limit=2) == []


def test_a_job_whose_sender_was_late_to_commit_is_found_below_the_floor(database, open_database, clock):
    """At once where nothing is above it; and within a second where there is always something."""
    watermark = queue.Watermark()
    late, other = open_database(), open_database()

    def claim() -> list[int]:
        with other.transaction() as tx:
            return receive(tx, limit=1, watermark=watermark)

    with late.transaction() as tx:
        first = queue.send(tx, JobSpec(queue="q", kind="k")).id
        above = [send(database) for _ in range(2)]
        assert claim() == above[:1]
    assert claim() == above[1:]
    assert claim() == [first]
    with late.transaction() as tx:
        second = queue.send(tx, JobSpec(queue="q", kind="k")).id
        above = [send(database) for _ in range(3)]
        assert claim() == above[:1]
    assert claim() == above[1:2]
    clock.tick(RESET_MS)
    assert claim() == [second]
    assert claim() == above[2:]


def test_of_two_that_revive_one_job_at_once_one_does(database, open_database):
    """Both have seen it dead before either could change it."""
    job_id = send(database)
    with database.transaction() as tx:
        (job,) = queue.receive(tx, queue="q", owner="me")
        queue.bury(tx, job, error="x")

    def revive() -> bool:
        with open_database().transaction() as tx:
            return queue.redrive(tx, job_id)

    def waiting() -> int:
        with watching.snapshot() as tx:
            rows = tx.execute("select count(distinct pid) as n from pg_locks where not granted")
        return int(rows[0]["n"])

    watching = open_database()
    with ThreadPoolExecutor(2) as pool:
        with database.transaction() as tx:
            tx.execute("update queue_job set error = error where id = :id", {"id": job_id})
            both = [pool.submit(revive) for _ in range(2)]
            until(lambda: waiting() == 2)
        assert sorted(one.result() for one in both) == [False, True]
    with database.snapshot() as tx:
        assert queue.totals(tx)["redriven"] == 1


def test_a_job_that_somebody_relies_on_stays_until_that_is_committed(database, open_database):
    """Else it could be acknowledged in between, having seen nothing of what was left to it."""
    send(database)
    with database.transaction() as tx:
        (job,) = queue.receive(tx, queue="q", owner="me")
    watching = open_database()

    def acknowledge() -> bool:
        with open_database().transaction() as tx:
            return queue.delete(tx, job)

    def is_waiting() -> bool:
        with watching.snapshot() as tx:
            return bool(tx.execute("select 1 from pg_locks where not granted"))

    with ThreadPoolExecutor(1) as pool:
        with database.transaction() as tx:
            queue.ensure(tx, JobSpec(queue="q", kind="k"))
            done = pool.submit(acknowledge)
            until(lambda: is_waiting() or done.done())
            assert not done.done()
        assert done.result()
    with database.snapshot() as tx:
        assert queue.totals(tx)["accepted"] == 1, "no second one was sent, for the first was there"


def test_a_job_that_comes_back_below_the_floor_keeps_its_place(database):
    """Those above it have not been delivered yet, and it was before them."""
    ids, watermark = [send(database) for _ in range(4)], queue.Watermark()
    got = []
    for _ in range(3):
        with database.transaction() as tx:
            (job,) = queue.receive(tx, queue="q", owner="me", watermark=watermark)
            got.append(job.id)
            if len(got) == 2:
                queue.release(tx, job, error="not yet", delay_ms=0)
    assert got == [ids[0], ids[1], ids[1]]
