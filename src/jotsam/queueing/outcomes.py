"""Outcome of a job whose handler raised: retry with backoff, dead letter, cancelled, or a paused queue."""

from __future__ import annotations

import traceback

from jotsam.core.clock import random_float
from jotsam.core.errors import BuryJob, DatabaseUnavailable, JobCancelled, ProviderUnavailable, RetryJob
from jotsam.queueing.backoff import FIRST_MS, backoff_ms
from jotsam.storage import queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jotsam.core.job_records import Job
    from jotsam.storage.database import Transaction

    # Returns how the delivery ended: `cancelled`, or the new state of the job. None: its lease is lost.
    Write = Callable[[Transaction], str | None]

MAX_UNKNOWN_MS = 900_000
MAX_TRACE = 4_000  # characters of a stack trace that are stored


def message_of(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def outcome_of(job: Job, error: BaseException, *, first_backoff_ms: int = FIRST_MS) -> Write:
    """What to write for a job whose handler raised `error`."""
    message = message_of(error)
    trace = "".join(traceback.format_exception(error))[-MAX_TRACE:]
    if isinstance(error, JobCancelled):
        return lambda tx: "cancelled" if queue.delete(tx, job, outcome="cancelled", error=message) else None
    if isinstance(error, BuryJob):
        return lambda tx: "dead" if queue.bury(tx, job, error=message, trace=trace) else None
    if isinstance(error, ProviderUnavailable):
        return lambda tx: _pause_queue(tx, job, message)
    # A database outage is not the fault of the job.
    retry = error if isinstance(error, RetryJob) else RetryJob(spend=not isinstance(error, DatabaseUnavailable))
    delay_ms = retry.after_ms
    if delay_ms is None:
        delay_ms = backoff_ms(job.failures + 1, random_float(), first_ms=first_backoff_ms)
    return lambda tx: queue.release(tx, job, error=message, trace=trace, delay_ms=delay_ms, spend=retry.spend)


def unknown_kind(job: Job, known: Iterable[str]) -> tuple[str, Write]:
    """The error of a job whose kind has no handler, and what to write for it: another version may have the handler.

    The job is given back without a failure, with a delay that grows with its deliveries.
    """
    message = f"{queue.UNKNOWN_KIND} {job.kind!r}; known kinds: {', '.join(sorted(known))}"
    delay_ms = min(backoff_ms(job.received, random_float()), MAX_UNKNOWN_MS)
    return message, lambda tx: queue.release(tx, job, error=message, delay_ms=delay_ms, spend=False)


def _pause_queue(tx: Transaction, job: Job, message: str) -> str | None:
    state = queue.release(tx, job, error=message, spend=False)
    if state:
        queue.open_breaker(tx, job.queue, reason=message)
    return state
