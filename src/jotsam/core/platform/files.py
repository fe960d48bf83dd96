"""Locks, owners, modes, disks and folders of files."""

from __future__ import annotations

import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

HAS_MODES = os.name == "posix"  # whether the mode of a file says who may read and write it
NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT: int = getattr(os, "O_NONBLOCK", 0)  # of the other end of a pipe
NOT_INHERITED: int = getattr(os, "O_CLOEXEC", 0)
BINARY: int = getattr(os, "O_BINARY", 0)
LOCK_FILE = ".jotsam-lock"  # in a folder, where folders themselves cannot be locked
RETRY_S = 0.05
ATTEMPTS = 40
IN_USE = "another program has it open, or you may not write it: close that program and try again"
CAN_REPLACE_OPEN = os.name == "posix"  # a file that some process has open


def lock_folder(folder: str, *, wait: bool) -> int | None:
    """Lock a folder against other processes, until the file number that is returned is closed or the process ends.

    None if another process holds the lock and `wait` is false. Raises `OSError`.
    """
    if sys.platform == "win32":
        end = os.open(os.path.join(folder, LOCK_FILE), os.O_RDWR | os.O_CREAT, 0o600)
    else:
        end = os.open(folder, os.O_RDONLY | NOT_INHERITED)  # The lock of the folder itself leaves no file behind.
    try:
        is_locked = _lock_whole(end, wait=wait)
    except OSError:
        os.close(end)
        raise
    if not is_locked:
        os.close(end)
        return None
    return end


def _lock_whole(end: int, *, wait: bool) -> bool:
    if sys.platform == "win32":
        from jotsam.core.clock import sleep

        while not (is_locked := lock_range(end, 0, 1)) and wait:
            sleep(RETRY_S)
        return is_locked
    import fcntl

    try:
        fcntl.flock(end, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def lock_range(end: int, first: int, length: int) -> bool:
    """Lock some bytes of an open file against other processes, until it is closed. False if another has a lock there.

    These are the locks that SQLite takes on the same system.
    """
    if sys.platform == "win32":
        import msvcrt

        os.lseek(end, first, os.SEEK_SET)
        try:
            msvcrt.locking(end, msvcrt.LK_NBLCK, length)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.lockf(end, fcntl.LOCK_EX | fcntl.LOCK_NB, length, first)
    except (BlockingIOError, PermissionError):
        return False
    return True


def is_own(found: os.stat_result) -> bool:
    """Whether a file belongs to this user. True on Windows, where its mode says nothing either."""
    return not HAS_MODES or found.st_uid == user()


def user() -> int:
    """The number of this user; 0 on Windows, which has none."""
    if sys.platform == "win32":
        return 0
    return os.geteuid()


def is_private(found: os.stat_result) -> bool:
    """Whether a folder is one of this user that nobody else may use."""
    return stat.S_ISDIR(found.st_mode) and is_own(found) and not (HAS_MODES and found.st_mode & 0o077)


def give_owner_and_mode(end: int, of: os.stat_result) -> None:
    """Give an open file the owner and the mode of another one. Nothing happens on Windows. Raises `OSError`."""
    if sys.platform != "win32":
        if (of.st_uid, of.st_gid) != (os.getuid(), os.getgid()):
            os.fchown(end, of.st_uid, of.st_gid)
        os.fchmod(end, stat.S_IMODE(of.st_mode))


def make_executable(end: int) -> None:
    """Let its owner run an open file. Nothing happens on Windows, where its name decides."""
    if sys.platform != "win32":
        os.fchmod(end, stat.S_IMODE(os.fstat(end).st_mode) | 0o100)


def replace(source: str, target: str) -> None:
    """Give a file the name of another, which it replaces. Waits on Windows while others have that open.

    Raises `OSError`.
    """
    _when_closed(os.replace, source, target)


def remove(path: str) -> None:
    """Delete a file. Waits on Windows while others have it open. Raises `OSError`."""
    _when_closed(os.unlink, path)


def _when_closed(change: Callable[..., None], *paths: str) -> None:
    left = 0 if CAN_REPLACE_OPEN else ATTEMPTS
    while True:
        try:
            return change(*paths)
        except PermissionError as error:
            if CAN_REPLACE_OPEN:
                raise
            if not left:
                raise PermissionError(error.errno, IN_USE, paths[-1]) from error
        from jotsam.core.clock import sleep

        sleep(RETRY_S)
        left -= 1


def exchange(new: str, path: str, kept: str) -> None:
    """Put a new file in the place of one that no process has open, and keep that as `kept`. Raises `OSError`."""
    if sys.platform == "win32":
        import ctypes

        # In one step, and not if any process has it open.
        if not ctypes.windll.kernel32.ReplaceFileW(path, new, kept, 0, None, None):
            raise ctypes.WinError()
        return
    os.rename(path, kept)  # Other systems replace an open file, so that only a test of this comes here.
    os.rename(new, path)


def sync(path: str) -> None:
    """Write a file or a folder to the disk. Nothing happens for a folder on Windows. Raises `OSError`."""
    if sys.platform == "win32" and os.path.isdir(path):
        return
    end = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        os.fsync(end)
    finally:
        os.close(end)


def free_bytes(path: str) -> int:
    """The space that is free for this user on the disk of a file or folder. Raises `OSError`."""
    if sys.platform == "win32":
        import shutil

        folder = path if os.path.isdir(path) else os.path.dirname(os.path.abspath(path))
        return shutil.disk_usage(folder).free
    found = os.statvfs(path)
    return found.f_bavail * found.f_frsize
