"""What is past the time for which the settings keep it: texts of documents, earlier versions, superseded memories."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction


def remove_texts(tx: Transaction, *, before: int, after: int = 0, limit: int) -> int:
    """Remove the texts of documents stored before a time. Their chunks stay. Returns how many."""
    numbers = [row["id"] for row in tx.all("retention.texts", before=before, after=after, limit=limit)]
    if numbers:
        tx.run("retention.remove_texts", documents=f"[{', '.join(map(str, numbers))}]")
    return len(numbers)


def remove_versions(tx: Transaction, *, before: int, limit: int) -> list[str]:
    """Delete versions of memories that were replaced before a time. Returns their texts."""
    return [row["body"] for row in tx.all("retention.remove_versions", before=before, limit=limit)]


def superseded(tx: Transaction, *, before: int, limit: int) -> list[str]:
    """The UUIDs of memories stored and superseded before a time, except those that supersede others."""
    return [row["uuid"] for row in tx.all("retention.superseded", before=before, limit=limit)]


def counts(tx: Transaction, **before: int) -> dict[str, int]:
    """How many texts, versions, superseded, trash, audit, given and items there are before these times."""
    row = tx.one("retention.counts", **before)
    assert row is not None
    return row
