"""Storage floor: open a database, then hand its transactions to the rooms."""

from __future__ import annotations

from jotsam.clock import system_clock
from jotsam.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.clock import Clock
    from jotsam.storage.database import Database

QUEUE = ("queue",)
MEMORY = ("queue", "memory")


def connect(
    url: str,
    *,
    schemas: tuple[str, ...] = MEMORY,
    clock: Clock = system_clock,
    wait_ms: int = 5_000,
    migrate: bool = True,
) -> Database:
    """Open the database at `url`: a path of a SQLite file.

    `schemas` says which parts it must hold, `wait_ms` how long to wait for another program's write lock.
    With `migrate=False` an older database is refused (`SchemaTooOld`) and a missing one is not made.
    Raises `DatabaseUnusable` or `DatabaseUnavailable`.
    """
    if url.startswith(("postgres://", "postgresql://")):
        raise InvalidInput(f"PostgreSQL is not supported yet: {url.partition('@')[2] or url}; give a path of a file")
    from jotsam.storage.sqlite import SQLiteDatabase

    return SQLiteDatabase(url, schemas=schemas, clock=clock, wait_ms=wait_ms, migrate=migrate)
