"""Updating a memory: its text and fields, its versions, and the jobs that read the old text."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

import roles
from jotsam import Conflict, InvalidInput, NotFound
from jotsam.core.names import ENRICH
from jotsam.storage import queue
from jotsam.storage.costs import ledger
from jotsam.storage.memories import memories
from jotsam.storage.recall import vectors
from jotsam.worker.enrichment import enrich
from processes import start

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import StandingClock
    from jotsam import Jotsam
    from jotsam.storage.database import Database

KEY = "AKIAQ3EGRIZ7XT5NVLWB"


def found(jot: Jotsam, question: str) -> list[str]:
    return [hit.text for hit in jot.recall(question).hits]


def rows(jot: Jotsam, table: str) -> int:
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        return int(tx.execute(f"select count(*) as rows from {table}")[0]["rows"])


def test_a_new_text_replaces_the_old_one_everywhere(jot: Jotsam, clock: StandingClock) -> None:
    id = jot.remember("Marcus works at Acme.", tags=["staff"], importance=0.5, metadata={"a": 1}).id
    jot.work()
    assert {fact.object for fact in jot.knowledge.facts()} == {"Acme"}
    clock.tick(1)

    receipt = jot.update(id, text="Marcus works at Initech.")
    assert (receipt.id, receipt.version) == (id, 2)
    assert found(jot, "Acme") == []
    assert found(jot, "Initech") == ["Marcus works at Initech."]
    assert jot.knowledge.facts() == []
    assert not any("acme" in tag for tag in jot.get(id).tags)
    assert jot.recall("Initech").coverage.pending == 1
    jot.work()

    memory = jot.get(id)
    assert {fact.object for fact in jot.knowledge.facts()} == {"Initech"}
    assert (memory.version, memory.changed_at, memory.importance, memory.metadata) == (2, clock.now, 0.5, {"a": 1})
    assert "staff" in memory.tags
    assert not any("acme" in tag for tag in memory.tags)
    (before,) = jot.versions(id)
    assert (before.version, before.text, before.until, before.importance) == (
        1,
        "Marcus works at Acme.",
        clock.now,
        0.5,
    )
    assert jot.status().done


def test_fields_change_and_others_stay(jot: Jotsam) -> None:
    id = jot.remember(
        "tabs", tags=["a", "b"], type="Custom", importance=0.5, metadata={"x": 1, "y": 2}, valid_from=5
    ).id
    jot.work()
    jobs = rows(jot, "queue_job")
    cases: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"tags": ["c", "d"]}, {"tags": ("c", "d")}),
        ({"add_tags": ["e", "c"], "remove_tags": ["d", "none"]}, {"tags": ("c", "e")}),
        ({"importance": 0.9, "confidence": 0.25}, {"importance": 0.9, "confidence": 0.25}),
        ({"importance": None}, {"importance": None}),
        ({"add_metadata": {"y": 3, "z": 4}}, {"metadata": {"x": 1, "y": 3, "z": 4}}),
        ({"metadata": {"only": True}}, {"metadata": {"only": True}}),
        ({"type": "decision"}, {"type": "Decision"}),
        ({"valid_until": 9}, {"valid_from": 5, "valid_until": 9}),
        ({"valid_until": None}, {"valid_until": None}),
    ]
    before = jot.get(id)
    for version, (options, changed) in enumerate(cases, 2):
        assert jot.update(id, **options).version == version
        expected = before.replace(**changed, version=version)
        after = jot.get(id).replace(changed_at=before.changed_at)
        assert after == expected, options
        before = expected
    assert [version.version for version in jot.versions(id)] == list(range(1, len(cases) + 1))
    assert rows(jot, "queue_job") == jobs
    assert [hit.text for hit in jot.recall(metadata={"only": True}).hits] == ["tabs"]
    assert jot.recall(metadata={"x": 1}).hits == ()
    assert found(jot, "e") == ["tabs"]
    assert jot.update(id, type="Decision", tags=["e", "c"]).version == len(cases) + 1, "nothing is different"


def test_a_secret_in_an_update_is_redacted(jot: Jotsam) -> None:
    id = jot.remember("The key is somewhere.").id
    receipt = jot.update(id, text=f"The key is {KEY}.", add_tags=[KEY], metadata={"key": KEY})
    assert receipt.warnings == ("1 secret replaced by [redacted:...]",)
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        for table in ("memory", "memory_tag", "memory_version", "queue_job", "queue_payload"):
            assert KEY not in str(tx.execute(f"select * from {table}"))
    assert {one.place for one in jot.show(id).redactions} == {"line 1", "tag", "metadata"}


def test_the_history_of_a_memory_can_be_forgotten(jot: Jotsam) -> None:
    id = jot.remember("one").id
    jot.update(id, text="two")
    jot.update(id, text="three", forget_history=True)
    assert jot.versions(id) == ()
    assert jot.get(id).version == 3
    jot.update(id, text="four")
    assert [version.text for version in jot.versions(id)] == ["three"]
    assert jot.update(id, forget_history=True).version == 4
    assert jot.versions(id) == ()


def test_with_the_history_goes_what_was_made_of_the_old_text(jot: Jotsam, clock: StandingClock) -> None:
    """Kept replies of models and notes of redactions; the errors of jobs that read it go with each update."""
    ids = [jot.remember(f"{word} has the key {KEY}.", tags=[KEY]).id for word in ("Zebra", "Other")]

    def enrich_badly() -> None:
        with jot.database.transaction(tenant="default") as tx:
            for job in queue.receive(tx, queue=ENRICH, owner="w", limit=9):
                row = memories.get(tx, uuid=str(job.payload).strip('"'))
                assert row is not None
                word = row["body"].split()[0]
                queue.release(tx, job, error=f"cannot read {word}", trace=f"{word}.py")
                ledger.save_reply(tx, key=f"{word}-{tx.now}", body=word, extractor="m", memory=row["id"])

    def kept() -> list[int]:
        with jot.database.snapshot(tenant="default") as tx:
            tables = ("llm_cache where body = 'Zebra'", "queue_attempt where error like '%Zebra'")
            tables += ("redaction where place like 'line %'",)
            return [len(tx.execute(f"select * from {table}")) for table in tables]

    enrich_badly()
    assert kept() == [1, 1, 2]
    clock.tick(1)
    jot.update(ids[0], text="Zebra two.")
    assert kept() == [1, 0, 2]
    clock.tick(1)
    enrich_badly()
    assert kept() == [2, 1, 2]
    jot.update(ids[0], forget_history=True)
    with jot.database.transaction(tenant="default") as tx:
        row = memories.get(tx, uuid=ids[0])
        assert row is not None
        about = {"memory": row["id"], "job_id": row["job_id"] - 1}
        ledger.save_reply(tx, key="late", body="Zebra", extractor="m", **about)  # of a job that an update replaced
    assert kept() == [1, 1, 1], "what was made of the text of now is kept"
    jot.update(ids[0], text=f"Three has the key {KEY}.", forget_history=True)
    assert kept() == [0, 0, 2]
    assert [one.place for one in jot.show(ids[0]).redactions] == ["tag", "line 1"]


def test_an_update_of_another_version_is_refused(jot: Jotsam) -> None:
    id = jot.remember("one").id
    jot.update(id, text="two", version=1)
    with pytest.raises(Conflict, match=f"memory {id} has version 2, not 1: it was changed meanwhile; read it again"):
        jot.update(id, text="three", version=1)
    assert jot.get(id).text == "two"


def test_concurrent_updates_are_applied_one_after_the_other(jot: Jotsam) -> None:
    id = jot.remember("tabs").id
    changes: list[dict[str, Any]] = [
        {"text": "spaces"},
        {"importance": 0.5},
        {"add_tags": ["style"]},
        {"type": "Custom"},
    ]
    with ThreadPoolExecutor(4) as pool:
        receipts = list(pool.map(lambda change: jot.update(id, **change), changes))
    assert sorted(receipt.version for receipt in receipts) == [2, 3, 4, 5]
    memory = jot.get(id)
    assert (memory.text, memory.importance, memory.tags, memory.type) == ("spaces", 0.5, ("style",), "Custom")
    assert len(jot.versions(id)) == 4


def test_a_running_job_of_the_old_text_writes_nothing(jot: Jotsam, open_database: Callable[[], Database]) -> None:
    id = jot.remember("Marcus works at Acme.").id
    database = open_database()
    with database.transaction() as tx:
        (job,) = queue.receive(tx, queue=ENRICH, owner="me")
    save = enrich.handler(database)(job)
    assert save is not None
    jot.update(id, text="Marcus works at Initech.")
    with database.transaction(tenant=job.tenant) as tx:
        save(tx)
        queue.delete(tx, job)
    assert jot.knowledge.facts() == []
    assert jot.get(id).enriched_at is None
    jot.work()
    assert {fact.object for fact in jot.knowledge.facts()} == {"Initech"}


def test_an_invalid_update_is_refused_and_changes_nothing(jot: Jotsam) -> None:
    id = jot.remember("tabs", valid_from=5).id
    document = jot.add("# Style\n\nWe use tabs.", source="style.md").id
    jot.work()
    (chunk,) = jot.show(document).memories
    before = jot.get(id)
    cases: list[tuple[dict[str, Any], str]] = [
        ({}, "nothing to update: give a text, tags, metadata or another field"),
        ({"txt": "x"}, "unknown field 'txt'"),
        ({"text": ""}, "invalid text: it is empty"),
        ({"text": None}, "invalid text of type NoneType"),
        ({"tags": ["a"], "add_tags": ["b"]}, "tags and add_tags are given"),
        ({"metadata": {}, "add_metadata": {}}, "metadata and add_metadata are given"),
        ({"metadata": [1]}, "invalid metadata of type list"),
        ({"metadata": {"a": json.loads("[" * 150 + "]" * 150)}}, "metadata is nested too deeply"),
        ({"importance": 2}, "invalid importance 2"),
        ({"valid_until": 4}, "invalid valid_until 4: must not be before valid_from 5"),
        ({"type": "x", "version": 0}, "invalid version 0"),
    ]
    for options, message in cases:
        with pytest.raises(InvalidInput, match=message):
            jot.update(id, **options)
    with pytest.raises(InvalidInput, match=f"{chunk} is a chunk of document {document}, so its text cannot be changed"):
        jot.update(chunk, text="We use spaces.")
    with pytest.raises(NotFound, match="is a document: give the id of a memory"):
        jot.update(document, text="We use spaces.")
    with pytest.raises(NotFound, match="there is no memory 'nope'"):
        jot.update("nope", text="x")
    assert jot.get(id) == before
    assert jot.update(chunk, add_tags=["style"]).version == 2
    assert found(jot, "tabs style")[0].endswith("We use tabs.")


def test_an_update_that_is_killed_at_any_query_changes_nothing(open_jot: Callable[..., Jotsam], url: str) -> None:
    jot = open_jot()
    id = jot.remember("Marcus works at Acme.").id
    jot.work()
    before = roles.facts(url), jot.get(id), jot.knowledge.facts()
    for dies_at in (1, 4, 7, 10, 13, 16):
        assert start(roles.update, url, id, "Marcus works at Initech.", dies_at).ends() == -9, dies_at
        assert (roles.facts(url), jot.get(id), jot.knowledge.facts()) == before, dies_at
    assert jot.versions(id) == ()
    assert jot.update(id, text="Marcus works at Initech.").version == 2


def test_a_vector_of_the_old_text_is_not_saved(jot: Jotsam) -> None:
    id = jot.remember("Marcus works at Acme.").id
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        row = memories.get(tx, uuid=id)
        assert row is not None
        number = row["id"]
        assert vectors.want(tx, number=number)
        (read,) = vectors.wanted(tx, limit=10)
    jot.update(id, text="Marcus works at Initech.")
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        assert vectors.want(tx, number=number)
        versions = {number: read["version"]}
        assert vectors.texts_changed(tx, versions) == [number]
        maker = vectors.begin_batch(tx, name="m", place="here", dimension=2)
        vectors.save(tx, {number: b"\0" * 8}, maker=maker, versions=versions)
        assert vectors.count_embedded(tx) == 0
        assert vectors.count_wanted(tx) == 1
        vectors.save(tx, {number: b"\0" * 8}, maker=maker, versions={number: 2})
        assert vectors.count_embedded(tx) == 1


def test_a_running_job_is_kept_by_an_update_of_other_fields(jot: Jotsam, open_database: Callable[[], Database]) -> None:
    id = jot.remember("Marcus works at Acme.").id
    database = open_database()
    with database.transaction() as tx:
        (job,) = queue.receive(tx, queue=ENRICH, owner="me")
    save = enrich.handler(database)(job)
    assert save is not None
    jot.update(id, add_tags=["staff"], type="Note")
    with database.transaction(tenant=job.tenant) as tx:
        save(tx)
        queue.delete(tx, job)
    assert [fact.object for fact in jot.knowledge.facts()] == ["Acme"]
    memory = jot.get(id)
    assert memory.enriched_at is not None
    assert ("staff" in memory.tags, memory.type) == (True, "Note")
