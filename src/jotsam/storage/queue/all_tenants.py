"""Numbers of the queues over all tenants, for an operator. Their cost does not grow with the number of ready jobs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction

WORKER_SEEN_MS = 2 * 3_600_000  # A running worker writes once an hour that it runs.


def by_kind(tx: Transaction) -> list[Row]:
    """By queue and kind, the jobs in each state: ready, leased, waiting, dead; and what was ever counted: accepted,
    done, retried, buried, redriven, discarded, and `busy_ms` of the deliveries that ended.

    `ready` includes jobs that are blocked by their lane.
    """
    rows = tx.all("queue_counts.by_kind")
    found = {(row["queue"], row["kind"]): {**row, "leased": 0, "waiting": 0, "dead": 0} for row in rows}
    for row in (*tx.all("queue_counts.held"), *tx.all("queue_counts.dead_by_kind")):
        if known := found.get((row["queue"], row["kind"])):
            known[row["state"]] = row["jobs"]
    for row in found.values():
        others = row["done"] + row["discarded"] + row["leased"] + row["waiting"] + row["dead"]
        row["ready"] = max(0, row["accepted"] - others)
    return [*found.values()]


def oldest(tx: Transaction) -> dict[str, int]:
    """By queue: when the oldest job that is neither done nor dead was sent. Queues without such a job are missing."""
    return {row["queue"]: row["oldest"] for row in tx.all("queue_counts.oldest")}


def count_capped(tx: Transaction, *, error: str) -> int:
    """How many jobs are delayed with an error that starts with `error`."""
    row = tx.one("queue_counts.count_capped", error=f"{error}%")
    return int(row["jobs"]) if row else 0


def count_workers(tx: Transaction) -> int:
    """How many workers have reported within `WORKER_SEEN_MS`, and have not ended since."""
    row = tx.one("queue_counts.count_workers", since=tx.now - WORKER_SEEN_MS)
    return int(row["workers"]) if row else 0
