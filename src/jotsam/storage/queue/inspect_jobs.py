"""Read-only queries of the queue: jobs, lists and counts.

The cost of the numbers over all tenants, which operators see, does not grow with the number of ready jobs.
"""

from __future__ import annotations

from jotsam.core.job_records import Job, QueueDepth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypedDict, Unpack

    from jotsam.storage.database import Row, Transaction

    class JobFilter(TypedDict, total=False):
        """Which jobs; None matches any. `error` is a part of the message, `before` a time of sending."""

        queue: str | None
        tenant: str | None
        state: str | None
        kind: str | None
        error: str | None
        before: int | None


# How the error of a job begins that a worker gave back because it has no handler for its kind.
UNKNOWN_KIND = "no handler for jobs of kind"

# A job that is ready, or runs beyond its first lease, for longer than this is stuck.
STUCK_MS = 600_000

# A running worker notices the end of a delay within a second.
OVERDUE_MS = 60_000

_ANY = dict.fromkeys(("queue", "tenant", "state", "kind", "error", "before"))
WORKER_SEEN_MS = 2 * 3_600_000  # A running worker writes once an hour that it runs.


def get(tx: Transaction, job_id: int) -> Job | None:
    row = tx.one("queue.get", id=job_id)
    return None if row is None else job(row)


def jobs(tx: Transaction, *, after: int = 0, limit: int = 100, **filters: Unpack[JobFilter]) -> list[Job]:
    """Jobs with an id above `after`, without their payloads, in the order they were sent."""
    rows = tx.all("queue.list", after=after, limit=limit, **{**_ANY, **filters})  # type: ignore[arg-type]
    return [_without_payload(row) for row in rows]


def stuck(
    tx: Transaction, *, queue: str, tenant: str | None, kind: str | None = None, after: int = 0, limit: int = 100
) -> list[tuple[Job, str, int]]:
    """Jobs that make no progress, in the order they were sent: each with the reason and the time since when.

    `expired`: its lease ended and no worker noticed. `held`: its receiver keeps extending its lease. `overdue`: its
    delay is over. `unclaimed`: it is ready, its queue is not paused, and no worker receives it.
    """
    where = {"queue": queue, "tenant": tenant, "kind": kind, "after": after, "limit": limit}
    rows = tx.all("queue.stuck", long=STUCK_MS, late=OVERDUE_MS, **where)
    return [_diagnosis(row, tx.now) for row in rows]


def errors(tx: Transaction, *, queue: str, tenant: str | None, kind: str | None, limit: int) -> list[Row]:
    """The errors of dead and failed jobs, latest first: error, jobs, dead, example (an id), oldest, newest (times)."""
    return tx.all("queue.errors", queue=queue, tenant=tenant, kind=kind, limit=limit)


def count_waiting(tx: Transaction, queue: str, *, tenant: str, error: str) -> int:
    """How many jobs of a tenant are delayed with an error that starts with `error`."""
    row = tx.one("queue.count_waiting", queue=queue, tenant=tenant, error=f"{error}%")
    return int(row["jobs"]) if row else 0


def depth(tx: Transaction, *, queues: Iterable[str], tenant: str) -> QueueDepth:
    """The numbers of a tenant's jobs in several queues together."""
    where = {"tenant": tenant, "unknown": f"{UNKNOWN_KIND}%"}
    live = [tx.one("queue.live", queue=queue, **where) or {} for queue in queues]
    dead = [tx.one("queue.dead", queue=queue, tenant=tenant) or {} for queue in queues]
    return QueueDepth(
        pending=sum(row["pending"] for row in live),
        in_progress=sum(row["in_progress"] for row in live),
        failed=sum(row["failed"] for row in live),
        dead=sum(row["dead"] for row in dead),
        oldest=min((row["oldest"] for row in live if row["oldest"] is not None), default=None),
        unknown=sum(row["unknown"] for row in live),
    )


def count_live(tx: Transaction, *, queues: Iterable[str], tenant: str, limit: int) -> int:
    """How many jobs of a tenant are neither done nor dead, counted up to `limit` in each queue."""
    rows = [tx.one("queue.count_live", queue=queue, tenant=tenant, limit=limit) for queue in queues]
    return sum(row["jobs"] for row in rows if row)


def oldest_live(tx: Transaction, *, queues: Iterable[str], tenant: str) -> int | None:
    """When the oldest job of a tenant that is not dead was sent, in ms since 1970, or None."""
    names = ",".join([f'"{queue}"' for queue in queues])
    row = tx.one("queue.oldest_live", queues=f"[{names}]", tenant=tenant)
    return row["oldest"] if row else None


def oldest_undelivered(tx: Transaction, *, queues: Iterable[str], tenant: str, limit: int) -> int | None:
    """When the oldest job of a tenant that could run and was never delivered was sent, in ms since 1970, or None.

    Looks only at the first `limit` jobs of each queue that are not dead.
    """
    rows = [tx.one("queue.oldest_undelivered", queue=queue, tenant=tenant, limit=limit) for queue in queues]
    return min((row["created_at"] for row in rows if row), default=None)


def states(tx: Transaction, queue: str) -> dict[str, tuple[int, int]]:
    """By state: how many jobs a queue has, and when the oldest was sent."""
    return {row["state"]: (row["jobs"], row["oldest"]) for row in tx.all("queue.states", queue=queue)}


def live_states(tx: Transaction, *, queue: str, tenant: str, limit: int, error: str) -> dict[str, Row]:
    """The first `limit` jobs of a tenant that are not dead, by state: jobs, failed, delayed, oldest, undelivered.

    `failed` is how many failed before and do not run, `delayed` how many wait with an error that starts with `error`;
    `oldest` and `undelivered` are when the oldest was sent, and the oldest that could run and was never delivered.
    """
    rows = tx.all("queue_counts.live_states", queue=queue, tenant=tenant, limit=limit, error=f"{error}%")
    return {row.pop("state"): row for row in rows}


def count_dead(tx: Transaction, *, queues: Iterable[str], tenant: str, limit: int) -> int:
    """How many jobs of a tenant are dead, counted up to `limit` in each queue."""
    rows = [tx.one("queue_counts.count_dead", queue=queue, tenant=tenant, limit=limit) for queue in queues]
    return sum(row["jobs"] for row in rows if row)


def held_states(tx: Transaction, *, tenant: str, limit: int) -> tuple[dict[tuple[str, str], int], bool]:
    """How many jobs of a tenant are leased or waiting, by queue and state, and whether that is all.

    Looks at the `limit` leases and delays of all tenants that end first.
    """
    rows = tx.all("queue_counts.held_states", tenant=tenant, limit=limit)
    own = {(row["queue"], row["state"]): row["jobs"] for row in rows if row["state"]}
    return own, sum(row["jobs"] for row in rows) < limit


def count_receivers(tx: Transaction, queues: Iterable[str]) -> int:
    """The largest number of workers that hold leases in one of the queues."""
    rows = [tx.one("queue.count_receivers", queue=queue) for queue in queues]
    return max((row["receivers"] for row in rows if row), default=0)


def count_leased(tx: Transaction) -> int:
    """How many jobs of all queues are leased."""
    row = tx.one("queue.count_leased")
    return int(row["jobs"]) if row else 0


def is_cancelled(tx: Transaction, job: Job) -> bool:
    """Whether this running job was cancelled."""
    row = tx.one("queue.progress_of", id=job.id)
    return bool(row and row["cancelled"])


def progress(tx: Transaction, job_id: int) -> tuple[float | None, str | None] | None:
    """The progress of a job, from 0 to 1, and its note. None if the job does not exist."""
    row = tx.one("queue.progress_of", id=job_id)
    return (row["progress"], row["note"]) if row else None


def result(tx: Transaction, job_id: int) -> str | None:
    """The result of a completed job as JSON, until it expires."""
    row = tx.one("queue.result", job_id=job_id)
    return row["json"] if row else None


def is_ready(tx: Transaction, queues: Iterable[str]) -> bool:
    """Whether one of the queues has a job that can be received now."""
    return any(tx.one("queue.any_ready", queue=queue) for queue in queues)


def is_due(tx: Transaction) -> bool:
    """Whether a delay or a lease has ended, or the clock was set back: the next claim updates jobs."""
    due, seen = next_wake(tx), tx.one("queue.clock")
    return (due is not None and due <= tx.now) or (seen is not None and tx.now < seen["seen_at"])


def next_wake(tx: Transaction) -> int | None:
    """The time at which the next delay or lease ends."""
    row = tx.one("queue.next_wake")
    return row["wake_at"] if row else None


def job(row: Row) -> Job:
    """A job from a row with its payload in `json` or `bytes`."""
    json, data = row.pop("json"), row.pop("bytes")
    row["parallel"] = bool(row["parallel"])
    return Job(**row, payload=data if json is None else json)


def _without_payload(row: Row) -> Job:
    return job({**row, "json": "", "bytes": None})


def _diagnosis(row: Row, now: int) -> tuple[Job, str, int]:
    leased_at, idle_since = row.pop("leased_at"), row.pop("idle_since")
    found = _without_payload(row)
    if found.state == "ready":
        return found, "unclaimed", idle_since
    assert found.wake_at is not None
    if found.state == "waiting":
        return found, "overdue", found.wake_at
    return (found, "expired", found.wake_at) if found.wake_at <= now else (found, "held", leased_at)


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
