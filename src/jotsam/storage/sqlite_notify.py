"""Wakes a waiting process within a millisecond, at no cost while nobody rings.

The bell is a named pipe beside the database: whoever commits a job writes a byte, whoever waits sleeps on the reading
end. Where there are no named pipes, the waiter looks at the database's version instead. A ring may be missed only
while nobody listens, and a listener looks into the database before it waits.
"""

from __future__ import annotations

import os
import select
import stat

from jotsam.core.clock import monotonic_ms, sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LOOK_MS = 5


class Bell:
    """Of the database at `path`; `version` returns a number that changes with every commit."""

    def __init__(self, path: str, version: Callable[[], int], *, pipes: bool = hasattr(os, "mkfifo")) -> None:
        self._path = path + ".bell"
        self._version = version
        self._pipes = pipes
        self._ends: tuple[int, int] | None = None

    def ring(self) -> None:
        """Wake whoever listens; do nothing when nobody does."""
        if not self._pipes:
            return
        try:
            end = os.open(self._path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return  # No pipe, or nobody at its other end: nobody waits.
        try:
            if _is_pipe(end):
                os.write(end, b"\0")
        except OSError:
            pass  # The pipe is full of rings, or the listener has just left.
        finally:
            os.close(end)

    def listen(self) -> None:
        """From now on no ring is missed."""
        if self._pipes and self._ends is None:
            try:
                self._ends = self._open()
            except OSError:
                self._pipes = False  # A file system without named pipes, or a file in the place of ours.

    def wait(self, timeout_ms: int) -> bool:
        """Wait for a ring, at most `timeout_ms`. True: there was one."""
        self.listen()
        if self._ends is None:
            return self._look(timeout_ms)
        reading, _ = self._ends
        rung, _, _ = select.select([reading], [], [], timeout_ms / 1000)
        if rung:
            self._silence(reading)
        return bool(rung)

    def close(self) -> None:
        for end in self._ends or ():
            os.close(end)
        self._ends = None

    def _open(self) -> tuple[int, int]:
        try:
            os.mkfifo(self._path, 0o600)
        except FileExistsError:
            pass
        reading = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK)
        if not _is_pipe(reading):
            os.close(reading)
            raise FileExistsError(f"{self._path} is not a pipe")
        # A writing end of our own keeps the pipe open: without any, reading would see its end again and again.
        return reading, os.open(self._path, os.O_WRONLY | os.O_NONBLOCK)

    def _silence(self, reading: int) -> None:
        try:
            while os.read(reading, 4096):
                pass
        except BlockingIOError:
            pass

    def _look(self, timeout_ms: int) -> bool:
        before, deadline = self._version(), monotonic_ms() + timeout_ms
        while monotonic_ms() < deadline:
            sleep(LOOK_MS / 1000)
            if self._version() != before:
                return True
        return False


def _is_pipe(end: int) -> bool:
    """A folder that was copied may hold a plain file instead, which is always ready to be read."""
    return stat.S_ISFIFO(os.fstat(end).st_mode)
