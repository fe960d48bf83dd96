"""Waits for what a pipe holds, and named pipes that wake other processes."""

from __future__ import annotations

import os
import stat
import sys

from jotsam.core.platform import files

HAS_NAMED = hasattr(os, "mkfifo")
LOOK_AGAIN_S = 0.01
ENCODING = "utf-8" if sys.platform == "win32" else None  # of text, where the system has another one; None: its own
MAX_SELECT = 1024  # `select.select` takes no higher file numbers


def wait(end: int, timeout_ms: int) -> bool:
    """Wait until an open pipe or file has something to read, or its other end is closed. False after the time."""
    if sys.platform == "win32":
        import ctypes
        import msvcrt

        from jotsam.core.clock import monotonic_ms, sleep

        peek = ctypes.windll.kernel32.PeekNamedPipe  # It fails for what is no pipe, which is ready.
        handle, waiting, deadline = msvcrt.get_osfhandle(end), ctypes.c_ulong(), monotonic_ms() + timeout_ms
        while peek(handle, None, 0, None, ctypes.byref(waiting), None) and not waiting.value:
            if monotonic_ms() >= deadline:
                return False
            sleep(LOOK_AGAIN_S)
        return True
    import select

    if end < MAX_SELECT:  # On macOS `poll` refuses devices.
        return bool(select.select([end], [], [], timeout_ms / 1000)[0])
    poll = select.poll()
    poll.register(end, select.POLLIN)
    return bool(poll.poll(timeout_ms))


def open_named(path: str) -> tuple[int, int]:
    """The reading and the writing end of a named pipe of this user, which is made if it does not exist.

    Raises `OSError`, also where there are none.
    """
    if sys.platform == "win32":
        raise OSError("this system has no named pipes in folders")
    try:
        os.mkfifo(path, 0o600)
    except FileExistsError:
        pass
    reading = os.open(path, os.O_RDONLY | files.NO_WAIT | files.NO_FOLLOW)
    if not is_own_named(reading):
        os.close(reading)
        raise FileExistsError(f"{path} is not a pipe of this user")
    # Our own writing end keeps the pipe open: without a writer, it would be at its end at once.
    return reading, os.open(path, os.O_WRONLY | files.NO_WAIT)


def open_to_send(path: str) -> int:
    """The writing end of a named pipe. Raises `OSError` if nobody reads from it."""
    return os.open(path, os.O_WRONLY | files.NO_WAIT | files.NO_FOLLOW)


def is_own_named(end: int) -> bool:
    """Another file would always be ready to read."""
    found = os.fstat(end)
    return stat.S_ISFIFO(found.st_mode) and files.is_own(found)
