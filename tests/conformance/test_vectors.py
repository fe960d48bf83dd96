"""Vectors end to end: made by the worker, found by what a question means, linked, replaced, counted, and never shared.

The embedder is the one that hashes: what it knows of a text are its words and their parts, which is enough to be near.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from jotsam import Jotsam
from jotsam.admin import embedders
from jotsam.core.job_records import JobSpec
from jotsam.core.names import EMBED, ENRICH
from jotsam.models.fake_endpoint import FakeEndpoint
from jotsam.storage import queue
from jotsam.storage.graph import graph
from jotsam.storage.memories import memories
from jotsam.storage.recall import vectors
from jotsam.storage.recall.vector_index import Nearest
from models import tiny

CAT, CATS, DATABASE = "The cat sat on the mat", "The cats sat on the mats", "PostgreSQL stores our invoices"
SIMILAR_TO = "SIMILAR_TO"


@pytest.fixture
def open_jot(open_jot: Callable[..., Jotsam]) -> Callable[..., Jotsam]:
    return partial(open_jot, embed_model="hashing")


def links(jot: Jotsam, id: str) -> dict[str, float]:
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        row = memories.get(tx, uuid=id)
        assert row is not None
        return {link["target"]: link["weight"] for link in graph.links(tx, row["id"]) if link["type"] == SIMILAR_TO}


def found(jot: Jotsam, question: str, **options: object) -> list[str]:
    return [hit.text for hit in jot.recall(question, **options).hits]


def embed_jobs(jot: Jotsam) -> int:
    with jot.database.snapshot() as tx:
        return queue.depth(tx, queues=[EMBED], tenant=jot.settings.tenant).live


def test_a_memory_without_a_word_of_the_question_is_found_by_meaning(jot: Jotsam):
    jot.remember(CAT)
    jot.remember(DATABASE)
    assert found(jot, "catsat sattle mattress") == []
    jot.work()
    (hit,) = jot.recall("catsat sattle mattress").hits
    assert hit.text == CAT
    assert set(hit.scores) == {"vectors"}


def test_the_database_and_the_in_memory_copy_find_the_same(jot: Jotsam, open_jot):
    for text in (CAT, CATS, DATABASE, "A dog sat on the lawn", "Invoices are sent on Mondays"):
        jot.remember(text)
    jot.work()
    questions = ["where did the cats sit", "what stores invoices", "mondays"]
    for question in questions:
        fresh = open_jot()
        first, second, third = (fresh.recall(question).hits for _ in range(3))
        assert [hit.id for hit in first] == [hit.id for hit in second] == [hit.id for hit in third]
        for one, two in zip(first, second, strict=True):
            assert one.score == pytest.approx(two.score, abs=1e-5)


def test_the_footer_counts_memories_without_vectors(jot: Jotsam, open_jot):
    jot.remember(CAT)
    jot.work()
    jot.admin.pause(EMBED)
    jot.remember(DATABASE)
    jot.work()
    answer = jot.recall("cat")
    assert (answer.coverage.embedded, answer.coverage.unembedded) == (1, 1)
    assert "1 not embedded yet" in answer.text
    assert "not known yet" in jot.recall("zebra").text
    jot.admin.resume(EMBED)
    jot.work()
    answer = jot.recall("cat")
    assert (answer.coverage.embedded, answer.coverage.unembedded) == (2, 0)
    assert "embedded" not in answer.text


def test_without_an_embedder_nothing_is_missing(open_jot):
    jot = open_jot(embed_model="")
    jot.remember(CAT)
    jot.work()
    answer = jot.recall("cat")
    assert (answer.coverage.embedded, answer.coverage.unembedded, answer.coverage.unavailable) == (0, 0, ())
    assert embed_jobs(jot) == 0


def test_a_worker_without_an_embedder_leaves_vectors_to_one_that_has_one(jot: Jotsam, open_jot):
    without = open_jot(embed_model="")
    jot.remember(CAT)
    jot.admin.pause(EMBED)
    jot.work()
    jot.admin.resume(EMBED)
    without.work()
    assert embed_jobs(jot) == 1
    jot.work()
    assert (embed_jobs(jot), found(jot, "catsat sattle mattress")) == (0, [CAT])


def test_an_unusable_embedder_is_named_in_the_footer_and_text_search_answers(jot: Jotsam, open_jot):
    jot.remember(CAT)
    jot.work()
    lost = open_jot(embed_model="no-such-model")
    answer = lost.recall("cat")
    assert [hit.text for hit in answer.hits] == [CAT]
    assert "unavailable: vectors (unknown embed_model 'no-such-model'" in answer.text


def test_an_embedding_outage_delays_only_the_vectors(open_jot):
    jot = open_jot(embed_url="http://127.0.0.1:9/v1", embed_model="m")
    jot.remember(CAT)
    jot.work()
    status = jot.status()
    assert status.enriched == 1
    (paused,) = status.paused
    assert paused.queue == EMBED
    assert "cannot connect to" in paused.reason
    assert embed_jobs(jot) == 1


@pytest.mark.parametrize("word", ["500", "401", "cut-body", "429:5"])
def test_memories_are_embedded_and_linked_after_an_outage(open_jot, fake_endpoint: FakeEndpoint, clock, word: str):
    """AM-9: all other work continues."""
    jot = open_jot(embed_url=fake_endpoint.url, embed_model="m")
    fake_endpoint.script([word] * 2)
    one, two = jot.remember(CAT).id, jot.remember(f"{CAT} again").id
    jot.work()
    assert jot.status().enriched == 2
    assert links(jot, one) == {}
    for _ in range(4):
        clock.tick(3_600_000)
        jot.work()
    assert links(jot, one).keys() == {two}
    assert links(jot, two).keys() == {one}


def test_a_stored_memory_is_later_extracted_summarised_and_linked(jot: Jotsam):
    """AM-4."""
    text = "Deployed SuperWhisper with Alice during Project Launchpad review. It went well."
    first = jot.remember(text).id
    second = jot.remember(f"{text} Twice.").id
    jot.work()
    story = jot.show(second)
    assert "entity:projects:launchpad" in story.memory.tags
    assert {entity.name for entity in story.entities} >= {"Alice", "SuperWhisper", "Launchpad"}
    assert story.memory.summary == "Deployed SuperWhisper with Alice during Project Launchpad review."
    with jot.database.snapshot(tenant="default") as tx:
        row = memories.get(tx, uuid=second)
        assert row is not None
        kinds = {(link["type"], link["target"]) for link in graph.links(tx, row["id"])}
    assert kinds >= {("PRECEDED_BY", first), (SIMILAR_TO, first)}
    assert links(jot, first)[second] == links(jot, second)[first] >= 0.8


def test_late_vectors_still_make_links(open_jot):
    jot = open_jot(embed_model="")
    one, two, other = (jot.remember(text).id for text in (CAT, CATS, DATABASE))
    jot.work()
    assert links(jot, one) == {}
    late = open_jot(similar_threshold=0.5)
    assert embedders.refresh(late, dry_run=True) == (3, len(CAT + CATS + DATABASE))
    assert embed_jobs(late) == 0
    embedders.refresh(late)
    late.work()
    assert links(late, one).keys() == {two}
    assert links(late, two).keys() == {one}
    assert links(late, other) == {}


def test_similar_to_links_are_bidirectional_with_the_cosine_as_weight(open_jot):
    jot = open_jot(similar_threshold=0.5)
    one = jot.remember(CAT).id
    jot.work()
    two = jot.remember(CATS).id
    jot.work()
    assert links(jot, one) == {two: pytest.approx(links(jot, two)[one])}
    assert 0.5 <= links(jot, one)[two] < 1


def test_similar_to_links_respect_limit_and_threshold(open_jot):
    jot = open_jot(similar_limit=2, similar_threshold=0.99)
    for _ in range(4):
        jot.remember(CAT)
    jot.remember(CATS)
    jot.work()
    last = jot.remember(CAT).id
    jot.work()
    assert len(links(jot, last)) == 2
    assert set(links(jot, last).values()) == {1.0}
    assert links(jot, jot.remember(CATS).id) == {}


def test_no_links_are_made_with_a_limit_of_0(open_jot):
    jot = open_jot(similar_limit=0)
    one = jot.remember(CAT).id
    jot.remember(CAT)
    jot.work()
    assert links(jot, one) == {}
    assert jot.recall("cat").coverage.embedded == 2


def test_enriching_twice_changes_nothing(open_jot):
    jot = open_jot(similar_threshold=0.5)
    one = jot.remember(CAT).id
    jot.remember(CATS)
    jot.work()
    before = links(jot, one), versions(jot)
    jot.remember(CAT + " again")
    jot.work()
    between = links(jot, one), versions(jot)
    with jot.database.transaction(tenant="default") as tx:
        queue.send(tx, JobSpec(queue=ENRICH, kind=ENRICH, payload=f'"{one}"'))
    jot.work()
    assert (links(jot, one), versions(jot)) == between != before
    assert embed_jobs(jot) == 0


def versions(jot: Jotsam) -> list[int]:
    with jot.database.snapshot(tenant="default") as tx:
        return [maker.version for maker in vectors.embedders(tx)]


def test_many_memories_are_embedded_in_batches_by_consecutive_jobs(jot: Jotsam):
    for number in range(150):
        jot.remember(f"Note {number}: the number {number * 7919} matters")
    jot.work()
    coverage = jot.recall("which number").coverage
    assert (coverage.embedded, coverage.unembedded) == (150, 0)
    with jot.database.snapshot() as tx:
        totals = queue.totals(tx, queue=EMBED)
    assert 3 <= totals["done"] < 20
    assert totals["accepted"] == totals["done"]


def test_documents_are_embedded_chunk_by_chunk_with_their_heading(jot: Jotsam):
    jot.add("# Guide\n\n## Zebra crossings\nLook left, then right.\n\n## Tea\nBoil water.\n", source="guide.md")
    jot.work()
    (hit, *_) = jot.recall("zebracross crossing").hits
    assert "Look left" in hit.text
    assert hit.scores["vectors"] > 0


def test_another_model_replaces_the_vectors_while_both_can_be_searched(jot: Jotsam, open_jot, tmp_path: Path):
    """MB-27."""
    tiny.write(tmp_path / "tiny")
    one = jot.remember(CAT).id
    for number in range(70):
        jot.remember(f"{CAT} number {number}")
    jot.work()
    other = open_jot(embed_model=str(tmp_path / "tiny"), similar_threshold=0.5)
    by_vectors = [hit for hit in other.recall("catsat sattle mattress").hits if "vectors" in hit.scores]
    assert by_vectors, "the earlier vectors are asked by their own model"
    assert embedders.status(other).missing == 71
    memories_, characters = embedders.refresh(other)
    assert memories_ == 71
    assert characters > 71 * len(CAT)
    other.work()
    state = embedders.status(other)
    assert [(made.name.split("-")[0], made.vectors) for made in state.made] == [("bert", 71)]
    assert (state.missing, state.waiting, state.failed) == (0, 0, 0)
    assert len(links(other, one)) >= 5
    assert embedders.refresh(other) == (0, 0)


def test_during_a_model_change_each_memory_is_found_by_the_model_of_its_vector(jot: Jotsam, open_jot, tmp_path: Path):
    tiny.write(tmp_path / "tiny")
    old = jot.remember("cat databases").id
    jot.work()
    other = open_jot(embed_model=str(tmp_path / "tiny"))
    new = other.remember("the cat sat on a mat").id
    other.work()
    state = embedders.status(other)
    assert [made.vectors for made in state.made] == [1, 1]
    answer = other.recall("the cat sat on a mat databases")
    assert {hit.id for hit in answer.hits if "vectors" in hit.scores} == {old, new}


def test_vectors_of_an_unavailable_model_are_reported_as_missing(jot: Jotsam, open_jot, tmp_path: Path):
    folder = tmp_path / "tiny"
    tiny.write(folder)
    gone = open_jot(embed_model=str(folder))
    gone.remember(CAT)
    gone.work()
    folder.rename(tmp_path / "elsewhere")
    answer = jot.recall("cat")
    assert "is not available any more" in answer.text
    assert "jotsam models refresh" in answer.text
    assert [hit.text for hit in answer.hits] == [CAT]


@pytest.mark.needs_server
def test_a_refused_text_is_marked_as_failed_and_the_others_are_embedded(open_jot, fake_endpoint: FakeEndpoint):
    jot = open_jot(embed_url=fake_endpoint.url, embed_model="m", similar_limit=0)
    jot.admin.pause(EMBED)
    for text in ("one", "two", "three"):
        jot.remember(text)
    jot.work()
    jot.admin.resume(EMBED)
    fake_endpoint.script(["400", "ok", "400", "ok"])
    jot.work()
    state = embedders.status(jot)
    assert (state.failed, state.waiting) == (1, 0)
    assert [made.vectors for made in state.made] == [2]
    assert [len(request["input"]) for request in fake_endpoint.requests] == [3, 1, 1, 1]
    jot.remember("four")
    jot.work()
    assert embedders.status(jot).failed == 1, "it is not asked again and again"
    assert embedders.refresh(jot)[0] == 1
    jot.work()
    assert embedders.status(jot).failed == 0


def test_vectors_that_were_paid_for_are_saved_when_a_server_fails_midway(open_jot, fake_endpoint: FakeEndpoint):
    jot = open_jot(embed_url=fake_endpoint.url, embed_model="m", similar_limit=0)
    jot.admin.pause(EMBED)
    for text in ("one", "two", "three"):
        jot.remember(text)
    jot.work()
    jot.admin.resume(EMBED)
    fake_endpoint.script(["400", "ok", "401", "401"])
    jot.work()
    state = embedders.status(jot)
    assert [made.vectors for made in state.made] == [1]
    assert (state.failed, state.waiting) == (0, 2)


def test_a_question_is_answered_without_vectors_when_the_server_fails(open_jot, fake_endpoint: FakeEndpoint):
    jot = open_jot(embed_url=fake_endpoint.url, embed_model="m")
    jot.remember(CAT)
    jot.work()
    fake_endpoint.script(["500"])
    answer = jot.recall("cat")
    assert [hit.text for hit in answer.hits] == [CAT]
    assert answer.coverage.unavailable[0].startswith("vectors (")
    assert jot.recall("cat").coverage.unavailable == ()


def test_another_model_under_the_same_name_is_rejected(jot: Jotsam):
    jot.remember(CAT)
    jot.work()
    with (
        jot.database.transaction(tenant="default") as tx,
        pytest.raises(Exception, match="another model has its name"),
    ):
        vectors.begin_batch(tx, name="hashing-512", place="hashing", dimension=3)


def test_a_tenant_is_searched_alone(jot: Jotsam, open_jot):
    jot.remember(CAT)
    jot.work()
    eve = open_jot(tenant="eve")
    eve.remember(CATS)
    eve.work()
    for _ in range(3):
        assert found(jot, "cats mats") == [CAT]
        assert found(eve, "cats mats") == [CATS]
    assert embedders.status(eve).memories == 1


def test_forgotten_memories_are_neither_found_nor_counted(jot: Jotsam):
    jot.remember(CAT)
    jot.work()
    for _ in range(3):
        assert found(jot, "catsat sattle mattress") == [CAT]
    jot.admin.forget_tenant()
    assert found(jot, "catsat sattle mattress") == []
    two = jot.remember(CATS).id
    jot.work()
    (hit,) = jot.recall("catsat sattle mattress").hits
    assert hit.id == two
    assert hit.scores["vectors"] > 0
    assert jot.recall("cat").coverage.embedded == 1


def test_vector_search_is_limited_to_the_project(jot: Jotsam):
    for _ in range(30):
        jot.remember(CAT, project="near")
    far = jot.remember("A cat sat", project="far").id
    jot.work()
    for _ in range(3):
        hits = jot.recall("the cat sat on the mat", project="far", limit=1).hits
        assert [hit.id for hit in hits] == [far]
        assert hits[0].scores["vectors"] > 0


def test_the_in_memory_copy_follows_other_writers(jot: Jotsam, open_jot):
    jot.remember(CAT)
    jot.work()
    for _ in range(3):
        found(jot, "cat")
    other = open_jot()
    two = other.remember(CATS).id
    other.work()
    assert two in {hit.id for hit in jot.recall(CATS).hits if "vectors" in hit.scores}


def test_an_older_snapshot_neither_sees_nor_drops_newer_vectors(jot: Jotsam):
    jot.remember(CAT)
    jot.work()
    nearest = Nearest()
    with jot.database.snapshot(tenant="default") as tx:
        (maker,) = vectors.embedders(tx)
        query = vectors.since(tx, maker=maker, version=0)[0]["bytes"]

    def look(tx) -> set[int]:
        tx.set_tenant("default")
        within = vectors.whole_scope(tx)
        return set(nearest.nearest(tx, query, maker=maker, within=within, limit=10) or ())

    with jot.database.snapshot() as tx:
        assert len(look(tx)) == 1
    with jot.database.snapshot() as tx:
        before = look(tx)

        def later() -> None:
            jot.remember(CATS)
            jot.work()
            with jot.database.snapshot() as newer:
                assert len(look(newer)) == 2

        thread = threading.Thread(target=later)
        thread.start()
        thread.join()
        assert look(tx) == before
    with jot.database.snapshot() as tx:
        assert len(look(tx)) == 2


def test_reprocessing_with_clear_recreates_vectors_and_links(open_jot):
    jot = open_jot(similar_threshold=0.5)
    one, two = jot.remember(CAT).id, jot.remember(CATS).id
    jot.work()
    before = links(jot, one)
    assert before.keys() == {two}
    jot.reprocess(jot.plan_reprocess([one], force=True), clear=True)
    assert links(jot, one) == links(jot, two) == {}
    assert [hit.id for hit in jot.recall("catsat sattle mattress").hits if "vectors" in hit.scores]
    jot.work()
    assert links(jot, one) == before


def test_links_of_a_caller_are_kept(open_jot):
    jot = open_jot(similar_threshold=0.5)
    one, two = jot.remember(CAT).id, jot.remember(DATABASE).id
    jot.work()
    with jot.database.transaction(tenant="default") as tx:
        rows = [memories.get(tx, uuid=id) for id in (one, two)]
        numbers = [row["id"] for row in rows if row]
        graph.link(tx, source=numbers[0], target=numbers[1], type=SIMILAR_TO, weight=0.33)
    embedders.refresh(jot, force=True)
    jot.work()
    assert links(jot, one) == {two: 0.33}
