"""Facts: what memories say, as triples that can be looked for by subject, predicate and object."""

from __future__ import annotations

from jotsam.records import Fact, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from jotsam.storage.database import Row, Transaction

LAST = 2**62


class Wanted(Record):
    """Which facts are looked for; what is None does not matter."""

    subject: str | None = None  # a part of it, in whatever case
    predicate: str | None = None  # normalised
    object: str | None = None  # a part of it
    words: str | None = None  # stand in the subject or in the object
    project: str | None = None


class Asked(Record):
    """What a question names."""

    keys: frozenset[str]  # what may be a subject or an object, as `key` writes it
    phrases: frozenset[str]  # those of several words
    predicates: frozenset[str]  # normalised


def save(tx: Transaction, *, tenant: str, number: int, facts: Iterable[Fact]) -> None:
    """Keep what a memory says. The same fact said again stays one, by whoever is trusted more."""
    tx.each(
        "facts.save",
        [
            {
                "tenant": tenant,
                "memory_id": number,
                "subject": fact.subject,
                "predicate": fact.predicate,
                "object": fact.object,
                "subject_key": key(fact.subject),
                "object_key": key(fact.object),
                "confidence": float(fact.confidence),
                "valid_from": fact.valid_from,
                "valid_until": fact.valid_until,
                "extractor": fact.extractor,
            }
            for fact in facts
        ],
    )


def of_memory(tx: Transaction, *, tenant: str, number: int) -> tuple[Fact, ...]:
    return tuple(Fact(**row) for row in tx.all("facts.of_memory", tenant=tenant, memory_id=number))


def find(
    tx: Transaction, wanted: Wanted, *, tenant: str, before: int = LAST, limit: int = 50
) -> list[tuple[int, Fact]]:
    """Facts of current memories, the latest first, with their numbers; `before` a number goes on after a page."""
    rows = tx.all(
        "facts.find",
        tenant=tenant,
        subject=_containing(wanted.subject),
        predicate=wanted.predicate,
        object=_containing(wanted.object),
        words=_containing(wanted.words),
        project=wanted.project,
        before=before,
        limit=limit,
    )
    return [(row.pop("id"), Fact(**row)) for row in rows]


def named(tx: Transaction, asked: Asked, scope: Mapping[str, Any], *, limit: int) -> list[Row]:
    """Facts within a scope of which the keys and predicates name two of three parts, or a whole phrase the subject:
    with `ref` (the memory's number), `subject_key` and `object_key`; the latest first.

    `scope` is a `search.Scope` as a dict.
    """
    import json

    keys, phrases, predicates = (json.dumps(sorted(part)) for part in (asked.keys, asked.phrases, asked.predicates))
    return tx.all("facts.named", **scope, keys=keys, phrases=phrases, predicates=predicates, limit=limit)


def clear(tx: Transaction, *, tenant: str, number: int, whose: int) -> None:
    """Remove what was found in a memory, as `records.WHOSE` says."""
    tx.run("facts.clear", tenant=tenant, memory_id=number, whose=whose)


def count(tx: Transaction, *, tenant: str) -> int:
    row = tx.one("facts.count", tenant=tenant)
    return int(row["facts"]) if row else 0


def forget_tenant(tx: Transaction, tenant: str) -> None:
    tx.run("facts.forget_tenant", tenant=tenant)


def key(text: str) -> str:
    """Under what a subject or object is looked for: lower case, words one space apart."""
    return " ".join(text.casefold().split())


def _containing(text: str | None) -> str | None:
    """A pattern of `like` for what holds a text."""
    if text is None or not text.strip():
        return None
    plain = key(text).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{plain}%"
