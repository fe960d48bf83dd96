"""The history of events: written with what it tells of, in the order of the commits, bounded, and only while asked."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from contextlib import nullcontext
from itertools import islice

import pytest

from jotsam import AsyncJotsam, InvalidInput, Jotsam, NotFound
from jotsam.core.job_records import JobSpec
from jotsam.memory.events import events as reading
from jotsam.storage import events, queue

MINUTE = 60_000
ALL = ("memory.store", "enrichment.start", "enrichment.complete")


def record_from_now(jot) -> str:
    """Begins to record, and returns the cursor of what follows."""
    with jot.database.transaction() as tx:
        events.keep_recording(tx, until=tx.now + MINUTE)
    return reading.read_events(jot.database, tenant=jot.settings.tenant).next


def after(jot, cursor: str, **options) -> reading.EventPage:
    return reading.read_events(jot.database, tenant=jot.settings.tenant, after=cursor, **options)


def types(page: reading.EventPage) -> list[str]:
    return [event.type for event in page.events]


def test_nothing_is_recorded_unless_a_server_asks_for_it(jot, clock):
    jot.remember("Ana moved to Bonn.")
    jot.work()
    start = record_from_now(jot)
    clock.tick(MINUTE + 1)
    events._known.clear()
    jot.remember("Ben moved to Cologne.")
    jot.work()
    with jot.database.snapshot(tenant="default") as tx:
        assert tx.execute("select count(*) as events from event") == [{"events": 0}]
    assert after(jot, start).events == ()


def test_a_memory_and_a_document_are_followed_from_the_commit_to_the_last_job(jot):
    start = record_from_now(jot)
    memory = jot.remember("Ana decided to move to Bonn.", tags=["a", "b"], importance=0.7)
    document = jot.add("# Notes\n\nBen moved to Cologne.\n")
    many = jot.remember_many(["One.", "Two."])
    stored = after(jot, start).events
    assert [event.subject for event in stored] == [memory.id, document.id, *(one.receipt.id for one in many)]
    assert dict(stored[0].data) == {"kind": "memory", "type": None, "importance": 0.7, "tags": 2}
    jot.work()
    page = after(jot, stored[-1].id)
    for receipt, kind in ((memory, "enrich"), (document, "ingest")):
        own = [event for event in page.events if event.job_id == receipt.job_id]
        assert [(event.type, event.subject) for event in own] == [(type, receipt.id) for type in ALL[1:]]
        assert dict(own[0].data) == {"kind": kind, "delivery": 1}
    assert len(page.events) == 2 * 5  # The document has one chunk.
    assert not page.gap
    job = reading.read_events(jot.database, tenant="default", job=memory.job_id)
    assert [event.type for event in job.events] == [*ALL]
    assert "Bonn" not in repr(job)


def test_a_failure_says_whether_the_job_will_be_tried_again(jot, monkeypatch):
    receipt = jot.remember("Ana moved to Bonn.")
    start = record_from_now(jot)

    def fail(*_: object, **__: object) -> None:
        raise ValueError("bad\nkey AKIAQ3EGRIZ7XT5NVLWB")

    monkeypatch.setattr("jotsam.worker.enrichment.enrich.extract", fail)
    with jot.database.transaction() as tx:
        tx.execute("update queue_job set max_receive = 1")
    jot.work()
    started, failed = after(jot, start).events
    assert (started.type, failed.type, failed.job_id) == ("enrichment.start", "enrichment.failed", receipt.job_id)
    assert failed.data["will_retry"] is False
    assert str(failed.data["error"]).startswith("ValueError: bad key ")
    assert "AKIA" not in str(failed.data["error"])


def test_an_event_and_what_it_tells_of_are_one_commit(jot):
    start = record_from_now(jot)
    with pytest.raises(ZeroDivisionError), jot.database.transaction() as tx:
        jot.remember("Ana moved to Bonn.", tx=tx)
        raise ZeroDivisionError
    assert after(jot, start).events == ()
    receipt = jot.remember("Ben moved to Cologne.")
    with jot.database.transaction() as tx:
        (job,) = queue.receive(tx, queue="enrich", owner="another worker")
        assert job.id == receipt.job_id
        reading.job_claimed(tx, [job])
    with pytest.raises(ZeroDivisionError), jot.database.transaction() as tx:
        assert queue.delete(tx, job)
        reading.job_ended(tx, job, "done", None)
        raise ZeroDivisionError
    assert types(after(jot, start)) == [*ALL[:2]]


KILLED = """
import os, sys
from jotsam import Jotsam
jot = Jotsam(sys.argv[1], worker="off")
jot.remember("Stored.")
with jot.database.transaction() as tx:
    jot.remember("Not stored.", tx=tx)
    os._exit(9)
"""


def test_a_process_that_is_killed_leaves_the_events_of_what_it_committed(url):
    with Jotsam(url, worker="off") as jot:  # By the clock of the other process.
        start = record_from_now(jot)
        assert subprocess.run([sys.executable, "-c", KILLED, url], check=False).returncode == 9
        (event,) = after(jot, start).events
        (memory,) = jot.list().memories
        assert event.subject == memory.id


def test_a_reader_that_goes_on_where_it_stopped_gets_each_event_once(jot):
    cursor = record_from_now(jot)
    ids = [jot.remember(f"Memory {number}.").id for number in range(7)]
    found = []
    while (page := after(jot, cursor, limit=3)).events:
        found += page.events
        cursor = page.next
    assert [event.subject for event in found] == ids
    assert [event.subject for event in after(jot, found[4].id).events] == ids[5:]
    last = jot.remember("The last.").id
    assert [event.subject for event in after(jot, cursor).events] == [last]


def test_a_commit_that_was_begun_first_and_ends_last_is_not_skipped(jot, open_jot, kind):
    """Its event has a smaller id than one that was committed before it."""
    jot.remember("The first of its project, for which others of that project would wait.")
    cursor = record_from_now(jot)
    other = open_jot()
    first_written, second_written = threading.Event(), threading.Event()

    def slow() -> None:
        with other.database.transaction() as tx:
            other.remember("First.", tx=tx)
            first_written.set()
            assert kind == "sqlite" or second_written.wait(20)

    thread = threading.Thread(target=slow)
    thread.start()
    assert first_written.wait(20)
    jot.remember("Second.")
    found = []
    page = after(jot, cursor)
    found += page.events
    second_written.set()
    thread.join()
    with jot.database.snapshot(tenant="default") as tx:
        by_id = [row["subject"] for row in tx.execute("select subject from event order by id")]
    page = after(jot, page.next)
    found += page.events
    assert [event.subject for event in found] == by_id
    assert len(by_id) == 2


@pytest.mark.needs_server
def test_another_tenant_reads_no_event(jot):
    start = record_from_now(jot)
    receipt = jot.remember("Ana moved to Bonn.")
    assert reading.read_events(jot.database, tenant="eve", after=start).events == ()
    assert reading.read_events(jot.database, tenant="eve", job=receipt.job_id).events == ()
    assert len(after(jot, start).events) == 1


def test_a_reader_whose_events_were_deleted_gets_a_gap(jot, clock):
    start = record_from_now(jot)
    jot.remember("Old.")
    middle = after(jot, start).next
    clock.tick(events.HISTORY_MS + 1)
    record_from_now(jot)
    start = reading.read_events(jot.database, tenant="default").next
    for number in range(5):
        jot.remember(f"Memory {number}.")
    assert not after(jot, start).gap
    assert after(jot, middle).gap, "nothing was recorded for an hour"
    reading.prune(jot.database, tenant="default")
    assert len(after(jot, start).events) == 5
    reading.prune(jot.database, tenant="default", kept=2)
    page = after(jot, start)
    assert (page.gap, page.events) == (True, ())
    assert (after(jot, page.next).gap, after(jot, page.next).events) == (False, ())
    jot.remember("New.")
    assert len(after(jot, page.next).events) == 1
    clock.tick(events.HISTORY_MS + 1)
    reading.prune(jot.database, tenant="default")
    with jot.database.snapshot(tenant="default") as tx:
        assert tx.execute("select count(*) as events from event") == [{"events": 0}]


def test_a_cursor_ahead_of_the_history_is_a_gap(jot):
    """As after a restore of a backup."""
    start = record_from_now(jot)
    run, xact, _ = start.split("-")
    ahead = f"{run}-{int(xact) + 1_000}-1000"
    page = after(jot, ahead)
    assert page.gap
    jot.remember("Ana moved to Bonn.")
    assert len(after(jot, page.next).events) == 1


def test_forgetting_removes_the_events(jot):
    start = record_from_now(jot)
    gone, kept = jot.remember("Ana moved to Bonn."), jot.remember("Ben moved to Cologne.")
    document = jot.add("# Notes\n\nCleo moved to Ulm.\n")
    jot.work()
    jot.forget(jot.plan_forget(ids=[gone.id, document.id]))
    left = after(jot, start).events
    assert {event.subject for event in left} == {kept.id}
    eve = jot.scoped(tenant="eve")
    eve.remember("Mine.")
    jot.admin.forget_tenant()
    assert after(jot, start).events == ()
    assert len(reading.read_events(jot.database, tenant="eve", after=start).events) == 1


def test_an_invalid_cursor_or_limit_is_refused(jot):
    for cursor in ("", "1-2", "a-b-c", "1-2-", "-1-2", "1-2-3-4", f"1-{2**63}-0", "١-١-١", 7):
        with pytest.raises(InvalidInput):
            after(jot, cursor)
    for limit in (0, 1_001, True):
        with pytest.raises(InvalidInput):
            after(jot, "0-0-0", limit=limit)


def test_jobs_of_other_kinds_make_no_events(jot):
    start = record_from_now(jot)
    with jot.database.transaction() as tx:
        queue.send(tx, JobSpec(queue="embed", kind="embed", tenant="default"))
        (job,) = queue.receive(tx, queue="embed", owner="a worker")
        reading.job_claimed(tx, [job])
        reading.job_ended(tx, job, "dead", "no model")
    assert after(jot, start).events == ()


def test_a_program_follows_from_its_call_on(jot, open_jot):
    other = open_jot()
    jot.remember("Before.")
    following = jot.events(idle_ms=0)
    with pytest.raises(InvalidInput):
        jot.events(after="x")
    with pytest.raises(NotFound):
        jot.events(job=99)
    events._known.clear()  # Another process notices it within a second.
    ids = [other.remember(f"Memory {number}.").id for number in range(3)]
    other.scoped(tenant="eve").remember("Not for this tenant.")
    found = [*following]
    assert [(event.type, event.subject) for event in found] == [("memory.store", id) for id in ids]
    assert [event.subject for event in jot.events(after=found[0].id, idle_ms=0)] == ids[1:]
    assert [event.type for event in jot.events(after="9-0-0", idle_ms=0)] == ["gap"]
    endless = jot.events(after=found[-1].id)
    writer = threading.Thread(target=other.remember, args=["While it waits."])
    writer.start()
    assert next(endless).type == "memory.store"
    writer.join()


def test_the_events_of_a_job_are_complete_when_it_has_ended(jot, open_jot, kind):
    """Also while an older transaction runs, up to which other events of a server are read."""
    record_from_now(jot)
    receipt = jot.remember("Ana moved to Bonn.")
    other = open_jot()
    with nullcontext() if kind == "sqlite" else other.database.transaction() as tx:
        if tx:
            other.remember("Older.", tx=tx)
        jot.work()
        assert tuple(event.type for event in jot.events(job=receipt.job_id)) == ALL


def test_readers_that_reconnect_get_what_many_writers_commit_once_and_in_order(jot, open_jot):
    start = record_from_now(jot)
    writing = threading.Event()
    writing.set()

    def write(writer: Jotsam) -> None:
        for number in range(12):
            with writer.database.transaction() as tx:
                for part in range(2):
                    writer.remember(f"Memory {number}, part {part}.", tx=tx)

    def read(reader: Jotsam, size: int, found: list[str]) -> None:
        is_last, cursor = False, start
        while not is_last:
            is_last = not writing.is_set()
            for event in islice(reader.events(after=cursor, idle_ms=0), None if is_last else size):
                found.append(event.id)
                cursor = event.id

    found: tuple[list[str], ...] = ([], [])
    readers = [threading.Thread(target=read, args=(open_jot(), 2 + 3 * n, found[n])) for n in range(2)]
    writers = [threading.Thread(target=write, args=[open_jot()]) for _ in range(4)]
    for thread in (*readers, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    writing.clear()
    for thread in readers:
        thread.join()
    with jot.database.snapshot(tenant="default") as tx:
        rows = tx.execute("select xact, id from event order by xact, id")
    committed = [f"{start.split('-')[0]}-{row['xact']}-{row['id']}" for row in rows]
    assert len(committed) == 96
    assert found == (committed, committed)


def test_a_coroutine_follows_from_its_call_on(jot):
    async def read() -> list[str]:
        async with AsyncJotsam(jot.database.url, settings=jot.settings, worker="off") as reader:
            following = await reader.events(idle_ms=0)
            await reader.remember("Ana moved to Bonn.")
            return [event.type async for event in following]

    assert asyncio.run(read()) == ["memory.store"]
