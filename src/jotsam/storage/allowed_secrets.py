"""What looks like a secret and is none: fingerprints, each with the reason somebody gave. No secret stands here."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction


def allow(tx: Transaction, *, tenant: str, fingerprint: str, reason: str) -> None:
    """Let it stand from now on; said again, the later reason holds."""
    tx.run("allowed.allow", tenant=tenant, fingerprint=fingerprint, reason=reason)


def every(tx: Transaction, *, tenant: str) -> list[Row]:
    """`fingerprint`, `reason` and `created_at` of each, in the order in which they came."""
    return tx.all("allowed.list", tenant=tenant)


def fingerprints(tx: Transaction, *, tenant: str) -> frozenset[str]:
    return frozenset(row["fingerprint"] for row in every(tx, tenant=tenant))


def forbid(tx: Transaction, *, tenant: str, prefix: str) -> int:
    """Take back what begins like this; returns how many there were."""
    return len(tx.all("allowed.forbid", tenant=tenant, low=prefix, high=prefix + "g"))


def forget_tenant(tx: Transaction, tenant: str) -> None:
    tx.run("allowed.forget_tenant", tenant=tenant)
