"""A database that holds a queue and nothing else moves too, with the same guarantees, and gets no memory on the way."""

from __future__ import annotations

import pytest
from movers import across, both_directions, every_way, mover
from sources import as_written, fill_queue, rows_of

from jotsam import Jotsam, Queue
from jotsam.admin.copy_database import copy_database
from jotsam.core.errors import DatabaseUnusable
from jotsam.core.settings import Settings
from jotsam.storage import QUEUE, connect, outstanding
from processes import start


@pytest.fixture
def source(ends, address, clock) -> Settings:
    """A queue with every kind of job, in a database without a memory."""
    settings = Settings(db=address(ends[0]), worker="off")
    fill_queue(settings.db, clock)
    return settings


@both_directions
def test_every_table_of_the_queue_comes_along_and_no_other_is_made(source, target):
    before = rows_of(source.db, QUEUE)
    assert [name for name, rows in before.items() if not rows] == []
    report = copy_database(source, target)
    assert as_written(rows_of(target, QUEUE)) == as_written(before)
    assert {one.table for one in report.tables} == set(before)
    assert (report.already, report.left) == (False, ())
    for url in (source.db, target):
        assert {step.schema for step in outstanding(url)} == {"memory"}
    again = copy_database(source, target)
    assert (again.already, again.tables) == (True, report.tables)


@across
def test_the_work_goes_on_where_it_stood(source, target, clock):
    with Queue(source.db, "mail", clock=clock) as mail:
        jobs = mail.jobs()
    copy_database(source, target)
    with Queue(target, "mail", clock=clock) as mail:
        assert mail.jobs() == jobs
        mail.resume()
        assert mail.send({"text": "é"}, key="once", tenant="ana").duplicate
        new = mail.send("new").id
        assert new > max(job.id for job in jobs) + 1, "the number of what was discarded is not given again"
        clock.tick(7_200_000)
        got = {}
        while job := mail.receive():
            got[job.id] = job.received
            assert mail.delete(job)
    assert got == {**{job.id: job.received + 1 for job in jobs}, new: 1}


@across
@pytest.mark.parametrize("what", ["copying", "comparing queue_key", "copying the jobs"])
def test_one_that_was_killed_goes_on(what, source, target):
    before = rows_of(source.db, QUEUE)
    running = start(mover, source.db, target)
    while running.says()[0] != what:
        running.tell("go on")
    running.kill()
    for schemas in (QUEUE, (*QUEUE, "memory")):
        with pytest.raises(DatabaseUnusable, match="unfinished copy"):
            connect(target, schemas=schemas)
    assert copy_database(source, target).already is False
    assert as_written(rows_of(target, QUEUE)) == as_written(before)


@across
def test_one_that_is_written_to_meanwhile_is_not_moved(source, target, clock):
    written = []

    def tell(what, done, total):
        if not written:
            with Queue(source.db, "mail", clock=clock) as mail:
                written.append(mail.send("in between"))

    with pytest.raises(DatabaseUnusable, match="was written to during the copy"):
        copy_database(source, target, tell=tell)
    copy_database(source, target)
    assert as_written(rows_of(target, QUEUE)) == as_written(rows_of(source.db, QUEUE))


@across
def test_one_whose_jobs_are_in_hand_is_not_moved(source, target):
    with Queue(source.db, "other") as other:
        other.send("x")
        job = other.receive()
        with pytest.raises(DatabaseUnusable, match="1 jobs are leased by running workers"):
            copy_database(source, target)
        other.delete(job)
    assert copy_database(source, target).already is False


@every_way
def test_a_memory_is_not_written_over(source, target):
    with Jotsam(settings=source.replace(db=target)) as jot:
        jot.remember("Mine.")
        with pytest.raises(DatabaseUnusable, match="is not empty"):
            copy_database(source, target)
        assert jot.recall("mine").coverage.total == 1


@across
def test_it_becomes_a_memory_there_when_it_is_asked_to(source, target):
    copy_database(source, target)
    with Jotsam(settings=source.replace(db=target, worker_idle_ms=0)) as jot:
        jot.remember("Mine.")
        assert jot.recall("mine").coverage.total == 1
