"""Tokens of the HTTP API and of the dashboard. No secret is stored: a row has the hash of one."""

from __future__ import annotations

from jotsam.core.token_records import Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction


def add(tx: Transaction, *, id: str, name: str, scope: str, purpose: str, hash: bytes, **limits: float | None) -> Token:
    """Add a token with its limits: `rate`, `max_bytes`, `expires_at`."""
    row = tx.one("tokens.add", id=id, name=name, scope=scope, purpose=purpose, hash=hash, **limits)
    assert row is not None
    return Token(**row)


def every(tx: Transaction) -> tuple[Token, ...]:
    """Those of the tenant, the oldest first, without links."""
    return tuple(Token(**row) for row in tx.all("tokens.list"))


def revoke(tx: Transaction, *, id: str) -> Token | None:
    row = tx.one("tokens.revoke", id=id)
    return Token(**row) if row else None


def use_up(tx: Transaction, *, id: str) -> bool:
    """Revoke a token that works once. False if it was revoked already."""
    return tx.one("tokens.use_up", id=id) is not None


def forget_links(tx: Transaction, *, before: int) -> None:
    """Delete the links of the tenant that expired before a time."""
    tx.run("tokens.forget_links", before=before)


def find(tx: Transaction, *, id: str) -> Row:
    """The token of any tenant, with its `hash`, also if it was revoked or has expired. All values of an unknown one are
    None.
    """
    row = tx.one("tokens.find", id=id)
    assert row is not None
    return row


def tenants(tx: Transaction) -> list[str]:
    """The tenants that have tokens."""
    return [row["tenant"] for row in tx.all("tokens.tenants")]


def mark_used(tx: Transaction, *, id: str, interval_ms: int) -> None:
    """Set the time of the last use to now, unless it was set within the interval."""
    tx.run("tokens.mark_used", id=id, interval_ms=interval_ms)
