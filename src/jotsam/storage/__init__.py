"""Storage floor: open a database, then hand its transactions to the rooms."""

from __future__ import annotations

from jotsam.clock import system_clock
from jotsam.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from jotsam.clock import Clock
    from jotsam.storage.database import Database
    from jotsam.storage.migrate import Migration

QUEUE = ("queue",)
MEMORY = ("queue", "memory")


def connect(
    url: str,
    *,
    schemas: tuple[str, ...] = MEMORY,
    clock: Clock | None = None,
    wait_ms: int = 5_000,
    migrate: bool = True,
) -> Database:
    """Open the database at `url`: a path of a SQLite file, or `postgresql://...`. The only place that asks which.

    `schemas` says which parts it must hold, `wait_ms` how long to wait for another program's lock. Without a `clock`
    the time is this machine's for a file, and the server's for a server.
    With `migrate=False` an older database is refused (`SchemaTooOld`) and a missing one is not made.
    Raises `DatabaseUnusable`, `DatabaseUnavailable`, or `InvalidInput` if the driver is not installed.
    """
    if _is_server(url):
        server: Database = _postgres().PostgresDatabase(
            url, schemas=schemas, clock=clock, wait_ms=wait_ms, migrate=migrate
        )
        return server
    from jotsam.storage.sqlite import SQLiteDatabase

    return SQLiteDatabase(url, schemas=schemas, clock=clock or system_clock, wait_ms=wait_ms, migrate=migrate)


def outstanding(url: str, *, schemas: tuple[str, ...] = MEMORY) -> list[Migration]:
    """The migrations that opening the database would apply, in order. Changes nothing."""
    if _is_server(url):
        found: list[Migration] = _postgres().outstanding(url, schemas=schemas)
        return found
    from jotsam.storage import sqlite

    return sqlite.outstanding(url, schemas=schemas)


def _is_server(url: str) -> bool:
    if url.startswith(("postgres://", "postgresql://")):
        return True
    if "://" in url:
        raise InvalidInput(
            f"{url.partition('://')[0]}:// is no database of this program: give a file or postgresql://..."
        )
    return False


def _postgres() -> ModuleType:
    try:
        from jotsam.storage import postgres
    except ImportError as error:
        raise InvalidInput(f"PostgreSQL needs its driver: pip install 'jotsam[postgres]' ({error})") from error
    return postgres
