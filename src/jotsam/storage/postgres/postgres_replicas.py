"""Replicas of a PostgreSQL primary: hot standbys, which answer reads that may be a little old.

A replica answers only if it has replayed everything that this process knows to be committed: what the primary had at
the first read, and what the process itself committed for the tenant since. Whatever fails on a replica raises
`ReplicaUnavailable`, and the primary answers instead. Positions are those of the write-ahead log, in bytes.

The lag is not the time since the last replayed commit, which grows while a primary is idle. The primary is asked for
its position once a second, and a replica that has replayed the latest one is not behind.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from itertools import count

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.sql import quote

from jotsam.core import dsn
from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import JotsamError, ReplicaUnavailable
from jotsam.core.records import ReplicaState
from jotsam.storage.postgres import postgres_connection, postgres_errors
from jotsam.storage.postgres.postgres_connection import Connection, IdleConnections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType
    from typing import Protocol

    from jotsam.storage.database import Row, Transaction

    class Primary(Protocol):
        """What is used of `PostgresDatabase`."""

        def ask(self, sql: str) -> Row:
            """One row of the primary."""
            ...

        def begin_on_replica(self, tenant: str, max_lag_ms: int) -> tuple[Replica, Connection, int, int]: ...
        def joined(self, connection: Connection, now: int, tenant: str) -> Transaction: ...
        def release_thread(self) -> None: ...


ASK_MS = 1_000  # how old the known position of the primary may be
AWAY_MS = 5_000  # a replica that could not be reached is tried again after this time
CONNECT_SECONDS = 2  # the least that libpq allows
BEGIN_MS, RESPONSE_MS = 2_000, 10_000  # timeouts of a replica, which the primary can replace
MAX_CONNECTIONS = 32  # to each replica
MAX_POSITIONS = 600
MAX_TENANTS = 10_000  # whose commits are remembered one by one

PRIMARY = """
select
  case when pg_is_in_recovery() then null else cast(pg_current_wal_flush_lsn() - '0/0' as bigint) end as position,
  system_identifier as cluster
from pg_control_system()
"""

# In a transaction of its own before the snapshot, so that the snapshot has at least what the position says.
STANDBY = """
begin;
select
  cast(pg_last_wal_replay_lsn() - '0/0' as bigint) as position,
  cast(1000 * extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) as bigint) as replayed_ms,
  pg_is_in_recovery() as is_standby,
  system_identifier as cluster
from pg_control_system();
commit
"""

# In the message of the commit: it costs no round trip. A transaction without an id has written nothing.
COMMIT = """
select pg_current_xact_id_if_assigned() is not null as wrote;
commit;
select cast(pg_current_wal_flush_lsn() - '0/0' as bigint) as position
"""


class Replica:
    """The connections to one replica."""

    def __init__(self, name: str, address: str, *, idle_ms: int) -> None:
        self.name = name
        self.problem = ""
        self._address = address
        self._idle = IdleConnections(idle_ms)
        self._slots = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._away_until = 0

    @property
    def is_away(self) -> bool:
        """Whether it failed so recently that it is not tried again."""
        return monotonic_ms() < self._away_until

    def begin(self, statements: str, check: Callable[[Replica, Row], None]) -> tuple[Connection, list[Row]]:
        """A connection on which these statements were executed, and the first row of each that has rows.

        `check` gets the row of `STANDBY` on a new connection: another database may not know the statements.
        """
        if not self._slots.acquire(blocking=False):
            raise self.unavailable(f"all {MAX_CONNECTIONS} connections of this process are in use")
        try:
            return self._begun(statements, check)
        except psycopg.Error as error:
            self._slots.release()
            if error.sqlstate == postgres_errors.TENANT_MOVED:  # The primary says where it is.
                raise ReplicaUnavailable("") from None
            if isinstance(error, psycopg.errors.UndefinedFunction):
                raise self.away("not a standby of this primary: it has no schema of Jotsam, or an older one") from None
            raise self.away(self.said(error)) from None
        except ReplicaUnavailable:
            self._slots.release()
            raise
        except JotsamError as error:  # An address that cannot be parsed, or a server that is too old.
            self._slots.release()
            raise self.away(str(error)) from None
        except BaseException:
            self._slots.release()
            raise

    def _begun(self, statements: str, check: Callable[[Replica, Row], None]) -> tuple[Connection, list[Row]]:
        while idle := self._idle.take():
            try:
                return idle, _executed(idle, statements)
            except psycopg.Error:
                idle.close()
        connection = postgres_connection.opened(self._address, connect_seconds=CONNECT_SECONDS)
        try:
            connection.response_ms = BEGIN_MS
            check(self, _rows(connection, STANDBY)[0])
            return connection, _executed(connection, statements)
        except BaseException:
            connection.close()
            raise

    def release(self, connection: Connection) -> None:
        self._slots.release()
        try:
            if not connection.closed and connection.info.transaction_status != TransactionStatus.IDLE:
                connection.execute("rollback")
        except psycopg.Error:
            connection.close()
        if not connection.closed:
            self._idle.put(connection)

    def away(self, problem: str) -> ReplicaUnavailable:
        """Do not try it for a while."""
        self._away_until, self.problem = monotonic_ms() + AWAY_MS, problem
        self._idle.close()
        return self.unavailable(problem)

    def unavailable(self, problem: str) -> ReplicaUnavailable:
        return ReplicaUnavailable(problem, name=self.name)

    def said(self, error: psycopg.Error) -> str:
        """What an error says, without secrets."""
        return dsn.hide_secrets(postgres_connection.message(error), self._address)

    def close(self) -> None:
        self._idle.close()


class Replicas:
    """The replicas of a database, and what this process knows of their primary. Safe to use from many threads."""

    def __init__(self, url: str, *, idle_ms: int) -> None:
        self._replicas = [Replica(name, address, idle_ms=idle_ms) for name, address in dsn.replicas(url)]
        self._lock = threading.Lock()
        self._turn = count()
        self._known: deque[tuple[int, int]] = deque(maxlen=MAX_POSITIONS)  # position of the primary, and when
        self._cluster: int | None = None
        self._first = 0
        self._committed: dict[str, int] = {}  # position by tenant; "" means all

    def __bool__(self) -> bool:
        return bool(self._replicas)

    def commit(self, connection: Connection, tenants: Iterable[str]) -> str | None:
        """Commit, and remember the position for these tenants. Returns the status of the server."""
        if connection.info.transaction_status == TransactionStatus.INERROR:
            return connection.execute("commit").statusmessage
        wrote, now = _rows(connection, COMMIT)
        if wrote["wrote"]:
            self._remember(now["position"], tenants)
        return "COMMIT"

    def begin(
        self, database: Primary, statements: str, *, tenant: str, max_lag_ms: int
    ) -> tuple[Replica, Connection, int, int]:
        """A replica, a connection with a new snapshot on it, its time and its lag. Raises `ReplicaUnavailable`."""
        self._ask(database)
        start = next(self._turn) % len(self._replicas)
        failed = ReplicaUnavailable("")
        for replica in self._replicas[start:] + self._replicas[:start]:
            if replica.is_away:
                failed = replica.unavailable(replica.problem)
                continue
            try:
                return replica, *self._begin_on(replica, statements, tenant=tenant, max_lag_ms=max_lag_ms)
            except ReplicaUnavailable as error:
                failed = error
        raise failed

    def states(self, database: Primary, statements: str) -> tuple[ReplicaState, ...]:
        """How far each replica is behind now."""
        if not self._replicas:
            return ()
        try:
            self._ask(database, at_once=True)
        except ReplicaUnavailable as error:
            return tuple(ReplicaState(name=one.name, lag_ms=None, problem=str(error)) for one in self._replicas)
        return tuple(self._state(replica, statements) for replica in self._replicas)

    def close(self) -> None:
        for replica in self._replicas:
            replica.close()

    def _begin_on(
        self, replica: Replica, statements: str, *, tenant: str, max_lag_ms: int
    ) -> tuple[Connection, int, int]:
        connection, (standby, time) = replica.begin(f"{STANDBY}; {statements}; {postgres_errors.NOW}", self._check)
        try:
            self._check(replica, standby)
            if (lag_ms := self._lag_ms(standby)) > max_lag_ms:
                raise replica.unavailable(f"{lag_ms / 1_000:,.1f} s behind")
            if standby["position"] < self._needed(tenant):
                raise ReplicaUnavailable("it has not replayed what this process has committed or could have read")
        except BaseException:
            replica.release(connection)
            raise
        return connection, time["now"], lag_ms

    def _state(self, replica: Replica, statements: str) -> ReplicaState:
        try:
            connection, (standby, _) = replica.begin(f"{STANDBY}; {statements}; {postgres_errors.NOW}", self._check)
            try:
                self._check(replica, standby)
            finally:
                replica.release(connection)
        except ReplicaUnavailable as error:
            return ReplicaState(name=replica.name, lag_ms=None, problem=str(error))
        return ReplicaState(name=replica.name, lag_ms=self._lag_ms(standby))

    def _check(self, replica: Replica, standby: Row) -> None:
        """Refuse what would answer from another database, or from one that has gone its own way."""
        if standby["cluster"] != self._cluster:
            raise replica.away("not a standby of this primary: it has another system identifier")
        if not standby["is_standby"]:
            raise replica.away("not a standby any more: it was promoted")

    def _lag_ms(self, standby: Row) -> int:
        """0 if it has what the primary had when it was last asked; else how old its state may be."""
        now, position = monotonic_ms(), standby["position"]
        if self._known and position >= self._known[-1][0]:
            return 0
        replayed = next((now - at for known, at in reversed(self._known) if known <= position), None)
        ages = [age for age in (replayed, standby["replayed_ms"]) if age is not None]
        return max(0, min(ages, default=ASK_MS * MAX_POSITIONS))

    def _needed(self, tenant: str) -> int:
        with self._lock:
            return max(self._first, self._committed.get(tenant, 0), self._committed.get("", 0))

    def _remember(self, position: int, tenants: Iterable[str]) -> None:
        with self._lock:
            for tenant in set(tenants) - {""} or {""}:
                self._committed[tenant] = max(position, self._committed.get(tenant, 0))
            if len(self._committed) > MAX_TENANTS:
                self._committed = {"": max(self._committed.values())}

    def _ask(self, database: Primary, *, at_once: bool = False) -> None:
        """Ask the primary for its position, if what is known of it is too old."""
        asked_at = monotonic_ms()
        with self._lock:
            if not at_once and self._known and asked_at - self._known[-1][1] < ASK_MS:
                return
        found = database.ask(PRIMARY)
        if found["position"] is None:
            raise ReplicaUnavailable("the server of the address is a standby itself, so the lag is unknown")
        with self._lock:
            self._cluster = found["cluster"]
            self._first = self._first or found["position"]
            self._known.append((found["position"], asked_at))


class ReplicaSnapshot:
    """A read-only transaction on a replica."""

    __slots__ = ("_connection", "_database", "_max_lag_ms", "_pid", "_replica", "_tenant", "_tx")

    def __init__(self, database: Primary, tenant: str, max_lag_ms: int) -> None:
        self._database = database
        self._tenant = tenant
        self._max_lag_ms = max_lag_ms

    def __enter__(self) -> Transaction:
        database = self._database
        self._pid = os.getpid()
        self._replica, self._connection, now, lag_ms = database.begin_on_replica(self._tenant, self._max_lag_ms)
        self._tx = database.joined(self._connection, now, self._tenant)
        self._tx.replica = ReplicaState(name=self._replica.name, lag_ms=lag_ms)
        return self._tx

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._pid != os.getpid():  # The child of a fork that was made within the snapshot.
            return
        self._tx.url = ""
        replica = self._replica
        try:
            if isinstance(error, psycopg.Error):
                is_lost = self._connection.closed
                raise (replica.away if is_lost else replica.unavailable)(replica.said(error)) from None
        finally:
            replica.release(self._connection)
            self._database.release_thread()


def begin_for(statements: str, tenant: str, *, writes: bool = False) -> str:
    """The statements that begin a transaction, with its tenant. They fail if that is on another server."""
    return f"{statements}; select enter_tenant({quote(tenant)}, {writes})" if tenant else statements


def _executed(connection: Connection, statements: str) -> list[Row]:
    """The row of the standby and that of the time. What is between them has rows of no interest."""
    connection.response_ms = BEGIN_MS
    rows = _rows(connection, statements)
    postgres_connection.note_pooler(connection, rows[-1])
    connection.response_ms = RESPONSE_MS
    return [rows[0], rows[-1]]


def _rows(connection: Connection, statements: str) -> list[Row]:
    cursor = connection.execute(statements)
    rows: list[Row] = []
    while True:
        if cursor.pgresult and cursor.pgresult.nfields:
            rows += cursor.fetchall()
        if not cursor.nextset():
            return rows
