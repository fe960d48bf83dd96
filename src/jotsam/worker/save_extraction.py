"""Writes what was found in a memory, inside the transaction given, in place of what was found in it before.

Doing it twice changes nothing. What a person gave, a tag, a type, a mention, stays whatever is found.
"""

from __future__ import annotations

import json

from jotsam.core.names import BY_ALL, BY_MODELS, BY_RULES
from jotsam.core.records import Record
from jotsam.pipeline.facts.predicates import functional
from jotsam.pipeline.tags import entity_tags
from jotsam.storage import facts, graph, memories
from jotsam.worker import fact_validity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.records import Entity, Fact
    from jotsam.storage.database import Row, Transaction


AGENT = "agent"
MOST_REJECTED, LONGEST_REJECTED = 50, 300
"""So many items that were not believed are kept by name, and so much of each."""


class Found(Record):
    """What was found in a memory. Entities and facts name their own extractor."""

    extractor: str  # who has read it
    entities: tuple[Entity, ...] = ()
    said_by: tuple[Entity, ...] = ()  # joined to whatever speaks of them; no tag, for that is a field of its own
    facts: tuple[Fact, ...] = ()
    summary: str | None = None
    type: str | None = None
    sure: float = 1.0  # of the type
    importance: float | None = None
    periods: tuple[tuple[int, int, bool], ...] = ()  # when what it tells of may have been; whether it names them
    degraded: str | None = None  # why the rules alone have read it, although a model was to
    rejected: tuple[str, ...] | None = ()  # what was not believed, and why; None: what is noted of that stays


def keep(tx: Transaction, row: Row, found: Found, *, whose: int | None = None) -> None:
    """Replace what was found in a memory: of the rules and models, or of the rules alone where no model could read.

    `whose` (of `names.WHOSE`) says otherwise.
    """
    number = row["id"]
    if whose is None:
        whose = BY_RULES if found.degraded else BY_MODELS
    said = {(facts.key(fact.subject), fact.predicate) for fact in found.facts}
    if functional(said | facts.keys(tx, number=number)):
        tx.lock(f"facts {tx.tenant}")  # Two who save rivals at once would each overlook the other.
    before = memories.extractor(tx, number)
    if before is not None:
        clear(tx, row, whose=whose)
    if before is not None and before.startswith(AGENT) and whose < BY_ALL:
        # An agent has read it meanwhile, or earlier: what it says of the whole stays, as its facts do.
        found = found.replace(extractor=before, summary=None, type=None, importance=None, degraded=None, rejected=None)
    for extractor in dict.fromkeys(entity.extractor for entity in found.entities):
        own = [entity for entity in found.entities if entity.extractor == extractor]
        memories.tag(tx, number=number, tags=entity_tags(own), extractor=extractor)
    for entity, other in graph.mention(tx, number=number, entities=found.entities + found.said_by):
        if entity in found.entities:
            memories.tag(tx, number=number, tags=entity_tags([other]), extractor=other.extractor)
    facts.save(tx, number=number, memory=row["uuid"], facts=found.facts)
    fact_validity.settle(tx, said, number=number)
    if found.rejected is not None:
        named = [one[:LONGEST_REJECTED] for one in found.rejected[:MOST_REJECTED]]
        memories.reject(tx, number=number, rejected=json.dumps(named, ensure_ascii=False) if named else None)
    memories.set_periods(tx, number=number, periods=found.periods)
    memories.mark_enriched(
        tx,
        number=number,
        extractor=found.extractor,
        summary=found.summary,
        type=found.type,
        confidence=found.sure if found.type else None,
        importance=found.importance,
        degraded=found.degraded,
    )


def clear(tx: Transaction, row: Row, *, whose: int = BY_ALL) -> None:
    """Remove what was found in a memory: tags, mentions and facts."""
    memories.clear_tags(tx, number=row["id"], whose=whose)
    graph.clear(tx, number=row["id"], whose=whose)
    keys = facts.keys(tx, number=row["id"])
    facts.clear(tx, number=row["id"], whose=whose)
    fact_validity.settle(tx, keys, number=row["id"])
