"""Everything comes along, whichever way, and a move that was cut off goes on; what must not be moved is refused."""

from __future__ import annotations

import os
import threading

import pytest
from movers import across, both_directions, every_way, mover
from sources import NOTES, TENANTS, as_written, rows_of, tables_of

from jotsam import Jotsam, Queue
from jotsam.admin.copy_database import copy_database
from jotsam.core.errors import DatabaseUnusable, InvalidInput
from jotsam.ingest import spawn, spool
from jotsam.memory.access.tokens import create_token, find_principal
from jotsam.storage import connect
from jotsam.storage.sqlite import worker_lease
from jotsam.storage.transfer import table_copy
from processes import start

POINTS = [("copying", 1), ("copying", 12), ("copying", 20), ("comparing queue_key", 1), ("copying the jobs", 1)]
"""At how many tellings of what a move is killed."""
IN_THE_CHECK = (("copying", 12), ("comparing queue_key", 1))

QUESTIONS = ("launch", "John Smith", "数据库", "early returns style", "codes", "ana lee said", "notes.md", "zeta", "")
NOT_INDEXED = ("people",)
"""Words of tags that were found after a memory was indexed; they are not in the index, and so not in the new one."""


def answers(settings, clock):
    found = {}
    for tenant in TENANTS:
        with Jotsam(settings=settings.replace(tenant=tenant), clock=clock) as jot:
            for question in (*QUESTIONS, *NOT_INDEXED):
                answer = jot.recall(question)
                found[tenant, question] = {hit.id: hit.text for hit in answer.hits}, answer.coverage.total
            # A file knows its worker by a lease, and a server by the jobs that are being done.
            found[tenant] = jot.status().replace(worker="")
    return found


@every_way
def test_no_table_is_forgotten(source, target, clock):
    """A table without a row here proves nothing: whoever makes a new one lets `fill` put something into it."""
    before = rows_of(source.db)
    assert [name for name, rows in before.items() if not rows] == []
    report = copy_database(source, target)
    after = rows_of(target)
    assert as_written(after) == as_written(before)
    assert {one.table for one in report.tables} == set(before) == set(after)
    assert rows_of(source.db) == before


@both_directions
def test_a_token_a_block_and_an_item_of_tenants_that_have_nothing_else_are_copied(source, target, clock):
    with Jotsam(settings=source, clock=clock) as jot:
        new = create_token(jot.database, tenant="cy", name="laptop", scope="read")
        jot.scoped(tenant="di").blocks.set("human", "Di likes tea.")
        jot.scoped(tenant="ed").store.put(["users"], "ed", "tea")
    copy_database(source, target)
    with Jotsam(settings=source.replace(db=target), clock=clock) as jot:
        assert find_principal(jot.database, new.secret).tenant == "cy"
        assert jot.scoped(tenant="di").blocks.get("human").text == "Di likes tea."
        assert jot.scoped(tenant="ed").store.get(["users"], "ed").value == "tea"


@every_way
def test_recall_answers_the_same_afterwards(source, target, clock):
    before = answers(source, clock)
    assert all(before[tenant, question][1] for tenant in TENANTS for question in QUESTIONS)
    copy_database(source, target)
    assert answers(source.replace(db=target), clock) == before


@across
def test_the_work_goes_on_where_it_stood(source, target, clock):
    with Queue(source.db, "mail", clock=clock) as mail:
        jobs, highest = mail.jobs(), max(job.id for job in mail.jobs()) + 1  # The last one was discarded.
        with mail.database.snapshot() as tx:
            highest = max(highest, table_copy.counters(tx)["queue_job"])
    copy_database(source, target)
    with Queue(target, "mail", clock=clock) as mail:
        assert mail.jobs() == jobs
        assert mail.stats().paused == "for the night"
        mail.resume()
        known = mail.send({"text": "é"}, key="once", tenant="ana")
        assert (known.duplicate, known.id) == (True, jobs[0].id)
        new = mail.send("new")
        assert new.id > highest
        clock.tick(7_200_000)
        got = []
        while job := mail.receive():
            got.append((job.id, job.received))
            assert mail.delete(job)
        assert dict(got) == {**{job.id: job.received + 1 for job in jobs}, new.id: 1}
    for tenant in TENANTS:
        with Jotsam(settings=source.replace(db=target, tenant=tenant), clock=clock) as jot:
            dead = jot.admin.jobs(state="dead")
            assert [attempt.outcome for attempt in jot.show(str(dead[0].id)).attempts] == ["dead"]
            for job in dead:
                jot.admin.retry(job.id)
            assert jot.work() > 0
            assert jot.admin.jobs() == []
            assert jot.add(NOTES, key="first").duplicate is True
            assert jot.remember("Again.", external_id="n-1").duplicate is True
            assert jot.status().enriched == jot.status().memories


@across
@pytest.mark.parametrize(
    ("what", "times"),
    [pytest.param(*point, marks=() if point in IN_THE_CHECK else (pytest.mark.long,)) for point in POINTS],
)
def test_one_that_was_killed_goes_on(what, times, source, target, clock):
    asked, before = answers(source, clock), rows_of(source.db)
    running = start(mover, source.db, target)
    for number in range(times):
        while running.says()[0] != what:
            running.tell("go on")
        if number < times - 1:
            running.tell("go on")
    running.kill()
    with pytest.raises(DatabaseUnusable, match="unfinished copy"):
        connect(target)
    began = []
    report = copy_database(source, target, tell=lambda what, done, total: began.append(done))
    assert report.already is False
    assert (what, times) in POINTS[:2] or began[0] > 10, "it went on, and did not begin again"
    assert as_written(rows_of(target)) == as_written(before)
    assert answers(source.replace(db=target), clock) == asked


@every_way
def test_again_is_only_a_comparison(source, target):
    first = copy_database(source, target)
    before = rows_of(target)
    again = copy_database(source, target)
    assert (first.already, again.already) == (False, True)
    assert again.tables == tuple(one for one in first.tables if one.table != "recall_count"), "readers change that one"
    assert rows_of(target) == before


@across
def test_what_differs_is_found(source, target):
    copy_database(source, target)
    database = connect(target)
    with database.transaction(tenant="ana") as tx:
        tx.execute("update memory set importance = 0.2 where importance is not null")
    database.close()
    with pytest.raises(DatabaseUnusable, match=r"memory differs: .* checksum"):
        copy_database(source, target)


@every_way
def test_a_target_that_holds_something_else_is_left_alone(source, target):
    with Jotsam(settings=source.replace(db=target, tenant="cy")) as jot:
        jot.remember("Mine.")
        with pytest.raises(DatabaseUnusable, match="is not empty"):
            copy_database(source, target)
        assert jot.recall("mine").coverage.total == 1


def test_a_target_that_is_being_filled_from_elsewhere_is_left_alone(source, target, address):
    other = source.replace(db=address("sqlite"))
    with Jotsam(settings=other) as jot:
        jot.remember("Mine.")
    running = start(mover, other.db, target)
    running.says()
    running.tell("go on")
    running.says()
    running.kill()
    with pytest.raises(DatabaseUnusable, match="is being filled from"):
        copy_database(source, target)


@across
def test_a_source_that_changed_since_is_moved_from_the_start(source, target, clock):
    running = start(mover, source.db, target)
    for _ in range(25):
        running.says()
        running.tell("go on")
    running.kill()
    with Jotsam(settings=source.replace(tenant="ana"), clock=clock) as jot:
        jot.remember("Late, but here.")
    copy_database(source, target)
    assert as_written(rows_of(target)) == as_written(rows_of(source.db))


@across
def test_one_that_is_written_to_meanwhile_is_not_moved(source, target, clock):
    """What is committed after the snapshot would be nowhere: nothing comes of the move, and the next one has it."""
    written = []

    def tell(what, done, total):
        if not written:
            writer = threading.Thread(target=write)
            writer.start()
            writer.join()

    def write():
        with Jotsam(settings=source.replace(tenant="ana"), clock=clock) as jot:
            written.append(jot.remember("In between."))

    with pytest.raises(DatabaseUnusable, match="was written to during the copy"):
        copy_database(source, target, tell=tell)
    with pytest.raises(DatabaseUnusable, match="unfinished copy"):
        connect(target)
    copy_database(source, target)
    assert as_written(rows_of(target)) == as_written(rows_of(source.db))


@across
def test_one_whose_jobs_are_in_hand_is_not_moved(source, target):
    with Queue(source.db, "other") as other:
        other.send("x")
        job = other.receive()
        with pytest.raises(DatabaseUnusable, match="1 jobs are leased by running workers"):
            copy_database(source, target)
        other.delete(job)
    assert copy_database(source, target).already is False


def test_a_lease_that_nobody_holds_any_more_moves_and_ends_there(source, target, clock):
    with Queue(source.db, "other", clock=clock) as other:
        other.send("x", lease_ms=1_000)
        job = other.receive()
    copy_database(source, target)
    clock.tick(2_000)
    with Queue(target, "other", clock=clock) as other:
        again = other.receive()
        assert (again.id, again.received) == (job.id, job.received + 1)
        assert other.delete(job) is False


def test_it_is_not_moved_into_itself(source):
    with pytest.raises(InvalidInput, match="is the database to copy"):
        copy_database(source, source.db)


def test_a_table_of_the_callers_own_stays_and_is_named(source, target):
    for url in (source.db, target):
        database = connect(url)
        with database.transaction() as tx:
            tx.execute("create table effect (id integer primary key, tenant text)")
            tx.execute("insert into effect values (:id, 'ana')", {"id": 1 if url == source.db else 2})
        assert "effect" in tables_of(database)
        database.close()
    assert copy_database(source, target).left == ("effect",)
    assert rows_of(target)["effect"] == [(("id", 2), ("tenant", "ana"))]


def test_turns_that_hooks_set_aside_are_not_left_behind(source, target):
    spool.write(source.db, {"text": "said"})
    with pytest.raises(DatabaseUnusable, match="still spooled: 1 turn of hooks;"):
        copy_database(source, target)
    for path in spool.waiting(source.db):
        os.unlink(path)


def test_a_worker_at_work_is_in_the_way(source, target):
    database = connect(source.db)
    with database.transaction() as tx:
        worker_lease.take(tx, spawn.this_process("me"), lease_ms=60_000)
    database.close()
    with pytest.raises(DatabaseUnusable, match=f"a worker is running, pid {os.getpid()}"):
        copy_database(source, target)
