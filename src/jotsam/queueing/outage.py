"""Logs a database outage: one line when it begins, one a minute while it lasts, one when it ends.

All threads of a loop meet the same outage several times a second; a line for each would hide everything else.
Whether to retry is decided by the loop.
"""

from __future__ import annotations

import logging
import threading

from jotsam.core.clock import monotonic_ms

log = logging.getLogger("jotsam")

LOG_INTERVAL_MS = 60_000


class Outage:
    """State of the current outage, shared by the threads of a loop."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since: int | None = None
        self._logged_at: int | None = None
        self._is_logged = False

    def report(self, error: Exception) -> int:
        """A read or write failed. Returns how long the outage has lasted, in milliseconds."""
        with self._lock:
            now = monotonic_ms()
            self._since = now if self._since is None else self._since
            if self._logged_at is None or now >= self._logged_at + LOG_INTERVAL_MS:
                self._logged_at, self._is_logged = now, True
                log.warning("the database is not available; retrying until it is: %s", error)
            return now - self._since

    def end(self) -> None:
        """A write succeeded. Logs the end of an outage whose beginning was logged."""
        if self._since is None:
            return
        with self._lock:
            if self._is_logged:
                log.warning("the database is available again")
            self._since, self._is_logged = None, False
