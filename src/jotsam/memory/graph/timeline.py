"""What was known at a time, and what has changed since.

Everything reads a bounded part of memory, however large it is; the record states which.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.clock import parse_time
from jotsam.core.predicates import FUNCTIONAL
from jotsam.core.records import Fact, Record, StoredMemory
from jotsam.memory.graph.entity_details import names_of
from jotsam.memory.graph.entity_review import entity as named_entity
from jotsam.memory.graph.entity_review import parsed_name
from jotsam.memory.reading.listing import stored
from jotsam.storage.graph import timeline
from jotsam.storage.graph.facts import key
from jotsam.storage.memories import selection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

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


class Change(Record):
    """A fact that began or ended between two times, or what took its place."""

    subject: str
    predicate: str
    before: Fact | None  # None: it began
    after: Fact | None  # None: it ended


class Comparison(Record):
    """What differs between what was known at two times, by subject in the order of the latest change."""

    changes: tuple[Change, ...]
    same: int  # facts that were valid at both
    has_more: bool  # there are more changes than `limit`, or facts than were compared


def compare(
    database: Database, *, tenant: str, at: Timestamp, to: Timestamp, entity: str | None = None, limit: int = 200
) -> Comparison:
    """What began, ended and changed between two times; with `entity` (as for `known_at`), of the facts about it.

    Raises `InvalidInput`, `NotFound`.
    """
    first, last = sorted((parse_time(at, name="at"), parse_time(to, name="to")))
    validate.check_int("limit", limit, 1, EXAMINED)
    with database.snapshot(tenant=tenant) as tx:
        names = _names(tx, entity) if entity else None
        before, after = (_valid(tx, names, time) for time in (first, last))
    old, new = ({_triple(fact): fact for fact in reversed(facts)} for facts in (before, after))
    began, ended = ([fact for key, fact in one.items() if key not in other] for one, other in ((new, old), (old, new)))
    changes = [*_changes(began, ended)]
    order = {one.subject.casefold(): place for place, one in reversed([*enumerate(changes)])}
    changes.sort(key=lambda one: (order[one.subject.casefold()], one.predicate))
    return Comparison(
        changes=tuple(changes[:limit]),
        same=len(old.keys() & new.keys()),
        has_more=len(changes) > limit or max(len(before), len(after)) >= EXAMINED,
    )


def _valid(tx: Transaction, names: list[str] | None, time: int) -> list[Fact]:
    if names is None:
        return timeline.facts_at(tx, at=time, latest=EXAMINED, limit=EXAMINED)
    return timeline.facts_about(tx, names, at=time, limit=EXAMINED)


def _triple(fact: Fact) -> tuple[str, str, str]:
    return key(fact.subject), fact.predicate, key(fact.object)


def _changes(began: list[Fact], ended: list[Fact]) -> Iterator[Change]:
    """Of a predicate with one value at a time, the one that began takes the place of the one that ended."""
    open = {(key(one.subject), one.predicate): one for one in ended if one.predicate in FUNCTIONAL}
    for fact in reversed(began):
        before = open.pop((key(fact.subject), fact.predicate), None) if fact.predicate in FUNCTIONAL else None
        yield Change(subject=fact.subject, predicate=fact.predicate, before=before, after=fact)
    for fact in reversed(ended):
        if fact.predicate not in FUNCTIONAL or open.get((key(fact.subject), fact.predicate)) is fact:
            yield Change(subject=fact.subject, predicate=fact.predicate, before=fact, after=None)


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
