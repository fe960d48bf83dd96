"""Workers of a queue are killed all the time, on each database: no job is lost, done twice or buried."""

from __future__ import annotations

import random

import pytest

import roles
from jotsam import Queue
from processes import Running, start, until

WORKERS, BACKLOG = 3, 40


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("kills", [20, pytest.param(1_000, marks=pytest.mark.long)])
def test_killed_workers_bury_no_job(kills: int, url: str, processes: list[Running], record_property):
    """accepted = done + dead, and none is dead."""
    dice = random.Random(3)
    with Queue(url, max_bytes=100) as jobs:
        with jobs.transaction() as tx:
            tx.execute("create table effect (job_id bigint primary key)")

        def done() -> int:
            with jobs.database.snapshot() as tx:
                return int(tx.execute("select count(*) as jobs from effect")[0]["jobs"])

        def worker() -> Running:
            processes.append(start(roles.process, url))
            return processes[-1]

        workers = [worker() for _ in range(WORKERS)]
        sent, killed = 0, 0
        while killed < kills:
            before = done()
            sent += len(jobs.send_many(range(max(0, before + BACKLOG - sent))))
            goal = before + dice.randint(1, 10)
            until(lambda goal=goal: done() >= goal)  # type: ignore[misc]
            victim = dice.randrange(WORKERS)
            workers[victim].kill()
            processes.remove(workers[victim])
            workers[victim] = worker()
            killed += 1
        until(lambda: done() == sent)
        until(lambda: not jobs.stats().leased)
        stats = jobs.stats()
        with jobs.transaction() as tx:
            outcomes = {row["outcome"] for row in tx.execute("select distinct outcome from queue_attempt")}
            (retried,) = tx.execute("select sum(retried) as times from queue_count")
    assert (stats.accepted, stats.done, stats.dead) == (sent, sent, 0)
    assert {"done", "interrupted"} <= outcomes <= {"done", "interrupted", "released"}
    assert retried["times"] == 0
    record_property("tried", f"{sent} jobs, {kills} kills")
