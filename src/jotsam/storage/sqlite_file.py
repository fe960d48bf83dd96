"""The file of a database from outside: it is made for its owner alone, and what refusals to use it mean.

It knows no library: whoever opens the file says by name what that raised.
"""

from __future__ import annotations

import errno
import os

from jotsam.core.errors import (
    DatabaseBusy,
    DatabaseFull,
    DatabaseReadOnly,
    DatabaseUnavailable,
    DatabaseUnusable,
    JotsamError,
    NotADatabase,
)

_MEANING: dict[str, tuple[type[JotsamError], str]] = {
    "BusyError": (DatabaseBusy, "another program holds the write lock; try again when it is done"),
    "LockedError": (DatabaseBusy, "another connection holds the table; try again when it is done"),
    "FullError": (DatabaseFull, "no space left; free some and try again, nothing was written"),
    "ReadOnlyError": (DatabaseReadOnly, "not writable; check the owner and the mode of the file and its folder"),
    "NotADBError": (NotADatabase, "not a SQLite database; choose another file with --db"),
    "CorruptError": (NotADatabase, "damaged; restore a backup (a copy is made before each migration)"),
    "CantOpenError": (DatabaseUnusable, "cannot be opened; check that it exists and is a file you may read"),
    "PermissionsError": (DatabaseReadOnly, "not permitted; check the owner and the mode of the file"),
}
"""By the name of what SQLite's library raises."""


_LOST = ("no such table:", "vtable constructor failed:", "invalid fts5 file format")
"""How SQLite says of a table that it is no more what it was."""


def damage(kind: str, message: str) -> str | None:
    """What is damaged, if that is what an error of SQLite's library says; None for any other."""
    return message if kind == "CorruptError" or (kind == "SQLError" and message.startswith(_LOST)) else None


def create(path: str) -> None:
    """Make an empty file that only its owner can read, in a folder that only its owner can enter."""
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        # Exclusive: opening an existing database as a plain file, and closing it, would drop SQLite's locks on it.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DatabaseFull(f"{path} cannot be made: {error.strerror}; free some space and try again") from error
        raise DatabaseReadOnly(f"{path} cannot be made: {error.strerror}; choose another place with --db") from error


def error(path: str, kind: str, message: str, *, writing: bool) -> JotsamError:
    """The error of ours that says what the caller can do. `writing` says whether the disk refused a write."""
    if kind == "IOError":
        ours = DatabaseFull if writing else DatabaseUnavailable
        return ours(f"{path}: {message}; check the disk, its quota and its limits, nothing was written")
    if kind not in _MEANING:
        return JotsamError(f"{path}: {kind}: {message}")
    known, meaning = _MEANING[kind]
    return known(f"{path}: {meaning} ({message})")
