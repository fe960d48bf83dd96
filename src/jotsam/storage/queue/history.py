"""History of the queue: one row per ended delivery, and counters that outlive the jobs they count."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction

HOUR_MS = 3_600_000
EVENTS = ("accepted", "done", "retried", "buried", "redriven", "discarded")
TIMED_DELIVERIES = 1_000
DONE_WINDOW = 10_000
PRUNED_JOBS = 5_000

# The counters of all forgotten tenants. No tenant can have this name, because names have no surrounding whitespace.
FORGOTTEN = " forgotten "


def record_attempt(
    tx: Transaction, row: Row, received: int, outcome: str, error: str | None, trace: str | None = None
) -> None:
    """Record how a delivery ended: `done`, `cancelled`, `retry`, `dead` or `expired`, or without a failure of the job:
    `released` or `interrupted`.
    """
    tx.run(
        "queue.attempt",
        id=row["id"],
        received=received,
        queue=row["queue"],
        tenant=row["tenant"],
        kind=row["kind"],
        owner=row["owner"],
        started_at=row["leased_at"],
        outcome=outcome,
        error=error,
        trace=trace,
    )


def count(tx: Transaction, row: Row, event: str, *, times: int = 1) -> None:
    """Count one of `EVENTS` of a job, or none, in the current hour; with `leased_at` also the time since its claim."""
    counts = {name: times * int(name == event) for name in EVENTS}
    leased_at = row.get("leased_at")
    busy_ms = 0 if leased_at is None else max(0, tx.now - leased_at)
    where = {"queue": row["queue"], "tenant": row["tenant"], "kind": row["kind"], "hour": tx.now // HOUR_MS}
    tx.run("queue.count", **where, **counts, busy_ms=busy_ms)


def keep_counts(tx: Transaction, *, queue: str, tenant: str) -> None:
    """Before the counters of a tenant are deleted: add them to those of `FORGOTTEN`, so that no sum falls."""
    for row in tx.all("queue_counts.keep_tenant_counts", queue=queue, tenant=tenant):
        tx.run("queue.count", queue=queue, tenant=FORGOTTEN, hour=tx.now // HOUR_MS, **row)


def merge_old_counts(tx: Transaction) -> None:
    """Merge the counters of past days, of which only the sums are read."""
    tx.run("queue.merge_old_counts", hour=tx.now // HOUR_MS - 24)


def merge_counts(tx: Transaction) -> None:
    """Merge the counter rows of an hour, where there is one per event."""
    tx.run("queue.merge_counts", hour=tx.now // HOUR_MS)


def attempts(tx: Transaction, job_id: int) -> list[Row]:
    """The ended deliveries of a job, oldest first.

    Fields: received, queue, tenant, kind, owner, started_at, ended_at, outcome, error, trace.
    """
    return tx.all("queue.attempts", id=job_id)


def tenants(tx: Transaction, *, queue: str) -> list[str]:
    """The tenants that have sent a job to a queue, or were registered, and were not forgotten."""
    return [row["tenant"] for row in tx.all("queue_counts.tenants", queue=queue, but=FORGOTTEN)]


def register_tenant(tx: Transaction, *, queue: str, tenant: str) -> None:
    """Let `tenants` list a tenant that may have sent no job, because what it has was imported, or needs none."""
    if tx.one("queue_counts.of_tenant", queue=queue, tenant=tenant) is None:
        count(tx, {"queue": queue, "tenant": tenant, "kind": queue}, "")


def totals(tx: Transaction, *, queue: str | None = None, tenant: str | None = None) -> dict[str, int]:
    """How many jobs were ever accepted, done, retried, buried, redriven and discarded."""
    row = tx.one("queue_counts.totals", queue=queue, tenant=tenant)
    assert row is not None
    return row


def by_hour(tx: Transaction, *, queues: Iterable[str], tenant: str) -> list[Row]:
    """What was counted for a tenant, by queue and hour since 1970: accepted, done, retried, buried, discarded.

    The hours before the last 24 are merged into hour 0 once a day.
    """
    names = ",".join([f'"{queue}"' for queue in queues])
    return tx.all("queue_counts.by_hour", queues=f"[{names}]", tenant=tenant)


def latest_durations(tx: Transaction, *, tenant: str | None = None) -> dict[str, list[int]]:
    """The durations in milliseconds of the latest successful deliveries, by queue.

    Reads the last `TIMED_DELIVERIES` deliveries of all queues and tenants, so that the cost does not grow.
    """
    found: dict[str, list[int]] = {}
    for row in tx.all("queue.latest_done", window=TIMED_DELIVERIES, tenant=tenant):
        found.setdefault(row["queue"], []).append(row["took"])
    return found


def latest_ended(tx: Transaction, *, queue: str, tenant: str) -> list[Row]:
    """The latest deliveries of a queue that succeeded or failed: job_id, outcome, error, ended_at.

    Reads the last `TIMED_DELIVERIES` deliveries of all queues and tenants, so that the cost does not grow.
    """
    return tx.all("queue_counts.latest_ended", window=TIMED_DELIVERIES, queue=queue, tenant=tenant)


def timings(tx: Transaction, *, queue: str) -> dict[str, int] | None:
    """The percentiles `p50` and `p95` of the latest successful deliveries of a queue. None without deliveries."""
    return percentiles(latest_durations(tx).get(queue, ()))


def percentiles(durations: Iterable[int]) -> dict[str, int] | None:
    """`p50` and `p95` of some durations. None without durations."""
    times = sorted(durations)
    return {"p50": times[len(times) // 2], "p95": times[len(times) * 95 // 100]} if times else None


def done_last_hour(tx: Transaction, *, tenant: str) -> dict[str, int]:
    """How many jobs of a tenant were done within an hour, by queue. Counts only the latest `DONE_WINDOW` jobs."""
    rows = tx.all("queue.done_since", since=tx.now - HOUR_MS, window=DONE_WINDOW, tenant=tenant)
    return {row["queue"]: row["jobs"] for row in rows}


def is_prune_due(tx: Transaction, *, interval_ms: int) -> bool:
    """Whether `prune` reached its end more than `interval_ms` ago."""
    row = tx.one("queue.pruned")
    return row is None or not tx.now - interval_ms < row["pruned_at"] <= tx.now


def prune(tx: Transaction, *, before: int, after_job: int = 0) -> int | None:
    """Delete expired keys and results, old workers, and the deliveries of deleted jobs that ended before `before`.

    Looks at a range of `PRUNED_JOBS` ids, from the first deleted job above `after_job`. Returns the id to continue
    after, or None if the rest is younger. Jobs are sent in the order of their ids, so a later one may become old later.
    """
    tx.run("queue.prune_keys")
    tx.run("queue.prune_results")
    tx.run("queue.prune_workers", before=before)
    first = tx.one("queue.first_deleted", after=after_job)
    if first is None or first["ended_at"] >= before:
        merge_old_counts(tx)
        tx.run("queue.save_pruned")
        return None
    until: int = first["job_id"] + PRUNED_JOBS
    tx.run("queue.prune_attempts", before=before, after=first["job_id"] - 1, until=until)
    return until
