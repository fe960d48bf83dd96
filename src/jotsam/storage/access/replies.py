"""Replies kept by idempotency key: what a repeated request is answered with. No key is stored, only its SHA-256."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction


def find(tx: Transaction, *, key: str, since: int) -> Row | None:
    """The reply of a key that was stored at a time or later: fingerprint, status, location and body."""
    return tx.one("replies.find", key=key, since=since)


def save(tx: Transaction, *, key: str, fingerprint: str, status: int, location: str | None, body: str) -> None:
    """Keep a reply, instead of an expired one of the same key."""
    tx.run("replies.save", key=key, fingerprint=fingerprint, status=status, location=location, body=body)


def prune(tx: Transaction, *, before: int, limit: int) -> int:
    """Delete replies stored before a time. Returns how many."""
    return len(tx.all("replies.prune", before=before, limit=limit))
