"""One connection to a SQLite file: opens it, checkpoints its log, translates its errors, and closes it after a fork."""

from __future__ import annotations

import apsw

from jotsam.core.clock import monotonic_ms, sleep
from jotsam.core.errors import DatabaseUnusable
from jotsam.storage import migrations
from jotsam.storage.sqlite import sqlite_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from jotsam.core.errors import JotsamError
    from jotsam.storage.database import Row

READER_MS = 1_000  # in which most readers end: a worker that looks for jobs takes less
RETRY_SECONDS = 0.02

# Files whose inherited connections could not be closed after a fork.
_locked_here: set[str] = set()


def opened(url: str, *, vfs: str | None, after_commit: Callable[[apsw.Connection, str, int], int]) -> apsw.Connection:
    """A new connection. `after_commit` is called with the number of pages in the write-ahead log."""
    if url in _locked_here:
        raise DatabaseUnusable(
            f"{url}: this process was forked in the middle of a transaction, so it cannot open the file;"
            " fork outside of transactions, or start the process with the method 'spawn'"
        )
    connection = apsw.Connection(url, flags=apsw.SQLITE_OPEN_READWRITE, vfs=vfs)
    connection.set_busy_timeout(0)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    # Otherwise a statement whose plan may depend on a parameter is prepared again for every execution.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    connection.execute("pragma fullfsync = 1; pragma foreign_keys = 1")
    # What is deleted is overwritten, in the pages of the file and in free pages.
    connection.pragma("secure_delete", 1)
    connection.set_wal_hook(after_commit)
    return connection


def checkpoint(connection: apsw.Connection, *, wait_ms: int = 0) -> bool:
    """Checkpoint the write-ahead log, and truncate it unless a reader uses it for longer than `wait_ms`.

    Returns whether it was truncated.
    """
    deadline = monotonic_ms() + wait_ms
    while True:
        for mode in (apsw.SQLITE_CHECKPOINT_TRUNCATE, apsw.SQLITE_CHECKPOINT_PASSIVE):
            try:
                connection.wal_checkpoint(mode=mode)
                if mode == apsw.SQLITE_CHECKPOINT_TRUNCATE:
                    return True
            except apsw.BusyError:
                pass  # A reader uses the log, or another process is running a checkpoint.
        if monotonic_ms() >= deadline:
            return False
        sleep(RETRY_SECONDS)


def close_inherited(url: str, connections: list[apsw.Connection]) -> list[apsw.Connection]:
    """Close connections that the child of a fork inherited. Returns those that must stay open; then it opens no other.

    While one is open, SQLite gives a new one its locks, which the child does not have.
    """
    still_open = [one for one in connections if not _close_inherited(one)]
    if still_open:
        _locked_here.add(url)
    return still_open


def _close_inherited(connection: apsw.Connection) -> bool:
    """False: closing it could change what the parent reads, or a thread of the parent was running a statement."""
    try:
        if connection.in_transaction and connection.status(apsw.SQLITE_DBSTATUS_CACHE_SPILL)[0]:
            return False  # It has written to the log. Undoing that would change the index of the log, which is shared.
        connection.close(True)
    except apsw.ThreadingViolationError:
        return False
    return True


def applied(connection: apsw.Connection, url: str) -> migrations.Versions:
    """The version of each schema of a file; empty for a file that Jotsam never wrote to. Raises `DatabaseUnusable`."""
    return migrations.versions(url, recorded(connection), dialect="sqlite")


def recorded(connection: apsw.Connection) -> list[dict[str, apsw.SQLiteValue]]:
    """The rows of `migrations.APPLIED`; empty for a file that Jotsam never wrote to."""
    try:
        return named_rows(connection.execute(migrations.APPLIED))
    except apsw.SQLError:
        return []


def named_rows(cursor: apsw.Cursor) -> list[Row]:
    """All rows, with the names of their columns. SQLite knows these until the last row."""
    first = cursor.fetchone()
    if first is None:
        return []
    names = [column[0] for column in cursor.getdescription()]
    return [dict(zip(names, values, strict=False)) for values in (first, *cursor)]


def refuse_foreign(connection: apsw.Connection, url: str) -> None:
    table = connection.execute("select name from sqlite_schema where type = 'table' limit 1").fetchone()
    if table and not applied(connection, url):  # Last, because another process may just have created the file.
        raise DatabaseUnusable(
            f"{url} belongs to another program (it has a table {table[0]!r}): choose another file with --db"
        )


class Translated:
    """Context manager that translates errors of the library."""

    __slots__ = ("_url",)

    def __init__(self, url: str) -> None:
        self._url = url

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if isinstance(error, apsw.Error):
            raise translated(error, self._url) from error


def translated(error: apsw.Error, url: str) -> JotsamError:
    """Our exception for an error of the library."""
    writing = getattr(error, "extendedresult", 0) in (apsw.SQLITE_IOERR_WRITE, apsw.SQLITE_IOERR_FSYNC)
    return sqlite_file.error(url, type(error).__name__, str(error), writing=writing)
