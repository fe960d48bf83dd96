"""Tenants that move to or from another server: their state in this database, and their jobs during the move."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction

LEAVING, GONE, ARRIVING, ARRIVED = "leaving", "gone", "arriving", "arrived"

# When a held job would be due: later than any time.
NEVER = 1 << 60


def lock(tx: Transaction, tenant: str) -> None:
    """Wait for the transactions that write to the tenant, and keep others waiting until this one ends."""
    tx.run("tenant_moves.lock", tenant=tenant)


def enter(tx: Transaction, tenant: str, *, move: str) -> None:
    """Bind the tenant in a transaction of the move itself, which is not refused."""
    tx.run("tenant_moves.pass", move=move)
    tx.set_tenant(tenant)


def find(tx: Transaction, tenant: str) -> Row | None:
    """`move`, `state`, `other`, `first_job`, `place` and `server` of a tenant that moves or has moved; or None."""
    return tx.one("tenant_moves.find", tenant=tenant)


def held(tx: Transaction) -> set[str]:
    """The tenants whose changes are refused. In a file there are none."""
    if "://" not in tx.url:
        return set()
    return {row["tenant"] for row in tx.all("tenant_moves.held")}


def unfinished(tx: Transaction) -> list[str]:
    """The tenants that are on their way."""
    return [row["tenant"] for row in tx.all("tenant_moves.unfinished")]


def save(
    tx: Transaction,
    tenant: str,
    *,
    move: str,
    state: str,
    other: str,
    first_job: int = 0,
    server: str | None = None,
) -> None:
    """Begin a move. What is known of an earlier one is replaced."""
    tx.run(
        "tenant_moves.save",
        tenant=tenant,
        move=move,
        state=state,
        other=other,
        first_job=first_job,
        server=server,
    )


def set_state(tx: Transaction, tenant: str, *, move: str, state: str, server: str | None = None) -> None:
    """`server`: the address of the HTTP API that clients are sent to; None: as it was."""
    tx.run("tenant_moves.set_state", tenant=tenant, move=move, state=state, server=server)


def reset(tx: Transaction, tenant: str, *, move: str) -> None:
    """Forget how far the copy is."""
    tx.run("tenant_moves.reset", tenant=tenant, move=move)


def advance(tx: Transaction, tenant: str, *, move: str, before: str | None, place: str) -> bool:
    """Save how far the copy is. False if it was not at `before`, because another process copies at the same time."""
    return tx.one("tenant_moves.advance", tenant=tenant, move=move, before=before, place=place) is not None


def remove(tx: Transaction, tenant: str, *, move: str) -> None:
    tx.run("tenant_moves.remove", tenant=tenant, move=move)


def embedders(tx: Transaction) -> list[Row]:
    """The embedders of the tenant's vectors: id, name, dimension, place."""
    return tx.all("tenant_moves.embedders")


def hold_jobs(tx: Transaction, tenant: str, *, queues: Iterable[str], limit: int) -> int:
    """Keep jobs of a tenant from being claimed, also those that are leased. Returns how many there were."""
    names = json.dumps([*queues])
    return len(tx.all("tenant_moves.hold_jobs", tenant=tenant, queues=names, never=NEVER, limit=limit))


def remove_texts(tx: Transaction, tenant: str, *, sign: int, after: int, limit: int) -> int | None:
    """Remove texts from the index: those of memories (`sign` 1) or documents (-1) with ids above `after`.

    Returns the last id; None if there is none left.
    """
    rows = tx.all("tenant_moves.remove_texts", tenant=tenant, sign=sign, after=after, limit=limit)
    return rows[-1]["last"] if rows else None


def free_jobs(tx: Transaction, tenant: str, *, limit: int) -> int:
    """Give held jobs their state again. Returns how many there were."""
    return len(tx.all("tenant_moves.free_jobs", tenant=tenant, limit=limit))
