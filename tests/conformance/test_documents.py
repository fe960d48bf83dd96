"""The list of documents with their states, and what is around a memory."""

from __future__ import annotations

import pytest

from jotsam import InvalidInput, NotFound
from jotsam.memory.reading import documents as listing
from jotsam.memory.reading.documents import list_documents
from jotsam.memory.reading.listing import surroundings
from jotsam.storage import queue

NOTE = (
    "# Shed\n\nThe platypus lives in the shed.\n\n# Lake\n\nThe heron lives at the lake.\n\n# Hill\n\nThe owl is up.\n"
)


def listed(jot, **options):
    return list_documents(jot.database, tenant=jot.settings.tenant, **options)


def states(jot, **options) -> dict[str, str]:
    return {one.source or one.beginning: one.state for one in listed(jot, **options).documents}


def fail(jot, id: str, *, error: str, dead: bool) -> None:
    """Deliver the job of a document once, and let it fail."""
    wanted = jot.show(id).jobs[0].id
    with jot.database.transaction() as tx:
        job = next(job for job in queue.receive(tx, queue="ingest", owner="w", limit=10) if job.id == wanted)
        if dead:
            queue.bury(tx, job, error=error)
        else:
            queue.release(tx, job, delay_ms=60_000, error=error)


def test_each_document_is_listed_with_its_state(jot, clock):
    jot.add(NOTE, source="ingested.md")
    jot.work()
    dead = jot.add("One.", source="dead.md").id
    fail(jot, dead, error="the disk is full", dead=True)
    failed = jot.add("Two.", source="failed.md").id
    fail(jot, failed, error="no reply", dead=False)
    gone = jot.add("Three.", source="discarded.md").id
    jot.admin.discard(jot.show(gone).jobs[0].id)
    clock.tick(1_000)
    jot.add("A text \n\n without a source.", project="p")
    assert list(states(jot).items()) == [
        ("A text without a source.", "pending"),
        ("discarded.md", "discarded"),
        ("failed.md", "failed"),
        ("dead.md", "dead"),
        ("ingested.md", "ingested"),
    ]
    for state in listing.STATES:
        assert set(states(jot, state=state).values()) == {state}
    found = {one.source: one for one in listed(jot).documents}
    assert (found["dead.md"].error, found["dead.md"].id, found["dead.md"].retry_at) == ("the disk is full", dead, None)
    assert (found["failed.md"].error, found["failed.md"].retry_at) == ("no reply", clock.now - 1_000 + 60_000)
    assert (found["ingested.md"].chunks, found["ingested.md"].enriched, found["ingested.md"].dead) == (3, 3, 0)
    assert found["discarded.md"].job_id > 0


def test_chunks_whose_job_is_dead_are_counted(jot):
    id = jot.add(NOTE, source="note.md").id
    jot.admin.pause("enrich")
    jot.work()
    with jot.database.transaction() as tx:
        queue.resume(tx, "enrich")
        queue.bury(tx, queue.receive(tx, queue="enrich", owner="w", limit=1)[0], error="no")
    (one,) = listed(jot).documents
    assert (one.id, one.state, one.chunks, one.enriched, one.dead) == (id, "ingested", 3, 0, 1)


def test_an_earlier_text_of_a_source_is_superseded(jot):
    for text in (NOTE, NOTE + "More.\n"):
        jot.add(text, source="note.md")
        jot.work()
    assert [one.is_superseded for one in listed(jot).documents] == [False, True]


@pytest.mark.needs_server
def test_documents_are_filtered_by_project_and_a_part_of_the_source(jot):
    for source, project in (("a/Übersicht_1.md", "p"), ("a/uebersicht%1.md", "q"), ("b/Notes.md", "p")):
        jot.add("Text.", source=source, project=project)
    assert set(states(jot, project="p")) == {"a/Übersicht_1.md", "b/Notes.md"}
    assert set(states(jot, words="NOTES")) == {"b/Notes.md"}
    assert set(states(jot, words="Über")) == {"a/Übersicht_1.md"}
    assert set(states(jot, words="t_1")) == {"a/Übersicht_1.md"}
    assert set(states(jot, words="t%1")) == {"a/uebersicht%1.md"}
    assert states(jot, words="a\\") == {}
    assert states(jot.scoped(tenant="other")) == {}


@pytest.mark.needs_server
def test_documents_are_paged_by_a_key(jot, monkeypatch):
    for number in range(5):
        jot.add("Text.", source=f"{number}.md")
    first = listed(jot, limit=2)
    second = listed(jot, limit=2, before=first.next)
    third = listed(jot, limit=2, before=second.next)
    assert [one.source for page in (first, second, third) for one in page.documents] == [f"{n}.md" for n in "43210"]
    assert (first.is_cut, third.next) == (False, None)
    monkeypatch.setattr(listing, "EXAMINED", 3)
    cut = listed(jot, words="1.md")
    assert (cut.documents, cut.is_cut) == ((), True)
    assert [one.source for one in listed(jot, words="1.md", before=cut.next).documents] == ["1.md"]
    for wrong in ({"state": "done"}, {"limit": 0}, {"before": -1}):
        with pytest.raises(InvalidInput):
            listed(jot, **wrong)


def test_what_is_around_a_memory_is_two_chunks_or_turns_on_each_side(jot, clock):
    document = jot.add(NOTE, source="note.md").id
    turns = []
    for number in range(6):
        clock.tick(60_000)
        turns.append(jot.add_turn(f"Turn {number} is about otters.", session="s", position=number).id)
    alone = jot.remember("Nothing is around this.").id
    jot.work()

    def around(id: str) -> tuple[list[str], list[str]]:
        found = surroundings(jot.database, tenant=jot.settings.tenant, id=id)
        return [one.id for one in found.before], [one.id for one in found.after]

    first, second, third = jot.show(document).memories
    assert around(first) == ([], [second, third])
    assert around(second) == ([first], [third])
    assert around(turns[3]) == (turns[1:3], turns[4:])
    assert around(alone) == ([], [])
    job = surroundings(jot.database, tenant=jot.settings.tenant, id=second).ingest_job
    assert jot.admin.job(job).document == document
    with pytest.raises(NotFound):
        surroundings(jot.database, tenant="other", id=first)
