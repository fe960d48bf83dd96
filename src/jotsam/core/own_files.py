"""Opens files in folders where other users may write: through no link, no pipe, and no file of another user.

A file may belong to this user, to root, or to the owner of the file beside which it is. Small files that come with a
clone are read here too, because settings and the identity of a project need both.
"""

from __future__ import annotations

import os
import stat

from jotsam.core.platform import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


# A pipe is opened without waiting for its other end, and refused then. Windows has neither flag.
_SAFELY = files.NO_FOLLOW | files.NO_WAIT | files.NOT_INHERITED
_KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFDIR: "a folder",
    stat.S_IFREG: "a file",
}


class NotOwn(PermissionError):
    """A path must not be used. `strerror` says why, and what to do."""


def problem(path: str, *, kind: int = stat.S_IFREG, beside: str | None = None) -> str | None:
    """Why a path is not used, or None: also if nothing is there. `kind` is what it must be, of the module `stat`."""
    try:
        return _problem(os.lstat(path), path, kind=kind, beside=beside)
    except OSError:
        return None


def open_log(path: str, *, max_bytes: int, beside: str | None = None) -> int:
    """A file to append to, empty if it had more than `max_bytes`. Raises `OSError`, `NotOwn` among them."""
    _refuse(path, beside)
    end = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | files.BINARY | _SAFELY, 0o600)
    try:
        _check(end, path, beside)
        if os.fstat(end).st_size > max_bytes:
            os.ftruncate(end, 0)
    except OSError:
        os.close(end)
        raise
    return end


def open_to_read(path: str, *, beside: str | None = None) -> BinaryIO:
    """A file to read. Raises `OSError`, `NotOwn` among them."""
    _refuse(path, beside)
    end = os.open(path, os.O_RDONLY | _SAFELY | files.BINARY)
    try:
        _check(end, path, beside)
    except OSError:
        os.close(end)
        raise
    return os.fdopen(end, "rb")


def create(path: str) -> int:
    """A new file that only this user can read, instead of one that this user left there. Raises `OSError`."""
    _refuse(path, None)
    try:
        files.remove(path)
    except FileNotFoundError:
        pass
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFELY | files.BINARY, 0o600)


def check_device(end: int, path: str) -> None:
    """Raise `OSError` if an open pipe or device is that of another user."""
    found = os.fstat(end)
    if (why := _problem(found, path, kind=stat.S_IFMT(found.st_mode), beside=None)) is not None:
        raise NotOwn(0, why)


def _refuse(path: str, beside: str | None) -> None:
    if (why := problem(path, beside=beside)) is not None:
        raise NotOwn(0, why)


def _check(end: int, path: str, beside: str | None) -> None:
    if (why := _problem(os.fstat(end), path, kind=stat.S_IFREG, beside=beside)) is not None:
        raise NotOwn(0, why)


def _problem(found: os.stat_result, path: str, *, kind: int, beside: str | None) -> str | None:
    if stat.S_IFMT(found.st_mode) != kind:
        return f"{path} is {_KINDS.get(stat.S_IFMT(found.st_mode), 'a device')}, not {_KINDS[kind]}: remove it"
    if files.HAS_MODES and found.st_uid not in _trusted(beside):
        return f"{path} belongs to another user (uid {found.st_uid}): remove it, or use another folder"
    if kind == stat.S_IFREG and found.st_nlink > 1:
        return f"{path} has a second name, so it may be another user's choice of a file: remove it"
    return None


def _trusted(beside: str | None) -> Iterator[int]:
    yield files.user()
    yield 0
    if beside is not None:
        try:
            yield os.stat(beside).st_uid
        except OSError:
            return


def read_regular(path: str, max_bytes: int) -> bytes:
    """The content of a small regular file. Raises `OSError`, `ValueError`.

    A file of a clone may be a link to a device or a pipe. Opening some devices has effects, so the path is checked
    before it is opened, and the file again afterwards.
    """
    _check_regular(os.stat(path))
    flags = os.O_RDONLY | files.NO_WAIT | files.BINARY
    with open(os.open(path, flags), "rb") as file:
        _check_regular(os.fstat(file.fileno()))
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise ValueError(f"it has more than {max_bytes:,} bytes")
    return content


def _check_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("it is not a regular file")
