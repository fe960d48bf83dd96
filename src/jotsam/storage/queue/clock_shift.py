"""A clock that was set back: all wake-up times of the queue are shifted with it, once."""

from __future__ import annotations

from jotsam.storage.queue.history import merge_counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction

CLOCK_TOLERANCE_MS = 1_000
MERGE_MS = 60_000


def check_clock(tx: Transaction, seen: int | None = None) -> bool:
    """If the clock was set back, shift all wake-up times by the same amount. Returns whether it was.

    Without the shift a lease of a minute could last an hour. To be called before writing a wake-up time, which would
    otherwise be shifted too.
    """
    seen = _last_clock(tx) if seen is None else seen
    is_back = tx.now < seen - CLOCK_TOLERANCE_MS
    if is_back:
        tx.lock("clock")  # Another process may have noticed too, and the times must be shifted once.
        seen = _last_clock(tx)
        tx.run("queue.shift_clock", by=max(0, seen - tx.now))
    is_first = not seen <= tx.now <= seen + CLOCK_TOLERANCE_MS and tx.one("queue.save_clock") is not None
    if is_first and tx.now // MERGE_MS != seen // MERGE_MS:
        merge_counts(tx)
    return is_back


def _last_clock(tx: Transaction) -> int:
    row = tx.one("queue.clock")
    return row["seen_at"] if row else 0
