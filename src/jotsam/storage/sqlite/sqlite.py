"""SQLite, through `apsw`: one file, one writer at a time, one connection per thread.

No other SQLite library may open the file in this process: closing it in one library drops the locks of the other, and
committed rows are lost.
"""

from __future__ import annotations

import os
import threading
from weakref import WeakSet

import apsw

from jotsam.core import fork
from jotsam.core.clock import monotonic_ms, random_float, sleep, system_clock
from jotsam.core.errors import DatabaseBusy, DatabaseClosed, DatabaseFull, JotsamError
from jotsam.storage import migrations as migrations
from jotsam.storage.sqlite import sqlite_connection, sqlite_file
from jotsam.storage.sqlite.sqlite_connection import READER_MS, Translated, applied, named_rows, refuse_foreign
from jotsam.storage.sqlite.sqlite_notify import PipeNotifier
from jotsam.storage.statements import statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType
    from typing import Any

    from jotsam.core.clock import Clock
    from jotsam.core.records import ReplicaState
    from jotsam.storage.database import Row, Transaction, Value

# A commit checkpoints a longer log (4 MiB), at most once a second. A process that opens a file alone reads all of it.
WAL_PAGES = 1_024

STEPS = 2_000  # instructions of SQLite's virtual machine between two looks at the deadline: some 50 µs
SPACE_MS, WATCH_SECONDS = 1_000, 0.05
RETRY_SECONDS = 0.0002, 0.001


class SQLiteTransaction:
    """See `storage.database.Transaction`."""

    __slots__ = ("_bound", "_connection", "after_commit", "notified", "now", "tenant", "tenants", "url", "waiting")
    indexes_later = True
    batch_size = 1
    replica: ReplicaState | None = None

    def __init__(self, connection: apsw.Connection, now: int, tenant: str, url: str) -> None:
        self._connection = connection
        self.now = now
        self.url = url
        self.notified = False
        self.after_commit: list[Callable[[], object]] = []
        self.tenants: set[str] = set()
        self.waiting: Transaction | None = None
        self.set_tenant(tenant)

    def set_tenant(self, tenant: str) -> None:
        self.tenant = tenant
        self.tenants.add(tenant)
        self._bound: dict[str, Value] = {"now": self.now, "tenant": tenant} if tenant else {"now": self.now}

    def lock(self, name: str) -> None:
        """Nothing to do: there is one writer at a time."""

    def in_memory(self) -> SQLiteTransaction:
        return SQLiteTransaction(apsw.Connection(":memory:"), self.now, self.tenant, self.url)

    def compares_vectors(self) -> bool:
        """Loads the extension vec1, which is bundled with apsw, when first asked on a connection."""
        try:
            return self._connection.execute("select vec1_info()").get is not None
        except apsw.SQLError:
            from apsw import sqlite_extra  # Slow to import: it takes longer than all of `jotsam add`.

            if not sqlite_extra.has("vec1"):
                return False
            sqlite_extra.load(self._connection, "vec1")
            return True

    def recover(self, error: BaseException) -> str | None:
        return sqlite_file.damage(type(error).__name__, str(error))

    def notify(self) -> None:
        self.notified = True

    def notify_readers(self) -> None:
        """Nothing to do: readers look at the version of the file."""

    def on_commit(self, call: Callable[[], object]) -> None:
        self.after_commit.append(call)

    def all(self, query: str, **params: Value) -> list[Row]:
        cursor = self._connection.execute(statement("sqlite", query), {**self._bound, **params})
        if names := _columns.get(query):
            return [dict(zip(names, values, strict=False)) for values in cursor.fetchall()]
        rows = named_rows(cursor)
        if rows:
            _columns[query] = tuple(rows[0])
        return rows

    def one(self, query: str, **params: Value) -> Row | None:
        rows = self.all(query, **params)
        return rows[0] if rows else None

    def run(self, query: str, **params: Value) -> None:
        for _ in self._connection.execute(statement("sqlite", query), {**self._bound, **params}):
            pass

    def run_many(self, query: str, rows: Iterable[Mapping[str, Value]]) -> None:
        bindings = ({**self._bound, **row} for row in rows)
        for _ in self._connection.executemany(statement("sqlite", query), bindings):
            pass

    def execute(self, sql: str, params: Mapping[str, Value] | None = None) -> list[Row]:
        return named_rows(self._connection.execute(sql, {**self._bound, **(params or {})}))


_databases: WeakSet[SQLiteDatabase] = WeakSet()

# Names of the columns of each query: asking SQLite for them costs as much as a short query.
_columns: dict[str, tuple[str, ...]] = {}


class SQLiteDatabase(fork.Forked):
    """See `storage.database.Database`."""

    is_file = True
    is_pooled = False

    def __init__(
        self,
        path: str,
        *,
        schemas: tuple[str, ...],
        clock: Clock = system_clock,
        wait_ms: int = 5_000,
        migrate: bool = True,
        vfs: str | None = None,
        deadline: int | None = None,
    ) -> None:
        """`vfs` names a registered SQLite VFS; None for the default. Statements are interrupted after `deadline`."""
        self.url = os.path.abspath(os.path.expanduser(path))
        self.clock = clock
        self._wait_ms = wait_ms
        self._vfs = vfs
        self._deadline = deadline
        self._local = threading.local()
        self._connections: WeakSet[apsw.Connection] = WeakSet()
        # Threads of one process wait here instead of competing for the lock of the file.
        self._writer = threading.Lock()
        self._file: tuple[int, int] | None = None
        self._schemas = {schema: migrations.newest("sqlite", schema) for schema in schemas}
        self._schema_cookie: object = None  # SQLite's number of the schema that was checked last
        self._closed = False
        self._checkpointed_at = self._look_at = 0
        self.before_commit: Callable[[Transaction], None] | None = None
        self._notifier = PipeNotifier(self.url, self._version)
        self.calls = fork.Calls()
        self._inherited: list[apsw.Connection] = []
        fork.register(self)
        _databases.add(self)
        with Translated(self.url):
            self._prepare(migrate)

    def transaction(self, *, tenant: str = "", durable: bool = True) -> _WriteTransaction:
        return _WriteTransaction(self, tenant, durable)

    def snapshot(self, *, tenant: str = "") -> _Snapshot:
        return _Snapshot(self, tenant)

    def replica(self, *, tenant: str, max_lag_ms: int) -> None:
        return None

    def replica_states(self) -> tuple[ReplicaState, ...]:
        return ()

    def notify(self) -> None:
        self._notifier.notify()

    def wait(self, timeout_ms: int) -> bool:
        self._check_open()
        return self._notifier.wait(timeout_ms)

    def watch(self, seen: int, timeout_ms: int) -> int:
        deadline = monotonic_ms() + timeout_ms
        while (version := self._version()) == seen and monotonic_ms() < deadline:
            sleep(WATCH_SECONDS)
        return version

    def maintain(self, *, wait_ms: int = 0) -> bool:
        """Checkpoint the write-ahead log, and truncate it unless a reader uses it. Returns whether it was truncated."""
        with self.calls, Translated(self.url):
            return sqlite_connection.checkpoint(self.connection(), wait_ms=wait_ms)

    def erase(self) -> bool:
        """Rewrite the file, unless it is large. Returns whether nothing that was deleted is left in it.

        SQLite overwrites a row that is deleted, and not the copies that it has left where it moved the row from.
        """
        is_rewritten = sqlite_file.size(self.url) <= sqlite_file.LARGE
        try:
            if is_rewritten:
                self.vacuum()
        except JotsamError:  # Another program writes, or the disk is full.
            is_rewritten = False
        return self.maintain(wait_ms=READER_MS) and is_rewritten

    def vacuum(self) -> None:
        """Rewrite the file without unused pages. Others can read in the meantime, and wait to write.

        Raises `DatabaseBusy`, and `DatabaseFull`: it needs up to twice the size of the file on the disk.
        """
        self.acquire()
        try:
            with Translated(self.url):
                self.retry_busy(lambda: [*self.connection().execute("vacuum")])
        finally:
            self.release()

    def save_space(self, connection: apsw.Connection) -> None:
        """Checkpoint the log before a transaction if little space is free. Looks once a second while there is much."""
        now = monotonic_ms()
        free = sqlite_file.free_bytes(self.url) if now >= self._look_at else sqlite_file.MUCH_SPACE
        if free > sqlite_file.MUCH_SPACE:
            self._look_at = now + SPACE_MS
        elif free < sqlite_file.LOW_SPACE:
            try:
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            except apsw.Error:
                pass  # The transaction reports what is wrong, if it cannot be written either.

    def make_room(self) -> None:
        """After "disk full": checkpoint the write-ahead log, which may be what fills the disk."""
        try:
            self.maintain()
        except JotsamError:
            pass  # The caller raises the first error.

    def close(self) -> None:
        self._closed = True
        self._notifier.close()
        for connection in list(self._connections):
            try:
                connection.close()
            except apsw.ThreadingViolationError:
                pass  # A thread that was abandoned is running a statement; its connection closes with the process.
        self._local = threading.local()

    def before_fork(self) -> None:
        self.calls.suspend()
        # Those of other threads would be destroyed in the child while they are open there.
        self._inherited = list(self._connections)

    def after_fork_in_parent(self) -> None:
        self._inherited = []
        self.calls.resume()

    def after_fork_in_child(self) -> None:
        """Begin with new locks and no connection.

        SQLite's locks do not survive a fork, and a new connection takes them only if no inherited one is open.
        """
        self._local, self._writer, self.calls = threading.local(), threading.Lock(), fork.Calls()
        self._connections = WeakSet()
        self._notifier.close()
        self._inherited = sqlite_connection.close_inherited(self.url, self._inherited)

    def connection(self) -> apsw.Connection:
        """The connection of this thread. Raises `DatabaseClosed`, or `DatabaseReplaced` if the path has another file.

        Without that check a commit would be lost in a deleted file.
        """
        self._check_open()
        sqlite_file.check_same(self.url, self._file)
        local = self._local
        if not hasattr(local, "connection"):
            local.connection, local.level = self._open(), ""
        connection: apsw.Connection = local.connection
        return connection

    def retry_busy(self, begin: Callable[[], Any]) -> Any:
        """What `begin` returns, retried after random delays while the file is locked: SQLite's handler is unfair."""
        deadline = 0
        low, high = RETRY_SECONDS
        while True:
            try:
                return begin()
            except apsw.BusyError:
                deadline = deadline or monotonic_ms() + self._wait_ms
                if monotonic_ms() > deadline:
                    raise
                sleep(low + (high - low) * random_float())

    def sync(self, connection: apsw.Connection, level: str) -> None:
        """Set `synchronous` for this thread's connection, unless it is set already."""
        if self._local.level != level:
            self.retry_busy(lambda: connection.execute(f"pragma synchronous = {level}"))
            self._local.level = level

    def check_schema(self, connection: apsw.Connection) -> None:
        """Raise `SchemaTooNew` if a newer program has migrated the file since: it may not read what this one writes."""
        cookie = connection.execute("pragma schema_version").get
        if cookie != self._schema_cookie:
            found = applied(connection, self.url)
            migrations.check(self.url, found=found, wanted=self._schemas, migrate=False)
            self._schema_cookie = cookie

    def acquire(self) -> None:
        """Wait for other threads of this process that write."""
        if getattr(self._local, "writing", False):
            raise JotsamError("this thread has an open transaction: pass its `tx` on instead of opening another")
        if not self._writer.acquire(timeout=self._wait_ms / 1000):
            raise DatabaseBusy(f"{self.url}: another thread has held the write lock for more than {self._wait_ms} ms")
        self._local.writing = True
        self.calls.__enter__()

    def release(self) -> None:
        self.calls.__exit__()
        self._local.writing = False
        self._writer.release()

    def _check_open(self) -> None:
        if self._closed:
            raise DatabaseClosed(f"{self.url}: this object was closed; open another one")

    def _version(self) -> int:
        with self.calls, Translated(self.url):
            version: int = self.connection().execute("pragma data_version").get
            return version

    def _open(self) -> apsw.Connection:
        connection = sqlite_connection.opened(self.url, vfs=self._vfs, after_commit=self._checkpoint)
        if (deadline := self._deadline) is not None:
            connection.set_progress_handler(lambda: monotonic_ms() > deadline, STEPS)
        self._connections.add(connection)
        return connection

    def _checkpoint(self, connection: apsw.Connection, name: str, pages: int) -> int:
        """Keep the write-ahead log bounded when no worker runs. SQLite's automatic one would try at every commit."""
        if pages > WAL_PAGES and monotonic_ms() - self._checkpointed_at > 1_000:
            self._checkpointed_at = monotonic_ms()
            try:
                connection.wal_checkpoint(name, mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            except apsw.Error:
                pass  # The commit succeeded, and an error here would report that it failed. A later commit tries again.
        return apsw.SQLITE_OK

    def _prepare(self, migrate: bool) -> None:
        if migrate:
            sqlite_file.create(self.url)
        self._file = sqlite_file.identity(self.url)  # Before it is opened: a restore may replace it now.
        connection, wanted = self.connection(), self._schemas
        found: migrations.Versions = self.retry_busy(lambda: applied(connection, self.url))
        sqlite_file.check_same(self.url, self._file)
        migrations.check(self.url, found=found, wanted=wanted, migrate=migrate)
        self.applied: tuple[migrations.Migration, ...] = ()
        if all(found.get(schema) == version for schema, version in wanted.items()):
            return
        if "memory" in wanted:
            self.retry_busy(lambda: refuse_foreign(connection, self.url))
        self.retry_busy(lambda: connection.pragma("journal_mode", "wal"))
        self.retry_busy(lambda: connection.execute("begin immediate"))
        try:
            from jotsam.storage.sqlite import sqlite_schema  # most files need no migration

            self.applied = sqlite_schema.migrate(connection, self.url, wanted, now=self.clock())
            connection.execute("commit")
        except BaseException:
            if connection.in_transaction:  # SQLite rolls back by itself on some errors.
                connection.execute("rollback")
            raise


def is_open_here(path: str) -> bool:
    """Whether this process has the file open."""
    return any(database.url == path and not database._closed for database in _databases)


class _WriteTransaction:
    """A write transaction: `begin immediate`, then commit, or rollback on any exception."""

    __slots__ = ("_connection", "_database", "_durable", "_pid", "_tenant", "_tx")

    def __init__(self, database: SQLiteDatabase, tenant: str, durable: bool) -> None:
        self._database = database
        self._tenant = tenant
        self._durable = durable

    def __enter__(self) -> SQLiteTransaction:
        database = self._database
        database.acquire()
        self._pid = os.getpid()
        try:
            with Translated(database.url):
                self._connection = connection = database.connection()
                if connection.in_transaction:
                    raise JotsamError("this thread has an open snapshot: close it before writing")
                database.save_space(connection)
                database.sync(connection, "full" if self._durable else "normal")
                # Take the write lock now: upgrading a read transaction can fail.
                database.retry_busy(lambda: connection.execute("begin immediate"))
                try:
                    database.check_schema(connection)
                except BaseException:
                    connection.execute("rollback")
                    raise
                self._tx = SQLiteTransaction(connection, database.clock(), self._tenant, database.url)
                return self._tx
        except BaseException:
            database.release()
            raise

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._pid != os.getpid():  # The child of a fork that was made within the transaction.
            if error is None:
                raise JotsamError("this transaction was opened before the fork: only the parent process can commit it")
            return
        try:
            self._end(error)
        except DatabaseFull:
            self._database.make_room()
            raise
        if error is not None:
            return
        if self._tx.notified:
            self._database.notify()
        for call in self._tx.after_commit:
            call()

    def _end(self, error: BaseException | None) -> None:
        connection = self._connection
        try:
            with Translated(self._database.url):
                if error is None:
                    if self._database.before_commit:
                        self._database.before_commit(self._tx)
                    connection.execute("commit")
                elif isinstance(error, apsw.Error):
                    raise error
        finally:
            self._tx.url = ""
            try:
                if connection.in_transaction:
                    connection.execute("rollback")
            finally:
                self._database.release()


class _Snapshot:
    """A read transaction: all reads see the same state."""

    __slots__ = ("_changes", "_connection", "_database", "_pid", "_tenant", "_tx")

    def __init__(self, database: SQLiteDatabase, tenant: str) -> None:
        self._database = database
        self._tenant = tenant

    def __enter__(self) -> SQLiteTransaction:
        database = self._database
        database.calls.__enter__()
        try:
            with Translated(database.url):
                return self._begin()
        except BaseException:
            database.calls.__exit__()
            raise

    def _begin(self) -> SQLiteTransaction:
        database = self._database
        self._pid = os.getpid()
        self._connection = connection = database.connection()
        self._changes = connection.total_changes()
        if connection.in_transaction:
            raise JotsamError("this thread has an open transaction: read with its `tx`")
        connection.execute("begin")
        try:
            database.retry_busy(lambda: connection.execute("select 1 from sqlite_schema limit 1").fetchall())
        except BaseException:
            connection.execute("rollback")
            raise
        self._tx = SQLiteTransaction(connection, database.clock(), self._tenant, database.url)
        return self._tx

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._pid != os.getpid():
            return  # In the child of a fork, which has closed the connection.
        self._tx.url = ""
        try:
            with Translated(self._database.url):
                if self._connection.in_transaction:
                    self._connection.execute("rollback")
                if isinstance(error, apsw.Error):
                    raise error
        finally:
            self._database.calls.__exit__()
        if error is None and self._connection.total_changes() != self._changes:
            raise JotsamError("a snapshot is read-only, and its changes were rolled back: write in a transaction")
