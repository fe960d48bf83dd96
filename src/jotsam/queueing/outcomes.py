"""What becomes of a job that is not simply done: each is one verb of the queue, in the transaction at hand."""

from __future__ import annotations

from jotsam.storage import queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.job_records import Job
    from jotsam.storage.database import Transaction


def bury(tx: Transaction, job: Job, message: str, trace: str | None = None) -> None:
    queue.bury(tx, job, error=message, trace=trace)


def give_back(tx: Transaction, job: Job, message: str, trace: str, delay_ms: int, spend: bool) -> None:
    queue.release(tx, job, error=message, trace=trace, delay_ms=delay_ms, spend=spend)


def cancel(tx: Transaction, job: Job, message: str) -> None:
    queue.delete(tx, job, outcome="cancelled", error=message)


def trip(tx: Transaction, job: Job, message: str) -> None:
    if queue.release(tx, job, error=message, spend=False):
        queue.trip(tx, job.queue, reason=message)
