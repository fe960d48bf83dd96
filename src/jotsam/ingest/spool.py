"""Spool: files for the turns that a hook could not write to the database.

When the database is locked, missing or unusable, a hook writes the turn to a file here, and a worker accepts it later.
The spool of a SQLite file is a folder beside it; that of a server is in the user's data folder. A file is complete or
absent: it is written under another name, synced and renamed. This module knows files only; secrets are redacted before.
"""

from __future__ import annotations

import os

from jotsam.core.clock import new_id, system_clock
from jotsam.core.settings import data_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

COMPLETE, PARTIAL, DAMAGED = ".json", ".part", ".bad"  # file name endings


def path_prefix(database: str) -> str:
    """Common prefix of the spool folder and the log of a database.

    Two different addresses of one server have two spools; the password does not count.
    """
    if "://" not in database:
        return database
    from hashlib import sha256  # slow to import

    from jotsam.core.dsn import mask_password

    return os.path.join(data_folder(os.environ), f"server-{sha256(mask_password(database).encode()).hexdigest()[:16]}")


def folder(database: str) -> str:
    return path_prefix(database) + ".spool"


def log_path(database: str) -> str:
    """The log of background workers and hooks."""
    return path_prefix(database) + ".log"


def write(database: str, fields: Mapping[str, object]) -> str:
    """Write the fields of one turn to a new file. Returns its path. Raises `OSError`."""
    import json  # Only hooks write here, and they have imported it already.

    data = json.dumps(fields).encode()
    place = folder(database)
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    os.makedirs(place, mode=0o700, exist_ok=True)
    # The name begins with the time, so that turns are accepted in order.
    path = os.path.join(place, f"{system_clock():014d}-{new_id()[:8]}")
    try:
        with open(os.open(path + PARTIAL, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.rename(path + PARTIAL, path + COMPLETE)
    except OSError:
        remove(path + PARTIAL)
        raise
    _sync_folder(place)
    return path + COMPLETE


def waiting(database: str) -> list[str]:
    """Paths of the spooled turns, oldest first."""
    return _names(database, COMPLETE)


def damaged(database: str) -> list[str]:
    """Paths of the files that could not be read as turns."""
    return _names(database, DAMAGED)


def read(path: str) -> dict[str, Any]:
    """The fields of one turn. Raises `ValueError` if the file is damaged, `OSError` if it cannot be read."""
    import json

    with open(path, "rb") as file:
        fields = json.loads(file.read())
    if not isinstance(fields, dict):
        raise ValueError(f"{path} does not contain an object")  # noqa: TRY004 - the file is wrong, not the program
    return fields


def remove(path: str) -> None:
    """Delete the file of an accepted turn. Another process may have deleted it."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


def mark_damaged(path: str) -> None:
    """Rename a damaged file, so that it is not read again and `jotsam doctor` reports it."""
    os.replace(path, path.removesuffix(COMPLETE) + DAMAGED)


def _names(database: str, ending: str) -> list[str]:
    place = folder(database)
    try:
        names = os.listdir(place)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [os.path.join(place, name) for name in sorted(names) if name.endswith(ending)]


def _sync_folder(path: str) -> None:
    """Sync the folder, without which a power cut can undo the rename. Windows has no such call."""
    if hasattr(os, "O_DIRECTORY"):
        end = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(end)
        finally:
            os.close(end)
