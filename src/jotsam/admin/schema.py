"""Schema migrations: list the pending ones, print them as SQL, apply them, and let another role use the tables."""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.storage import connect, outstanding
from jotsam.storage import grant as storage_grant
from jotsam.storage import script as storage_script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings


class PendingMigration(Record):
    """A pending migration: its name and its SQL."""

    name: str
    sql: str


def pending(settings: Settings, *, partitions: int | None = None) -> list[PendingMigration]:
    """The migrations that `upgrade` would apply. Changes nothing."""
    found = outstanding(settings.db, wait_ms=settings.lock_timeout_ms, partitions=partitions)
    return [PendingMigration(name=migration.name, sql=migration.script) for migration in found]


def script(settings: Settings, *, partitions: int | None = None) -> str:
    """The pending migrations as one SQL script, with everything else that `upgrade` does."""
    return storage_script(settings.db, wait_ms=settings.lock_timeout_ms, partitions=partitions)


def upgrade(settings: Settings, *, partitions: int | None = None) -> list[PendingMigration]:
    """Apply the pending migrations in one transaction, safely also if two processes do it at once. Returns them.

    A new database on a server has `partitions` partitions. Raises `InvalidInput` if one that exists has another number,
    and for a file.
    """
    database = connect(settings.db, wait_ms=settings.lock_timeout_ms, partitions=partitions)
    database.close()
    return [PendingMigration(name=migration.name, sql=migration.script) for migration in database.applied]


def grant(settings: Settings, role: str, *, apply: bool = True) -> list[str]:
    """Let a role of the server use the tables without owning them. Returns the statements, in order.

    With `apply=False` nothing is executed. Raises `InvalidInput` for a file, and for a role that does not exist, owns
    the tables or bypasses row-level security.
    """
    return storage_grant(settings.db, role, apply=apply, wait_ms=settings.lock_timeout_ms)
