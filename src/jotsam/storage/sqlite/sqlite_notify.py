"""Cross-process wake-up for a SQLite file, over a named pipe.

A process that commits a job writes a byte to the pipe of the database; a process that waits for jobs blocks in `poll`
on its reading end. Notifying costs nothing while no process listens. A notification can be missed only while no
process listens, so a listener reads the database once before it waits. Without named pipes a listener polls the
database's version instead.

The pipe is in a run folder of the user, not beside the database, because a copy of `jotsam.db*` would wait for it for
ever. Its name is the device and the inode of the database. Neither depends on the environment of a process. Processes
of two users do not wake each other: a worker reads the database every second anyway.
"""

from __future__ import annotations

import os
import stat

from jotsam.core.clock import monotonic_ms, sleep, system_clock
from jotsam.core.platform import files, pipes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

OLD_SUFFIX = ".wake"  # of the pipe beside the database, which earlier versions made
POLL_MS = 5
UNUSED_MS = 60_000  # a pipe without a reader is removed after this time

# Not $XDG_RUNTIME_DIR or $TMPDIR: a cron job and a shell must use the same folder. A listener uses the first that can
# be used, a sender all of them, because /run/user appears at the first login.
RUN_FOLDERS = ("/run/user/{user}/jotsam", "/tmp/jotsam-{user}")


class PipeNotifier:
    """The wake-up of the database at `path`. `version` returns a number that changes with every commit."""

    def __init__(self, path: str, version: Callable[[], int], *, has_pipes: bool = pipes.HAS_NAMED) -> None:
        self._path = path
        self._version = version
        self._has_pipes = has_pipes
        self._ends: tuple[int, int] | None = None
        self._targets: list[str] = []

    def notify(self) -> None:
        """Wake the processes that listen, if any."""
        if self._has_pipes and not self._targets:
            self._targets = self.places()  # Whoever writes has checked that the path still leads to the same file.
        for pipe in self._targets:
            if not os.access(pipe, os.W_OK):
                continue  # Asked first, because an error costs more than the rest, and mostly no process listens.
            try:
                end = pipes.open_to_send(pipe)
            except OSError:
                continue  # The pipe does not exist, or no process reads from it.
            try:
                if pipes.is_own_named(end):
                    os.write(end, b"\0")
            except OSError:
                pass  # The pipe is full of notifications, or the listener has just closed it.
            finally:
                os.close(end)

    def places(self) -> list[str]:
        """Where the pipe may be. Empty if there is no such database."""
        try:
            file = os.stat(self._path)
        except OSError:
            return []
        name = f"{file.st_dev:x}-{file.st_ino:x}"
        return [os.path.join(folder.format(user=files.user()), name) for folder in RUN_FOLDERS]

    def listen(self) -> None:
        """Open the pipe, so that later notifications are not missed."""
        if self._has_pipes and self._ends is not None and not self._is_reachable():
            self.close()  # The pipe was removed, for example by a program that cleans /tmp.
        if self._has_pipes and self._ends is None:
            self._ends = self._open()
            self._has_pipes = self._ends is not None

    def wait(self, timeout_ms: int) -> bool:
        """Wait at most `timeout_ms` for a notification. Returns whether there was one."""
        self.listen()
        if self._ends is None:
            return self._poll(timeout_ms)
        reading, _ = self._ends
        is_ready = pipes.wait(reading, timeout_ms)
        if is_ready:
            self._drain(reading)
        return is_ready

    def close(self) -> None:
        for end in self._ends or ():
            os.close(end)
        self._ends = None

    def _open(self) -> tuple[int, int] | None:
        """Both ends of the pipe in the first run folder that can be used. None without such a folder."""
        for place in self.places():
            try:
                _make_folder(os.path.dirname(place))
                return pipes.open_named(place)
            except OSError:
                continue
        return None

    def _is_reachable(self) -> bool:
        """Whether senders find the pipe from which this listener reads."""
        assert self._ends is not None
        own = os.fstat(self._ends[0])
        for place in self.places():
            try:
                found = os.lstat(place)
            except OSError:
                continue
            if (found.st_dev, found.st_ino) == (own.st_dev, own.st_ino):
                return True
        return False

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


def remove_old(path: str) -> bool:
    """Remove the pipe that an earlier version made beside a database. Returns whether there was one."""
    old = path + OLD_SUFFIX
    try:
        if not stat.S_ISFIFO(os.lstat(old).st_mode):
            return False
        os.unlink(old)
    except OSError:
        return False
    return True


def _make_folder(path: str) -> None:
    """Make a run folder, unless it exists. Raises `OSError` if another user could use it."""
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        if not files.is_private(os.lstat(path)):
            raise PermissionError(f"{path} is not a private folder of this user") from None
    _remove_unused(path)


def _remove_unused(folder: str) -> None:
    """Remove pipes from which no process reads: their listeners ended, or were killed."""
    before = (system_clock() - UNUSED_MS) / 1_000
    for entry in os.scandir(folder):
        try:
            if entry.stat(follow_symlinks=False).st_mtime < before:
                os.close(pipes.open_to_send(entry.path))
        except OSError:
            try:
                os.unlink(entry.path)
            except OSError:
                pass  # Another process has just removed it.
