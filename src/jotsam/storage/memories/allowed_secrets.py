"""Allowed secrets: fingerprints of texts that look like a secret and are not, with a reason. No secret is stored."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction


def allow(tx: Transaction, *, fingerprint: str, reason: str) -> None:
    """Do not redact this text from now on. Called again, it replaces the reason."""
    tx.run("allowed_secrets.allow", fingerprint=fingerprint, reason=reason)


def every(tx: Transaction) -> list[Row]:
    """`fingerprint`, `reason` and `created_at` of each, oldest first."""
    return tx.all("allowed_secrets.list")


def fingerprints(tx: Transaction) -> frozenset[str]:
    return frozenset(row["fingerprint"] for row in every(tx))


def forbid(tx: Transaction, *, prefix: str) -> int:
    """Remove the fingerprints that start with a prefix. Returns how many."""
    return len(tx.all("allowed_secrets.forbid", low=prefix, high=prefix + "g"))
