"""The lease of the worker: where one file has one worker process, this row says who it is, and until when.

A lease lies at most its own length ahead. One that lies further was taken before the clock went back, and is void.
"""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction

NAME = "worker"


class Holder(Record):
    """Who holds the lease, or asks for it. The `owner` is a token that nobody else knows."""

    owner: str
    pid: int
    host: str
    until: int = 0


def holder(tx: Transaction, *, longest_ms: int) -> Holder | None:
    """Who holds the lease now. No lease is longer than `longest_ms`."""
    row = tx.one("lease.get", name=NAME)
    if row is None or not tx.now < row["until"] <= tx.now + longest_ms:
        return None
    return Holder(**row)


def take(tx: Transaction, who: Holder, *, lease_ms: int) -> None:
    """Write the lease for `who`; the caller has looked, in this transaction, that nobody else has it."""
    tx.run("lease.take", name=NAME, owner=who.owner, pid=who.pid, host=who.host, until=tx.now + lease_ms)


def renew(tx: Transaction, owner: str, *, lease_ms: int) -> bool:
    """Prolong one's own lease. False: it is somebody else's."""
    return tx.one("lease.renew", name=NAME, owner=owner, until=tx.now + lease_ms) is not None


def release(tx: Transaction, owner: str) -> bool:
    """Give up one's own lease. False: it was somebody else's, and stays."""
    return tx.one("lease.release", name=NAME, owner=owner) is not None
