"""Lists of jobs for people: filters, pages from windows, bulk choices, failures by error, one job."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam import InvalidInput, NotFound
from jotsam.core.job_records import JobSpec
from jotsam.memory.jobs import job_pages, job_view
from jotsam.memory.jobs.job_pages import JobSelection
from jotsam.storage import queue

if TYPE_CHECKING:
    from jotsam import Jotsam

NOTE = "# Cache\n\nWe chose Redis.\n"


def page(jot: Jotsam, *, before: int = job_pages.LAST, limit: int = 50, window: int = 10_000, **wanted: str):
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        return job_pages.page(tx, JobSelection(**wanted), before=before, limit=limit, window=window)


def ids(jot: Jotsam, **wanted: str) -> list[int]:
    return [job.id for job in page(jot, **wanted).jobs]


def send(jot: Jotsam, count: int = 1, **fields: object) -> list[int]:
    with jot.database.transaction() as tx:
        specs = [JobSpec(**{"queue": "embed", "kind": "embed", **fields}) for _ in range(count)]
        return [queue.send(tx, spec).id for spec in specs]


def fail(jot: Jotsam, id: int, error: str, *, name: str = "ingest", delay_ms: int = 60_000) -> None:
    """Receives jobs of a queue up to this one, and fails it."""
    with jot.database.transaction() as tx:
        for job in queue.receive(tx, queue=name, owner="w", limit=100):
            queue.release(tx, job, error=error if job.id == id else None, delay_ms=delay_ms, spend=job.id == id)


def bury(jot: Jotsam, id: int, error: str, *, name: str = "ingest") -> None:
    with jot.database.transaction() as tx:
        for job in queue.receive(tx, queue=name, owner="w", limit=100):
            if job.id == id:
                queue.bury(tx, job, error=error)
            else:
                queue.release(tx, job, error=None, spend=False)


def test_jobs_are_filtered_by_state_queue_project_error_and_text(jot):
    note = jot.add(NOTE, source="notes/cache.md", project="shop").job_id
    tea = jot.remember("Ben likes Darjeeling tea.", project="home").job_id
    (embed,) = send(jot)
    bury(jot, note, "TypeError: no chunk in '/tmp/a'")
    assert ids(jot) == [embed, tea, note]
    assert ids(jot, state="dead") == ids(jot, queue="ingest") == ids(jot, project="shop") == [note]
    assert ids(jot, error="typeerror: NO") == ids(jot, text="CACHE.md") == ids(jot, text="redis") == [note]
    assert ids(jot, text="darjeeling") == ids(jot, state="ready", project="home") == [tea]
    assert ids(jot, state="waiting") == ids(jot, text="coffee") == ids(jot, project="shop", state="ready") == []
    assert ids(jot, group=job_pages.jobs.key("TypeError: no chunk in <text>")) == [note]

    listed = {job.id: job for job in page(jot).jobs}
    about = listed[note].subject
    assert about is not None
    assert (about.kind, about.title, about.project) == ("document", "notes/cache.md", "shop")
    assert listed[tea].subject.title == "Ben likes Darjeeling tea."
    assert listed[embed].subject is None
    for wrong in ({"state": "lost"}, {"queue": "mail"}):
        with pytest.raises(InvalidInput):
            page(jot, **wrong)


@pytest.mark.needs_server
def test_a_running_job_is_found_by_its_state_and_an_ended_one_by_its_last_delivery(jot):
    memory = jot.remember("We use tabs.")
    with jot.database.transaction() as tx:
        assert queue.receive(tx, queue="enrich", owner="w", limit=1)
    assert ids(jot, state="leased") == [memory.job_id]
    assert ids(jot, state="leased", text="spaces") == []

    with jot.database.transaction() as tx:
        queue.release(tx, queue.get(tx, memory.job_id), error="timeout", spend=True)
    assert ids(jot, state="done") == []
    jot.work()
    (done,) = [job for job in page(jot, state="done").jobs if job.id == memory.job_id]
    assert (done.received, done.subject.id, done.created_at) == (2, memory.id, None)
    assert ids(jot, state="discarded") == ids(jot, state="cancelled") == []
    assert ids(jot) == []


@pytest.mark.needs_server
def test_a_job_that_was_delivered_and_discarded_is_listed_as_discarded(jot):
    job = jot.remember("We use tabs.").job_id
    bury(jot, job, "TypeError", name="enrich")
    assert ids(jot, state="discarded") == []
    jot.admin.discard(job)
    (found,) = page(jot, state="discarded").jobs
    assert (found.id, found.state, found.error) == (job, "discarded", "TypeError")


@pytest.mark.needs_server
def test_jobs_of_another_tenant_are_in_no_list(jot):
    other = jot.scoped(tenant="other")
    job = jot.remember("We use tabs.").job_id
    with jot.database.snapshot(tenant="other") as tx:
        assert job_pages.by_id(tx, [job]) == ()
        assert all(one.unfinished == one.dead == 0 for one in job_pages.queues(tx))
    assert ids(other) == []
    bury(jot, job, "TypeError", name="enrich")
    with jot.database.snapshot(tenant="other") as tx:
        assert job_pages.latest_failures(tx).groups == ()
    assert ids(other, state="dead") == ids(other, state="leased") == []
    jot.admin.retry(job)
    jot.work()
    assert ids(other, state="done") == []
    with pytest.raises(NotFound):
        job_view.view(jot.database, tenant="other", id=job)


def test_pages_hold_each_job_once_and_a_window_that_ends_early_is_said(jot):
    """Over several queues and parts, with windows and pages of any size."""
    sent = []
    for number in range(12):
        about = "tea" if number % 3 else "coffee"
        sent += [*send(jot, 2), jot.remember(f"Note {number} about {about}.").job_id]
    bury(jot, sent[5], "TypeError", name="enrich")
    for wanted in ({}, {"text": "coffee"}, {"queue": "embed"}, {"state": "ready"}):
        whole = ids(jot, **wanted)
        for limit, window in ((5, 100), (3, 4), (100, 7), (1, 1)):
            found, before = [], job_pages.LAST
            while before:
                one = page(jot, before=before, limit=limit, window=window, **wanted)
                assert len(one.jobs) <= limit
                found += [job.id for job in one.jobs]
                before = one.next or 0
            assert found == whole
    assert [page(jot, text="coffee", window=size).is_cut for size in (7, 100)] == [True, False]
    assert ids(jot) == sorted(sent, reverse=True)


@pytest.mark.needs_server
def test_jobs_are_chosen_by_a_filter_and_by_their_state(jot):
    dead = jot.remember("We use tabs.").job_id
    bury(jot, dead, "TypeError", name="enrich")
    ready = jot.remember("We use spaces.").job_id
    tenant = jot.settings.tenant
    for states, expected in ((("dead", "waiting"), [dead]), (("dead", "ready"), [ready, dead])):
        found = job_pages.chosen(jot.database, JobSelection(queue="enrich"), tenant=tenant, states=states)
        assert ([job.id for job in found.jobs], found.is_cut) == (expected, False)
    with jot.database.snapshot(tenant=tenant) as tx:
        assert [job.id for job in job_pages.by_id(tx, [dead, 99_999, ready])] == [dead, ready]


@pytest.mark.needs_server
def test_failures_are_grouped_over_a_window(jot, clock):
    first, second = jot.remember("One.").job_id, jot.remember("Two.").job_id
    bury(jot, first, "no host 'a1'", name="enrich")
    clock.tick(1_000)
    fail(jot, second, "no host 'b2'", name="enrich")
    third = jot.add(NOTE).job_id
    bury(jot, third, "TypeError")
    jot.remember("Three.")
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        found = job_pages.latest_failures(tx)
        small = job_pages.latest_failures(tx, window=1)
    assert [(one.error, one.jobs, one.dead, one.example) for one in found.groups] == [
        ("no host <text>", 2, 1, second),
        ("TypeError", 1, 1, third),
    ]
    assert found.groups[0].newest - found.groups[0].oldest == 1_000
    assert (found.is_cut, small.is_cut) == (False, True)
    assert sorted(ids(jot, group=found.groups[0].key)) == [first, second]


def test_queues_are_listed_with_their_numbers_and_their_pause(jot):
    bury(jot, jot.remember("One.").job_id, "TypeError", name="enrich")
    jot.remember("Two.")
    with jot.database.transaction() as tx:
        queue.pause(tx, "enrich", reason="repairs")
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        found = {one.name: one for one in job_pages.queues(tx)}
    one = found["enrich"]
    assert (one.unfinished, one.dead, one.paused, one.reason, one.probe_at) == (1, 1, True, "repairs", None)
    assert not found["ingest"].paused


@pytest.mark.needs_server
def test_one_job_is_shown_with_its_timeline_its_payload_and_what_it_made(jot, clock):
    receipt = jot.add("# Move\n\nAna Kowalski moved to Bonn with Ben Miller.\n", source="move.md", project="home")
    clock.tick(500)
    with jot.database.transaction() as tx:
        (job,) = queue.receive(tx, queue="ingest", owner="w", limit=1)
    clock.tick(200)
    view = job_view.view(jot.database, tenant=jot.settings.tenant, id=receipt.job_id)
    assert [(one.state, one.until) for one in view.periods][-1] == ("leased", None)
    with jot.database.transaction() as tx:
        queue.release(tx, job, error="timeout", delay_ms=1_000, spend=True)
    view = job_view.view(jot.database, tenant=jot.settings.tenant, id=receipt.job_id)
    start = view.periods[0].since
    assert [(one.state, one.since - start, one.until and one.until - start) for one in view.periods] == [
        ("ready", 0, 500),
        ("leased", 500, 700),
        ("waiting", 700, None),
    ]
    assert (view.payload, view.payload_cut, view.subject.title) == (f'"{receipt.id}"', False, "move.md")
    assert view.made.memories == 0

    jot.admin.retry(receipt.job_id)
    clock.tick(100)
    jot.work()
    view = job_view.view(jot.database, tenant=jot.settings.tenant, id=receipt.job_id)
    assert [one.state for one in view.periods] == ["ready", "leased", "waiting", "leased", "done"]
    assert (view.payload, view.made.memories) == (None, 1)
    assert view.made.mentions > 0
    (chunk,) = view.job.memories
    enriched = jot.show(chunk).attempts[0].job_id
    assert job_view.view(jot.database, tenant=jot.settings.tenant, id=enriched).made.mentions == view.made.mentions
