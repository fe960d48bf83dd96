"""Bringing a database up to date, and saying beforehand what that would do.

It stands on the door floor. It must not decide what a migration is, that is what `storage` does.
"""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.storage import connect, outstanding
from jotsam.storage import script as storage_script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings


class Step(Record):
    """One migration that is still to be applied: its name and its SQL."""

    name: str
    sql: str


def steps(settings: Settings) -> list[Step]:
    """What `upgrade` would do. Changes nothing."""
    found = outstanding(settings.db, wait_ms=settings.lock_timeout_ms)
    return [Step(name=migration.name, sql=migration.script) for migration in found]


def script(settings: Settings) -> str:
    """The same as one SQL script, with all that goes with it; whoever runs it has done what `upgrade` does."""
    return storage_script(settings.db, wait_ms=settings.lock_timeout_ms)


def upgrade(settings: Settings) -> list[Step]:
    """Apply what is outstanding, all or nothing; safe when two do it at once. Returns what was."""
    database = connect(settings.db, wait_ms=settings.lock_timeout_ms)
    database.close()
    return [Step(name=migration.name, sql=migration.script) for migration in database.applied]
