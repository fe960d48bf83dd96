"""A database that is away, as the log tells of it: one line when it is lost, one a minute while it stays so, one when
it is back. Many threads meet the same outage several times a second; to tell of each would hide all else.

It only counts and tells. Whether to try again is the loop's affair.
"""

from __future__ import annotations

import logging
import threading

from jotsam.core.clock import monotonic_ms

log = logging.getLogger("jotsam")

SAY_AGAIN_MS = 60_000


class Outage:
    """Told by all threads of a loop of what they meet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since: int | None = None
        self._said_at: int | None = None
        self._is_told = False

    def lost(self, error: Exception) -> int:
        """Somebody could not write, or not read. Returns for how many milliseconds that has been so."""
        with self._lock:
            now = monotonic_ms()
            self._since = now if self._since is None else self._since
            if self._said_at is None or now >= self._said_at + SAY_AGAIN_MS:
                self._said_at, self._is_told = now, True
                log.warning("the database is not available, and is tried again until it is: %s", error)
            return now - self._since

    def over(self) -> None:
        """Somebody could write. One that was not told of ends without a word too."""
        if self._since is None:
            return
        with self._lock:
            if self._is_told:
                log.warning("the database is available again")
            self._since, self._is_told = None, False
