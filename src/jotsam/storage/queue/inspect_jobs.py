"""Looking at the queue: single jobs, lists, numbers. Nothing here changes anything."""

from __future__ import annotations

from jotsam.core.job_records import Job, QueueDepth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypedDict, Unpack

    from jotsam.storage.database import Row, Transaction

    class Wanted(TypedDict, total=False):
        """Which jobs; what is left out or None is any. `error` is a part of the text, `before` a time of sending."""

        queue: str | None
        tenant: str | None
        state: str | None
        kind: str | None
        error: str | None
        before: int | None


LONG_MS = 600_000
"""A job that is ready, or runs beyond its first lease, for longer than this is stuck."""

LATE_MS = 60_000
"""A delay that is over is noticed within a second where anybody works; a minute is long past due."""

_ANY = dict.fromkeys(("queue", "tenant", "state", "kind", "error", "before"))


def get(tx: Transaction, job_id: int) -> Job | None:
    row = tx.one("queue.get", id=job_id)
    return None if row is None else job(row)


def jobs(tx: Transaction, *, after: int = 0, limit: int = 100, **wanted: Unpack[Wanted]) -> list[Job]:
    """Jobs in the order they were sent, without their payloads, those with an id above `after`."""
    rows = tx.all("queue.list", after=after, limit=limit, **{**_ANY, **wanted})  # type: ignore[arg-type]
    return [_bare(row) for row in rows]


def stuck(
    tx: Transaction, *, queue: str, tenant: str | None, kind: str | None = None, after: int = 0, limit: int = 100
) -> list[tuple[Job, str, int]]:
    """Jobs that should have moved on by now, in the order they were sent: each with why, and since when.

    `expired`: its lease ended and nobody woke it. `held`: its receiver prolongs its lease again and again. `overdue`:
    its delay is long over. `unclaimed`: it is ready, its queue is not paused, and nobody takes it.
    """
    where = {"queue": queue, "tenant": tenant, "kind": kind, "after": after, "limit": limit}
    rows = tx.all("queue.stuck", long=LONG_MS, late=LATE_MS, **where)
    return [_diagnosis(row, tx.now) for row in rows]


def errors(tx: Transaction, *, queue: str, tenant: str | None, kind: str | None, limit: int) -> list[Row]:
    """The errors of dead and failed jobs, latest first: error, jobs, dead, example (an id), newest (when)."""
    return tx.all("queue.errors", queue=queue, tenant=tenant, kind=kind, limit=limit)


def waiting(tx: Transaction, queue: str, *, tenant: str, error: str) -> int:
    """How many jobs of a tenant wait for their time, with an error that begins with a word."""
    row = tx.one("queue.waiting", queue=queue, tenant=tenant, error=f"{error}%")
    return int(row["jobs"]) if row else 0


def depth(tx: Transaction, *, queues: Iterable[str], tenant: str) -> QueueDepth:
    """How many jobs a tenant has in some queues together."""
    live = [tx.one("queue.live", queue=queue, tenant=tenant) or {} for queue in queues]
    dead = [tx.one("queue.dead", queue=queue, tenant=tenant) or {} for queue in queues]
    return QueueDepth(
        pending=sum(row["pending"] for row in live),
        in_progress=sum(row["in_progress"] for row in live),
        failed=sum(row["failed"] for row in live),
        dead=sum(row["dead"] for row in dead),
        oldest=min((row["oldest"] for row in live if row["oldest"] is not None), default=None),
    )


def crowd(tx: Transaction, *, queues: Iterable[str], tenant: str, limit: int) -> int:
    """How many jobs of a tenant are not done and not dead, counted up to `limit` in each queue."""
    rows = [tx.one("queue.crowd", queue=queue, tenant=tenant, limit=limit) for queue in queues]
    return sum(row["jobs"] for row in rows if row)


def states(tx: Transaction, queue: str) -> dict[str, tuple[int, int]]:
    """Of each state that jobs of a queue are in: how many, and when the oldest of them was sent."""
    return {row["state"]: (row["jobs"], row["oldest"]) for row in tx.all("queue.states", queue=queue)}


def receivers(tx: Transaction, queues: Iterable[str]) -> int:
    """How many hold a job of one of the queues; who works on several queues counts once for each."""
    rows = [tx.one("queue.receivers", queue=queue) for queue in queues]
    return max((row["receivers"] for row in rows if row), default=0)


def held(tx: Transaction) -> int:
    """How many jobs of any queue are in somebody's hands."""
    row = tx.one("queue.held")
    return int(row["jobs"]) if row else 0


def is_cancelled(tx: Transaction, job: Job) -> bool:
    """Whether somebody asked for this running job to stop."""
    row = tx.one("queue.progress_of", id=job.id)
    return bool(row and row["cancelled"])


def progress(tx: Transaction, job_id: int) -> tuple[float | None, str | None] | None:
    """How far a job says it has come, from 0 to 1, and what it says about it. None: there is no such job."""
    row = tx.one("queue.progress_of", id=job_id)
    return (row["progress"], row["note"]) if row else None


def result(tx: Transaction, job_id: int) -> str | None:
    """The JSON text that a job left when it was done; kept for a while."""
    row = tx.one("queue.result", job_id=job_id)
    return row["json"] if row else None


def is_ready(tx: Transaction, queues: Iterable[str]) -> bool:
    """Whether one of the queues has a job that could be received now."""
    return any(tx.one("queue.any_ready", queue=queue) for queue in queues)


def is_due(tx: Transaction) -> bool:
    """Whether a delay or a lease has ended, or the clock went back: the next claim has something to put right."""
    due, seen = next_wake(tx), tx.one("queue.seen")
    return (due is not None and due <= tx.now) or (seen is not None and tx.now < seen["seen_at"])


def next_wake(tx: Transaction) -> int | None:
    """When the earliest delay or lease ends."""
    row = tx.one("queue.next_wake")
    return row["wake_at"] if row else None


def job(row: Row) -> Job:
    """A job out of a row that has its payload as `json` or `bytes`."""
    json, data = row.pop("json"), row.pop("bytes")
    row["parallel"] = bool(row["parallel"])
    return Job(**row, payload=data if json is None else json)


def _bare(row: Row) -> Job:
    return job({**row, "json": "", "bytes": None})


def _diagnosis(row: Row, now: int) -> tuple[Job, str, int]:
    leased_at, idle_since = row.pop("leased_at"), row.pop("idle_since")
    found = _bare(row)
    if found.state == "ready":
        return found, "unclaimed", idle_since
    assert found.wake_at is not None
    if found.state == "waiting":
        return found, "overdue", found.wake_at
    return (found, "expired", found.wake_at) if found.wake_at <= now else (found, "held", leased_at)
