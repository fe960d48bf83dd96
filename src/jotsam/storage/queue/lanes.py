"""Lanes: within one, a job with `parallel = false` runs alone and in its order; consecutive parallel jobs run together.

That is settled when a job enters its lane and when one leaves it, so that a claim never meets a blocked job. A job
that waits out a delay or a backoff, or is dead, is not in its lane: it does not hold the others up, and enters anew.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.storage.database import Row, Transaction


def entry(tx: Transaction, queue: str, tenant: str, lane: str | None, parallel: bool) -> str:
    """The state in which a job enters its lane: it waits behind a barrier, and a barrier waits behind everything."""
    if lane is None:
        return "ready"
    where = {"queue": queue, "tenant": tenant, "lane": lane}
    _hold(tx, where)
    if tx.one("queue.lane_blocked", **where):
        return "blocked"
    active = tx.one("queue.lane_active", **where)
    return "blocked" if active and not (parallel and active["parallel"]) else "ready"


def advance(tx: Transaction, row: Row) -> None:
    """A job has left its lane: if it was the last of its group, open the next group, a barrier or a parallel batch."""
    if row["lane"] is None:
        return
    where = {"queue": row["queue"], "tenant": row["tenant"], "lane": row["lane"]}
    _hold(tx, where)
    if tx.one("queue.lane_active", **where):
        return
    first = tx.one("queue.lane_blocked", **where)
    if first and not first["parallel"]:
        tx.run("queue.lane_open_one", id=first["id"])
        tx.ring()
    elif first:
        barrier = tx.one("queue.lane_barrier", **where)
        tx.run("queue.lane_open_batch", **where, barrier=barrier["id"] if barrier else None)
        tx.ring()


def _hold(tx: Transaction, where: Mapping[str, str]) -> None:
    """One at a time looks at a lane and changes it: else the last two of a group could each leave it to the other."""
    tx.lock(f"lane {where['queue']} {where['tenant']} {where['lane']}")
