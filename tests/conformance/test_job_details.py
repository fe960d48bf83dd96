"""A job by its number, in any state; and the projects of a tenant."""

from __future__ import annotations

import pytest

from jotsam import InvalidInput, NotFound, Project

NOTE = "# Cache\n\nWe chose Redis.\n\n# Mail\n\nWe chose Postfix.\n"


def test_a_job_is_found_before_and_after_it_is_done_with_what_it_made(jot):
    note, one = jot.add(NOTE), jot.remember("We use tabs.", external_id="1")
    before = [jot.admin.job(receipt.job_id) for receipt in (note, one)]
    assert [(job.state, job.ended, job.kind) for job in before] == [
        ("ready", False, "ingest"),
        ("ready", False, "enrich"),
    ]
    assert [(job.document, job.memories) for job in before] == [(note.id, ()), (None, (one.id,))]
    jot.work()
    chunks = jot.show(note.id).memories
    after = [jot.admin.job(receipt.job_id) for receipt in (note, one)]
    assert [(job.state, job.ended) for job in after] == [("done", True)] * 2
    assert [(job.document, job.memories) for job in after] == [(note.id, chunks), (None, (one.id,))]
    assert [[delivery.outcome for delivery in job.deliveries] for job in after] == [["done"]] * 2
    assert all(job.ended_at is not None for job in after)
    (chunk,) = [jot.show(id) for id in chunks[:1]]
    enriched = jot.admin.job(chunk.attempts[0].job_id) if chunk.attempts else None
    assert enriched is None or (enriched.memories, enriched.document) == ((chunks[0],), note.id)


def test_a_job_that_was_discarded_before_a_delivery_is_not_found(jot):
    receipt = jot.remember("We use tabs.")
    jot.admin.discard(receipt.job_id)
    with pytest.raises(NotFound, match=f"no job {receipt.job_id}"):
        jot.admin.job(receipt.job_id)


def test_a_command_has_its_arguments_and_its_result(jot):
    sent = jot.admin.send_command(["forget", "--tag", "x"])
    found = jot.admin.job(sent.id)
    assert (found.arguments, found.result, found.state) == (("forget", "--tag", "x"), None, "ready")


def test_a_job_of_another_tenant_is_not_found_before_or_after(jot):
    other = jot.scoped(tenant="other")
    receipt = jot.remember("We use tabs.")
    for _ in range(2):
        with pytest.raises(NotFound):
            other.admin.job(receipt.job_id)
        jot.work()
    for wrong in (-1, 2**70, "1", None, True):
        with pytest.raises(InvalidInput):
            jot.admin.job(wrong)


def test_projects_are_those_that_something_names_the_latest_first(jot, clock):
    assert jot.projects() == ()
    start = clock.now
    jot.remember("We use tabs.", project="shop", said_at=1_000_000_000_000)
    jot.remember("We use spaces.", project="shop")
    jot.remember("No project.")
    clock.tick(5)
    jot.add(NOTE, project="mail")
    assert jot.projects() == (
        Project(key="mail", label="mail", documents=1, first=start + 5, last=start + 5),
        Project(key="shop", label="shop", memories=2, first=1_000_000_000_000, last=start),
    )
    jot.work()
    assert {one.key: one.memories for one in jot.projects()} == {"mail": 2, "shop": 2}
    assert jot.scoped(tenant="other").projects() == ()
