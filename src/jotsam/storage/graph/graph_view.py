"""The graph as a whole: links among many memories, and statistics of the latest ones.

Each query reads a bounded part.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction

MAX_COUNTED = 1_000_000  # memories


def links_between(tx: Transaction, numbers: Iterable[int], *, limit: int) -> list[Row]:
    """Links from one to another of these memories: source_id, target_id, type, weight, extractor, properties."""
    return tx.all("graph_view.links_between", ids=json.dumps(sorted(numbers)), limit=limit)


def links_at(tx: Transaction, numbers: Iterable[int], *, types: Iterable[str] = (), limit: int) -> list[Row]:
    """Links in both directions of these memories, the strongest first; of some types, or of all."""
    wanted = json.dumps([*types]) if types else None
    return tx.all("graph_view.links_at", ids=json.dumps(sorted(numbers)), types=wanted, limit=limit)


def count_memories(tx: Transaction, *, most: int | None = None) -> int:
    """How many memories the tenant has, at most `most`, or `MAX_COUNTED`."""
    row = tx.one("graph_view.count_memories", limit=MAX_COUNTED if most is None else most)
    return int(row["memories"]) if row else 0


def count_links(tx: Transaction, *, latest: int) -> list[Row]:
    """By type, how many links start at the latest memories: `type` and `links`, the most frequent first."""
    return tx.all("graph_view.count_links", latest=latest)


def latest(tx: Transaction, *, limit: int) -> list[Row]:
    """type, importance, confidence and time (`at`) of the latest memories."""
    return tx.all("graph_view.latest", limit=limit)


def preferences(tx: Transaction, *, actor: str | None, latest: int, limit: int) -> list[Row]:
    """Links PREFERS_OVER of the latest memories with the texts of both ends, the strongest first."""
    return tx.all("graph_view.preferences", actor=actor, latest=latest, limit=limit)


def vector(tx: Transaction, number: int) -> Row | None:
    """The vector of a memory (`bytes`), with id, name, dimension, place and version of its embedder."""
    return tx.one("graph_view.vector", memory_id=number)
