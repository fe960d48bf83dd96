"""Connections to a PostgreSQL server: opens them, notices a pooler, keeps idle ones, translates errors."""

from __future__ import annotations

import threading
from collections import deque

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import dict_row
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumperUnknown

from jotsam.core import dsn
from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import DatabaseUnusable, InvalidInput, JotsamError
from jotsam.storage.postgres import postgres_errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from psycopg.abc import RV, PQGen

    from jotsam.storage.database import Row


# No statement of ours takes this long: a server that does not respond has frozen or is unreachable.
RESPONSE_MS = 60_000

# A connection that was not used for this time is closed: a server has few of them, and one that sleeps when it has none
# (Neon) must be able to.
IDLE_MS = 60_000

# Timeout for connecting to one host, unless the address sets `connect_timeout`.
CONNECT_SECONDS = 5


class _Text(StrDumperUnknown):
    """Replaces NUL, which PostgreSQL cannot store in text: saving an error message must not fail."""

    def dump(self, obj: str) -> bytes:
        return obj.replace("\0", "\ufffd").encode(errors="replace")


class Connection(psycopg.Connection["Row"]):
    """Gives up waiting for a response after a timeout, which TCP keepalive alone would never do."""

    response_ms = RESPONSE_MS
    is_pooled = False  # a pooler is between this program and the server: a transaction has any of its connections

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, self.response_ms / 1000)
        except psycopg.errors._WaitTimeout as error:
            self.pgconn.finish()
            raise psycopg.OperationalError(f"no response within {self.response_ms} ms") from error


class Translated:
    """Context manager that translates errors of the driver. `url` is the whole address."""

    def __init__(self, url: str) -> None:
        self._url = url

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if isinstance(error, psycopg.Error):
            ours = translated(error, self._url)
            # A message that quotes a secret must not be printed with a traceback either.
            raise ours from (error if dsn.hide_secrets(str(error), self._url) == str(error) else None)


def opened(url: str, *, response_ms: int = RESPONSE_MS, connect_seconds: int = CONNECT_SECONDS) -> Connection:
    """Connect. Raises `InvalidInput` for an address that cannot be parsed, `DatabaseUnusable`, errors of the driver."""
    conninfo, _ = dsn.split_schema(url)
    try:
        given = conninfo_to_dict(conninfo)
    except psycopg.ProgrammingError as error:  # Its message may contain a part of the password.
        raise InvalidInput(
            postgres_errors.invalid_address(dsn.mask_address(url), dsn.hide_secrets(str(error), url))
        ) from None
    whole = make_conninfo("", **{"connect_timeout": connect_seconds, "application_name": "jotsam", **given})
    connection = Connection.connect(whole, autocommit=True, row_factory=dict_row)
    if too_old := postgres_errors.too_old(dsn.mask_address(url), connection.info.server_version):
        connection.close()
        raise DatabaseUnusable(too_old)
    connection.response_ms = response_ms
    connection.adapters.register_dumper(str, _Text)
    # One type for all integers: psycopg would choose one by size, and prepare a statement for each combination.
    connection.adapters.register_dumper(int, Int8Dumper)
    return connection


def begin(connection: Connection, statements: str, moment: str = postgres_errors.NOW) -> Row:
    """Start a transaction with `statements`, in one round trip. Returns the row of `moment`.

    A pooler tells each client a process id of its own making. Behind one, nothing of the session may be relied on: the
    next transaction may have another connection of the server, without the statements prepared on this one.
    """
    cursor = connection.execute(f"{statements}; {moment}")
    while cursor.nextset():
        pass
    row: Row | None = cursor.fetchone()
    assert row is not None
    note_pooler(connection, row)
    return row


def note_pooler(connection: Connection, row: Row) -> None:
    """Note whether a pooler is in between, given the row of `postgres_errors.NOW`."""
    if row["pid"] != connection.info.backend_pid:
        connection.is_pooled, connection.prepare_threshold = True, None


class IdleConnections:
    """Open connections that wait for their next transaction. Those unused for `idle_ms` are closed."""

    def __init__(self, idle_ms: int = IDLE_MS) -> None:
        self._idle_ms = idle_ms
        self._waiting: deque[tuple[Connection, int]] = deque()  # with when each came back, the oldest first
        self._timer: threading.Timer | None = None

    def take(self) -> Connection | None:
        """The one that was used last, so that those beyond what is needed stay idle."""
        try:
            return self._waiting.pop()[0]
        except IndexError:
            return None

    def put(self, connection: Connection) -> None:
        self._waiting.append((connection, monotonic_ms()))
        if self._timer is None:
            self._start_timer(self._idle_ms)

    def close(self) -> None:
        timer, self._timer = self._timer, None
        if timer:
            timer.cancel()
        while connection := self.take():
            connection.close()

    def _start_timer(self, wait_ms: int) -> None:
        self._timer = threading.Timer(wait_ms / 1000, self._close_unused)
        self._timer.daemon = True
        self._timer.start()

    def _close_unused(self) -> None:
        self._timer = None
        while self._waiting:
            try:
                connection, since = self._waiting.popleft()
            except IndexError:  # Another thread has taken the last one.
                return
            wait_ms = since + self._idle_ms - monotonic_ms()
            if wait_ms > 0:
                self._waiting.appendleft((connection, since))
                self._start_timer(wait_ms)
                return
            connection.close()


def translated(error: psycopg.Error, url: str) -> JotsamError:
    """Our exception for an error of the driver, without the secrets of the address."""
    said, shown = dsn.hide_secrets(message(error), url), dsn.mask_address(url)
    if error.sqlstate is None and not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return JotsamError(f"{shown}: {type(error).__name__}: {said}")
    return postgres_errors.error(shown, error.sqlstate, said, hint=error.diag.message_hint or "")


def message(error: psycopg.Error) -> str:
    """The message of an error in one line."""
    return " ".join(str(error).split())
