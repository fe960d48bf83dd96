"""Cross-process wake-up for a SQLite file, over a named pipe.

A process that commits a job writes a byte to the pipe beside the database; a process that waits for jobs blocks in
`poll` on its reading end. Notifying costs nothing while no process listens. A notification can be missed only while
no process listens, so a listener reads the database once before it waits. On file systems without named pipes a
listener polls the database's version instead.
"""

from __future__ import annotations

import os
import select
import stat

from jotsam.core.clock import monotonic_ms, sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SUFFIX = ".wake"
POLL_MS = 5


class PipeNotifier:
    """The wake-up of the database at `path`. `version` returns a number that changes with every commit."""

    def __init__(self, path: str, version: Callable[[], int], *, pipes: bool = hasattr(os, "mkfifo")) -> None:
        self._path = path + SUFFIX
        self._version = version
        self._pipes = pipes
        self._ends: tuple[int, int] | None = None

    def notify(self) -> None:
        """Wake the processes that listen, if any."""
        if not self._pipes:
            return
        try:
            end = os.open(self._path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return  # The pipe does not exist, or no process reads from it.
        try:
            if _is_pipe(end):
                os.write(end, b"\0")
        except OSError:
            pass  # The pipe is full of notifications, or the listener has just closed it.
        finally:
            os.close(end)

    def listen(self) -> None:
        """Open the pipe, so that later notifications are not missed."""
        if self._pipes and self._ends is None:
            try:
                self._ends = self._open()
            except OSError:
                self._pipes = False  # No named pipes on this file system, or another file has the name.

    def wait(self, timeout_ms: int) -> bool:
        """Wait at most `timeout_ms` for a notification. Returns whether there was one."""
        self.listen()
        if self._ends is None:
            return self._poll(timeout_ms)
        reading, _ = self._ends
        poll = select.poll()  # `select.select` refuses file numbers above 1,023.
        poll.register(reading, select.POLLIN)
        ready = poll.poll(timeout_ms)
        if ready:
            self._drain(reading)
        return bool(ready)

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
        # Our own writing end keeps the pipe open: without a writer, `poll` would report end of file at once.
        return reading, os.open(self._path, os.O_WRONLY | os.O_NONBLOCK)

    def _drain(self, reading: int) -> None:
        try:
            while os.read(reading, 4096):
                pass
        except BlockingIOError:
            pass

    def _poll(self, timeout_ms: int) -> bool:
        before, deadline = self._version(), monotonic_ms() + timeout_ms
        while monotonic_ms() < deadline:
            sleep(POLL_MS / 1000)
            if self._version() != before:
                return True
        return False


def _is_pipe(end: int) -> bool:
    """A copied folder may hold a plain file instead of the pipe, which `poll` would always report as ready."""
    return stat.S_ISFIFO(os.fstat(end).st_mode)
