"""From `add` to memory: what the worker makes of a document, through the front door."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from jotsam import Jotsam
from jotsam.core.job_records import JobSpec
from jotsam.core.names import QUEUES
from jotsam.storage import queue
from jotsam.storage.memories import documents

NOTES = """# Notes

## Storage
We chose PostgreSQL over MongoDB. It needs ACID.

## Style
Marcus prefers early returns.
"""


def chunks(jot: Jotsam, document: str) -> list:
    return [jot.show(uuid).memory for uuid in jot.show(document).memories]


def sections_recalled(jot: Jotsam, question: str) -> list[str]:
    return [hit.section for hit in jot.recall(question).hits]


def test_a_document_becomes_one_memory_per_chunk_each_linked_to_the_one_before(jot):
    """MB-12, MB-15: sections, project, source and date are those of the document."""
    receipt = jot.add(NOTES, source="notes.md", project="p", date="2026-03-01", actor="ana")
    jot.work()
    found = chunks(jot, receipt.id)
    assert [memory.section for memory in found] == ["Notes > Storage", "Notes > Style"]
    assert {(m.project, m.source, m.said_at, m.actor) for m in found} == {("p", "notes.md", 1_772_323_200_000, "ana")}
    assert "".join(memory.text for memory in found) == NOTES
    links = jot.show(found[1].id).links
    assert [(link.target, link.type) for link in links] == [(found[0].id, "PRECEDED_BY")]


def test_accepting_writes_the_text_and_a_job_and_thinks_nothing(jot):
    """MB-1: an id comes back; chunks, entities and summaries are for later."""
    receipt = jot.add(NOTES * 50)
    status = jot.status()
    assert (status.depth.pending, status.documents, status.memories, status.entities) == (1, 1, 0, 0)
    assert jot.show(receipt.id).document.text == NOTES * 50


def test_many_threads_that_name_one_entity_make_one(jot):
    """MB-24, MB-25: with other capitals and from other memories too."""
    texts = [f"We use {name} in part {number}." for number in range(8) for name in ("SQLite", "sqlite", "SQLite ")]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(jot.remember, texts))
    jot.settings = jot.settings.replace(concurrency=8)
    jot.work()
    status = jot.status()
    assert (status.memories, status.enriched, status.entities) == (24, 24, 1)


def test_a_worker_writes_each_memory_into_its_own_tenant(jot, url, clock):
    """BR-12: one worker serves all tenants of a file, and keeps them apart."""
    with Jotsam(settings=jot.settings.replace(tenant="other"), clock=clock) as other:
        mine, theirs = jot.remember("Met with John Smith."), other.remember("Met with Jane Doe.")
        jot.work()
        assert [entity.name for entity in jot.show(mine.id).entities] == ["John Smith"]
        assert [entity.name for entity in other.show(theirs.id).entities] == ["Jane Doe"]
        assert (jot.status().entities, other.status().entities) == (1, 1)


def test_a_memory_is_enriched_with_entities_tags_and_a_summary(jot):
    """AM-4: the caller's own tags stay."""
    receipt = jot.remember("Met with John Smith about Project Launchpad. He was late.", tags=["mine"])
    jot.work()
    story = jot.show(receipt.id)
    assert story.memory.summary == "Met with John Smith about Project Launchpad."
    assert set(story.memory.tags) == {"mine", "entity:people:john-smith", "entity:projects:launchpad"}
    assert {entity.name for entity in story.entities} == {"John Smith", "Launchpad"}
    assert story.memory.enriched_at is not None


def test_who_wants_no_summaries_gets_none_and_everything_else(jot):
    jot.settings = jot.settings.replace(summaries="off")
    receipt = jot.remember("Met with John Smith about Project Launchpad. He was late.")
    jot.work()
    story = jot.show(receipt.id)
    assert story.memory.summary is None
    assert {entity.name for entity in story.entities} == {"John Smith", "Launchpad"}


def test_enriching_again_changes_nothing(jot, database):
    """AM-5: the same tags, mentions and links, no second of any."""
    for text in ("We use Redis.", "We use Docker."):
        receipt = jot.remember(text, session="s")
    jot.work()
    before = jot.show(receipt.id)
    with jot.database.transaction() as tx:
        queue.send(tx, JobSpec(queue="enrich", kind="enrich", payload=f'"{receipt.id}"'))
    jot.work()
    after = jot.show(receipt.id)
    assert len(before.links) == 1
    assert (after.links, after.entities, after.memory.tags) == (before.links, before.entities, before.memory.tags)


def test_memories_of_a_session_follow_each_other(jot):
    first, second = (jot.remember(text, session="s").id for text in ("One.", "Two."))
    jot.remember("Elsewhere.", session="t")
    jot.work()
    assert [(link.target, link.type) for link in jot.show(second).links] == [(first, "PRECEDED_BY")]
    assert jot.show(first).links == ()


def test_a_changed_text_of_a_source_takes_the_place_of_the_old_one(jot):
    """MB-23: and the sections of one text never supersede each other."""
    old = jot.add(NOTES, source="notes.md")
    jot.work()
    jot.add(NOTES.replace("PostgreSQL over MongoDB", "SQLite over everything"), source="notes.md")
    jot.work()
    assert "SQLite" in jot.recall("what did we chose").hits[0].text
    assert not any("PostgreSQL" in hit.text for hit in jot.recall("PostgreSQL").hits)
    assert sections_recalled(jot, "Marcus prefers") == ["Notes > Style"]
    assert all(memory.superseded_at for memory in chunks(jot, old.id))


def test_the_newest_text_stays_also_when_an_older_one_is_cut_after_it(jot, clock):
    """Two workers, a retry: jobs need not end in the order in which they were sent."""
    jot.add(NOTES, source="notes.md")
    jot.add(NOTES.replace("PostgreSQL", "SQLite"), source="notes.md")
    with jot.database.transaction() as tx:
        (job,) = queue.receive(tx, queue="ingest", owner="slow")
        queue.release(tx, job, error=None, delay_ms=1, spend=False)
    jot.work()
    clock.tick(1)
    jot.work()
    assert [hit.text for hit in jot.recall("chose MongoDB").hits if "PostgreSQL" in hit.text] == []


def test_the_same_source_in_another_project_or_tenant_is_another_document(jot, url, clock):
    jot.add(NOTES, source="notes.md", project="a")
    other = jot.add(NOTES, source="notes.md", project="b")
    jot.work()
    assert not other.duplicate
    assert jot.recall("early returns").coverage.total == 2


def test_an_unchanged_text_of_a_source_is_a_duplicate_and_costs_nothing(jot):
    first = jot.add(NOTES, source="notes.md")
    jot.work()
    again = jot.add(NOTES, source="notes.md")
    assert (again.id, again.duplicate) == (first.id, True)
    assert jot.status().depth.live == 0


def test_a_text_without_a_source_is_new_each_time_unless_it_has_a_key(jot):
    first, second = jot.add("The same."), jot.add("The same.")
    assert first.id != second.id
    third, fourth = jot.add("The same.", key="k"), jot.add("Another.", key="k")
    assert (fourth.id, fourth.duplicate) == (third.id, True)


def test_a_memory_with_an_external_id_is_accepted_once(jot):
    first, again = jot.remember("One.", external_id="n-7"), jot.remember("Two.", external_id="n-7")
    assert (again.id, again.duplicate) == (first.id, True)
    assert jot.show("n-7").memory.text == "One."


def test_everything_is_found_at_once_with_no_worker_running(jot):
    """Promise 1: by words, by id, by tag."""
    document = jot.add(NOTES, source="notes.md")
    memory = jot.remember("Ana moved to Bonn.", tags=["people"])
    assert jot.recall("who prefers early returns").hits[0].id == document.id
    assert jot.recall("Bonn").hits[0].id == memory.id
    assert jot.recall(memory.id[:8]).hits[0].id == memory.id
    assert [hit.id for hit in jot.recall(tags=["people"]).hits] == [memory.id]


def test_words_beside_characters_without_spaces_are_found(jot):
    """Both the word and the characters, also a single one at the end of a run."""
    receipt = jot.remember("我们用SQLite数据库 写了一只小猫")
    for question in ("sqlite", "数据库", "猫"):
        assert [hit.id for hit in jot.recall(question).hits] == [receipt.id], question


def test_a_word_written_about_a_private_block_is_no_private_block(jot):
    jot.add("Put secrets between `<private>` and `</private>`. They are dropped.\n\nThe rest stays.")
    assert "The rest stays." in jot.recall("rest stays").hits[0].text


def test_a_very_long_document_is_written_in_slices_and_only_once(jot):
    """A worker that dies between two slices goes on where it was."""
    text = "".join(f"## Section {n}\n\nThe number is {n}.\n\n" for n in range(350))
    receipt = jot.add(text)
    jot.work()
    found = chunks(jot, receipt.id)
    assert "".join(memory.text for memory in found) == text
    with jot.database.snapshot(tenant="default") as tx:
        indexed = tx.execute("select count(*) as n from text_index")[0]["n"]
    assert indexed == len(found) == 350


def test_what_was_forgotten_meanwhile_is_not_worked_on(jot):
    """Ghost jobs cancel themselves."""
    receipt = jot.remember("Soon gone.")
    with jot.database.transaction(tenant="default") as tx:
        tx.execute("delete from memory where tenant = 'default'")
    assert jot.work() == 1
    assert jot.status().depth.dead == 0
    assert jot.recall(receipt.id).hits == ()


def test_a_tenant_never_sees_anothers_memory(jot, url, clock):
    """Promise 7: through every call that reads or changes."""
    theirs = jot.remember("The launch code is 4711.", tags=["secret"], external_id="n-1")
    document = jot.add("The launch date is Friday.", source="d.md")
    settings = jot.settings.replace(tenant="eve")
    with Jotsam(settings=settings, clock=clock) as eve:
        for question in ("launch code", theirs.id, theirs.id[:8], document.id, "n-1"):
            assert eve.recall(question).coverage.total == 0
        assert eve.recall(tags=["secret"]).hits == ()
        assert eve.recall("' or 1=1 --").hits == ()
        for id in (theirs.id, theirs.id[:8], document.id, "n-1", str(theirs.job_id)):
            with pytest.raises(LookupError):
                eve.show(id)
        assert eve.admin.jobs() == []
        with pytest.raises(LookupError):
            eve.admin.retry(theirs.job_id)
        with pytest.raises(LookupError):
            eve.admin.discard(theirs.job_id)
        assert eve.remember("Mine.", external_id="n-1").duplicate is False
        assert eve.add("The launch date is Friday.", source="d.md").duplicate is False
        eve.admin.forget_tenant()
        assert eve.status().memories == 0
    assert len(jot.recall("launch").hits) == 2


def test_forgetting_a_tenant_leaves_nothing_of_it(jot):
    jot.add(NOTES, source="notes.md"), jot.remember("Met with John Smith.", tags=["a"])
    jot.work()
    jot.add("pending")
    jot.admin.forget_tenant()
    with jot.database.snapshot(tenant="default") as tx:
        for table in ("document", "memory", "memory_tag", "entity", "mention", "link", "queue_job", "text_index"):
            assert tx.execute(f"select count(*) as n from {table}") == [{"n": 0}], table
        assert documents.count(tx) == 0


def test_status_counts_what_waits_and_what_is_known(jot):
    jot.add(NOTES), jot.remember("One.")
    before = jot.status()
    jot.work()
    after = jot.status()
    assert (before.depth.pending, before.memories, before.documents, before.done) == (2, 1, 1, 0)
    assert (after.depth.live, after.memories, after.enriched, after.done) == (0, 3, 3, 4)


def test_a_receipt_warns_past_the_soft_cap_and_nothing_is_refused(url, clock, jot):
    """GK-2: many jobs are no problem; many jobs of which the oldest waits for long are. All are accepted."""
    settings = jot.settings.replace(soft_cap=10)
    with Jotsam(settings=settings, clock=clock) as small:

        def add(number: int) -> tuple[str, bool]:
            receipt = small.add(f"Text {number}.")
            return small.status().level, bool(receipt.warnings)

        assert [add(number) for number in range(12)] == [("ok", False)] * 12
        clock.tick(10 * 60_000)
        assert add(12) == ("warning", True)
        clock.tick(50 * 60_000)
        assert add(13) == ("error", True)
        with small.database.transaction() as tx:
            for job in queue.receive(tx, queue="ingest", owner="x", limit=20):
                queue.release(tx, job, error="later", delay_ms=1)
        clock.tick(10)
        assert add(14) == ("ok", False)  # All but the last were delivered.


def test_retry_and_discard_work_on_dead_jobs(jot):
    receipt = jot.remember("One.")
    with jot.database.transaction() as tx:
        (job,) = queue.receive(tx, queue="enrich", owner="x")
        queue.bury(tx, job, error="broken")
    assert jot.status().depth.dead == 1
    jot.admin.retry(receipt.job_id)
    jot.work()
    assert jot.show(receipt.id).memory.enriched_at is not None
    with pytest.raises(LookupError, match="no job"):
        jot.admin.retry(receipt.job_id)


def test_every_queue_of_memory_balances(jot):
    """accepted = done + discarded + live + dead."""
    jot.add(NOTES), jot.add(NOTES)
    jot.work()
    jot.add("pending")
    with jot.database.snapshot() as tx:
        totals = [queue.totals(tx, queue=name) for name in QUEUES]
        depth = queue.depth(tx, queues=QUEUES, tenant="default")
    assert sum(t["accepted"] for t in totals) == sum(t["done"] for t in totals) + depth.live
