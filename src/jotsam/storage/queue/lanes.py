"""Lanes: a job with `parallel=False` is a barrier, which runs alone and in order; parallel jobs in a row run together.

The state is decided when a job enters or leaves its lane, so that a claim never reads a blocked job. A delayed, retried
or dead job is not in its lane: it does not block others, and enters the lane again when it is ready.

Fairness between tenants: the `place` of a job in a fair queue.

It is one more than the place of the tenant's last job, or than the highest place delivered so far, whichever is higher.
Tenants with a backlog are therefore served in turn, and each of them in order (start-time fair queueing; Goyal, Vin and
Cheng, 1996). In other queues every place is 0 and nothing is written.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.storage.database import Row, Transaction


def entry_state(tx: Transaction, queue: str, tenant: str, lane: str | None, parallel: bool) -> str:
    """The state of a job that enters its lane: `blocked` behind a barrier, or as a barrier behind any job."""
    if lane is None:
        return "ready"
    where = {"queue": queue, "tenant": tenant, "lane": lane}
    _lock(tx, where)
    if tx.one("queue.lane_blocked", **where):
        return "blocked"
    active = tx.one("queue.lane_active", **where)
    return "blocked" if active and not (parallel and active["parallel"]) else "ready"


def advance(tx: Transaction, row: Row) -> None:
    """A job has left its lane: if it was the last of its group, open the next one, a barrier or parallel jobs."""
    if row["lane"] is None:
        return
    where = {"queue": row["queue"], "tenant": row["tenant"], "lane": row["lane"]}
    _lock(tx, where)
    if tx.one("queue.lane_active", **where):
        return
    first = tx.one("queue.lane_blocked", **where)
    if first and not first["parallel"]:
        tx.run("queue.lane_open_one", id=first["id"])
        tx.notify()
    elif first:
        barrier = tx.one("queue.lane_barrier", **where)
        tx.run("queue.lane_open_batch", **where, barrier=barrier["id"] if barrier else None)
        tx.notify()


def _lock(tx: Transaction, where: Mapping[str, str]) -> None:
    """Without the lock the last two jobs of a group could both leave opening the next group to the other."""
    tx.lock(f"lane {where['queue']} {where['tenant']} {where['lane']}")


def take_place(tx: Transaction, queue: str, tenant: str, place: int) -> None:
    """Record the place of a job that was sent."""
    if place:
        tx.run("queue.take_place", queue=queue, tenant=tenant, place=place)


def raise_place(tx: Transaction, queue: str, place: int) -> None:
    """Record the place of a delivered job, if it is the highest so far."""
    if place:
        tx.run("queue.raise_place", queue=queue, place=place)
