"""The jobs that a worker has claimed: extends their leases, applies the time limit, and records cancellations."""

from __future__ import annotations

import threading

from jotsam.core.clock import monotonic_ms, random_float
from jotsam.queueing.backoff import backoff_ms
from jotsam.storage import queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jotsam.core.job_records import Job
    from jotsam.storage.database import Transaction

    Token = tuple[int, int]


LEASE_PARTS = 3  # heartbeats within the shortest lease
SHORTEST_INTERVAL_MS = 10  # between two heartbeats


class HeldJobs:
    """Shared by the threads of a loop. Each method is atomic without a lock, because it changes one key at a time."""

    def __init__(self, *, time_limit_ms: int | None, heartbeat_ms: int) -> None:
        self.changed = threading.Event()  # set when the next heartbeat may be due sooner than it was
        self._time_limit_ms = time_limit_ms
        self._heartbeat_ms = heartbeat_ms
        self._beat_at = monotonic_ms()  # the last heartbeat
        # The time at which each job began to run, on the monotonic clock; None while it waits in its batch.
        self._held: dict[Token, tuple[Job, int | None]] = {}
        self._cancelled: set[Token] = set()
        self._on_cancel: dict[Token, Callable[[], None]] = {}

    def add(self, jobs: Iterable[Job]) -> None:
        added = {token(job): (job, None) for job in jobs}
        self._held.update(added)
        if any(job.lease_ms < LEASE_PARTS * self._heartbeat_ms for job, _ in added.values()):
            self.changed.set()

    def count(self, name: str) -> int:
        """How many jobs of a queue are held."""
        return sum(job.queue == name for job, _ in list(self._held.values()))

    def start(self, job: Job) -> None:
        """The handler of the job begins to run: its time limit counts from now."""
        self._held[token(job)] = job, monotonic_ms()

    def remove(self, job: Job) -> None:
        self._held.pop(token(job), None)
        self._cancelled.discard(token(job))

    def is_cancelled(self, job: Job) -> bool:
        return token(job) in self._cancelled

    def on_cancel(self, job: Job, callback: Callable[[], None] | None) -> None:
        """Call `callback` once when the job is cancelled, from any thread. None removes it."""
        if callback is None:
            self._on_cancel.pop(token(job), None)
            return
        self._on_cancel[token(job)] = callback
        if self.is_cancelled(job):
            self._notify(job)

    def wait_for_heartbeat(self) -> bool:
        """Wait until leases must be extended or a job exceeds its time limit, or until `changed`.

        Returns whether a heartbeat is due: after `heartbeat_ms`, or a third of the shortest lease if that is less.
        """
        left = self._beat_at + self._interval_ms() - monotonic_ms()
        if left > 0:
            limit = left if self._time_limit_ms is None else max(self._time_limit_ms, SHORTEST_INTERVAL_MS)
            self.changed.wait(min(left, limit) / 1000)
            self.changed.clear()
            left = self._beat_at + self._interval_ms() - monotonic_ms()
            if left > 0 and not any(self._is_late(began) for _, began in list(self._held.values())):
                return False
        self._beat_at = monotonic_ms()
        return True

    def _interval_ms(self) -> int:
        shortest = min((job.lease_ms for job, _ in list(self._held.values())), default=LEASE_PARTS * self._heartbeat_ms)
        return min(self._heartbeat_ms, max(SHORTEST_INTERVAL_MS, shortest // LEASE_PARTS))

    def check_time(self, job: Job) -> None:
        """Raise `TimeoutError` if the job has exceeded its time limit."""
        if self._is_late(self._held.get(token(job), (job, None))[1]):
            raise TimeoutError(f"it ran longer than {self._time_limit_ms} ms")

    def extend(self, tx: Transaction) -> None:
        """Extend every lease, and fail the jobs that exceed the time limit. A lost lease counts as cancelled."""
        held = list(self._held.values())
        late = [job for job, began in held if self._is_late(began)]
        for job in late:
            delay_ms = backoff_ms(job.failures + 1, random_float())
            error = f"it ran longer than {self._time_limit_ms} ms"
            queue.release(tx, job, error=error, trace="", delay_ms=delay_ms, spend=True)
        kept = [job for job, _ in held if job not in late]
        is_cancelled = queue.extend_many(tx, kept)
        lost = [job for job in kept if is_cancelled.get(token(job), True)]
        self._cancel([*late, *lost])

    def release_all(self, tx: Transaction) -> None:
        """Release every job without spending an attempt."""
        for job, _ in list(self._held.values()):
            queue.release(tx, job, error="the worker was stopped", spend=False)

    def cancel_all(self) -> bool:
        """Cancel what still runs. True if a handler is notified, and so will end soon."""
        is_notified = bool(self._on_cancel)
        self._cancel([job for job, _ in list(self._held.values())])
        return is_notified

    def _cancel(self, jobs: Iterable[Job]) -> None:
        for job in jobs:
            self._cancelled.add(token(job))
            self._notify(job)

    def _notify(self, job: Job) -> None:
        if callback := self._on_cancel.pop(token(job), None):
            callback()

    def _is_late(self, began: int | None) -> bool:
        limit = self._time_limit_ms
        return limit is not None and began is not None and monotonic_ms() - began > limit


def token(job: Job) -> Token:
    """The fencing token of a delivery."""
    return job.id, job.received
