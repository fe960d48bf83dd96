"""The job of the model reads what the rules stored, and the result is the same as if they ran again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conftest import StandingClock
    from jotsam import Jotsam
    from jotsam.models.fake_endpoint import FakeEndpoint

HOUR = 3_600_000
TEXTS: tuple[dict[str, Any], ...] = (
    {"text": "We decided to use PostgreSQL since March 2024. Postgres stores the orders.", "actor": "Ana"},
    {"text": "Ana here: I live in Lund and work at Initech. My dog Rex is old.", "actor": "Ana", "session": "s"},
    {"text": "Yes, on 3 May 2025 Marcus moved to Oslo.", "actor": "Marcus", "session": "s"},
    {"text": "The port of Flask is 5000.", "tags": ["entity:tools:flask", "mine"], "importance": 0.9},
    {"text": "I prefer short functions and early returns.", "type": "Style", "actor": "Ana"},
    {"text": "The deadline of Zephyr is 2026-03-01.", "confidence": 0.3},
    {"text": "ok"},
)
TABLES = {
    "memory": "id, summary, type, type_by, confidence, confidence_by, importance, importance_by, extractor, degraded",
    "mention": "memory_id, entity_id, extractor, confidence",
    "memory_tag": "memory_id, tag, extractor",
    "fact": "uuid, memory_id, confidence, valid_from, valid_until, extractor, superseded_at",
    "date_range": "memory_id, first, until",
    "pattern_terms": "memory_id, type, terms",
    "link": "source_id, target_id, type, weight, extractor",
}


def rows(jot: Jotsam) -> dict[str, list[str]]:
    with jot.database.snapshot(tenant="default") as tx:
        found = {table: tx.execute(f"select {columns} from {table}") for table, columns in TABLES.items()}
    return {table: sorted(str([*row.items()]) for row in some) for table, some in found.items()}


def change(jot: Jotsam, sql: str) -> None:
    with jot.database.transaction(tenant="default") as tx:
        tx.execute(sql)


@pytest.fixture
def jot(jot: Jotsam, fake_endpoint: FakeEndpoint) -> Jotsam:
    jot.settings = jot.settings.replace(llm_url=fake_endpoint.url, llm_model="fake-model", concurrency=1)
    return jot


@pytest.mark.needs_server
@pytest.mark.parametrize("summaries", ["on", "off"])
def test_what_is_stored_gives_the_same_rows_as_the_rules(
    jot: Jotsam, fake_endpoint: FakeEndpoint, clock: StandingClock, summaries: str
) -> None:
    jot.settings = jot.settings.replace(summaries=summaries)
    jot.remember("We use Postgres. PostgreSQL stores the orders.")
    jot.work()
    jot.knowledge.merge("postgres", into="postgresql")
    for text in TEXTS:
        clock.tick(1_000)
        jot.remember(**text)
    jot.work()
    from_stored = rows(jot)
    assert all("llm:fake-model" in row for row in from_stored["memory"])
    jot.reprocess(jot.plan_reprocess(force=True))
    jot.work()
    assert rows(jot) == from_stored
    assert len(fake_endpoint.requests) == len(TEXTS) + 1, "the second time its replies are cached"


@pytest.mark.parametrize(
    ("changed", "is_read"),
    [
        ("select 1", True),
        ("update memory set extractor = 'rules/0 tagger/1'", False),
        ("update memory set degraded = degraded || '; the rule find_facts failed: KeyError'", False),
        ("update fact set extractor = 'llm:other prompt/1 schema/1' where predicate = 'decided'", False),
        ("update memory set confidence = 0.4, confidence_by = null", False),
    ],
)
def test_the_rules_run_again_only_if_what_is_stored_may_differ(
    jot: Jotsam, fake_endpoint: FakeEndpoint, clock: StandingClock, changed: str, is_read: bool
) -> None:
    id = jot.remember("We decided to use Zylophon. The billing service stores blobs in Ceph.").id
    fake_endpoint.script(["500"])
    jot.work()
    stated = jot.show(id).facts
    change(jot, "update fact set confidence = 0.125 where predicate <> 'decided'")
    change(jot, changed)
    clock.tick(HOUR)
    jot.work()
    assert jot.show(id).memory.degraded is None
    assert len(stated) > 1
    assert (0.125 in [fact.confidence for fact in jot.show(id).facts]) is is_read
