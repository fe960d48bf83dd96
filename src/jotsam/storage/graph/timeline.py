"""What was known at a time, and what has changed since. Each query reads a bounded part."""

from __future__ import annotations

import json

from jotsam.core.records import Fact
from jotsam.storage.graph.facts import from_row, key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction


def bounds(tx: Transaction) -> tuple[int, int] | None:
    """When the first and the last memory was said; None without memories."""
    first, last = tx.one("timeline.first_said"), tx.one("timeline.last_said")
    return (int(first["at"]), int(last["at"])) if first and last else None


def count_later(tx: Transaction, *, at: int, most: int) -> int:
    """How many memories were said after a time, at most `most`."""
    row = tx.one("timeline.count_later", at=at, most=most)
    return int(row["memories"]) if row else 0


def facts_at(tx: Transaction, *, at: int, latest: int, limit: int) -> list[Fact]:
    """Facts that are valid at a time, the latest first, of the `latest` memories that were said before it."""
    return [_fact(row) for row in tx.all("timeline.facts_at", at=at, latest=latest, limit=limit)]


def facts_about(tx: Transaction, names: Iterable[str], *, at: int | None = None, limit: int) -> list[Fact]:
    """Facts whose subject or object is one of these names, in any case, the latest first.

    With `at`, only those that are valid then.
    """
    return [_fact(row) for row in tx.all("timeline.facts_about", keys=_keys(names), at=at, limit=limit)]


def facts_ended(
    tx: Transaction, *, at: int, names: Iterable[str] | None = None, examined: int, limit: int
) -> list[tuple[Fact, str | None]]:
    """Facts known at a time that were superseded since, in that order, each with the object that replaces its own.

    With `names`, only those about one of them. Of the first `examined` facts that were superseded after that time.
    """
    keys = None if names is None else _keys(names)
    rows = tx.all("timeline.facts_ended", at=at, keys=keys, examined=examined, limit=limit)
    return [(_fact({k: v for k, v in row.items() if k != "now"}), row["now"]) for row in rows]


def superseded(tx: Transaction, *, at: int, examined: int, limit: int) -> list[int]:
    """The ids of memories that were valid at a time and were superseded since, in that order.

    Of the first `examined` memories that were superseded after that time.
    """
    return [row["id"] for row in tx.all("timeline.superseded", at=at, examined=examined, limit=limit)]


def _keys(names: Iterable[str]) -> str:
    return json.dumps(sorted({key(name) for name in names}))


def _fact(row: Row) -> Fact:
    return from_row({name: value for name, value in row.items() if name != "number"})
