"""Cross-process wake-up for PostgreSQL: LISTEN and NOTIFY, at most one notification every 25 ms.

The limit exists because PostgreSQL serializes the commits of transactions that notify. A lost notification does no
harm: waiting processes also poll. Sending and listening are done by the callbacks of the driver.
"""

from __future__ import annotations

import threading

from jotsam.core.clock import monotonic_ms, sleep
from jotsam.core.errors import DatabaseUnavailable, DatabaseUnusable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

INTERVAL_MS = 25
RECONNECT_MS = 100


class ThrottledNotifier:
    """Wake-up of one process. `send` notifies; `listen` waits for a number of seconds and returns the notifications.

    Both may raise `DatabaseUnavailable`.
    """

    def __init__(self, send: Callable[[], None], listen: Callable[[float], int]) -> None:
        self._send = send
        self._listen = listen
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._sent_at = -INTERVAL_MS
        self._listening = threading.Lock()
        self._received = 0

    def notify(self) -> None:
        """Notify now, or at the end of the interval if the last notification was sent within it."""
        with self._lock:
            if self._timer:
                return  # The pending notification covers this commit.
            wait_ms = self._sent_at + INTERVAL_MS - monotonic_ms()
            if wait_ms > 0:
                self._timer = threading.Timer(wait_ms / 1000, self._notify)
                self._timer.daemon = True
                self._timer.start()
                return
        self._notify()

    def wait(self, timeout_ms: int) -> bool:
        """Wait at most `timeout_ms` for a notification. Returns whether there was one. One thread listens for all."""
        received = self._received
        return self.watch(received, timeout_ms) != received

    def watch(self, received: int, timeout_ms: int) -> int:
        """Wait until the number of notifications differs from `received`. Returns the number."""
        deadline = monotonic_ms() + timeout_ms
        if not self._listening.acquire(timeout=max(0, deadline - monotonic_ms()) / 1000):
            return self._received
        try:
            if self._received == received:
                self._received += self._listen(max(0, deadline - monotonic_ms()) / 1000)
        except DatabaseUnavailable:
            sleep(max(0, min(RECONNECT_MS, deadline - monotonic_ms())) / 1000)
        finally:
            self._listening.release()
        return self._received

    def close(self) -> None:
        """Send a pending notification at once."""
        with self._lock:
            timer, self._timer = self._timer, None
        if timer:
            timer.cancel()
            self._notify()

    def _notify(self) -> None:
        with self._lock:
            self._timer, self._sent_at = None, monotonic_ms()
        try:
            self._send()
        except (DatabaseUnavailable, DatabaseUnusable):
            pass  # The commit succeeded; waiting processes find the job by polling.
