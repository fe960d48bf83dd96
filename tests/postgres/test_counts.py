"""Counters are appended without waiting, and merged once a minute."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from jotsam.core.job_records import JobSpec
from jotsam.storage import queue


def rows(database) -> int:
    with database.snapshot() as tx:
        return tx.execute("select count(*) as n from queue_count")[0]["n"]


def test_counts_are_folded_once_a_minute_and_add_up_to_the_same(database, clock):
    with database.transaction() as tx:
        for _ in range(20):
            queue.send(tx, JobSpec(queue="q", kind="k"))
        jobs = queue.receive(tx, queue="q", owner="me", limit=20)
        assert all(queue.delete(tx, job) for job in jobs[:7])
        assert all(queue.bury(tx, job, error="x") for job in jobs[7:])
    with database.snapshot() as tx:
        before = queue.totals(tx)
    assert rows(database) == 1 + 20, "the first claim of all found 20 rows and folded them"
    clock.tick(60_000)
    with database.transaction() as tx:
        queue.receive(tx, queue="q", owner="me")
    with database.snapshot() as tx:
        assert queue.totals(tx) == before
    assert (before["accepted"], before["done"], before["buried"]) == (20, 7, 13)
    assert rows(database) == 1


def test_what_another_counts_while_counts_are_folded_is_not_lost(database, open_database, clock):
    """Two threads, for a thread has one transaction at a time; the second does not wait for the first."""
    other = open_database()
    with database.transaction() as tx:
        queue.send(tx, JobSpec(queue="q", kind="k"))
    clock.tick(60_000)

    def beside() -> None:
        with other.transaction() as tx:
            queue.send(tx, JobSpec(queue="q", kind="k"))
            queue.receive(tx, queue="q", owner="other")

    with database.transaction() as tx, ThreadPoolExecutor(1) as pool:
        queue.receive(tx, queue="q", owner="me")
        pool.submit(beside).result()
    with database.snapshot() as tx:
        assert queue.totals(tx)["accepted"] == 2
