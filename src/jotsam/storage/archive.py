"""Archived memories: hidden from recall until they are restored."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction


def archive(tx: Transaction, number: int, *, into: int | None) -> bool:
    """Hide a memory, because of its age or because it was merged `into` another. False: it is not current now."""
    return tx.one("archive.archive", id=number, into_id=into) is not None


def restore(tx: Transaction, number: int, *, into: int | None, at: int) -> bool:
    """Show a memory again that was archived at a time for a reason. False: it is not archived so."""
    return tx.one("archive.restore", id=number, into_id=into, at=at) is not None
