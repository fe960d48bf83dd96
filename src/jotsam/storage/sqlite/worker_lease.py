"""The lease of the single worker process of a SQLite file: which process holds it, and until when.

A lease ends at most `longest_ms` after the current time. One that ends later was taken before the clock was set back,
and is invalid.
"""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction

NAME = "worker"


class Holder(Record):
    """A process that holds the lease or requests it. `owner` is a random token of the process."""

    owner: str
    pid: int
    host: str
    until: int = 0


def holder(tx: Transaction, *, longest_ms: int) -> Holder | None:
    """The holder of a valid lease. `longest_ms` is the longest lease that any process takes."""
    row = tx.one("worker_lease.get", name=NAME)
    if row is None or not tx.now < row["until"] <= tx.now + longest_ms:
        return None
    return Holder(**row)


def take(tx: Transaction, who: Holder, *, lease_ms: int) -> None:
    """Write the lease. The caller has checked in this transaction that no other process holds it."""
    tx.run("worker_lease.take", name=NAME, owner=who.owner, pid=who.pid, host=who.host, until=tx.now + lease_ms)


def renew(tx: Transaction, owner: str, *, lease_ms: int) -> bool:
    """Extend the lease of `owner`. False if another process has it."""
    return tx.one("worker_lease.renew", name=NAME, owner=owner, until=tx.now + lease_ms) is not None


def release(tx: Transaction, owner: str) -> bool:
    """Give up the lease of `owner`. False if another process has it."""
    return tx.one("worker_lease.release", name=NAME, owner=owner) is not None
