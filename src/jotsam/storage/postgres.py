"""PostgreSQL: many machines, many writers, on `psycopg` alone.

A transaction takes one of this process's few connections and gives it back; a thread has one transaction at a time.
Everything stands in a schema of its own. Time is the server's, for all machines. It must not know what is stored.

The pool is our own and small, because psycopg's would hide why a server cannot be reached behind a timeout, print what
it meets in the background, start threads in every short command, and not survive a fork.
"""

from __future__ import annotations

import os
import threading
from collections import deque

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.sql import quote

from jotsam.core import dsn
from jotsam.core.errors import DatabaseBusy, DatabaseUnavailable, JotsamError
from jotsam.storage import migrations as migrations
from jotsam.storage import postgres_connection, postgres_errors
from jotsam.storage.database import statement
from jotsam.storage.postgres_connection import ANSWER_MS, Connection, Translated
from jotsam.storage.postgres_notify import Notice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType

    from jotsam.core.clock import Clock
    from jotsam.storage.database import Row, Value
    from jotsam.storage.migrations import Migration

MOST_CONNECTIONS = 32


class PostgresTransaction:
    """See `storage.database.Transaction`."""

    __slots__ = ("_bound", "_connection", "now", "rung", "tenant")
    at_once = 1_000

    def __init__(self, connection: Connection, now: int, tenant: str) -> None:
        self._connection = connection
        self.now = now
        self.rung = False
        self._bind(tenant)

    def set_tenant(self, tenant: str) -> None:
        if tenant != self.tenant:
            self._bind(tenant)
            self._tell_server()

    def _tell_server(self) -> None:
        tenant = self.tenant
        self.execute("select set_config('jotsam.tenant', :tenant, true)", {"tenant": tenant})

    def _bind(self, tenant: str) -> None:
        self.tenant = tenant
        self._bound: dict[str, Value] = {"now": self.now, "tenant": tenant} if tenant else {"now": self.now}

    def lock(self, name: str) -> None:
        key = "hashtextextended(current_schema() || ' ' || :name, 0)"
        self.execute(f"select pg_advisory_xact_lock({key})", {"name": name})

    def compares_vectors(self) -> bool:
        return bool(self.execute("select to_regclass('embedding_index') as there")[0]["there"])

    def outlive(self, error: BaseException) -> str | None:
        damage = postgres_errors.damage(getattr(error, "sqlstate", None), str(error))
        if damage is not None:
            self._connection.execute(f"rollback to savepoint {postgres_errors.START}")
            self._tell_server()
        return damage

    def ring(self) -> None:
        self.rung = True

    def all(self, query: str, **params: Value) -> list[Row]:
        return self.execute(statement("postgres", query), params)

    def one(self, query: str, **params: Value) -> Row | None:
        rows = self.execute(statement("postgres", query), params)
        return rows[0] if rows else None

    def run(self, query: str, **params: Value) -> None:
        self.execute(statement("postgres", query), params)

    def each(self, query: str, rows: Iterable[Mapping[str, Value]]) -> None:
        bindings = [{**self._bound, **row} for row in rows]
        if bindings:
            self._connection.cursor().executemany(postgres_errors.named(statement("postgres", query)), bindings)

    def execute(self, sql: str, params: Mapping[str, Value] | None = None) -> list[Row]:
        cursor = self._connection.execute(postgres_errors.named(sql), {**self._bound, **(params or {})})
        result = cursor.pgresult  # Not `description`, which is made anew whenever it is asked for.
        return cursor.fetchall() if result and result.nfields else []


class PostgresDatabase:
    """See `storage.database.Database`."""

    is_file = False

    def __init__(
        self,
        url: str,
        *,
        schemas: tuple[str, ...],
        clock: Clock | None = None,
        wait_ms: int = 5_000,
        migrate: bool = True,
        answer_ms: int = ANSWER_MS,
    ) -> None:
        """`?schema=` in the URL names another schema than `jotsam`. Without a clock the time is the server's.

        `wait_ms` is for locks and for a free connection, `answer_ms` for a server that says nothing at all.
        """
        self._address = url
        self._schema = dsn.split_schema(url)[1]
        self.url = dsn.mask_password(url)
        self._clock = clock
        self._wait_ms = wait_ms
        self._answer_ms = answer_ms
        self._local = threading.local()
        self._pid = 0
        self._be_this_process()
        with Translated(self.url):
            self._prepare(schemas, migrate)

    def transaction(self, *, tenant: str = "", durable: bool = True) -> _Open:
        return _Open(self, f"begin; set local synchronous_commit = {'on' if durable else 'off'}", tenant)

    def snapshot(self, *, tenant: str = "") -> _Open:
        return _Open(self, postgres_errors.SNAPSHOT, tenant, writes=False)

    def ring(self) -> None:
        self._be_this_process()
        self._notice.ring()

    def wait(self, timeout_ms: int) -> bool:
        self._be_this_process()
        return self._notice.wait(timeout_ms)

    def tidy(self) -> None:
        """The server tidies by itself."""

    def close(self) -> None:
        self._notice.close()
        self._closed = True
        while self._idle:
            self._idle.pop().close()
        if self._ear:
            self._ear.close()

    def begin(self, how: str) -> tuple[Connection, int]:
        """A connection on which a transaction has begun, and its now.

        One that was lost while it lay idle is replaced without a word, for nothing was done on it yet.
        """
        self._be_this_process()
        if not self._places.acquire(timeout=self._wait_ms / 1000):
            raise DatabaseBusy(f"{self.url}: all {MOST_CONNECTIONS} connections of this process are in use")
        try:
            while self._idle:
                connection = self._idle.pop()
                try:
                    return connection, self._started(connection, how)
                except psycopg.OperationalError:
                    connection.close()
            connection = self._connect()
            try:
                return connection, self._started(connection, how)
            except BaseException:
                connection.close()
                raise
        except BaseException:
            self._places.release()
            raise

    def give_back(self, connection: Connection) -> None:
        if connection.closed or self._closed or connection.info.transaction_status != TransactionStatus.IDLE:
            connection.close()
        else:
            self._idle.append(connection)
        self._places.release()

    def turn_away(self, connection: Connection) -> None:
        """The server takes no writes: what is open leads to it, and the next connection may find another that does."""
        connection.close()
        while self._idle:
            self._idle.pop().close()
        self._is_deaf = True

    def hold_thread(self) -> None:
        """A second transaction of a thread could wait for its first for ever."""
        if getattr(self._local, "busy", False):
            raise JotsamError("this thread is in a transaction already: pass its `tx` on instead of opening a second")
        self._local.busy = True

    def free_thread(self) -> None:
        self._local.busy = False

    def _be_this_process(self) -> None:
        """The child of a fork begins anew: what the parent has open is the parent's, and stays untouched."""
        if self._pid == os.getpid():
            return
        self._inherited = (getattr(self, "_idle", None), getattr(self, "_ear", None))
        self._pid, self._closed = os.getpid(), False
        self._idle: deque[Connection] = deque()
        self._places = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self._ear: Connection | None = None
        self._is_deaf = False  # The ear is at a server that takes no writes.
        self._notice: Notice = Notice(self._notify, self._listen)

    def _started(self, connection: Connection, how: str) -> int:
        if self._clock:
            connection.execute(how)
            return self._clock()
        cursor = connection.execute(f"{how}; {postgres_errors.NOW}")
        while cursor.nextset():
            pass
        return postgres_connection.now(cursor)

    def _connect(self) -> Connection:
        return postgres_connection.opened(self._address, lock_ms=self._wait_ms, answer_ms=self._answer_ms)

    def _notify(self) -> None:
        with Translated(self.url):
            how = f"begin; set local synchronous_commit = off; notify {self._schema}; commit"
            self.give_back(self.begin(how)[0])

    def _listen(self, seconds: float) -> int:
        with Translated(self.url):
            if self._ear and self._is_deaf:
                self._ear.close()
            if self._ear is None or self._ear.closed:
                self._ear, self._is_deaf = self._connect(), False
                self._ear.execute(f"listen {self._schema}")
                return 1  # Whether it rang before is not known.
            try:
                return sum(1 for _ in self._ear.notifies(timeout=seconds, stop_after=1))
            except psycopg.Error:
                self._ear.close()
                raise

    def _prepare(self, schemas: tuple[str, ...], migrate: bool) -> None:
        wanted = {schema: migrations.newest("postgres", schema) for schema in schemas}
        self.applied: tuple[Migration, ...] = ()
        connection = self._connect()
        try:
            found = _applied(connection)
            migrations.check(self.url, found=found, wanted=wanted, migrate=migrate)
            if any(found.get(schema) != version for schema, version in wanted.items()):
                self.applied = self._migrate(connection, wanted)
            self._idle.append(connection)
        except BaseException:
            connection.close()
            raise

    def _migrate(self, connection: Connection, wanted: dict[str, int]) -> tuple[Migration, ...]:
        """All or nothing; whoever comes at the same time waits, and finds it done."""
        with connection.transaction():
            connection.execute(postgres_errors.migrating(self._schema))
            if not _is_there(connection, self._schema):
                connection.execute(f"create schema {self._schema}")
            connection.execute(migrations.LEDGER)
            found = _applied(connection)
            migrations.check(self.url, found=found, wanted=wanted, migrate=True)
            steps = tuple(migrations.outstanding("postgres", found=found, wanted=wanted))
            for step in steps:
                connection.execute(step.script)
                now = self._clock() if self._clock else postgres_connection.now(connection.execute(postgres_errors.NOW))
                connection.execute(postgres_errors.named(migrations.RECORD), step.record(now))
        return steps


_TENANT = "select set_config('jotsam.tenant', {}, true)"


class _Open:
    """One transaction: begun, then committed, or rolled back on any exception."""

    __slots__ = ("_connection", "_database", "_how", "_tenant", "_tx", "_writes")

    def __init__(self, database: PostgresDatabase, how: str, tenant: str, *, writes: bool = True) -> None:
        self._database = database
        # In the same message as `begin`: it costs no round trip.
        self._how = f"{how}; {_TENANT.format(quote(tenant))}" if tenant else how
        self._tenant = tenant
        self._writes = writes

    def __enter__(self) -> PostgresTransaction:
        database = self._database
        database.hold_thread()
        try:
            with Translated(database.url):
                self._connection, now = database.begin(self._how)
        except BaseException:
            database.free_thread()
            raise
        self._tx = PostgresTransaction(self._connection, now, self._tenant)
        return self._tx

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        database = self._database
        try:
            with Translated(database.url):
                if error is None and self._writes:
                    self._commit()
                elif isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
                    self._refuse(error)
                elif isinstance(error, psycopg.Error):
                    raise error
        finally:
            self._end()
            database.free_thread()
        if error is None and self._tx.rung:
            database.ring()

    def _commit(self) -> None:
        try:
            cursor = self._connection.execute("commit")
        except psycopg.OperationalError as error:
            if self._connection.closed:
                raise DatabaseUnavailable(
                    f"{self._database.url}: the connection was lost while committing, so it is not known whether this "
                    f"was kept; try again with the same key ({postgres_connection.said(error)})"
                ) from error
            raise
        if cursor.statusmessage == "ROLLBACK":
            raise JotsamError("a statement of this transaction had failed, so nothing of it was written")

    def _refuse(self, error: psycopg.Error) -> None:
        if not self._writes:
            raise JotsamError("a snapshot was written to, and none of that was kept: open a transaction to write")
        self._database.turn_away(self._connection)
        raise error

    def _end(self) -> None:
        connection = self._connection
        try:
            if not connection.closed and connection.info.transaction_status != TransactionStatus.IDLE:
                connection.execute("rollback")
        except psycopg.Error:
            connection.close()
        finally:
            self._database.give_back(connection)


def outstanding(url: str, *, schemas: tuple[str, ...], wait_ms: int = 5_000) -> list[Migration]:
    """The migrations that opening the database would apply."""
    return _outstanding(url, schemas, wait_ms)[0]


def script(url: str, *, schemas: tuple[str, ...], wait_ms: int = 5_000) -> str:
    """All that opening the database would do to it, for another program to run; empty if it is up to date."""
    steps, is_there = _outstanding(url, schemas, wait_ms)
    schema = dsn.split_schema(url)[1]
    begin = ["begin;", f"{postgres_errors.migrating(schema)};", f"set local search_path = {schema}, public;"]
    if not is_there:
        begin.insert(2, f"create schema {schema};")
    return migrations.script(steps, begin="\n".join(begin), now=postgres_errors.MOMENT)


def _outstanding(url: str, schemas: tuple[str, ...], wait_ms: int) -> tuple[list[Migration], bool]:
    wanted = {name: migrations.newest("postgres", name) for name in schemas}
    with Translated(dsn.mask_password(url)), postgres_connection.opened(url, lock_ms=wait_ms) as connection:
        found = _applied(connection)
        is_there = _is_there(connection, dsn.split_schema(url)[1])
    return list(migrations.outstanding("postgres", found=found, wanted=wanted)), is_there


def _is_there(connection: Connection, schema: str) -> bool:
    """Asked before it is made: it may have been made for a role that may make none."""
    return bool(connection.execute("select 1 from pg_namespace where nspname = %s", [schema]).fetchone())


def _applied(connection: Connection) -> dict[str, int]:
    """The version that each schema has reached; empty where Jotsam never wrote."""
    there = connection.execute("select to_regclass(current_schema() || '.jotsam_migration') as there").fetchone()
    if there is None or there["there"] is None:
        return {}
    return {row["schema"]: row["max"] for row in connection.execute(migrations.APPLIED)}
