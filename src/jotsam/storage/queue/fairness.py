"""Fairness between tenants: the `place` of a job in a fair queue.

It is one more than the place of the tenant's last job, or than the highest place delivered so far, whichever is higher.
Tenants with a backlog are therefore served in turn, and each of them in order (start-time fair queueing; Goyal, Vin and
Cheng, 1996). In other queues every place is 0 and nothing is written.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction


def take_place(tx: Transaction, queue: str, tenant: str, place: int) -> None:
    """Record the place of a job that was sent."""
    if place:
        tx.run("queue.take_place", queue=queue, tenant=tenant, place=place)


def raise_place(tx: Transaction, queue: str, place: int) -> None:
    """Record the place of a delivered job, if it is the highest so far."""
    if place:
        tx.run("queue.raise_place", queue=queue, place=place)
