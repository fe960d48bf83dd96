"""What was forgotten to the trash: lines of an export, one part for each commit of a `forget`, its batch."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction

SUPERSEDE = {
    "memory": "trash.supersede_memory",
    "document": "trash.supersede_document",
    "fact": "trash.supersede_fact",
    "archived": "trash.archive_memory",
}


def add(
    tx: Transaction, *, batch: str, part: int, memories: int, documents: int, sample: str, undo: str, lines: str
) -> None:
    counts = {"memories": memories, "documents": documents}
    tx.run("trash.add", batch=batch, part=part, sample=sample, undo=undo, lines=lines, **counts)


def batches(tx: Transaction) -> list[Row]:
    """Batches, the latest first: `batch`, `created_at`, `memories` and `documents` (how many), `sample`."""
    return tx.all("trash.batches")


def parts(tx: Transaction, *, batch: str) -> list[int]:
    return [row["part"] for row in tx.all("trash.parts", batch=batch)]


def take(tx: Transaction, *, batch: str, part: int) -> Row | None:
    """Remove a part. Returns what `add` was given; None if it is not in the trash any longer."""
    return tx.one("trash.take", batch=batch, part=part)


def superseded(tx: Transaction, *, memories: Iterable[int], documents: Iterable[int]) -> list[Row]:
    """What a caller superseded by these, or was merged into them: `kind`, and the UUIDs `id` and `by_id`, `at`."""
    lists = {"memories": json.dumps([*memories]), "documents": json.dumps([*documents])}
    return tx.all("trash.superseded", **lists)


def supersede(tx: Transaction, kind: str, *, id: str, by: int, at: int) -> int | None:
    """Supersede a memory, document or fact (`kind`), given by UUID, unless something else supersedes it by now.

    A memory of the kind `archived` is archived again as merged into another.

    Returns the id of the memory, of that of the fact, or of the document.
    """
    row = tx.one(SUPERSEDE[kind], id=id, by=by, at=at)
    return row["id"] if row else None


def remove_before(tx: Transaction, *, before: int, limit: int) -> int:
    """Delete parts from before a time, the oldest first. Returns how many."""
    return len(tx.all("trash.remove_before", before=before, limit=limit))


def forget_tenant(tx: Transaction) -> None:
    tx.run("trash.forget_tenant")
