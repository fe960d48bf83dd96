"""Work that was discarded: what it belongs to is shown as such, and can be taken up again."""

from __future__ import annotations

import pytest

from jotsam.admin import embedders
from jotsam.core.names import EMBED

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
