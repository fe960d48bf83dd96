"""A rule that fails on a text costs what it would have found there, and is told; everything else is stored."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from test_loop import Leaves

from jotsam.pipeline.entities.tagger import TaggedName
from jotsam.pipeline.extraction.extract import Guard, extract
from jotsam.pipeline.facts.find_facts import find_facts
from jotsam.queueing.loop import Loop
from jotsam.queueing.options import LoopOptions
from jotsam.worker.enrichment import enrich

TEXT = "We decided to use PostgreSQL because it has row level security. The billing service uses Redis."
# A determiner alone was taken for a phrase that ends in a name; an underscore for a word.
KNOWN_TO_FAIL = ("```the,the`,e ", "We use _ ", "   we replaced _ a@no longer \n")


class FailingTagger:
    """Finds names by a rule that is wrong."""

    name = "failing"

    def __call__(self, text: str) -> Iterable[TaggedName]:
        yield TaggedName(start=0, end=text.index("no such word"), kind="person", score=1.0)


def test_a_memory_is_enriched_with_what_the_other_rules_find(jot, database, caplog):
    receipt = jot.remember(TEXT)
    handlers = {"enrich": enrich.handler(database, tagger=FailingTagger())}
    options = LoopOptions(concurrency=1, worker_idle_ms=0)
    with caplog.at_level(logging.WARNING):
        Loop(database, handlers, queues=("enrich",), owner="me", options=options, hooks=Leaves()).run()
    story = jot.show(receipt.id)
    reason = "the rule find_entities failed: ValueError in test_failed_rules, line "
    assert (story.memory.type, story.entities) == ("Decision", ())
    assert {fact.object for fact in story.facts} >= {"use PostgreSQL", "Redis"}
    assert story.memory.degraded.startswith(reason)
    assert [line for line in caplog.messages if line.startswith(f"memory {receipt.id}: {reason}")]
    assert "no such word" not in caplog.text
    status = jot.status()
    assert (status.degraded, status.awaiting_model, status.depth.dead, status.depth.failed) == (1, 0, 0, 0)
    assert jot.reprocess(jot.plan_reprocess(degraded=True)) == 1
    jot.work()
    assert (jot.show(receipt.id).memory.degraded, jot.status().degraded) == (None, 0)
    assert "Redis" in {entity.name for entity in jot.show(receipt.id).entities}


def test_one_source_of_facts_that_fails_leaves_the_others():
    guard = Guard()

    def run(rule, annotated):
        return guard.all(rule, None if rule.__name__ == "clause_facts" else annotated)

    assert find_facts(TEXT, said_at=0, run=run) == find_facts(TEXT, said_at=0)
    (failure,) = guard.failures
    assert failure.startswith("the rule clause_facts failed: AttributeError in jotsam.pipeline.facts.clauses, line ")


def test_what_a_rule_found_before_it_failed_is_dropped():
    def finds_two():
        yield "one"
        yield [][0]

    guard = Guard()
    assert (guard.all(finds_two), guard.one(len, "abc"), len(guard.failures)) == ((), 3, 1)


def test_texts_that_made_a_rule_fail_give_no_fact_and_no_failure():
    found = [extract(text, said_at=0) for text in KNOWN_TO_FAIL]
    assert [(one.facts, one.failed_rules) for one in found] == [((), ())] * len(KNOWN_TO_FAIL)
