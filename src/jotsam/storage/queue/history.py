"""What happened: one row for every delivery that ended, and counters that survive what they count."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction

HOUR_MS = 3_600_000
EVENTS = ("accepted", "done", "retried", "buried", "redriven", "discarded")
TIMED = 1_000
DONE_WINDOW = 10_000
SLICE = 5_000


def attempted(
    tx: Transaction, row: Row, received: int, outcome: str, error: str | None, trace: str | None = None
) -> None:
    """Record that a delivery ended: `done`, `cancelled`, `retry`, `released` (unspent), `dead` or `expired`."""
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


def count(tx: Transaction, queue: str, tenant: str, kind: str, event: str) -> None:
    """Count one of `EVENTS` in this hour."""
    counts = {name: int(name == event) for name in EVENTS}
    tx.run("queue.count", queue=queue, tenant=tenant, kind=kind, hour=tx.now // HOUR_MS, **counts)


def fold(tx: Transaction) -> None:
    """Make of many counts few, where they are kept one by one."""
    tx.run("queue.fold_counts", hour=tx.now // HOUR_MS)


def attempts(tx: Transaction, job_id: int) -> list[Row]:
    """The ended deliveries of a job, oldest first.

    With received, queue, tenant, kind, owner, started_at, ended_at, outcome, error, trace.
    """
    return tx.all("queue.attempts", id=job_id)


def tenants(tx: Transaction, *, queue: str) -> list[str]:
    """Whoever has sent a job to a queue, and was not forgotten."""
    return [row["tenant"] for row in tx.all("queue.tenants", queue=queue)]


def totals(tx: Transaction, *, queue: str | None = None, tenant: str | None = None) -> dict[str, int]:
    """How many jobs were ever accepted, done, retried, buried, redriven, discarded."""
    row = tx.one("queue.totals", queue=queue, tenant=tenant)
    assert row is not None
    return row


def latest(tx: Transaction, *, tenant: str | None = None) -> dict[str, list[int]]:
    """By queue, how long the latest deliveries that were done took, in milliseconds.

    Looks back over `TIMED` deliveries of all queues and tenants, so that it costs the same whatever history is kept.
    """
    found: dict[str, list[int]] = {}
    for row in tx.all("queue.latest_done", window=TIMED, tenant=tenant):
        found.setdefault(row["queue"], []).append(row["took"])
    return found


def timings(tx: Transaction, *, queue: str) -> dict[str, int] | None:
    """How long the latest deliveries of a queue took that were done: `p50` and `p95`. None: there were none."""
    return quantiles(latest(tx).get(queue, ()))


def quantiles(took: Iterable[int]) -> dict[str, int] | None:
    """`p50` and `p95` of some times; None of none."""
    times = sorted(took)
    return {"p50": times[len(times) // 2], "p95": times[len(times) * 95 // 100]} if times else None


def done_lately(tx: Transaction, *, tenant: str) -> dict[str, int]:
    """By queue, how many of a tenant's jobs were done within an hour, as far as the latest `DONE_WINDOW` jobs tell."""
    rows = tx.all("queue.done_since", since=tx.now - HOUR_MS, window=DONE_WINDOW, tenant=tenant)
    return {row["queue"]: row["jobs"] for row in rows}


def forget(tx: Transaction, *, before: int, after_job: int = 0) -> int | None:
    """Drop ended deliveries older than `before`, but those of jobs that still exist; and what has expired.

    Looks at a slice of jobs, from the first above `after_job` that is gone. Returns the job to go on after; None: what
    is left is younger. Jobs are sent in the order of their numbers, so a later one may wait for another day.
    """
    tx.run("queue.forget_keys")
    tx.run("queue.forget_results")
    first = tx.one("queue.first_gone", after=after_job)
    if first is None or first["ended_at"] >= before:
        return None
    until: int = first["job_id"] + SLICE
    tx.run("queue.forget_attempts", before=before, after=first["job_id"] - 1, until=until)
    return until
