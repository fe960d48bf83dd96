"""Puts a backup in the place of a SQLite file, which must not be in use.

If the process is killed, the path has either the old database or the restored one, each whole. The log of the old
database is never left beside the restored one, because SQLite would apply it.
"""

from __future__ import annotations

import os
from contextlib import contextmanager

import apsw

from jotsam.core.clock import format_time, system_clock
from jotsam.core.errors import DatabaseBusy, DatabaseUnusable
from jotsam.core.platform import files, process_identity
from jotsam.storage import migrations
from jotsam.storage.sqlite import sqlite_backup
from jotsam.storage.sqlite.sqlite import is_open_here
from jotsam.storage.sqlite.sqlite_connection import Translated, applied, recorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.storage.sqlite.sqlite_backup import Content

# The bytes of a database file that SQLite locks. Each open connection to a file with a write-ahead log locks one.
LOCK_BYTE, LOCK_BYTES = 0x4000_0000, 512
ATTEMPTS = 5

# The holders of these leases are gone. Their jobs are delivered again, without a failure.
VOID_LEASES = {
    "worker_lease": "delete from worker_lease",
    "queue_worker": "delete from queue_worker",
    "queue_job": "update queue_job set state = 'ready', wake_at = null, owner = null where state = 'leased'",
}
LEASE = "select pid, host from worker_lease where until > ? and until <= ? + 600000"


def restore(backup: str, path: str) -> tuple[Content, str | None]:
    """Replace a database file by a checked backup. Returns what is in it, and where the replaced file is kept.

    Raises `DatabaseBusy` if the file is in use, `NotADatabase` if the backup is damaged, `SchemaTooNew`,
    `DatabaseUnusable`, and `DatabaseFull`.
    """
    if not os.path.isfile(backup):
        raise DatabaseUnusable(f"{backup} does not exist, or is not a file")
    if os.path.exists(path) and os.path.samefile(backup, path):
        raise DatabaseUnusable(f"{backup} is the database itself: name a backup of it")
    kept = _unused(f"{path}.before-restore-{format_time(system_clock()).replace('-', '').replace(':', '')}")
    with sqlite_backup.alone(os.path.dirname(path)), sqlite_backup.partial(path) as new:
        if os.path.exists(path):
            with _locked(path):
                pass
        content = _prepared(backup, new)
        return content, kept if _replace(path, new, kept) else None


def _prepared(backup: str, new: str) -> Content:
    """Copy the backup to a new file, check it, and void the leases in it."""
    sqlite_backup.copy_pages(backup, new, is_used=False)
    try:
        content = sqlite_backup.checked(new)
    except DatabaseUnusable as error:
        raise type(error)(str(error).replace(new, backup)) from error
    with Translated(new):
        connection = apsw.Connection(new, flags=apsw.SQLITE_OPEN_READWRITE)
        found = applied(connection, backup)
        migrations.check(backup, found=found, wanted=migrations.newest_of("sqlite", found), migrate=True)
        tables = {name for (name,) in connection.execute("select name from sqlite_schema where type = 'table'")}
        connection.execute("; ".join(["begin", *(VOID_LEASES[name] for name in VOID_LEASES if name in tables)]))
        connection.execute("commit")
        connection.close()  # This writes the log into the file, and removes it.
    files.sync(new)
    return content


def _replace(path: str, new: str, kept: str) -> bool:
    """Put the new file in its place. Returns whether one was there, which then is at `kept`."""
    for _ in range(ATTEMPTS):
        if not os.path.exists(path):
            _move_beside(path, kept)
            _link(new, path)
            files.sync(os.path.dirname(path))
            return False
        is_readable = _write_log_into(path)
        with _locked(path):
            if is_readable and _has_log(path):
                continue  # Another process has written since.
            if files.CAN_REPLACE_OPEN:
                _link(path, kept)
                _move_beside(path, kept)
                os.replace(new, path)
                files.sync(os.path.dirname(path))
                return True
        _replace_closed(path, new, kept)
        return True
    raise DatabaseBusy(_in_use(path))


def _replace_closed(path: str, new: str, kept: str) -> None:
    """As the system does it that refuses to replace an open file: the lock of this process would be in the way too."""
    try:
        _move_beside(path, kept)
        files.exchange(new, path, kept)
    except PermissionError as error:
        raise DatabaseBusy(_in_use(path)) from error


def _write_log_into(path: str) -> bool:
    """Write the log into the file, so that the file is whole without it. False if it is too damaged for that."""
    try:
        connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            _refuse_leased(connection, path)
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        finally:
            connection.close()
    except (apsw.CorruptError, apsw.NotADBError, apsw.IOError):
        return False
    except apsw.BusyError as error:
        raise DatabaseBusy(_in_use(path)) from error
    return True


def _refuse_leased(connection: apsw.Connection, path: str) -> None:
    """Refuse a file whose worker runs on another machine, where a lock of the file may not be seen."""
    if "memory" not in migrations.numbers(recorded(connection)):
        return
    now = system_clock()
    for pid, host in connection.execute(LEASE, (now, now)):
        if host != process_identity.host():
            raise DatabaseBusy(f"{path}: worker {pid} on {host} uses it; stop that worker and try again")


def _has_log(path: str) -> bool:
    try:
        return os.path.getsize(path + "-wal") > 0
    except FileNotFoundError:
        return False


def _move_beside(path: str, kept: str) -> None:
    """Move what SQLite keeps beside a file."""
    for ending in sqlite_backup.BESIDE:
        if os.path.exists(path + ending):
            os.replace(path + ending, kept + ending)


def _link(path: str, other: str) -> None:
    """Give a file a second name. Where the file system cannot, the only one."""
    try:
        os.link(path, other)
    except FileExistsError as error:
        raise DatabaseBusy(f"{other} was created meanwhile; try again") from error
    except OSError:
        os.rename(path, other)


def _unused(path: str) -> str:
    number = 1
    while os.path.exists(found := f"{path}{(number > 1 and -number) or ''}"):
        number += 1
    return found


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """Lock the file against all processes. Raises `DatabaseBusy` if one has it open.

    This process must not have it open: closing a file drops all locks of a process.
    """
    if is_open_here(path):
        raise DatabaseBusy(f"{path}: this process has it open; close it first")
    end = os.open(path, os.O_RDWR)
    try:
        if not files.lock_range(end, LOCK_BYTE, LOCK_BYTES):
            raise DatabaseBusy(_in_use(path))
        yield
    finally:
        os.close(end)


def _in_use(path: str) -> str:
    return (
        f"{path}: other processes use it; stop the programs that have it open and try again"
        " (a background worker exits when nothing is left to do; `jotsam status` shows its process id)"
    )
