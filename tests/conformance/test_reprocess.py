"""Reprocessing: what is due, what it costs, what is replaced and what is kept; extraction by an agent."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from jotsam import Jotsam
from jotsam.admin.checks.data_checks import unread_sessions
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.models.fake_endpoint import FakeEndpoint, fake_extraction
from jotsam.storage import queue
from jotsam.storage.graph import graph
from jotsam.storage.memories import memories

BOTH = {"Marcus/Flask", "The billing service/PostgreSQL"}
TEXT = "Marcus prefers Flask. The billing service uses PostgreSQL and Zylophon."


@pytest.fixture
def model() -> Iterator[FakeEndpoint]:
    with FakeEndpoint() as model:
        yield model


def with_model(jot: Jotsam, model: FakeEndpoint, name: str = "fake-model") -> None:
    jot.settings = jot.settings.replace(llm_url=model.url, llm_model=name, llm_price_in=1.0)


def without_model(jot: Jotsam) -> None:
    jot.settings = jot.settings.replace(llm_url="")


def names(jot: Jotsam, id: str, by: str = "llm:") -> set[str]:
    """The entities of an extractor, given by the start of its name."""
    return {entity.name for entity in jot.show(id).entities if (entity.extractor or "").startswith(by)}


def said(jot: Jotsam, id: str, by: str) -> set[str]:
    """The facts of an extractor, given by the start of its name."""
    return {f"{fact.subject}/{fact.object}" for fact in jot.show(id).facts if fact.extractor.startswith(by)}


def again(jot: Jotsam, *ids: str, clear: bool = False, **how: object) -> int:
    """Reprocess and work. Returns how many were queued."""
    queued = jot.reprocess(jot.plan_reprocess(ids, **how), clear=clear)
    jot.work()
    return queued


def test_memories_extracted_by_rules_are_due_once_a_model_is_configured(jot, model):
    ids = [jot.remember(f"{TEXT} Number {number}.").id for number in range(3)]
    jot.work()
    with_model(jot, model)
    assert "Zylophon" not in names(jot, ids[0])
    assert again(jot) == 3
    assert "Zylophon" in names(jot, ids[0])
    assert again(jot) == 0
    assert len(model.requests) == 3


def test_a_plan_counts_calls_tokens_and_cost_and_changes_nothing(jot, model):
    for number in range(3):
        jot.remember(f"{TEXT} Number {number}.")
    jot.work()
    with_model(jot, model)
    plan = jot.plan_reprocess()
    assert (len(plan.due), plan.waiting, plan.current, plan.cost.calls, plan.cost.kept) == (3, 0, 0, 3, 0)
    assert plan.cost.tokens > 3 * 1_000
    assert 0 < plan.cost.cost < 0.01
    assert model.requests == []
    assert jot.status().depth.live == 0
    again(jot)
    forced = jot.plan_reprocess(force=True)
    assert (len(forced.due), forced.cost.calls, forced.cost.kept) == (3, 0, 3)


def test_a_memory_that_is_queued_or_in_progress_is_not_queued_twice(jot):
    """AM-6."""
    id = jot.remember(TEXT).id
    assert jot.plan_reprocess([id], force=True).waiting == 1
    jot.work()
    plan = jot.plan_reprocess([id], force=True)
    assert [jot.reprocess(plan), jot.reprocess(plan)] == [1, 0]
    with jot.database.transaction() as tx:
        (job,) = queue.receive(tx, queue="enrich", owner="somebody")
    assert jot.reprocess(plan) == 0
    assert jot.plan_reprocess([id], force=True).due == ()
    with jot.database.transaction() as tx:
        queue.release(tx, job, error="given back", spend=False)


def test_new_jobs_run_before_reprocessing(jot):
    old = jot.remember("We use Redis.").id
    jot.work()
    jot.reprocess(jot.plan_reprocess([old], force=True))
    new = jot.remember("We use Kafka.")
    with jot.database.transaction() as tx:
        (job,) = queue.receive(tx, queue="enrich", owner="somebody")
        assert job.id == new.job_id
        queue.release(tx, job, error="given back", spend=False)


def test_a_dead_job_is_replaced(jot):
    id = jot.remember(TEXT).id
    with jot.database.transaction() as tx:
        (job,) = queue.receive(tx, queue="enrich", owner="somebody")
        queue.bury(tx, job, error="it was broken")
    assert again(jot, id) == 1
    assert (jot.status().depth.dead, jot.show(id).memory.enriched_at is not None) == (0, True)


def test_reprocessing_is_idempotent(jot, model):
    with_model(jot, model)
    receipt = jot.add(f"# Guide\n\n## A\n\n{TEXT}\n\n## B\n\nWe chose Kafka.\n", source="guide.md")
    jot.work()
    ids = jot.show(receipt.id).memories
    before = [seen(jot, id) for id in ids]
    assert again(jot, receipt.id, force=True) == len(ids)
    assert [seen(jot, id) for id in ids] == before
    again(jot, receipt.id, force=True, clear=True)
    assert [seen(jot, id) for id in ids] == before


def seen(jot: Jotsam, id: str) -> list[object]:
    story = jot.show(id)
    memory = story.memory
    return [story.entities, story.facts, story.links, memory.tags, memory.summary, memory.type, memory.importance]


@pytest.mark.parametrize("clear", [False, True])
def test_values_entered_by_people_are_kept(jot, model, clear):
    earlier = jot.remember("An earlier one.").id
    id = jot.remember(TEXT, tags=["mine", "entity:tools:zylophon"], type="Style", importance=0.9).id
    jot.work()
    with jot.database.transaction(tenant="default") as tx:
        number = memories.get(tx, uuid=id)["id"]
        first = memories.get(tx, uuid=earlier)["id"]
        graph.link(tx, source=number, target=first, type="CONTRADICTS", weight=0.5)
        graph.link(tx, source=number, target=first, type="SIMILAR_TO", weight=0.9, extractor="vectors")
    with_model(jot, model)
    again(jot, id, clear=clear)
    story = jot.show(id)
    assert {"mine", "entity:tools:zylophon", "entity:tools:flask"} <= set(story.memory.tags)
    assert (story.memory.type, story.memory.importance) == ("Style", 0.9)
    assert ("CONTRADICTS", 0.5) in {(link.type, link.weight) for link in story.links}
    assert ("SIMILAR_TO" in {link.type for link in story.links}) is not clear
    without_model(jot)
    again(jot, id, force=True, clear=True)
    story = jot.show(id)
    assert {"mine", "entity:tools:zylophon"} <= set(story.memory.tags)
    assert "Zylophon" not in names(jot, id)


def test_the_results_of_a_model_are_replaced_by_those_of_the_next(jot, model):
    with_model(jot, model)
    id = jot.remember(TEXT).id
    jot.work()
    with_model(jot, model, "better")
    again(jot)
    assert said(jot, id, "llm:") == said(jot, id, "llm:better prompt/3 schema/2") == BOTH
    assert jot.show(id).memory.extractor == "llm:better prompt/3 schema/2"


def test_a_degraded_extraction_keeps_the_results_of_an_earlier_model(jot, model, clock):
    with_model(jot, model)
    id = jot.remember(TEXT).id
    jot.work()
    with_model(jot, model, "fail-400")
    again(jot)
    assert jot.show(id).memory.degraded
    assert "Zylophon" in names(jot, id)
    assert jot.plan_reprocess(degraded=True).due == (id,)
    with_model(jot, model, "better")
    again(jot, degraded=True)
    assert jot.show(id).memory.degraded is None


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"project": "shop"}, {"a"}),
        ({"source": "b.md"}, {"b"}),
        ({"type": "Style"}, {"c"}),
        ({"extractor": "rules"}, {"a", "b", "c"}),
        ({"extractor": "%"}, set()),
        ({"degraded": True}, set()),
        ({}, {"a", "b", "c"}),
    ],
)
def test_memories_can_be_selected_by_their_fields(jot, wanted, expected):
    ids = {
        jot.remember("a", project="shop").id: "a",
        jot.remember("b", source="b.md").id: "b",
        jot.remember("c", type="Style").id: "c",
    }
    jot.work()
    assert {ids[id] for id in jot.plan_reprocess(force=True, **wanted).due} == expected


def test_an_unknown_id_is_reported(jot):
    with pytest.raises(NotFound):
        jot.plan_reprocess(["nobody"])


def test_reprocessing_does_not_reach_other_tenants(jot, clock):
    jot.remember(TEXT)
    jot.work()
    mine = jot.plan_reprocess(force=True)
    with Jotsam(settings=jot.settings.replace(tenant="eve"), clock=clock) as eve:
        assert eve.plan_reprocess(force=True).due == ()
        assert eve.reprocess(mine) == 0
        assert eve.knowledge.facts() == []


def handed(id: str, text: str = TEXT, **changes: object) -> str:
    return json.dumps({"extractions": [{"memory": id, **fake_extraction(text), **changes}]}, indent=1)


@pytest.mark.needs_server
def test_extractions_of_an_agent_are_applied(jot):
    id = jot.remember(TEXT, actor="ana").id
    jot.work()
    prompt = jot.extract_prompt([id])
    assert f"memory: {id}\nSaid by: ana\n<text>\n{TEXT}\n</text>" in prompt
    (saved,) = jot.extract_apply(handed(id), by="claude")
    assert (saved.memory, saved.facts, saved.rejected) == (id, 2, ())
    story = jot.show(id)
    assert story.memory.extractor == "agent:claude prompt/3 schema/2"
    assert said(jot, id, "agent:claude prompt/3 schema/2") == BOTH
    assert {"Zylophon", "Flask"} <= names(jot, id, "agent:claude")


def test_extractions_of_an_agent_are_kept_when_rules_or_models_run(jot, model):
    id = jot.remember(TEXT).id
    jot.extract_apply(handed(id, summary="As the agent says."))
    jot.work()
    with_model(jot, model)
    again(jot, id, force=True)
    story = jot.show(id)
    assert story.memory.summary == "As the agent says."
    assert story.memory.extractor.startswith("agent ")
    assert said(jot, id, "agent prompt/3 schema/2") == BOTH
    assert "Zylophon" in names(jot, id, "agent")
    (saved,) = jot.extract_apply(handed(id, facts=[], summary="Anew."))
    assert saved.facts == 0
    assert (said(jot, id, "agent"), jot.show(id).memory.summary) == (set(), "Anew.")


def test_dates_and_the_type_confidence_of_an_agent_are_saved(jot):
    id = jot.remember(TEXT, said_at="2026-03-02").id
    jot.work()
    dates = [{"words": "that spring", "first": "2025-04", "last": "2025-05"}]
    jot.extract_apply(handed(id, dates=dates, type="Insight", type_confidence=0.9))
    story = jot.show(id)
    assert (story.memory.type, story.memory.confidence) == ("Insight", 0.9)
    assert (1_743_465_600_000, 1_748_736_000_000) in {(period.first, period.until) for period in story.periods}


def test_applying_extractions_twice_changes_nothing(jot):
    id = jot.remember(TEXT).id
    jot.work()
    jot.extract_apply(handed(id))
    before = seen(jot, id)
    jot.extract_apply(handed(id))
    assert seen(jot, id) == before


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"type": "Opinion"}, r"line 5, column 10: extractions\[1\].type must be one of Decision, "),
        ({"facts": [{"subject": "x"}]}, r"line 16, column 3: extractions\[1\].facts\[0\] has no 'predicate'"),
        ({"memory": "00000000-0000-0000-0000-000000000000"}, r"line 3, column 12: unknown memory '0000"),
        ({"extra": 1}, r"extractions\[1\].extra is unknown"),
    ],
)
def test_an_invalid_file_is_reported_with_line_and_column_and_nothing_is_saved(jot, change, error):
    good, bad = jot.remember(TEXT).id, jot.remember("Other.").id
    jot.work()
    right = {"memory": good, **fake_extraction(TEXT)}
    wrong = {"memory": bad, **fake_extraction("Other."), "facts": [], **change}
    with pytest.raises(InvalidInput, match=error):
        jot.extract_apply(f'{{"extractions": [{json.dumps(right)},\n{json.dumps(wrong, indent=1)}]}}')
    assert said(jot, good, "agent") == set()


def test_an_item_that_is_not_in_the_text_is_rejected_with_a_reason(jot):
    id = jot.remember(TEXT).id
    nobody = {"name": "Nobody Anywhere", "category": "people", "confidence": 1}
    reading = fake_extraction(TEXT)
    (saved,) = jot.extract_apply(handed(id, entities=[nobody, *reading["entities"]]))
    assert len(saved.rejected) == 1
    assert "'Nobody Anywhere' is not in the text" in saved.rejected[0]
    assert "Nobody Anywhere" not in names(jot, id, "")


def test_facts_are_found_by_subject_predicate_object_and_words(jot, model):
    with_model(jot, model)
    jot.settings = jot.settings.replace(concurrency=1)
    jot.remember(TEXT, project="shop")
    jot.remember("Ana uses Kafka_9.")
    jot.work()

    def found(**wanted: str) -> set[str]:
        by_model = [fact for fact in jot.knowledge.facts(**wanted) if fact.extractor.startswith("llm:")]
        return {f"{fact.subject}/{fact.object}" for fact in by_model}

    assert found(subject="MARC") == {"Marcus/Flask"}
    assert found(predicate="using") == {"The billing service/PostgreSQL", "Ana/Kafka_9"}
    assert found(object="kafka_9") == found(object="a_9") == {"Ana/Kafka_9"}
    assert found(object="a%9") == found(object="kafkaX9") == set()
    assert found(words="postgresql") == found(words="billing") == {"The billing service/PostgreSQL"}
    assert found(project="shop") == {"Marcus/Flask", "The billing service/PostgreSQL"}
    (latest,) = jot.knowledge.facts(limit=1)
    assert "Kafka_9" in latest.object


def test_facts_of_a_superseded_text_are_not_listed(jot, model, clock):
    with_model(jot, model)
    jot.add("The billing service uses Redis.", source="a.md")
    jot.work()
    jot.add("The billing service uses Kafka.", source="a.md")
    jot.work()
    assert {fact.object for fact in jot.knowledge.facts()} == {"Kafka"}


def test_another_tagger_makes_memories_due(jot, tmp_path):
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'jotsam[spacy]'")
    pipeline = spacy.blank("en")
    pipeline.add_pipe("entity_ruler").add_patterns([{"label": "PERSON", "pattern": "Zorbax"}])
    pipeline.to_disk(tmp_path / "names")
    id = jot.remember("Yesterday I saw Zorbax there.").id
    jot.work()
    assert jot.show(id).memory.extractor.endswith(" tagger/2")
    assert jot.plan_reprocess().due == ()
    jot.settings = jot.settings.replace(spacy_model=str(tmp_path / "names"))
    assert again(jot) == 1
    assert jot.show(id).memory.extractor.endswith(f" spacy:{tmp_path / 'names'}")
    assert names(jot, id, "spacy:") == {"Zorbax"}
    assert names(jot, id, "tagger") == set()
    assert jot.plan_reprocess().due == ()


@pytest.mark.needs_server
def test_a_cleared_memory_has_no_patterns_until_it_is_reprocessed(jot):
    ids = [
        jot.remember(f"We decided to use green paint, because number {number} was better.").id for number in range(3)
    ]
    jot.work()
    assert all(jot.show(id).patterns for id in ids)
    assert jot.reprocess(jot.plan_reprocess(ids[:1], force=True), clear=True) == 1
    assert jot.show(ids[0]).patterns == ()
    jot.work()
    assert jot.show(ids[0]).patterns


def test_the_doctor_names_sessions_that_a_version_without_notes_has_read(jot):
    jot.remember("Always run the migrations before the tests.", session="s-old", actor="user")
    jot.remember("Ana leads billing.")
    jot.work()
    assert [*unread_sessions(jot, jot.settings)] == []
    assert jot.plan_reprocess().due == ()
    with jot.database.transaction(tenant="default") as tx:
        tx.execute("delete from note")
        tx.execute("update memory set enriched_at = 2000")
        tx.execute("update jotsam_migration set applied_at = 1000")
        tx.execute("update jotsam_migration set applied_at = 700000 where schema = 'memory' and version >= 4")
    (found,) = unread_sessions(jot, jot.settings)
    assert "1 turn of the session s-old" in found.text
    assert found.repair == "jotsam models reprocess --all"
    jot.reprocess(jot.plan_reprocess())
    assert [*unread_sessions(jot, jot.settings)] == []  # It is queued.
    jot.work()
    assert [*unread_sessions(jot, jot.settings)] == []
    assert [rule.text for rule in jot.notes.list()] == ["Always run the migrations before the tests."]
