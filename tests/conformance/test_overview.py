"""The overview has the numbers of `status`, and says where it stopped counting."""

from __future__ import annotations

import pytest

from jotsam import Jotsam
from jotsam.core.job_records import JobSpec
from jotsam.memory.events.events import read_events
from jotsam.memory.status import overview
from jotsam.memory.status.overview import Counted, Overview
from jotsam.storage import events, queue
from processes import until

HOUR_MS = 3_600_000


def read(jot: Jotsam) -> Overview:
    return overview.read_overview(jot.database, jot.settings)


def numbers(found: Overview) -> dict[str, int]:
    return {state: count.number for state, count in found.jobs.states.items()}


def send(jot: Jotsam, count: int, **fields) -> None:
    with jot.database.transaction() as tx:
        for _ in range(count):
            queue.send(tx, JobSpec(**{"queue": "enrich", "kind": "enrich", "tenant": jot.settings.tenant, **fields}))


@pytest.mark.needs_server
def test_an_empty_database_has_24_empty_hours(jot: Jotsam):
    found = read(jot)
    assert found.is_empty
    assert (found.level, found.jobs.oldest_ms, found.done, found.events) == ("ok", None, 0, ())
    assert [hour.accepted + hour.done for hour in found.hours] == [0] * 24


def test_the_numbers_are_those_of_the_status(jot: Jotsam, open_jot, clock):
    jot.add_many([f"Marcus prefers Flask {number}." for number in range(3)])
    jot.work()
    other = open_jot(tenant="other")
    other.add("Not counted")
    send(jot, 5)
    send(jot, 1, delay_ms=60_000)
    send(jot, 3, queue="command", kind="command", lane="command", parallel=False)
    clock.tick(1_000)
    with jot.database.transaction() as tx:
        leased, failed, dead = queue.receive(tx, queue="enrich", owner="me", limit=3)
        assert queue.release(tx, failed, error="x", delay_ms=10_000) == "waiting"
        assert queue.bury(tx, dead, error="x")
        queue.pause(tx, "embed", reason="a test")
    assert leased.id
    found, known = read(jot), jot.status()
    assert numbers(found) == {"ready": 3, "leased": 1, "waiting": 2, "dead": 1, "blocked": 2}
    assert not any(count.more for count in found.jobs.states.values())
    jobs = found.jobs
    assert (jobs.failed.number, jobs.live.number) == (known.depth.failed, known.depth.live)
    assert (jobs.oldest_ms, jobs.oldest_undelivered_ms) == (known.oldest_ms, known.oldest_undelivered_ms)
    names = ("level", "soft_cap", "done", "stages", "paused", "spooled", "capture_off", "replicas")
    assert [getattr(found, name) for name in names] == [getattr(known, name) for name in names]
    stored = ("documents", "memories", "entities", "facts", "degraded", "awaiting_model")
    assert [getattr(found.memories, name).number for name in stored] == [getattr(known, name) for name in stored]
    assert found.memories.not_enriched.number == known.memories - known.enriched == 0


def test_hours_hold_what_was_accepted_and_what_was_done(jot: Jotsam, clock):
    clock.now = clock.now // 86_400_000 * 86_400_000 + 2 * HOUR_MS  # two o'clock
    begin = clock.now
    send(jot, 2)
    clock.tick(3 * HOUR_MS)
    send(jot, 1)
    with jot.database.transaction() as tx:
        one, two, three = queue.receive(tx, queue="enrich", owner="me", limit=3)
        assert queue.delete(tx, one)
        assert queue.bury(tx, two, error="x")
        assert queue.release(tx, three, error="x", delay_ms=1)
    found = read(jot)
    hours = {hour.at: (hour.accepted, hour.done, hour.retried, hour.buried) for hour in found.hours}
    assert hours[begin] == (2, 0, 0, 0)
    assert hours[begin + 3 * HOUR_MS] == (1, 1, 1, 1)
    assert sum(map(sum, hours.values())) == 6
    assert (list(hours)[-1], len(hours)) == (begin + 3 * HOUR_MS, 24)
    assert found.done_today == 1
    clock.tick(22 * HOUR_MS)
    later = read(jot)
    assert (later.done, later.done_today) == (1, 0)
    assert [hour.accepted for hour in later.hours][:3] == [0, 1, 0], "the first two are more than 24 hours ago"


@pytest.mark.needs_server
def test_a_number_above_the_limit_says_that_there_are_more(jot: Jotsam, monkeypatch):
    for number in range(3):
        jot.remember(f"Note {number}")
    send(jot, 3)
    with jot.database.transaction() as tx:
        assert len(queue.receive(tx, queue="enrich", owner="me", limit=2)) == 2
    send(jot, 3, delay_ms=60_000)
    shown = {}
    for limit in (9, 6, 4):
        monkeypatch.setattr(overview, "MAX_JOBS", limit)
        jobs = read(jot).jobs
        shown[limit] = [str(jobs.states[state]) for state in ("ready", "leased", "waiting", "blocked", "dead")]
        assert jobs.live == Counted(number=limit, more=True), "more than were looked at, or as many"
    assert shown == {
        9: ["4+", "2", "3", "0", "0"],
        6: ["4+", "2", "3", "0", "0"],  # leases and delays are also found by their end
        4: ["2+", "2+", "2+", "0", "0"],
    }
    monkeypatch.setattr(overview, "MAX_COUNTED", 2)
    found = read(jot)
    assert (str(found.memories.memories), str(found.memories.documents)) == ("2+", "0")


def test_the_latest_events_come_first(jot: Jotsam, database):
    with database.transaction() as tx:
        events.keep_recording(tx, until=tx.now + 60_000)
    start = read_events(database, tenant="default").next
    for number in range(12):
        jot.remember(f"Note {number}")
    # On a server an event is listed when no transaction is left that began before it, in any database.
    until(lambda: len(read_events(database, tenant="default", after=start).events) == 12)
    following = read_events(database, tenant="default", after=start).events
    assert read(jot).events == following[:-11:-1]
