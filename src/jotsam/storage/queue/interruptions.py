"""Interruptions: deliveries that ended because their worker did, and the workers that may have jobs.

An interruption is not a failure of the job. But a job may be the reason why its workers end. So from its second
interruption on it is retried with backoff and a worker runs it alone; after `MAX_INTERRUPTIONS` it is a dead letter.
"""

from __future__ import annotations

from jotsam.core.platform.process_identity import ProcessIdentity, has_ended
from jotsam.storage.queue.clock_shift import check_clock
from jotsam.storage.queue.history import count, record_attempt
from jotsam.storage.queue.lanes import advance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction

MAX_INTERRUPTIONS = 10
ALONE_AFTER = 2  # interruptions after which a job runs alone
FIRST_BACKOFF_MS = 1_000


def save_worker(tx: Transaction, owner: str, process: ProcessIdentity) -> None:
    """Record that the jobs of `owner` are held by this process. Called again at times, it keeps the record."""
    tx.run("queue.save_worker", owner=owner, **process.as_dict())


def remove_worker(tx: Transaction, owner: str) -> None:
    """Remove the record of a worker that has released its jobs."""
    tx.run("queue.remove_worker", owner=owner)


def has_interrupted(tx: Transaction, *, machine: str) -> bool:
    """Whether a process of this machine ended while it held jobs."""
    return any(tx.one("queue.any_leased_by", owner=owner) for owner, _ in _ended_workers(tx, machine))


def return_interrupted(tx: Transaction, *, machine: str) -> int:
    """Return the jobs of processes of this machine that have ended. Returns how many."""
    returned = 0
    for owner, process in _ended_workers(tx, machine):
        if not returned:
            check_clock(tx)
        rows = sorted(tx.all("queue.leased_by", owner=owner), key=lambda row: row["id"])
        for row in rows:
            interrupt(tx, row, error=f"worker {process.pid} on {process.host} ended")
        if not rows and not tx.one("queue.any_leased_by", owner=owner):
            # Not before: the server may still be committing the last claim of the process.
            remove_worker(tx, owner)
        returned += len(rows)
    return returned


def interrupt(tx: Transaction, row: Row, *, error: str) -> None:
    """End a delivery without a failure of the job: it is ready again, waits for its backoff, or is a dead letter."""
    interruptions = row["interruptions"] + 1
    state, wake_at, message = "ready", None, error
    if interruptions >= MAX_INTERRUPTIONS:
        state, message = "dead", f"interrupted {interruptions} times: {error}"
    elif interruptions >= ALONE_AFTER:
        state, wake_at = "waiting", tx.now + (FIRST_BACKOFF_MS << (interruptions - ALONE_AFTER))
    tx.run(
        "queue.interrupt",
        id=row["id"],
        received=row["received"],
        state=state,
        wake_at=wake_at,
        interruptions=interruptions,
        error=message,
    )
    record_attempt(tx, row, row["received"], "interrupted", error)
    if state == "dead":
        count(tx, row, "buried")
    if state == "ready":
        tx.notify()
    else:
        advance(tx, row)


def _ended_workers(tx: Transaction, machine: str) -> list[tuple[str, ProcessIdentity]]:
    found = []
    for row in tx.all("queue.workers", machine=machine) if machine else ():
        owner = row.pop("owner")
        process = ProcessIdentity(**row)
        if has_ended(process, machine=machine):
            found.append((owner, process))
    return found
