"""The audit: one row for each request that changed something, written in the transaction of the change."""

from __future__ import annotations

from jotsam.core.token_records import AuditEntry
from jotsam.core.validate import MAX_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction


def add(tx: Transaction, entry: AuditEntry) -> None:
    """Add a row for the tenant of the transaction."""
    tx.run(
        "audits.add",
        request=entry.request,
        token=entry.token,
        name=entry.name,
        action=entry.action,
        subject=entry.subject,
        address=entry.address,
    )


def latest(tx: Transaction, *, before: int | None = None, limit: int) -> tuple[AuditEntry, ...]:
    """The newest first; with `before`, those with a lower id."""
    rows = tx.all("audits.list", before=MAX_ID if before is None else before, limit=limit)
    return tuple(AuditEntry(**row) for row in rows)


def remove_before(tx: Transaction, *, before: int, limit: int) -> int:
    """Delete rows from before a time, the oldest first. Returns how many."""
    return len(tx.all("audits.remove_before", before=before, limit=limit))
