"""Patterns: themes that recur among memories of one type, their terms, and the memories that exemplify them."""

from __future__ import annotations

from jotsam.core.records import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from jotsam.storage.database import Row, Transaction

# Patterns are detected among this many of the latest memories of a type.
WINDOW = 200

_FIRST_CONFIDENCE, _CONFIDENCE_STEP, _MAX_CONFIDENCE = 0.35, 0.05, 0.95


def set_terms(tx: Transaction, *, type: str, number: int, terms: Iterable[str]) -> None:
    """Save the terms of a memory."""
    tx.run("patterns.set_terms", memory_id=number, type=type, terms=" ".join(terms))


def latest_terms(tx: Transaction, *, type: str) -> tuple[dict[int, frozenset[str]], dict[int, int]]:
    """The terms of the latest memories of a type by their ids, and when each was said.

    Locks the type until the commit: two transactions at the same time would not see each other's memories.
    """
    tx.run("patterns.lock_type", type=type)
    rows = tx.all("patterns.latest_terms", type=type, limit=WINDOW)
    terms = {row["memory_id"]: frozenset(row["terms"].split()) for row in rows}
    return terms, {row["memory_id"]: row["at"] for row in rows}


def exists(tx: Transaction, *, type: str, slug: str) -> bool:
    return tx.one("patterns.find", type=type, slug=slug) is not None


def save(tx: Transaction, *, type: str, slug: str, terms: Iterable[str], said: Mapping[int, int]) -> None:
    """Save a pattern and the memories that exemplify it: their ids, with when each was said."""
    row = tx.one("patterns.save", type=type, slug=slug, terms=" ".join(terms))
    assert row is not None
    tx.run_many(
        "patterns.add_example", [{"pattern_id": row["id"], "memory_id": n, "at": said[n]} for n in sorted(said)]
    )


def clear(tx: Transaction, number: int, *, type: str | None = None, but: Collection[str] = ()) -> frozenset[str]:
    """Remove the terms of a memory and its patterns, except those of a type and slugs. Returns the slugs kept."""
    tx.run("patterns.clear_terms", memory_id=number)
    held = tx.all("patterns.held_by_memory", memory_id=number)
    kept = [row for row in held if row["type"] == type and row["slug"] in but]
    tx.run_many(
        "patterns.delete_example", [{"pattern_id": r["id"], "memory_id": number} for r in held if r not in kept]
    )
    return frozenset(row["slug"] for row in kept)


def of_memory(tx: Transaction, number: int, *, actor: str | None = None) -> tuple[Pattern, ...]:
    """The patterns of a memory; with `actor`, counted among the memories of this actor."""
    return tuple(_record(row) for row in tx.all("patterns.of_memory", memory_id=number, actor=actor))


def every(
    tx: Transaction, *, type: str | None = None, actor: str | None = None, limit: int = 50
) -> tuple[Pattern, ...]:
    """The patterns with the most examples first; with `actor`, counted among the memories of this actor."""
    return tuple(_record(row) for row in tx.all("patterns.list", type=type, actor=actor, limit=limit))


def _record(row: Row) -> Pattern:
    sightings = int(row["occurrences"])
    return Pattern(
        type=row["type"],
        slug=row["slug"],
        terms=tuple(row["terms"].split()),
        occurrences=sightings,
        confidence=round(min(_FIRST_CONFIDENCE + _CONFIDENCE_STEP * sightings, _MAX_CONFIDENCE), 2),
        first_seen=row["first_seen"],
        last_reinforced=row["last_seen"],
    )
