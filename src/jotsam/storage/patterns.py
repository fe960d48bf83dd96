"""Patterns: themes that recur among memories of one type, the terms by which they are found, and who shows them."""

from __future__ import annotations

from jotsam.core.records import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from jotsam.storage.database import Row, Transaction

WINDOW = 200
"""So many of the latest memories of a type are looked at."""

_SURE_AT_FIRST, _SURER, _SUREST = 0.35, 0.05, 0.95


def set_theme(tx: Transaction, *, type: str, number: int, terms: Iterable[str]) -> None:
    """Note what a memory is about."""
    tx.run("patterns.set_theme", memory_id=number, type=type, terms=" ".join(terms))


def latest(tx: Transaction, *, type: str) -> tuple[dict[int, frozenset[str]], dict[int, int]]:
    """The terms of the latest memories of a type by their numbers, and when each was said.

    Until the commit nobody else reads those of this type here: else two at once would overlook each other.
    """
    tx.run("patterns.hold", type=type)
    rows = tx.all("patterns.latest_themes", type=type, limit=WINDOW)
    terms = {row["memory_id"]: frozenset(row["terms"].split()) for row in rows}
    return terms, {row["memory_id"]: row["at"] for row in rows}


def is_known(tx: Transaction, *, type: str, slug: str) -> bool:
    return tx.one("patterns.known", type=type, slug=slug) is not None


def save(tx: Transaction, *, type: str, slug: str, terms: Iterable[str], said: Mapping[int, int]) -> None:
    """Keep a pattern, and memories that show it: their numbers, with when each was said."""
    row = tx.one("patterns.save", type=type, slug=slug, terms=" ".join(terms))
    assert row is not None
    tx.run_many("patterns.exemplify", [{"pattern_id": row["id"], "memory_id": n, "at": said[n]} for n in sorted(said)])


def clear(tx: Transaction, number: int, *, type: str | None = None, but: Collection[str] = ()) -> frozenset[str]:
    """The memory is about nothing, and shows no pattern any more but those of a type and slugs; returns their slugs."""
    tx.run("patterns.clear_theme", memory_id=number)
    held = tx.all("patterns.held", memory_id=number)
    kept = [row for row in held if row["type"] == type and row["slug"] in but]
    tx.run_many("patterns.clear_example", [{"pattern_id": r["id"], "memory_id": number} for r in held if r not in kept])
    return frozenset(row["slug"] for row in kept)


def of_memory(tx: Transaction, number: int) -> tuple[Pattern, ...]:
    return tuple(_record(row) for row in tx.all("patterns.of_memory", memory_id=number))


def every(tx: Transaction, *, type: str | None = None, limit: int = 50) -> tuple[Pattern, ...]:
    """Those shown most often first."""
    return tuple(_record(row) for row in tx.all("patterns.list", type=type, limit=limit))


def forget_tenant(tx: Transaction) -> None:
    tx.run("patterns.forget_tenant")
    tx.run("patterns.forget_types")


def _record(row: Row) -> Pattern:
    sightings = int(row["occurrences"])
    return Pattern(
        type=row["type"],
        slug=row["slug"],
        terms=tuple(row["terms"].split()),
        occurrences=sightings,
        confidence=round(min(_SURE_AT_FIRST + _SURER * sightings, _SUREST), 2),
        first_seen=row["first_seen"],
        last_reinforced=row["last_seen"],
    )
