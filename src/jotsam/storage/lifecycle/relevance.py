"""How relevant memories still are, from 0 to 1, and what the step `forget` has to know about them."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction


def inputs(tx: Transaction, *, after: int, limit: int, characters: int) -> list[Row]:
    """What relevance depends on, of memories that are not superseded, with a higher id than `after`, in order.

    `id`, `uuid`, `importance`, whether it is an estimate of the rules (`is_by_rules`), `confidence`, `at` (when it was
    said), `recalled_at`, `links` (how many memories it is linked with, without the order of conversations), the
    `relevance` as saved; None where nothing is known. And what its importance is estimated from: the beginning of its
    `body`, `has_fact`, and `is_reply`: said after a question.
    """
    return tx.all("relevance.inputs", after=after, limit=limit, characters=characters)


def inputs_of(tx: Transaction, number: int, *, characters: int) -> Row | None:
    """The same of one memory; None if it is superseded."""
    rows = inputs(tx, after=number - 1, limit=1, characters=characters)
    return rows[0] if rows and rows[0]["id"] == number else None


def of_memory(tx: Transaction, number: int) -> float | None:
    row = tx.one("relevance.of_memory", memory_id=number)
    return row["relevance"] if row else None


def save(tx: Transaction, number: int, relevance: float | None) -> None:
    """Set the relevance of a memory; None: remove it. A memory that was forgotten in the meantime is left out."""
    if relevance is None:
        tx.run("relevance.delete", memory_id=number)
    else:
        tx.run("relevance.set", memory_id=number, relevance=relevance)


def forget_inputs(tx: Transaction, *, tags: Iterable[str], after: int, limit: int) -> tuple[list[Row], int, int]:
    """Of the next `limit` memories, those that are enriched and current; the last id of them, and how many they are.

    Besides its columns each has its `relevance`, `said_at` (or when it was stored), how many of these `tags` it has,
    how many memories were `merged` into it, and how many `facts` that hold no other memory states.
    """
    last = tx.one("forgetting.last", after=after, limit=limit)
    assert last is not None
    rows = tx.all("forgetting.inputs", tags=json.dumps([*tags]), after=after, limit=limit)
    return rows, int(last["id"] or 0), int(last["memories"])
