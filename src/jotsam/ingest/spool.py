"""Spool: files for the turns that a hook could not write to the database.

When the database is locked, missing or unusable, a hook writes the turn to a file here, and a worker accepts it later.
The spool of a SQLite file is a folder beside it; that of a server is in the user's data folder. What cannot be written
there is in the fallback spool, one folder in the user's data folder for all databases: each file names its database. If
that is not known, because the settings could not be read, it is for the database of the user's settings file.

A file is complete or absent: it is written under another name, synced and renamed. This module knows files only;
secrets are redacted before.
"""

from __future__ import annotations

import os
import stat

from jotsam.core import own_files
from jotsam.core.clock import new_id, system_clock
from jotsam.core.dsn import mask_address
from jotsam.core.errors import InvalidInput
from jotsam.core.platform import files
from jotsam.core.platform.folders import data_folder
from jotsam.core.settings import configured_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

SPOOL = ".spool"  # ending of the name of a spool folder
COMPLETE, PARTIAL, DAMAGED = ".json", ".part", ".bad"  # file name endings
RAW = ".event"  # ending of an event that the launcher kept in the fallback spool; see `raw_events`
DUE = ".due"  # ending of a request to read a transcript; see `transcript_requests`
UNKNOWN = "unknown"  # in the name of a file of the fallback spool, instead of its database


def path_prefix(database: str) -> str:
    """Common prefix of the spool folder and the log of a database.

    Two different addresses of one server have two spools; the password does not count.
    """
    if "://" not in database:
        return database
    from hashlib import sha256  # slow to import

    return os.path.join(data_folder(os.environ), f"server-{sha256(mask_address(database).encode()).hexdigest()[:16]}")


def folder(database: str) -> str:
    return path_prefix(database) + SPOOL


def fallback_folder() -> str:
    """The spool for turns that cannot be written into the spool of their database, or whose database is not known."""
    return os.path.join(data_folder(os.environ), "hooks" + SPOOL)


def log_path(database: str) -> str:
    """The log of background workers."""
    return path_prefix(database) + ".log"


def write(database: str | None, fields: Mapping[str, object]) -> str:
    """Write the fields of one turn to a new file. Returns its path. Raises `OSError`.

    `database` is None if it is not known. An empty tenant in the fields is one that is not known.
    """
    import json  # Only hooks write here, and they have imported it already.

    masked = None if database is None else mask_address(database)
    data = json.dumps({**fields, "database": masked}).encode()
    # The name begins with the time, so that turns are accepted in order.
    name = f"{system_clock():014d}-{new_id()[:8]}"
    if database is not None:
        try:
            return _write_file(folder(database), name, data)
        except OSError:
            pass
    return _write_file(fallback_folder(), f"{name}-{_mark(masked)}", data)


def waiting(database: str) -> list[str]:
    """Paths of what waits in the spool for this database: turns and events that the launcher kept, oldest first, and
    requests to read a transcript.
    """
    turns = sorted(_names(database, COMPLETE) + _raw_events(database), key=_time_in_name)
    return turns + _names(database, DUE)


def damaged(database: str) -> list[str]:
    """Paths of the files that could not be read as turns, with the damaged events of any database."""
    events = [name for name in _list(fallback_folder()) if name.endswith(RAW + DAMAGED)]
    return _names(database, DAMAGED) + [os.path.join(fallback_folder(), name) for name in events]


def waiting_elsewhere(database: str) -> dict[str, list[str]]:
    """Paths of the spooled turns in the user's data folder that are for other databases, by database."""
    own, home = set(waiting(database)), data_folder(os.environ)
    found: dict[str, list[str]] = {}
    for place in _list(home):
        if place.endswith(SPOOL):
            for name in _list(os.path.join(home, place)):
                path = os.path.join(home, place, name)
                if name.endswith((COMPLETE, RAW)) and path not in own:
                    found.setdefault(_database_of(path), []).append(path)
    return found


def read_fields(path: str) -> dict[str, Any]:
    """The fields of one turn. Raises `ValueError` if the file is damaged, `OSError` if it cannot be read."""
    fields = _read_object(path)
    fields.pop("database", None)
    return fields


def remove(path: str) -> None:
    """Delete the file of an accepted turn. Another process may have deleted it."""
    try:
        files.remove(path)
    except FileNotFoundError:
        pass


def mark_damaged(path: str) -> None:
    """Rename a damaged file, so that it is not read again and `jotsam doctor` reports it."""
    files.replace(path, path.removesuffix(COMPLETE) + DAMAGED)


def _time_in_name(path: str) -> tuple[str, str]:
    """Sorts by the time at the begin of a name, in milliseconds or nanoseconds."""
    name = os.path.basename(path)
    return name.partition("-")[0].lstrip("0")[:13], name


def _raw_events(database: str) -> list[str]:
    """Paths of the events for this database that the launcher kept, and of damaged ones, which any may rename."""
    place = fallback_folder()
    names = [name for name in _list(place) if name.endswith(RAW)]
    if not names:
        return []
    masked = mask_address(database)
    found = {path: _database_of(path) for path in (os.path.join(place, name) for name in names)}
    return [path for path, other in found.items() if other in (masked, DAMAGED)]


def _names(database: str, ending: str) -> list[str]:
    place, fallback = folder(database), fallback_folder()
    names = names_in(place)
    paths = [(name, os.path.join(place, name)) for name in names if name.endswith(ending)]
    if others := _list(fallback):
        ours = [f"-{_mark(mask_address(database))}{ending}"]
        if any(name.endswith(f"-{UNKNOWN}{ending}") for name in others) and _is_configured(database):
            ours.append(f"-{UNKNOWN}{ending}")
        paths += [(name, os.path.join(fallback, name)) for name in others if name.endswith(tuple(ours))]
    return [path for _, path in sorted(paths)]


def _mark(masked: str | None) -> str:
    """A checksum of the database for a file name, so that the files of others need not be read."""
    if masked is None:
        return UNKNOWN
    from zlib import crc32

    return f"{crc32(masked.encode(errors='surrogatepass')):08x}"


def _is_configured(database: str) -> bool:
    """Whether it is the database of the user's settings file. False while that cannot be read."""
    try:
        return mask_address(configured_settings().db) == mask_address(database)
    except InvalidInput:
        return False


def _list(place: str) -> list[str]:
    """Names in a folder of the user's data folder, which may be missing, or belong to another user."""
    try:
        return sorted(os.listdir(place))
    except OSError:
        return []


def names_in(place: str) -> list[str]:
    """Names in a spool folder. None of a folder that another user has made: it could hold turns of any project."""
    if problem(place) is not None:
        return []
    try:
        return os.listdir(place)
    except (FileNotFoundError, NotADirectoryError):
        return []


def problem(place: str) -> str | None:
    """Why a spool folder is not used, or None."""
    return own_files.problem(place, kind=stat.S_IFDIR, beside=place.removesuffix(SPOOL))


def make_folder(place: str) -> None:
    """Make a spool folder, unless it exists. Raises `OSError` if it must not be used."""
    os.makedirs(place, mode=0o700, exist_ok=True)
    if (why := problem(place)) is not None:
        raise own_files.NotOwn(0, why)


def _read_object(path: str) -> dict[str, Any]:
    import json

    try:
        with own_files.open_to_read(path, beside=os.path.dirname(path).removesuffix(SPOOL)) as file:
            fields = json.loads(file.read())
    except own_files.NotOwn as error:
        raise ValueError(error.strerror) from error
    if not isinstance(fields, dict):
        raise ValueError(f"{path} does not contain an object")  # noqa: TRY004 - the file is wrong, not the program
    return fields


def _database_of(path: str) -> str:
    """The database of a spooled file, without its password; `UNKNOWN`, or `DAMAGED` for an event."""
    try:
        if not path.endswith(RAW):
            return str(_read_object(path).get("database") or UNKNOWN)
        from jotsam.ingest import raw_events  # rarely needed

        database = raw_events.database_of(path)
        return mask_address(database) if database else UNKNOWN
    except (OSError, ValueError, RecursionError):
        return DAMAGED if path.endswith(RAW) else UNKNOWN


def _write_file(place: str, name: str, data: bytes) -> str:
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    make_folder(place)
    path = os.path.join(place, name)
    try:
        with open(os.open(path + PARTIAL, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.rename(path + PARTIAL, path + COMPLETE)
    except OSError:
        remove(path + PARTIAL)
        raise
    files.sync(place)  # Without that a power cut can undo the renaming.
    return path + COMPLETE
