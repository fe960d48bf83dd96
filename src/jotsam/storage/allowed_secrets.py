"""What looks like a secret and is none: fingerprints, each with the reason somebody gave. No secret stands here."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction


def allow(tx: Transaction, *, fingerprint: str, reason: str) -> None:
    """Let it stand from now on; said again, the later reason holds."""
    tx.run("allowed_secrets.allow", fingerprint=fingerprint, reason=reason)


def every(tx: Transaction) -> list[Row]:
    """`fingerprint`, `reason` and `created_at` of each, in the order in which they came."""
    return tx.all("allowed_secrets.list")


def fingerprints(tx: Transaction) -> frozenset[str]:
    return frozenset(row["fingerprint"] for row in every(tx))


def forbid(tx: Transaction, *, prefix: str) -> int:
    """Take back what begins like this; returns how many there were."""
    return len(tx.all("allowed_secrets.forbid", low=prefix, high=prefix + "g"))


def forget_tenant(tx: Transaction) -> None:
    tx.run("allowed_secrets.forget_tenant")
