"""How relevant memories still are, from 0 to 1."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction


def inputs(tx: Transaction, *, after: int, limit: int) -> list[Row]:
    """What relevance depends on, of current memories with a higher id than `after`, in order.

    `id`, `uuid`, `importance`, `confidence`, `at` (when it was said), `recalled_at`, `links` (how many, without the
    order of conversations), and the `relevance` as saved; None where nothing is known.
    """
    return tx.all("relevance.inputs", after=after, limit=limit)


def of_memory(tx: Transaction, number: int) -> float | None:
    row = tx.one("relevance.of_memory", memory_id=number)
    return row["relevance"] if row else None


def save(tx: Transaction, number: int, relevance: float | None) -> None:
    """Set the relevance of a memory; None: remove it. A memory that was forgotten meanwhile is left out."""
    if relevance is None:
        tx.run("relevance.delete", memory_id=number)
    else:
        tx.run("relevance.set", memory_id=number, relevance=relevance)
