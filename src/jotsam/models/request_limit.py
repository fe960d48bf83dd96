"""How many requests a model server gets at a time: as many as it answers well.

It begins with one and doubles the number as long as that makes more tokens per second in sum. After the first number
that does not, it goes back to the one before, and after some replies tries half as many more. A server that does not
answer in time, or refuses more, gets half as many.

All requests of a worker to its language model share one limit: of memories, session notes and the lifecycle.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import NoAnswer, RetryJob

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GAIN = 1.1  # more requests at a time must make at least this many times the tokens per second
REPLIES = 2  # replies for each request at a time, by which its speed is measured; while it doubles, one is enough
FIRST = 1  # request at a time, to begin with
TRY_AGAIN = 20  # replies after which more requests at a time are tried again
BUSY_RETRY_MS = 2_000  # the delay of a job that found no place


class RequestLimit:
    """The limit for one server. Thread-safe."""

    def __init__(self, most: int, *, now: Callable[[], int] = monotonic_ms) -> None:
        self.value = min(FIRST, most)
        self._most = most
        self._now = now
        self._state = threading.Condition()
        self._running = 0
        self._is_starting = True  # until more requests at a time were no gain, or the server did not keep up
        self._before = self.value  # requests at a time before the last increase
        self._speed = 0.0  # tokens per second with so many; 0: not known
        self._rest = 0  # replies before more are tried
        self._begin()

    @contextmanager
    def request(self, *, wait_ms: int | None = None) -> Iterator[Callable[[int], None]]:
        """Wait for a place and hold it during a request. Yields a function for the tokens of its reply.

        Raises `RetryJob` if no place is free within `wait_ms`, before anything was sent.
        """
        with self._state:
            seconds = None if wait_ms is None else max(0, wait_ms) / 1_000
            if not self._state.wait_for(lambda: self._running < self.value, seconds):
                raise RetryJob("the model is busy with other requests", after_ms=BUSY_RETRY_MS, spend=False)
            self._measure()
            self._running += 1
            if not self._is_full:
                self._begin()
        try:
            yield self._count
        except NoAnswer:
            self.shrink()
            raise
        except RetryJob as error:
            if not error.spend:
                self.shrink()
            raise
        finally:
            with self._state:
                self._measure()
                self._running -= 1
                self._state.notify_all()

    def shrink(self) -> None:
        """The server did not keep up."""
        with self._state:
            self._go_back(max(1, self.value // 2))
            self._begin()

    def _go_back(self, value: int) -> None:
        self.value, self._is_starting, self._speed, self._rest = value, False, 0.0, TRY_AGAIN

    def _begin(self) -> None:
        self._is_full = self._running >= self.value
        self._busy_ms, self._tokens, self._replies, self._measured_at = 0, 0, 0, self._now()

    def _measure(self) -> None:
        """Add the time in which there was a request."""
        now = self._now()
        self._busy_ms += now - self._measured_at if self._running else 0
        self._measured_at = now

    def _count(self, tokens: int) -> None:
        with self._state:
            self._measure()
            self._tokens += tokens
            self._replies += 1
            self._rest = max(0, self._rest - 1)
            if self._is_full and self._replies >= self.value * (1 if self._is_starting else REPLIES):
                self._judge()

    def _judge(self) -> None:
        """Change the limit by the speed of the replies since all places were taken."""
        speed = self._tokens * 1_000 / max(1, self._busy_ms)
        if speed < GAIN * self._speed:
            self._go_back(self._before)
        elif self.value < self._most and not self._rest:
            self._before, self._speed = self.value, speed
            more = self.value if self._is_starting else max(1, self.value // 2)
            self.value = min(self._most, self.value + more)
            self._state.notify_all()
        else:
            self._speed = 0.0
        self._begin()
