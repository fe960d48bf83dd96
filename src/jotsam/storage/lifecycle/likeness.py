"""Reads memories that are compared with each other: current ones, with what distinguishes them."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction


def page(tx: Transaction, *, after: int, limit: int) -> list[Row]:
    """The next current memories by id. `type` is the one that a caller gave, `at` when it was said."""
    return tx.all("likeness.page", after=after, limit=limit)


def some(tx: Transaction, numbers: Iterable[int]) -> dict[int, Row]:
    """Of these memories those that are current, by id, with the fields of `page`."""
    return {row["id"]: row for row in tx.all("likeness.some", refs=json.dumps(sorted(set(numbers))))}


def sharing_words(tx: Transaction, match: str, *, project: str | None, limit: int) -> list[int]:
    """Current memories of a project that match the `match` of a `search.expression`, best first."""
    return [row["ref"] for row in tx.all("likeness.sharing_words", match=match, project=project, limit=limit)]


def are_opposed(tx: Transaction, first: int, second: int) -> bool:
    """Whether a link says that they are not the same, or that one answers the other."""
    return tx.one("likeness.opposed", first=first, second=second) is not None


def dates(tx: Transaction, numbers: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
    """The dates that memories mention."""
    found: dict[int, list[tuple[int, int]]] = {}
    for row in tx.all("likeness.dates", refs=json.dumps(sorted(set(numbers)))):
        found.setdefault(row["id"], []).append((row["first"], row["until"]))
    return found
