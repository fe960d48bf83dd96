"""Work that was discarded: what it belongs to is shown as such, and can be taken up again."""

from __future__ import annotations

import pytest

from jotsam.admin import embedders
from jotsam.core.names import EMBED, MODEL
from jotsam.storage import queue
from jotsam.storage.costs.ledger import DAY_MS
from jotsam.storage.memories import memories

TEXT = "# Plan\n\nAna moved to Bonn.\n"


def discard_all(jot) -> None:
    jot.admin.discard_many([job.id for job in jot.admin.jobs()])


def state(jot, id) -> tuple[bool, int, int]:
    """Whether it is discarded, how many things are in the status, and how often the verdict on health says so."""
    status = jot.status()
    said = [finding for finding in status.findings if finding.name == "discarded"]
    return jot.show(id).discarded, status.discarded, len(said)


def test_a_document_whose_work_was_discarded_is_shown_and_taken_up_again(jot):
    first = jot.add(TEXT, source="a.md")
    assert state(jot, first.id) == (False, 0, 0)
    discard_all(jot)
    assert state(jot, first.id) == (True, 1, 1)

    again = jot.add(TEXT, source="a.md")
    assert (again.id, again.duplicate, again.job_id != first.job_id) == (first.id, True, True)
    assert state(jot, first.id) == (False, 0, 0)
    assert jot.add(TEXT, source="a.md").job_id == again.job_id
    discard_all(jot)

    plans = [jot.plan_reprocess([first.id]), jot.plan_reprocess(source="a.md"), jot.plan_reprocess()]
    assert [plan.documents for plan in plans] == [(first.id,)] * 3
    assert jot.plan_reprocess(source="b.md").documents == jot.plan_reprocess(type="Context").documents == ()
    assert (jot.reprocess(plans[0]), jot.reprocess(plans[0])) == (1, 0)
    jot.work()
    assert state(jot, first.id) == (False, 0, 0)
    assert len(jot.show(first.id).memories) == 1


def test_memories_whose_work_was_discarded_are_shown_and_taken_up_again(jot):
    document = jot.add(TEXT)
    memory = jot.remember("Ben likes tea.", key="k")
    jot.admin.pause("enrich")
    jot.work()
    discard_all(jot)
    assert state(jot, document.id) == (True, 2, 1)
    assert state(jot, memory.id) == (True, 2, 1)

    again = jot.remember("Ben likes tea.", key="k")
    assert (again.id, again.duplicate, again.job_id != memory.job_id) == (memory.id, True, True)
    assert state(jot, memory.id) == (False, 1, 1)
    assert jot.reprocess(jot.plan_reprocess([document.id])) == 1
    assert state(jot, document.id) == (False, 0, 0)


@pytest.mark.needs_server
def test_vectors_whose_job_was_discarded_are_queued_by_refresh(open_jot):
    jot = open_jot(embed_model="hashing")
    jot.remember("Ben likes tea.")
    jot.admin.pause(EMBED)
    jot.work()
    discard_all(jot)
    assert embedders.refresh(jot)[0] == 0
    assert [job.kind for job in jot.admin.jobs()] == [EMBED]


@pytest.mark.needs_server
def test_the_model_is_not_asked_about_a_memory_whose_job_was_discarded(jot, fake_endpoint, clock):
    jot.settings = jot.settings.replace(llm_url=fake_endpoint.url, llm_model="m", worker_idle_ms=0)
    jot.admin.pause(MODEL)
    id = jot.remember("Ben likes Zylophon.").id
    jot.work()
    assert jot.status().awaiting_model == 1
    discard_all(jot)
    status = jot.status()
    assert (status.awaiting_model, status.degraded, status.discarded) == (0, 1, 0)
    jot.admin.resume(MODEL)
    jot.remember("Eve drinks tea.")
    for _ in range(5):
        jot.work()
        clock.tick(DAY_MS)
    assert (len(fake_endpoint.requests), jot.status().degraded) == (1, 1)
    jot.reprocess(jot.plan_reprocess(degraded=True))
    jot.work()
    assert jot.show(id).memory.degraded is None


def test_a_memory_without_a_job_does_not_wait_behind_those_that_wait_for_their_first_one(jot, fake_endpoint):
    """Only `MAX_RETRIES` of those that the model failed to read have a job at a time."""
    jot.settings = jot.settings.replace(llm_url=fake_endpoint.url, llm_model="m", worker_idle_ms=0, concurrency=1)
    jot.admin.pause(MODEL)
    for number in range(memories.MAX_RETRIES + 1):
        jot.remember(f"Ben has {number} cats.")
    jot.work()
    assert jot.status().awaiting_model == memories.MAX_RETRIES + 1
    last = jot.admin.jobs()[-1].id
    with jot.database.transaction(tenant="default") as tx:
        queue.discard(tx, last)
        assert len(memories.awaiting_model(tx, limit=5, is_paced=False)) == 1
        tx.execute("update memory set degraded = 'RetryJob: 500' where tenant = 'default'")
        assert memories.awaiting_model(tx, limit=5, is_paced=False) == []
