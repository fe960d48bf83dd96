"""Storage: `connect` opens a database; the modules read and write inside its transactions."""

from __future__ import annotations

from jotsam.core.clock import monotonic_ms, system_clock
from jotsam.core.dsn import is_server
from jotsam.core.errors import InvalidInput, install_extra

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from jotsam.core.clock import Clock
    from jotsam.storage.database import Database
    from jotsam.storage.migrations import Migration

QUEUE = ("queue",)
MEMORY = ("queue", "memory")


def connect(
    url: str,
    *,
    schemas: tuple[str, ...] = MEMORY,
    clock: Clock | None = None,
    wait_ms: int = 5_000,
    migrate: bool = True,
    deadline: int | None = None,
    partitions: int | None = None,
) -> Database:
    """Open the database at `url`: the path of a SQLite file, or `postgresql://...`.

    `schemas` names the parts it must hold, `wait_ms` is how long to wait for another program's lock. Without a `clock`
    the time is this machine's for a file, and the server's for a server.
    With `migrate=False` an older database is refused (`SchemaTooOld`) and a missing one is not made. After `deadline`,
    a time of `monotonic_ms`, statements end with `DatabaseBusy`, and on a server the connection is closed.
    `partitions` is their number in a new database on a server; one that exists must have as many.
    Raises `DatabaseUnusable`, `DatabaseUnavailable`, or `InvalidInput` if the driver is not installed.
    """
    if is_server(url):
        from jotsam.storage.partitions import Partitions

        limits: dict[str, int] = {} if deadline is None else {"response_ms": max(1, deadline - monotonic_ms())}
        wanted = migrate if partitions is None else Partitions(number=partitions)
        server: Database = _postgres().PostgresDatabase(
            url, schemas=schemas, clock=clock, wait_ms=wait_ms, migrate=wanted, **limits
        )
        return server
    _refuse_partitions(url, partitions)
    from jotsam.storage.sqlite.sqlite import SQLiteDatabase

    clock = clock or system_clock
    return SQLiteDatabase(url, schemas=schemas, clock=clock, wait_ms=wait_ms, migrate=migrate, deadline=deadline)


def outstanding(
    url: str, *, schemas: tuple[str, ...] = MEMORY, wait_ms: int = 5_000, partitions: int | None = None
) -> list[Migration]:
    """The migrations that opening the database would apply, in order. Changes nothing."""
    if is_server(url):
        server = _postgres()
        found: list[Migration] = server.outstanding(url, schemas=schemas, wait_ms=wait_ms, partitions=partitions)
        return found
    _refuse_partitions(url, partitions)
    from jotsam.storage.sqlite import sqlite_schema

    return sqlite_schema.outstanding(url, schemas=schemas)


def script(url: str, *, schemas: tuple[str, ...] = MEMORY, wait_ms: int = 5_000, partitions: int | None = None) -> str:
    """The SQL that opening the database would run, as one transaction; empty if it is up to date."""
    if is_server(url):
        found: str = _postgres().script(url, schemas=schemas, wait_ms=wait_ms, partitions=partitions)
        return found
    _refuse_partitions(url, partitions)
    from jotsam.storage.sqlite import sqlite_schema

    return sqlite_schema.script(url, schemas=schemas)


def grant(url: str, role: str, *, apply: bool, wait_ms: int = 5_000) -> list[str]:
    """The statements that let a role of the server use the database without owning it; executed if `apply`.

    Raises `InvalidInput` for a file, and for a role that does not exist or bypasses row-level security.
    """
    if not is_server(url):
        raise InvalidInput(f"invalid role {role!r}: {url} is a file, and only a postgresql:// database has roles")
    _postgres()
    from jotsam.storage.postgres import postgres_roles

    return postgres_roles.grant(url, role, apply=apply, wait_ms=wait_ms)


def _refuse_partitions(url: str, partitions: int | None) -> None:
    if partitions:
        raise InvalidInput(f"invalid partitions {partitions:,}: {url} is a file, and only a server has partitions")


def _postgres() -> ModuleType:
    try:
        from jotsam.storage.postgres import postgres
    except ImportError as error:
        raise InvalidInput(f"the PostgreSQL driver is missing ({error}); {install_extra('postgres')}") from error
    return postgres
