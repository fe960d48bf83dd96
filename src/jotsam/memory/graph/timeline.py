"""What was known at a time, and what has changed since.

Everything reads a bounded part of memory, however large it is; the record states which.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.clock import parse_time
from jotsam.core.records import Fact, Record, StoredMemory
from jotsam.memory.graph.entity_details import names_of
from jotsam.memory.graph.entity_review import entity as named_entity
from jotsam.memory.graph.entity_review import parsed_name
from jotsam.memory.reading.listing import stored
from jotsam.storage.graph import timeline
from jotsam.storage.memories import selection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.memory.options import Timestamp
    from jotsam.storage.database import Database, Transaction

EXAMINED = 2_000  # of the latest memories said before a time; of the facts and memories superseded after it
MAX_LATER = 10_000  # that are counted


class FactChange(Record):
    """A fact that was superseded. `now` is the object that replaces its own, if a later fact has one."""

    fact: Fact
    now: str | None


class KnownAt(Record):
    """What was known at a time, and what has changed since."""

    at: int
    first: int | None  # when the first memory was said; None without memories
    last: int | None
    facts: tuple[Fact, ...]  # valid at that time, the latest first
    superseded: tuple[StoredMemory, ...]  # memories that were valid then and were superseded since, in that order
    changes: tuple[FactChange, ...]  # facts that were valid then and were superseded since, in that order
    later: int  # memories said since then, at most `MAX_LATER` + 1
    has_more: bool  # there are more facts, memories or changes than `limit`


def bounds(database: Database, *, tenant: str) -> tuple[int, int] | None:
    """When the first and the last memory was said; None without memories."""
    with database.snapshot(tenant=tenant) as tx:
        return timeline.bounds(tx)


def known_at(database: Database, *, tenant: str, at: Timestamp, entity: str | None = None, limit: int = 100) -> KnownAt:
    """What was known at a time; with `entity` (as for `Knowledge.entity`), of the facts those about it.

    Raises `InvalidInput`, `NotFound`.
    """
    time = parse_time(at, name="at")
    validate.check_int("limit", limit, 1, EXAMINED)
    with database.snapshot(tenant=tenant) as tx:
        names = _names(tx, entity) if entity else None
        if names is None:
            facts = timeline.facts_at(tx, at=time, latest=EXAMINED, limit=limit + 1)
        else:
            facts = timeline.facts_about(tx, names, at=time, limit=limit + 1)
        ended = timeline.facts_ended(tx, at=time, names=names, examined=EXAMINED, limit=limit + 1)
        numbers = timeline.superseded(tx, at=time, examined=EXAMINED, limit=limit + 1)
        rows = selection.rows(tx, numbers[:limit])
        bounds = timeline.bounds(tx) or (None, None)
        later = timeline.count_later(tx, at=time, most=MAX_LATER + 1)
    return KnownAt(
        at=time,
        first=bounds[0],
        last=bounds[1],
        facts=tuple(facts[:limit]),
        superseded=tuple(stored(*rows[number]) for number in numbers[:limit]),
        changes=tuple(FactChange(fact=fact, now=now) for fact, now in ended[:limit]),
        later=later,
        has_more=max(len(facts), len(ended), len(numbers)) > limit,
    )


def _names(tx: Transaction, name: str) -> list[str]:
    category, slug = parsed_name(name)
    return names_of(named_entity(tx, slug=slug, category=category))
