"""The spool: a folder beside the database, for turns that a hook could not write into it.

A hook waits for nobody. When the database is locked, missing or not usable, the turn becomes one file here, and the
worker takes it in later. Beside a server there is no folder: its spool lies among the data of the user.
A file is whole or not there: it is written under another name, synced, and renamed.
This room knows files only. It must not open the database, and what it is given has been cleaned of secrets before.
"""

from __future__ import annotations

import os

from jotsam.core.clock import new_id, system_clock
from jotsam.core.settings import data_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

WHOLE, PARTIAL, BAD = ".json", ".part", ".bad"


def beside(database: str) -> str:
    """What the names of files begin with that belong to a database, on this machine and for this user.

    Two addresses of one server that differ, but for the password, count as two servers.
    """
    if "://" not in database:
        return database
    from hashlib import sha256  # Only whoever has a server pays for these.

    from jotsam.core.dsn import mask_password

    return os.path.join(data_folder(os.environ), f"server-{sha256(mask_password(database).encode()).hexdigest()[:16]}")


def folder(database: str) -> str:
    return beside(database) + ".spool"


def log(database: str) -> str:
    """Where what nobody was there to read is written down."""
    return beside(database) + ".log"


def put(database: str, fields: Mapping[str, object]) -> str:
    """Keep the fields of one turn until a worker comes. Returns the path. Raises `OSError`."""
    import json  # A hook has loaded it already; nobody else writes here.

    data = json.dumps(fields).encode()
    place = folder(database)
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    os.makedirs(place, mode=0o700, exist_ok=True)
    # The time leads the name, so that turns are taken in the order in which they were said.
    path = os.path.join(place, f"{system_clock():014d}-{new_id()[:8]}")
    try:
        with open(os.open(path + PARTIAL, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.rename(path + PARTIAL, path + WHOLE)
    except OSError:
        remove(path + PARTIAL)
        raise
    _sync_folder(place)
    return path + WHOLE


def waiting(database: str) -> list[str]:
    """The paths of what waits, oldest first."""
    return _names(database, WHOLE)


def damaged(database: str) -> list[str]:
    """The paths of what could not be understood."""
    return _names(database, BAD)


def get(path: str) -> dict[str, Any]:
    """The fields of one turn. Raises `ValueError` if the file is damaged, `OSError` if it cannot be read."""
    import json

    with open(path, "rb") as file:
        fields = json.loads(file.read())
    if not isinstance(fields, dict):
        raise ValueError(f"{path} holds no object")  # noqa: TRY004 - the file is wrong, not the program
    return fields


def remove(path: str) -> None:
    """It is in the database now. That somebody else was faster is no harm."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


def condemn(path: str) -> None:
    """Put a damaged file aside, where `jotsam doctor` points at it."""
    os.replace(path, path.removesuffix(WHOLE) + BAD)


def _names(database: str, ending: str) -> list[str]:
    place = folder(database)
    try:
        names = os.listdir(place)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [os.path.join(place, name) for name in sorted(names) if name.endswith(ending)]


def _sync_folder(path: str) -> None:
    """A rename survives a power cut only once its folder is synced; Windows has no such call."""
    if hasattr(os, "O_DIRECTORY"):
        end = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(end)
        finally:
            os.close(end)
