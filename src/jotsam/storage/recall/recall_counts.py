"""How often a memory was in an answer, and when last."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.storage.database import Row, Transaction


def add(tx: Transaction, recalls: Mapping[str, int], *, at: int) -> None:
    """Add to the counts of memories, by UUID. `at` is when they were in an answer last."""
    for uuid, number in sorted(recalls.items()):  # In one order, so that two writers cannot block each other.
        tx.run("recall_counts.add", uuid=uuid, recalls=number, recalled_at=at)


def of_memory(tx: Transaction, number: int) -> Row | None:
    """`recalls` and `recalled_at` (ms) of a memory; None if it was in no answer."""
    return tx.one("recall_counts.of_memory", memory_id=number)
