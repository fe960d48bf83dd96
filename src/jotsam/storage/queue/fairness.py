"""Fairness between tenants: in a fair queue a job's place is one more than its tenant's last, or than how far the queue
has come, whichever is more. So tenants with a backlog are served in turn, and each of them in its own order
(start-time fair queueing; Goyal, Vin and Cheng, 1996). In other queues every place is 0 and nothing is written.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction


def next_place(tx: Transaction, queue: str, tenant: str) -> int:
    """The place of a job that this tenant sends now."""
    row = tx.one("queue.next_place", queue=queue, tenant=tenant)
    if row is None:
        return 0
    place: int = row["place"]
    tx.run("queue.take_place", queue=queue, tenant=tenant, place=place)
    return place


def reach(tx: Transaction, queue: str, place: int) -> None:
    """A job of this place was received: that is how far the queue has come."""
    if place:
        tx.run("queue.reach", queue=queue, place=place)
