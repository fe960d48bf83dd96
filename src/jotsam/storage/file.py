"""The file of a database before any library touches it: it is made for its owner alone."""

from __future__ import annotations

import errno
import os

from jotsam.errors import DatabaseFull, DatabaseReadOnly


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
