"""The line to a PostgreSQL server: a connection that is opened, that never waits for ever, and whose errors are ours.

Of the driver it knows how to connect, and what its errors are; what is asked over the line is `postgres`'s business.
"""

from __future__ import annotations

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import dict_row
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumperUnknown

from jotsam.core import dsn
from jotsam.core.errors import InvalidInput, JotsamError
from jotsam.storage import postgres_errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from psycopg.abc import RV, PQGen

    from jotsam.storage.database import Row

ANSWER_MS = 60_000
"""No statement of ours takes that long: a server that says nothing has frozen, or is out of reach."""

CONNECT_SECONDS = 5
"""How long one host may take to be reached; an address that says `connect_timeout` has its own."""

IDLE_MS = 60_000
"""The server ends a transaction whose client has gone silent for so long, and frees what it holds."""


class _Text(StrDumperUnknown):
    """PostgreSQL's texts cannot hold a NUL; where an error message brings one along, it must not be lost over that."""

    def dump(self, obj: str) -> bytes:
        return obj.replace("\0", "\ufffd").encode(errors="replace")


class Connection(psycopg.Connection["Row"]):
    """Waits for an answer up to a deadline of its own: a line that is kept alive, and says nothing, ends no wait."""

    answer_ms = ANSWER_MS

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, self.answer_ms / 1000)
        except psycopg.errors._WaitTimeout as error:
            self.pgconn.finish()
            raise psycopg.OperationalError(f"no answer within {self.answer_ms} ms") from error


class Translated:
    """Turns the library's errors into ours."""

    def __init__(self, url: str) -> None:
        self._url = url

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if isinstance(error, psycopg.Error):
            raise translated(error, self._url) from error


def opened(url: str, *, lock_ms: int, answer_ms: int = ANSWER_MS) -> Connection:
    """A connection with our settings, in the schema that the address names; `lock_ms` is for the locks of others.

    Raises `InvalidInput` for an address that cannot be read, and what the library raises.
    """
    conninfo, schema = dsn.split_schema(url)
    try:
        given = conninfo_to_dict(conninfo)
    except psycopg.ProgrammingError:  # Its message may quote a part of the password.
        raise InvalidInput(
            f"invalid address {dsn.mask_password(url)}: percent-encode every character of the user and password that is"
            " neither a letter nor a digit, and check the parameters after the ?"
        ) from None
    whole = make_conninfo("", **{"connect_timeout": CONNECT_SECONDS, "application_name": "jotsam", **given})
    connection = Connection.connect(whole, autocommit=True, row_factory=dict_row)
    connection.answer_ms = answer_ms
    connection.adapters.register_dumper(str, _Text)
    # One type for all numbers: by their size they would have several, and a statement be prepared for each.
    connection.adapters.register_dumper(int, Int8Dumper)
    try:
        connection.execute(
            f"set search_path = {schema}, public; set lock_timeout = {max(1, lock_ms)};"
            f"set idle_in_transaction_session_timeout = {IDLE_MS}; {postgres_errors.SETTINGS}"
        )
    except BaseException:
        connection.close()
        raise
    return connection


def now(cursor: psycopg.Cursor[Row]) -> int:
    """The milliseconds that `server.NOW` has asked for."""
    row = cursor.fetchone()
    assert row is not None
    now: int = row["now"]
    return now


def translated(error: psycopg.Error, url: str) -> JotsamError:
    """The error of ours that says what the caller can do about one of the library's."""
    if error.sqlstate is None and not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return JotsamError(f"{url}: {type(error).__name__}: {said(error)}")
    return postgres_errors.error(url, error.sqlstate, said(error))


def said(error: psycopg.Error) -> str:
    """What the library says, in one line."""
    return " ".join(str(error).split())
