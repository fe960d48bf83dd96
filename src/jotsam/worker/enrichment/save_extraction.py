"""Saves the extraction of a memory: replaces tags, mentions, facts, periods and the values that were extracted before.

Runs in the transaction of the caller and is idempotent. Tags, types and mentions that a person entered are kept.
"""

from __future__ import annotations

import json

from jotsam.core.names import BY_ALL, BY_MODELS, BY_RULES
from jotsam.pipeline.extraction.extract import RULES
from jotsam.pipeline.facts.predicates import functional
from jotsam.pipeline.tags import entity_tags
from jotsam.storage.graph import facts, graph
from jotsam.storage.memories import memories
from jotsam.storage.recall import hints
from jotsam.worker.enrichment import fact_validity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.pipeline.extraction.extract import Extraction
    from jotsam.storage.database import Row, Transaction


AGENT_PREFIX = "agent"  # of the extractor names of agents
MAX_REJECTED, MAX_REASON_CHARACTERS = 50, 300


def save_extraction(tx: Transaction, row: Row, found: Extraction, *, source: int | None = None) -> None:
    """Replace the extraction of a memory.

    `source`, one of `names.WHOSE`, is whose earlier results are replaced: by default those of rules and models, or
    those of the rules alone if the extraction is degraded.
    """
    number = row["id"]
    if source is None:
        source = BY_RULES if found.degraded else BY_MODELS
    keys = {(facts.key(fact.subject), fact.predicate) for fact in found.facts}
    if functional(keys | facts.keys(tx, number=number)):
        tx.lock(f"facts {tx.tenant}")  # Concurrent transactions would not see each other's competing facts.
    before = memories.extractor(tx, number)
    if before is not None:
        clear_extraction(tx, row, source=source)
    if before is not None and before.startswith(AGENT_PREFIX) and source < BY_ALL:
        # An agent's extraction takes precedence: keep its summary, type and importance as well as its facts.
        found = found.replace(
            extractor=before, summary=None, type=None, importance=None, degraded=None, rejected=None, hints=None
        )
    _save_entities(tx, row, found)
    facts.save(tx, number=number, memory=row["uuid"], facts=found.facts)
    fact_validity.update_validity(tx, keys, number=number)
    if found.rejected is not None:
        items = [reason[:MAX_REASON_CHARACTERS] for reason in found.rejected[:MAX_REJECTED]]
        memories.set_rejected(tx, number=number, rejected=json.dumps(items, ensure_ascii=False) if items else None)
    if found.hints is not None:
        hints.replace(tx, number=number, words=found.hints)
    periods = [(period.first, period.until) for period in found.periods if period.text]
    memories.set_date_ranges(tx, number=number, periods=periods)
    degraded = "; ".join(filter(None, (found.degraded, *found.failed_rules))) or None
    memories.mark_enriched(
        tx,
        number=number,
        extractor=found.extractor,
        summary=found.summary,
        type=found.type,
        confidence=found.type_confidence if found.type else None,
        importance=found.importance,
        degraded=degraded,
    )
    if degraded is not None:
        memories.set_awaiting_model(tx, number=number, awaits=found.awaits_model)


def _save_entities(tx: Transaction, row: Row, found: Extraction) -> None:
    """Save tags and mentions. A mention of an alias also gets the tag of the entity it resolves to."""
    number = row["id"]
    for extractor in dict.fromkeys(entity.extractor for entity in found.entities):
        own = [entity for entity in found.entities if entity.extractor == extractor]
        memories.tag(tx, number=number, tags=entity_tags(own), extractor=extractor)
    if found.topics:
        memories.tag(tx, number=number, tags=found.topics, extractor=RULES)
    mentioned = (*found.entities, found.speaker) if found.speaker else found.entities
    for entity, other in graph.mention(tx, number=number, entities=mentioned):
        if entity in found.entities:
            memories.tag(tx, number=number, tags=entity_tags([other]), extractor=other.extractor)


def clear_extraction(tx: Transaction, row: Row, *, source: int = BY_ALL) -> None:
    """Remove the extracted tags, mentions and facts of a memory; of all sources, its hints too."""
    if source == BY_ALL:
        hints.replace(tx, number=row["id"], words=())
    memories.clear_tags(tx, number=row["id"], whose=source)
    graph.clear(tx, number=row["id"], whose=source)
    keys = facts.keys(tx, number=row["id"])
    facts.clear(tx, number=row["id"], whose=source)
    fact_validity.update_validity(tx, keys, number=row["id"])
