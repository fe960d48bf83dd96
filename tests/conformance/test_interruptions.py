"""A delivery that ends with its worker is an interruption: the job is returned, and one that is the reason is found."""

from __future__ import annotations

import subprocess
import sys

import pytest

import roles
from jotsam import Processor, Queue
from jotsam.core.clock import system_clock
from jotsam.core.job_records import JobSpec
from jotsam.core.platform.process_identity import machine, this_process
from jotsam.storage import queue
from processes import start

pytestmark = pytest.mark.needs_server

HERE = machine(is_local=True)
A_DAY = 86_400_000
MINUTES = 600_000


def outcomes(jobs: Queue, job_id: int) -> list[str]:
    return [delivery.outcome for delivery in jobs.attempts(job_id)]


def test_the_jobs_of_a_killed_worker_are_returned_as_soon_as_another_one_starts(url, processes):
    with Queue(url) as jobs:
        ids = [sent.id for sent in jobs.send_many(range(3))]
        processes.append(start(roles.stall, url, "default", 3))
        assert processes[0].says() == "begun"
        assert Processor(jobs, {"default": lambda task: None}).run() == 0, "the worker is alive"
        processes[0].kill()
        assert Processor(jobs, {"default": lambda task: None}).run() == 3
        for id in ids:
            first, last = jobs.attempts(id)
            assert (first.outcome, last.outcome) == ("interrupted", "done")
            assert f"worker {processes[0].process.pid} on " in first.error
        with jobs.transaction() as tx:
            assert queue.return_interrupted(tx, machine=HERE) == 0
            assert tx.execute("select owner from queue_worker") == []


def test_a_job_that_kills_its_worker_ends_alone_and_its_neighbours_are_done(url, processes):
    with Queue(url) as jobs, jobs.transaction() as tx:
        tx.execute("create table effect (job_id bigint not null)")
        poison = jobs.send("poison", lease_ms=A_DAY, tx=tx).id
        innocent = [jobs.send(number, lease_ms=A_DAY, tx=tx).id for number in range(20)]
    held, ahead_ms, dead = [], 0, None
    while not dead:
        ahead_ms += MINUTES
        code = start(roles.poisoned, url, ahead_ms, len(held) < 2).ends()
        with Queue(url, clock=lambda: system_clock() + ahead_ms) as jobs:  # noqa: B023 - it ends with the block
            leased = [job.id for job in jobs.jobs(state="leased")]
            held += [leased] if code else []
            dead = jobs.dead()
    with Queue(url) as jobs:
        assert [one for one in held if poison not in one] == []
        assert [len(one) > 1 for one in held] == [True, True] + [False] * 8
        assert [(job.id, job.failures, job.interruptions) for job in dead] == [(poison, 0, 10)]
        assert outcomes(jobs, poison) == ["interrupted"] * 10
        assert dead[0].error.startswith("interrupted 10 times: worker ")
        with jobs.transaction() as tx:
            assert sorted(row["job_id"] for row in tx.execute("select job_id from effect")) == innocent
        assert max(outcomes(jobs, id).count("interrupted") for id in innocent) in (1, 2)
        assert (jobs.stats().accepted, jobs.stats().done, jobs.stats().dead) == (21, 20, 1)
        assert jobs.redrive(poison)
        assert jobs.get(poison).interruptions == 0


def test_only_workers_that_have_certainly_ended_lose_their_jobs(database, clock):
    me = this_process(is_local=True)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    workers = {
        "alive": me,
        "another machine": me.replace(machine="another", pid=ended.pid),
        "no machine": me.replace(machine="", pid=ended.pid),
        "ended": me.replace(pid=ended.pid),
        "its pid is in use again": me.replace(started="1"),
    }
    with database.transaction() as tx:
        for owner, process in workers.items():
            queue.save_worker(tx, owner, process)
        for owner in (*workers, "no worker"):
            queue.send(tx, JobSpec(queue="q", kind="k", max_receive=1))
            queue.receive(tx, queue="q", owner=owner)
        assert queue.return_interrupted(tx, machine="") == 0
        assert queue.return_interrupted(tx, machine=HERE) == 2
        left = {job.owner for job in queue.jobs(tx, queue="q", state="leased")}
    assert left == {"alive", "another machine", "no machine", "no worker"}
    clock.tick(60_000)
    with database.transaction() as tx:
        queue.wake(tx)
        found = {job.id: job for job in queue.jobs(tx, queue="q")}
        ends = {id: queue.attempts(tx, id)[0] for id in found}
    counted = [(job.state, job.failures, job.interruptions) for job in found.values()]
    assert counted == [("ready", 0, 1)] * 5 + [("dead", 1, 0)]
    assert [one["outcome"] for one in ends.values()] == ["interrupted"] * 5 + ["expired"]


@pytest.mark.parametrize("batch", [1, 8])
def test_jobs_that_run_alone_run_one_after_the_other(batch, url):
    """Each of them while no other job is held, however many threads there are."""
    with Queue(url) as jobs:
        with jobs.transaction() as tx:
            for number in range(24):
                jobs.send(number, tx=tx)
            tx.execute("update queue_job set interruptions = 2 where id % 3 = 0")
        crowds = []

        def handler(task):
            leased = jobs.jobs(state="leased")
            if task.job.interruptions == 2:
                crowds.append(len(leased))

        done = 0
        while jobs.stats().ready + jobs.stats().waiting:
            with jobs.transaction() as tx:
                tx.execute("update queue_job set wake_at = 0 where state = 'waiting'")
            done += Processor(jobs, {"default": handler}, concurrency=4, batch=batch).run()
    assert (done, crowds) == (24, [1] * 8)
