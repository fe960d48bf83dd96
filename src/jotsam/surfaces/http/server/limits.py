"""How many requests of one server process use its database at once, and how many a token may send.

Threads: Python runs one at a time, so a few of them answer faster than many do, and with less memory: each has a
connection, and a connection to a file keeps 2 MB of pages. Those that read do not wait for those that write.

Tokens: a bucket for each, in the memory of this process. It reads no clock. Another server process counts for itself.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict

import anyio

from jotsam.core import dsn

OF_FILE = 4  # threads that read, and as many that write
OF_SERVER = 16  # which wait for it most of the time; together as many as it has connections
MAX_KEYS = 10_000


class ThreadLimits:
    """How many threads read and write at once."""

    def __init__(self, url: str) -> None:
        number = OF_SERVER if dsn.is_server(url) else OF_FILE
        self.reading, self.writing = anyio.CapacityLimiter(number), anyio.CapacityLimiter(number)


class RateLimit:
    """A bucket for each key, which holds the requests of one second and at least one. Safe to use from many threads."""

    def __init__(self, *, max_keys: int = MAX_KEYS) -> None:
        """Of more than `max_keys` keys, those that were not used for longest are forgotten: their buckets are full."""
        self._max_keys = max_keys
        self._buckets: OrderedDict[str, tuple[float, int]] = OrderedDict()  # what is left, and when that was
        self._lock = threading.Lock()

    def allow(self, key: str, *, rate: float, now_ms: int) -> int | None:
        """Take a request out of the bucket. Returns None, or after how many milliseconds there is one again.

        `rate` is in requests per second. `now_ms` is a time of a monotonic clock.
        """
        size = max(1.0, rate)
        with self._lock:
            left, at = self._buckets.get(key, (size, now_ms))
            left = min(size, left + max(0, now_ms - at) * rate / 1_000)
            is_allowed = left >= 1
            self._buckets[key] = left - is_allowed, max(at, now_ms)
            self._buckets.move_to_end(key)
            if len(self._buckets) > self._max_keys:
                self._buckets.popitem(last=False)
        return None if is_allowed else math.ceil((1 - left) * 1_000 / rate)
