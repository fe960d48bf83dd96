"""The bell of a database on a server: whoever waits, on any machine, is told when somebody commits a job.

It rings at most every 25 ms, for a server lets only one who rings commit at a time. Nothing depends on being
heard: whoever waits looks by itself after a while. How to ring and to listen is the driver's business.
"""

from __future__ import annotations

import threading

from jotsam.core.clock import monotonic_ms, sleep
from jotsam.core.errors import DatabaseUnavailable, DatabaseUnusable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

RING_MS = 25
LOST_MS = 100


class Notice:
    """`send` rings; `listen` waits for so many seconds and returns how often it rang. Both may raise
    `DatabaseUnavailable`.
    """

    def __init__(self, send: Callable[[], None], listen: Callable[[float], int]) -> None:
        self._send = send
        self._listen = listen
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._rung_at = -RING_MS
        self._listening = threading.Lock()
        self._heard = 0

    def ring(self) -> None:
        """Now, or in a moment if it has just rung."""
        with self._lock:
            if self._timer:
                return  # It will ring in a moment, and so after what was committed now.
            wait_ms = self._rung_at + RING_MS - monotonic_ms()
            if wait_ms > 0:
                self._timer = threading.Timer(wait_ms / 1000, self._ring)
                self._timer.daemon = True
                self._timer.start()
                return
        self._ring()

    def wait(self, timeout_ms: int) -> bool:
        """Until it rings, at most `timeout_ms`. One thread listens for all of them."""
        deadline, heard = monotonic_ms() + timeout_ms, self._heard
        if not self._listening.acquire(timeout=max(0, deadline - monotonic_ms()) / 1000):
            return self._heard != heard
        try:
            if self._heard == heard:
                self._heard += self._listen(max(0, deadline - monotonic_ms()) / 1000)
        except DatabaseUnavailable:
            sleep(max(0, min(LOST_MS, deadline - monotonic_ms())) / 1000)
        finally:
            self._listening.release()
        return self._heard != heard

    def close(self) -> None:
        """Ring at once what would ring in a moment."""
        with self._lock:
            timer, self._timer = self._timer, None
        if timer:
            timer.cancel()
            self._ring()

    def _ring(self) -> None:
        with self._lock:
            self._timer, self._rung_at = None, monotonic_ms()
        try:
            self._send()
        except (DatabaseUnavailable, DatabaseUnusable):
            pass  # What was committed stands, and is found by looking.
