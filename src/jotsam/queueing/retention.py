"""Deletes the history of the queue past its retention, a slice at a time, about once a day."""

from __future__ import annotations

from jotsam.core.clock import monotonic_ms
from jotsam.storage import queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Database

DAY_MS = 24 * 3_600_000
HISTORY_MS = 30 * DAY_MS

# Slices deleted per idle period, one transaction each: a worker may exit after its first idle period.
IDLE_SLICES = 10


class Retention:
    """The progress of one process. The time of the last full pass is in the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._next_at = self._after_job = 0

    def prune(self, *, slices: int) -> None:
        """Delete up to `slices` slices if the last full pass was a day ago."""
        if monotonic_ms() < self._next_at:
            return
        with self._database.snapshot() as tx:
            is_due = queue.is_prune_due(tx, interval_ms=DAY_MS)
        for _ in range(slices if is_due else 0):
            with self._database.transaction(durable=False) as tx:
                following = queue.prune(tx, before=tx.now - HISTORY_MS, after_job=self._after_job)
            self._after_job = following or 0
            if following is None:
                is_due = False
                break
        self._next_at = 0 if is_due else monotonic_ms() + DAY_MS
