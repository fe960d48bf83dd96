"""SQLite: one file, one writer at a time, on `apsw` alone.

No other SQLite library may touch the file in this process: closing a file through one library drops the locks that
the other holds, and committed rows are lost. Connections are one per thread.
"""

from __future__ import annotations

import os
import threading
from weakref import WeakSet

import apsw

from jotsam.core.clock import monotonic_ms, random_float, sleep, system_clock
from jotsam.core.errors import DatabaseBusy, DatabaseUnusable, JotsamError
from jotsam.storage import migrations as migrations
from jotsam.storage import sqlite_file
from jotsam.storage.database import statement
from jotsam.storage.sqlite_notify import Bell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType
    from typing import Any

    from jotsam.core.clock import Clock
    from jotsam.storage.database import Row, Value

WAL_PAGES = 4_096
"""A write-ahead log longer than this (16 MiB) is folded back by whoever commits, at most once a second."""

RETRY_SECONDS = 0.0002, 0.001


class SQLiteTransaction:
    """See `storage.database.Transaction`."""

    __slots__ = ("_bound", "_connection", "now", "rung", "tenant")
    at_once = 1

    def __init__(self, connection: apsw.Connection, now: int, tenant: str) -> None:
        self._connection = connection
        self.now = now
        self.rung = False
        self.set_tenant(tenant)

    def set_tenant(self, tenant: str) -> None:
        self.tenant = tenant
        self._bound: dict[str, Value] = {"now": self.now, "tenant": tenant} if tenant else {"now": self.now}

    def lock(self, name: str) -> None:
        """Whoever writes is alone already."""

    def compares_vectors(self) -> bool:
        """By vec1, an extension that comes with the library; a connection loads it when it is first asked."""
        try:
            return self._connection.execute("select vec1_info()").get is not None
        except apsw.SQLError:
            from apsw import sqlite_extra  # Importing it takes longer than all that `jotsam add` does.

            if not sqlite_extra.has("vec1"):
                return False
            sqlite_extra.load(self._connection, "vec1")
            return True

    def outlive(self, error: BaseException) -> str | None:
        return sqlite_file.damage(type(error).__name__, str(error))

    def ring(self) -> None:
        self.rung = True

    def all(self, query: str, **params: Value) -> list[Row]:
        return self.execute(statement("sqlite", query), params)

    def one(self, query: str, **params: Value) -> Row | None:
        rows = self.execute(statement("sqlite", query), params)
        return rows[0] if rows else None

    def run(self, query: str, **params: Value) -> None:
        for _ in self._connection.execute(statement("sqlite", query), {**self._bound, **params}):
            pass

    def each(self, query: str, rows: Iterable[Mapping[str, Value]]) -> None:
        bindings = ({**self._bound, **row} for row in rows)
        for _ in self._connection.executemany(statement("sqlite", query), bindings):
            pass

    def execute(self, sql: str, params: Mapping[str, Value] | None = None) -> list[Row]:
        cursor = self._connection.execute(sql, {**self._bound, **(params or {})})
        first = cursor.fetchone()
        if first is None:
            return []
        names = [column[0] for column in cursor.getdescription()]
        return [dict(zip(names, values, strict=False)) for values in (first, *cursor)]


class SQLiteDatabase:
    """See `storage.database.Database`."""

    is_file = True

    def __init__(
        self,
        path: str,
        *,
        schemas: tuple[str, ...],
        clock: Clock = system_clock,
        wait_ms: int = 5_000,
        migrate: bool = True,
        vfs: str | None = None,
    ) -> None:
        """`vfs` names a registered layer of SQLite's between the database and its files, None the usual one."""
        self.url = os.path.abspath(os.path.expanduser(path))
        self.clock = clock
        self._wait_ms = wait_ms
        self._vfs = vfs
        self._local = threading.local()
        self._connections: WeakSet[apsw.Connection] = WeakSet()
        # Threads of one process queue up here instead of racing each other for the lock of the file.
        self._writer = threading.Lock()
        self._pid = os.getpid()
        self._folded_at = 0
        self._bell = Bell(self.url, self._version)
        with _Translated(self.url):
            self._prepare(schemas, migrate)

    def transaction(self, *, tenant: str = "", durable: bool = True) -> _Write:
        return _Write(self, tenant, durable)

    def snapshot(self, *, tenant: str = "") -> _Read:
        return _Read(self, tenant)

    def ring(self) -> None:
        self._bell.ring()

    def wait(self, timeout_ms: int) -> bool:
        return self._bell.wait(timeout_ms)

    def tidy(self) -> None:
        """Fold the write-ahead log back into the file, and cut it to nothing when no reader holds it."""
        with _Translated(self.url):
            for mode in (apsw.SQLITE_CHECKPOINT_TRUNCATE, apsw.SQLITE_CHECKPOINT_PASSIVE):
                try:
                    self.connection().wal_checkpoint(mode=mode)
                    return
                except apsw.BusyError:
                    pass  # A reader is in the way, or somebody else is folding at this moment, which serves as well.

    def close(self) -> None:
        if self._pid != os.getpid():
            return  # In the child of a fork: what it inherited is in use by its parent.
        self._bell.close()
        for connection in list(self._connections):
            try:
                connection.close()
            except apsw.ThreadingViolationError:
                pass  # A thread that was given up is in the middle of a call; its connection ends with it.
        self._local = threading.local()

    def connection(self) -> apsw.Connection:
        """This thread's own. A child of a fork gets a new one: SQLite's locks do not survive a fork."""
        local = self._local
        if getattr(local, "pid", None) != os.getpid():
            local.connection, local.level, local.pid = self._open(), "", os.getpid()
        connection: apsw.Connection = local.connection
        return connection

    def locked(self, begin: Callable[[], Any]) -> None:
        """Run `begin` until it gets the lock of the file. Our own short dice, for SQLite's own waiting starves."""
        deadline = 0
        low, high = RETRY_SECONDS
        while True:
            try:
                begin()
                return
            except apsw.BusyError:
                deadline = deadline or monotonic_ms() + self._wait_ms
                if monotonic_ms() > deadline:
                    raise
                sleep(low + (high - low) * random_float())

    def sync(self, connection: apsw.Connection, level: str) -> None:
        """What the commits of this thread's connection survive; it keeps that until it is told otherwise."""
        if self._local.level != level:
            self.locked(lambda: connection.execute(f"pragma synchronous = {level}"))
            self._local.level = level

    def acquire(self) -> None:
        """Take this process's turn to write."""
        if getattr(self._local, "writing", False):
            raise JotsamError("this thread is in a transaction already: pass its `tx` on instead of opening a second")
        if not self._writer.acquire(timeout=self._wait_ms / 1000):
            raise DatabaseBusy(f"{self.url}: another thread has been writing for more than {self._wait_ms} ms")
        self._local.writing = True

    def free(self) -> None:
        self._local.writing = False
        self._writer.release()

    def _version(self) -> int:
        with _Translated(self.url):
            version: int = self.connection().execute("pragma data_version").get
            return version

    def _open(self) -> apsw.Connection:
        connection = apsw.Connection(self.url, flags=apsw.SQLITE_OPEN_READWRITE, vfs=self._vfs)
        connection.set_busy_timeout(0)
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        # Else a statement whose plan might depend on what is bound is prepared anew whenever it is run.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        connection.execute("pragma fullfsync = 1; pragma foreign_keys = 1")
        connection.set_wal_hook(self._fold)
        self._connections.add(connection)
        return connection

    def _fold(self, connection: apsw.Connection, name: str, pages: int) -> int:
        """Keep the write-ahead log bounded where no worker tends it; SQLite's own way would try at every commit."""
        if pages > WAL_PAGES and monotonic_ms() - self._folded_at > 1_000:
            self._folded_at = monotonic_ms()
            try:
                connection.wal_checkpoint(name, mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            except apsw.Error:
                pass  # It can be done later. The commit stands, and an error here would say that it failed.
        return apsw.SQLITE_OK

    def _prepare(self, schemas: tuple[str, ...], migrate: bool) -> None:
        if migrate:
            sqlite_file.create(self.url)
        connection = self.connection()
        wanted = {schema: migrations.newest("sqlite", schema) for schema in schemas}
        found: dict[str, int] = {}
        self.locked(lambda: found.update(_applied(connection)))
        migrations.check(self.url, found=found, wanted=wanted, migrate=migrate)
        self.applied: tuple[migrations.Migration, ...] = ()
        if all(found.get(schema) == version for schema, version in wanted.items()):
            return
        if "memory" in wanted:
            self.locked(lambda: _refuse_foreign(connection, self.url))
        self.locked(lambda: connection.pragma("journal_mode", "wal"))
        self.locked(lambda: connection.execute("begin immediate"))
        try:
            self.applied = self._migrate(connection, wanted)
            connection.execute("commit")
        except BaseException:
            if connection.in_transaction:  # On some errors SQLite has rolled back by itself.
                connection.execute("rollback")
            raise

    def _migrate(self, connection: apsw.Connection, wanted: dict[str, int]) -> tuple[migrations.Migration, ...]:
        found = _applied(connection)  # Again, now that nobody else can write: another process may have done it.
        migrations.check(self.url, found=found, wanted=wanted, migrate=True)
        outdated = [schema for schema, version in wanted.items() if 0 < found.get(schema, 0) < version]
        if outdated:
            _backup(self._open(), f"{self.url}.before-{'-'.join(f'{schema}-{wanted[schema]}' for schema in outdated)}")
        connection.execute(migrations.LEDGER)
        steps = tuple(migrations.outstanding("sqlite", found=found, wanted=wanted))
        for step in steps:
            for _ in connection.execute(step.script):
                pass  # apsw runs a script lazily: it stands still at every row until that row is taken.
            connection.execute(migrations.RECORD, step.record(self.clock()))
        return steps


def outstanding(path: str, *, schemas: tuple[str, ...]) -> list[migrations.Migration]:
    """The migrations that opening the file would apply. A file that is not there stays away."""
    wanted = {schema: migrations.newest("sqlite", schema) for schema in schemas}
    with _Translated(path):
        found = _applied(apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)) if os.path.exists(path) else {}
    return list(migrations.outstanding("sqlite", found=found, wanted=wanted))


def _applied(connection: apsw.Connection) -> dict[str, int]:
    """The version that each schema of a file has reached; empty for a file that Jotsam never wrote to."""
    try:
        rows = connection.execute(migrations.APPLIED).fetchall()
    except apsw.SQLError:
        return {}
    return {str(schema): int(str(version)) for schema, version in rows}


def _refuse_foreign(connection: apsw.Connection, url: str) -> None:
    table = connection.execute("select name from sqlite_schema where type = 'table' limit 1").fetchone()
    if table and not _applied(connection):  # Asked last, for another process may just have made the file.
        raise DatabaseUnusable(
            f"{url} belongs to another program (it has a table {table[0]!r}): choose another file with --db"
        )


def _backup(source: apsw.Connection, target: str) -> None:
    """Copy the file as it was last committed; the migration that is about to run has not written yet."""
    copy = apsw.Connection(target)
    try:
        os.chmod(target, 0o600)
        with copy.backup("main", source, "main") as backup:
            backup.step()
    finally:
        copy.close()
        source.close()


class _Translated:
    """Turns the library's errors into ours."""

    __slots__ = ("_url",)

    def __init__(self, url: str) -> None:
        self._url = url

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if isinstance(error, apsw.Error):
            raise translated(error, self._url) from error


class _Write:
    """One write transaction: `begin immediate`, then commit, or rollback on any exception."""

    __slots__ = ("_connection", "_database", "_durable", "_tenant", "_tx")

    def __init__(self, database: SQLiteDatabase, tenant: str, durable: bool) -> None:
        self._database = database
        self._tenant = tenant
        self._durable = durable

    def __enter__(self) -> SQLiteTransaction:
        database = self._database
        database.acquire()
        try:
            with _Translated(database.url):
                self._connection = connection = database.connection()
                if connection.in_transaction:
                    raise JotsamError("this thread is reading a snapshot: leave that first, then write")
                database.sync(connection, "full" if self._durable else "normal")
                # The write lock now: a transaction that reads first and writes later can fail to upgrade.
                database.locked(lambda: connection.execute("begin immediate"))
                self._tx = SQLiteTransaction(connection, database.clock(), self._tenant)
                return self._tx
        except BaseException:
            database.free()
            raise

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        connection = self._connection
        try:
            with _Translated(self._database.url):
                if error is None:
                    connection.execute("commit")
                elif isinstance(error, apsw.Error):
                    raise error
        finally:
            try:
                if connection.in_transaction:
                    connection.execute("rollback")
            finally:
                self._database.free()
        if error is None and self._tx.rung:
            self._database.ring()


class _Read:
    """One read transaction: everything it sees is of one moment."""

    __slots__ = ("_changes", "_connection", "_database", "_tenant")

    def __init__(self, database: SQLiteDatabase, tenant: str) -> None:
        self._database = database
        self._tenant = tenant

    def __enter__(self) -> SQLiteTransaction:
        database = self._database
        with _Translated(database.url):
            self._connection = connection = database.connection()
            self._changes = connection.total_changes()
            if connection.in_transaction:
                raise JotsamError("this thread is in a transaction already: read through its `tx`")
            connection.execute("begin")
            try:
                database.locked(lambda: connection.execute("select 1 from sqlite_schema limit 1").fetchall())
            except BaseException:
                connection.execute("rollback")
                raise
            return SQLiteTransaction(connection, database.clock(), self._tenant)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        with _Translated(self._database.url):
            if self._connection.in_transaction:
                self._connection.execute("rollback")
            if isinstance(error, apsw.Error):
                raise error
        if error is None and self._connection.total_changes() != self._changes:
            raise JotsamError("a snapshot was written to, and none of that was kept: open a transaction to write")


def translated(error: apsw.Error, url: str) -> JotsamError:
    """The error of ours that says what the caller can do about one of the library's."""
    writing = getattr(error, "extendedresult", 0) in (apsw.SQLITE_IOERR_WRITE, apsw.SQLITE_IOERR_FSYNC)
    return sqlite_file.error(url, type(error).__name__, str(error), writing=writing)
