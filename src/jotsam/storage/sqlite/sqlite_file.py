"""The file of a SQLite database: creates it with private permissions and translates errors of the library.

It does not import the library; callers pass the name of the exception that it raised.
"""

from __future__ import annotations

import errno
import os

from jotsam.core.errors import (
    DatabaseBusy,
    DatabaseFull,
    DatabaseReadOnly,
    DatabaseReplaced,
    DatabaseUnavailable,
    DatabaseUnusable,
    JotsamError,
    NotADatabase,
)
from jotsam.core.platform import files

# With less free space than this (64 MiB), each write transaction first checkpoints the log. Otherwise the log could
# fill the disk, which leaves no room for a checkpoint. What a failed transaction has appended can then always be
# truncated.
LOW_SPACE = 1 << 26
MUCH_SPACE = 1 << 30  # is not filled within a second
LARGE = 1 << 30  # bytes of a file that is rewritten by `jotsam db maintain --vacuum` only

# By the name of the library's exception.
_MEANING: dict[str, tuple[type[JotsamError], str]] = {
    "BusyError": (DatabaseBusy, "another program holds the write lock; try again when it is done"),
    "LockedError": (DatabaseBusy, "another connection holds the table; try again when it is done"),
    "InterruptError": (DatabaseBusy, "the statement took longer than the deadline"),
    "FullError": (DatabaseFull, "no space left; free some and try again, nothing was written"),
    "ReadOnlyError": (DatabaseReadOnly, "not writable; check the owner and the mode of the file and its folder"),
    "NotADBError": (NotADatabase, "not a SQLite database; choose another file with --db"),
    "CorruptError": (NotADatabase, "damaged"),
    "CantOpenError": (DatabaseUnusable, "cannot be opened; check that it exists and is a file you may read"),
    "PermissionsError": (DatabaseReadOnly, "not permitted; check the owner and the mode of the file"),
}

# Messages about a damaged table.
_DAMAGED = ("no such table:", "vtable constructor failed:", "invalid fts5 file format")


def damage(kind: str, message: str) -> str | None:
    """The damage that an error of the library reports; None for other errors."""
    return message if kind == "CorruptError" or (kind == "SQLError" and message.startswith(_DAMAGED)) else None


def create(path: str) -> None:
    """Create an empty file that only its owner can read, and its folder, unless they exist."""
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        # Exclusive: opening and closing an existing database as a plain file would drop SQLite's locks on it.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DatabaseFull(f"cannot create {path}: {error.strerror}; free some space and try again") from error
        raise DatabaseReadOnly(f"cannot create {path}: {error.strerror}; choose another path with --db") from error


def identity(path: str) -> tuple[int, int] | None:
    """Device and inode of the file at a path; None without one."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def check_same(path: str, opened: tuple[int, int] | None) -> None:
    """Raise an error if the path no longer leads to the file that was opened."""
    if opened is not None and identity(path) != opened:
        raise DatabaseReplaced(f"{path}: the file was deleted or replaced while it was open; open it again")


def free_bytes(path: str) -> int:
    """The space that is free for this user on the disk of a file."""
    try:
        return files.free_bytes(path)
    except OSError:  # A file that was deleted has no disk.
        return 1 << 62


def size(path: str) -> int:
    """Bytes of a file; 0 if it was deleted."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def error(path: str, kind: str, message: str, *, writing: bool) -> JotsamError:
    """Translate an exception of the library. `writing`: the operating system failed to write."""
    if kind == "IOError":
        ours = DatabaseFull if writing else DatabaseUnavailable
        return ours(f"{path}: {message}; check the disk, its quota and its limits, nothing was written")
    if kind not in _MEANING:
        return JotsamError(f"{path}: {kind}: {message}")
    known, meaning = _MEANING[kind]
    if kind == "CorruptError":
        from jotsam.storage.sqlite import backup_files

        meaning = f"damaged; {backup_files.advice(path)}"
    return known(f"{path}: {meaning} ({message})")
