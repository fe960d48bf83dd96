"""PostgreSQL, through `psycopg`: many processes and machines, concurrent writers.

All tables are in a schema of their own. Times come from the server. A thread has one transaction at a time, on one of
the pooled connections of the process. The pool is our own, because that of psycopg reports an unreachable server only
as a timeout, logs from background threads, starts several threads in every short command, and does not survive a fork.
"""

from __future__ import annotations

import os
import threading

import psycopg
from psycopg.pq import TransactionStatus

from jotsam.core import dsn, fork
from jotsam.core.errors import DatabaseBusy, DatabaseClosed, DatabaseUnavailable, JotsamError
from jotsam.storage import migrations as migrations
from jotsam.storage.postgres import postgres_connection, postgres_errors, postgres_replicas, postgres_schema
from jotsam.storage.postgres.postgres_connection import IDLE_MS, RESPONSE_MS, Connection, IdleConnections, Translated
from jotsam.storage.postgres.postgres_notify import ThrottledNotifier
from jotsam.storage.postgres.postgres_replicas import Replicas, ReplicaSnapshot
from jotsam.storage.statements import statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType

    from jotsam.core.clock import Clock
    from jotsam.core.records import ReplicaState
    from jotsam.storage.database import Row, Transaction, Value
    from jotsam.storage.migrations import Migration
    from jotsam.storage.partitions import Partitions
    from jotsam.storage.postgres.postgres_replicas import Replica

MAX_CONNECTIONS = 32


class PostgresTransaction:
    """See `storage.database.Transaction`."""

    __slots__ = (
        *("_bound", "_connection", "after_commit", "notified", "now", "replica", "tenant", "tenants", "url", "writes"),
    )
    indexes_later = False
    waiting: Transaction | None = None
    batch_size = 1_000

    def __init__(self, connection: Connection, now: int, tenant: str, url: str, *, writes: bool) -> None:
        self._connection = connection
        self.now = now
        self.url = url
        self.writes = writes
        self.notified = False
        self.after_commit: list[Callable[[], object]] = []
        self.replica: ReplicaState | None = None
        self.tenants: set[str] = set()  # all that it has had
        self._bind(tenant)

    def set_tenant(self, tenant: str) -> None:
        if tenant != self.tenant:
            self._bind(tenant)
            self._send_tenant()

    def _send_tenant(self) -> None:
        """Raises `TenantMoved` if the tenant is on another server."""
        self.execute("select enter_tenant(:tenant, :writes)", {"tenant": self.tenant, "writes": self.writes})

    def _bind(self, tenant: str) -> None:
        self.tenant = tenant
        self.tenants.add(tenant)
        self._bound: dict[str, Value] = {"now": self.now, "tenant": tenant} if tenant else {"now": self.now}

    def lock(self, name: str) -> None:
        key = "hashtextextended(current_schema() || ' ' || :name, 0)"
        self.execute(f"select pg_advisory_xact_lock({key})", {"name": name})

    def in_memory(self) -> Transaction:
        raise JotsamError("a server has no database in memory: it indexes each text when it is accepted")

    def compares_vectors(self) -> bool:
        return bool(self.execute("select to_regclass('embedding_index') as there")[0]["there"])

    def recover(self, error: BaseException) -> str | None:
        if self.replica is not None and not self.replica.problem:
            return None  # The primary answers instead: it may be intact, or only ahead.
        damage = postgres_errors.damage(getattr(error, "sqlstate", None), str(error))
        if damage is not None:
            self._connection.execute(f"rollback to savepoint {postgres_errors.START}")
            self._send_tenant()
        return damage

    def notify(self) -> None:
        self.notified = True

    def notify_readers(self) -> None:
        self.notified = True

    def on_commit(self, call: Callable[[], object]) -> None:
        self.after_commit.append(call)

    def all(self, query: str, **params: Value) -> list[Row]:
        return self.execute(statement("postgres", query), params)

    def one(self, query: str, **params: Value) -> Row | None:
        rows = self.execute(statement("postgres", query), params)
        return rows[0] if rows else None

    def run(self, query: str, **params: Value) -> None:
        self.execute(statement("postgres", query), params)

    def run_many(self, query: str, rows: Iterable[Mapping[str, Value]]) -> None:
        bindings = [{**self._bound, **row} for row in rows]
        if bindings:
            self._connection.cursor().executemany(postgres_errors.named(statement("postgres", query)), bindings)

    def execute(self, sql: str, params: Mapping[str, Value] | None = None) -> list[Row]:
        cursor = self._connection.execute(postgres_errors.named(sql), {**self._bound, **(params or {})})
        result = cursor.pgresult  # `description` would be built on every access.
        return cursor.fetchall() if result and result.nfields else []


class PostgresDatabase(fork.Forked):
    """See `storage.database.Database`."""

    is_file = False

    def __init__(
        self,
        url: str,
        *,
        schemas: tuple[str, ...],
        clock: Clock | None = None,
        wait_ms: int = 5_000,
        migrate: bool | Partitions = True,
        response_ms: int = RESPONSE_MS,
        idle_ms: int = IDLE_MS,
    ) -> None:
        """`?schema=` in the URL selects another schema than `jotsam`. `clock` replaces the time of the server.

        `wait_ms` is the timeout for locks and for a free connection, `response_ms` for a server that does not respond.
        A connection that was not used for `idle_ms` is closed.
        """
        self._address = url
        self._schema = dsn.split_schema(url)[1]
        self.url = dsn.mask_address(url)
        self._clock = clock
        self._wait_ms = wait_ms
        self._response_ms = response_ms
        self._idle_ms = idle_ms
        self._begin = {
            durable: postgres_errors.begin(self._schema, lock_ms=wait_ms, durable=durable) for durable in (True, False)
        }
        self._begin_snapshot = postgres_errors.begin_snapshot(self._schema, lock_ms=wait_ms)
        self._schemas = {schema: migrations.newest("postgres", schema) for schema in schemas}
        self._schemas_seen: int | None = None  # of `NOW_WITH_SCHEMAS`, when the schemas were checked last
        self.is_pooled = False
        self.before_commit: Callable[[Transaction], None] | None = None
        self._closed = False
        self._inherited: list[object] = []
        self._reset()
        fork.register(self)
        with Translated(self._address):
            self._prepare(migrate)

    def transaction(self, *, tenant: str = "", durable: bool = True) -> _TransactionContext:
        return _TransactionContext(self, self._begin[durable], tenant, is_remembered=durable and bool(self.replicas))

    def snapshot(self, *, tenant: str = "") -> _TransactionContext:
        return _TransactionContext(self, self._begin_snapshot, tenant, writes=False)

    def replica(self, *, tenant: str, max_lag_ms: int) -> ReplicaSnapshot | None:
        return ReplicaSnapshot(self, tenant, max_lag_ms) if self.replicas else None

    def replica_states(self) -> tuple[ReplicaState, ...]:
        with Translated(self._address):
            return self.replicas.states(self, self._begin_snapshot)

    def notify(self) -> None:
        self._notifier.notify()

    def wait(self, timeout_ms: int) -> bool:
        self._check_open()
        return self._notifier.wait(timeout_ms)

    def watch(self, seen: int, timeout_ms: int) -> int:
        self._check_open()
        return self._notifier.watch(seen, timeout_ms)

    def maintain(self) -> bool:
        """Nothing to do: the server runs autovacuum."""
        return False

    erase = maintain

    def close(self) -> None:
        self._notifier.close()
        self._closed = True
        self._idle.close()
        self.replicas.close()
        if self._listener:
            self._listener.close()

    def begin(self, begin: str, moment: str = postgres_errors.NOW) -> tuple[Connection, int]:
        """A connection with a new transaction, and its time. An idle connection that was lost is replaced.

        With the moment `NOW_WITH_SCHEMAS` it raises `SchemaTooNew` if a newer program has migrated the database since.
        """
        self._check_open()
        if not self._slots.acquire(timeout=self._wait_ms / 1000):
            raise DatabaseBusy(f"{self.url}: all {MAX_CONNECTIONS} connections of this process are in use")
        try:
            while idle := self._idle.take():
                try:
                    return idle, self._started(idle, begin, moment)
                except psycopg.OperationalError:
                    idle.close()
                except BaseException:
                    idle.close()
                    raise
            connection = self._connect()
            try:
                return connection, self._started(connection, begin, moment)
            except BaseException:
                connection.close()
                raise
        except BaseException:
            self._slots.release()
            raise

    def begin_on_replica(self, tenant: str, max_lag_ms: int) -> tuple[Replica, Connection, int, int]:
        """A replica, a connection with a snapshot on it, its time, and its lag. `release_thread` ends it."""
        self._check_open()
        self.claim_thread()
        try:
            begin = postgres_replicas.begin_for(self._begin_snapshot, tenant)
            with Translated(self._address):
                found = self.replicas.begin(self, begin, tenant=tenant, max_lag_ms=max_lag_ms)
            replica, connection, now, lag_ms = found
            return replica, connection, self._clock() if self._clock else now, lag_ms
        except BaseException:
            self.release_thread()
            raise

    def joined(self, connection: Connection, now: int, tenant: str) -> PostgresTransaction:
        """The transaction that is open on a connection."""
        return PostgresTransaction(connection, now, tenant, self.url, writes=False)

    def ask(self, sql: str) -> Row:
        """One row of the primary."""
        connection, _ = self.begin("begin")
        try:
            row = connection.execute(sql).fetchone()
            connection.execute("commit")
        finally:
            self.release(connection)
        assert row is not None
        return row

    def release(self, connection: Connection) -> None:
        if connection.closed or self._closed or connection.info.transaction_status != TransactionStatus.IDLE:
            connection.close()
        else:
            self._idle.put(connection)
        self._slots.release()

    def discard_all(self, connection: Connection) -> None:
        """Close all connections to a read-only server, so that the next one can reach another host."""
        connection.close()
        self._idle.close()
        self._reconnects_listener = True

    def claim_thread(self) -> None:
        """Refuse a second transaction of a thread, which could wait for the first one forever."""
        if getattr(self._local, "in_transaction", False):
            raise JotsamError("this thread has an open transaction: pass its `tx` on instead of opening another")
        self._local.in_transaction = True

    def release_thread(self) -> None:
        self._local.in_transaction = False

    def after_fork_in_child(self) -> None:
        """Begin without connections: those of the parent must not be used or closed."""
        self._inherited += [self._idle, self._listener, self._local, self.replicas]
        self._reset()

    def _check_open(self) -> None:
        if self._closed:
            raise DatabaseClosed(f"{self.url}: this object was closed; open another one")

    def _reset(self) -> None:
        self._local = threading.local()
        self._idle = IdleConnections(self._idle_ms)
        self.replicas = Replicas(self._address, idle_ms=self._idle_ms)
        self._slots = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._listener: Connection | None = None
        self._reconnects_listener = False  # True: it is connected to a read-only server.
        self._notified_here = threading.Event()
        self._notifier: ThrottledNotifier = ThrottledNotifier(self._notify, self._listen)

    def _started(self, connection: Connection, begin: str, moment: str) -> int:
        row = postgres_connection.begin(connection, begin, moment)
        self.is_pooled = connection.is_pooled
        if row.get("schemas", self._schemas_seen) != self._schemas_seen:
            found = postgres_schema.applied(connection, self._schema, self.url)
            migrations.check(self.url, found=found, wanted=self._schemas, migrate=False)
            self._schemas_seen = row["schemas"]
        now: int = row["now"]
        return self._clock() if self._clock else now

    def _connect(self) -> Connection:
        return postgres_connection.opened(self._address, response_ms=self._response_ms)

    def _notify(self) -> None:
        self._notified_here.set()
        with Translated(self._address):
            begin = f"begin; set local synchronous_commit = off; notify {self._schema}; commit"
            self.release(self.begin(begin)[0])

    def _listen(self, seconds: float) -> int:
        if self.is_pooled:  # LISTEN would stay on a connection that belongs to other programs too.
            notified = self._notified_here.wait(seconds)
            self._notified_here.clear()
            return int(notified)
        with Translated(self._address):
            if self._listener and self._reconnects_listener:
                self._listener.close()
            if self._listener is None or self._listener.closed:
                self._listener, self._reconnects_listener = self._connect(), False
                self._listener.execute(f"listen {self._schema}")
                return 1  # A notification may have been missed before.
            try:
                return sum(1 for _ in self._listener.notifies(timeout=seconds, stop_after=1))
            except psycopg.Error:
                self._listener.close()
                raise

    def _prepare(self, migrate: bool | Partitions) -> None:
        """Check the versions of the schemas and apply all outstanding migrations, in one transaction."""
        wanted = self._schemas
        self.applied: tuple[Migration, ...] = ()
        connection, _ = self.begin(self._begin[True])
        try:
            found = postgres_schema.applied(connection, self._schema, self.url)
            partitions = None if isinstance(migrate, bool) else migrate.number
            migrations.check(self.url, found=found, wanted=wanted, migrate=migrate is not False)
            if any(found.get(schema) != version for schema, version in wanted.items()):
                self.applied = self._migrate(connection, wanted, partitions)
            elif partitions is not None:
                postgres_schema.partitions(connection, self.url, found, partitions)
            connection.execute("commit" if self.applied else "rollback")
        finally:
            self.release(connection)

    def _migrate(self, connection: Connection, wanted: dict[str, int], partitions: int | None) -> tuple[Migration, ...]:
        """Apply the migrations that are outstanding when no other process migrates."""
        connection.execute(postgres_errors.migrating(self._schema))
        if not postgres_schema.exists(connection, self._schema):
            connection.execute(f"create schema {self._schema}")
        connection.execute(postgres_schema.LEDGER)
        found = postgres_schema.applied(connection, self._schema, self.url)
        migrations.check(self.url, found=found, wanted=wanted, migrate=True)
        number = postgres_schema.partitions(connection, self.url, found, partitions)
        steps = tuple(migrations.outstanding("postgres", found=found, wanted=wanted, partitions=number))
        for step in steps:
            connection.execute(step.script)
            (row,) = connection.execute(postgres_errors.NOW)
            now = self._clock() if self._clock else row["now"]
            connection.execute(postgres_errors.named(migrations.RECORD), step.record(now))
        return steps


class _TransactionContext:
    """A transaction: begin, then commit, or rollback on any exception."""

    __slots__ = ("_begin", "_connection", "_database", "_is_remembered", "_pid", "_tenant", "_tx", "_writes")

    def __init__(
        self,
        database: PostgresDatabase,
        begin: str,
        tenant: str,
        *,
        writes: bool = True,
        is_remembered: bool = False,
    ) -> None:
        self._database = database
        # In the same message as `begin`: it costs no round trip.
        self._begin = postgres_replicas.begin_for(begin, tenant, writes=writes)
        self._tenant = tenant
        self._writes = writes
        self._is_remembered = is_remembered  # by the replicas: this process reads it back

    def __enter__(self) -> PostgresTransaction:
        database = self._database
        database.claim_thread()
        self._pid = os.getpid()
        try:
            with Translated(database._address):
                moment = postgres_errors.NOW_WITH_SCHEMAS if self._writes else postgres_errors.NOW
                self._connection, now = database.begin(self._begin, moment)
        except BaseException:
            database.release_thread()
            raise
        self._tx = PostgresTransaction(self._connection, now, self._tenant, database.url, writes=self._writes)
        return self._tx

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        database = self._database
        if self._pid != os.getpid():  # The child of a fork that was made within the transaction.
            if error is None and self._writes:
                raise JotsamError("this transaction was opened before the fork: only the parent process can commit it")
            return
        try:
            with Translated(database._address):
                if error is None and self._writes:
                    if database.before_commit:
                        database.before_commit(self._tx)
                    self._commit()
                elif isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
                    self._refuse(error)
                elif isinstance(error, psycopg.Error):
                    raise error
        finally:
            self._tx.url = ""
            self._end()
            database.release_thread()
        if error is not None:
            return
        if self._tx.notified:
            database.notify()
        for call in self._tx.after_commit:
            call()

    def _commit(self) -> None:
        try:
            if self._is_remembered:
                status = self._database.replicas.commit(self._connection, self._tx.tenants)
            else:
                status = self._connection.execute("commit").statusmessage
        except psycopg.OperationalError as error:
            if self._connection.closed:
                raise DatabaseUnavailable(
                    f"{self._database.url}: the connection was lost during commit, so the changes may or may not be "
                    f"saved; try again with the same key ({postgres_connection.message(error)})"
                ) from error
            raise
        if status == "ROLLBACK":
            raise JotsamError("a statement of this transaction failed, so nothing was written")

    def _refuse(self, error: psycopg.Error) -> None:
        if not self._writes:
            raise JotsamError("a snapshot is read-only, and its changes were rolled back: write in a transaction")
        self._database.discard_all(self._connection)
        raise error

    def _end(self) -> None:
        connection = self._connection
        try:
            if not connection.closed and connection.info.transaction_status != TransactionStatus.IDLE:
                connection.execute("rollback")
        except psycopg.Error:
            connection.close()
        finally:
            self._database.release(connection)


def outstanding(
    url: str, *, schemas: tuple[str, ...], wait_ms: int = 5_000, partitions: int | None = None
) -> list[Migration]:
    """The migrations that opening the database would apply."""
    return _outstanding(url, schemas, wait_ms, partitions)[0]


def script(url: str, *, schemas: tuple[str, ...], wait_ms: int = 5_000, partitions: int | None = None) -> str:
    """The SQL that opening the database would run, for another program; empty if it is up to date."""
    steps, exists = _outstanding(url, schemas, wait_ms, partitions)
    schema = dsn.split_schema(url)[1]
    begin = ["begin;", f"{postgres_errors.migrating(schema)};", f"set local search_path = {schema}, public;"]
    if not exists:
        begin.insert(2, f"create schema {schema};")
    begin.append(f"\n{postgres_schema.LEDGER};")
    return migrations.script(steps, begin="\n".join(begin), now=postgres_errors.MOMENT)


def _outstanding(
    url: str, schemas: tuple[str, ...], wait_ms: int, partitions: int | None
) -> tuple[list[Migration], bool]:
    wanted = {name: migrations.newest("postgres", name) for name in schemas}
    schema = dsn.split_schema(url)[1]
    with Translated(url), postgres_connection.opened(url) as connection:
        postgres_connection.begin(connection, postgres_errors.begin_snapshot(schema, lock_ms=wait_ms))
        found = postgres_schema.applied(connection, schema, dsn.mask_address(url))
        exists = postgres_schema.exists(connection, schema)
        number = postgres_schema.partitions(connection, dsn.mask_address(url), found, partitions)
    return list(migrations.outstanding("postgres", found=found, wanted=wanted, partitions=number)), exists
