"""Bringing a database up to date, and saying beforehand what that would do.

It stands on the door floor. It must not decide what a migration is, that is what `storage` does.
"""

from __future__ import annotations

from jotsam.records import Record
from jotsam.storage import connect, outstanding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.settings import Settings


class Step(Record):
    """One migration that is still to be applied: its name and its SQL."""

    name: str
    sql: str


def steps(settings: Settings) -> list[Step]:
    """What `upgrade` would do. Changes nothing."""
    return [Step(name=migration.name, sql=migration.script) for migration in outstanding(settings.db)]


def upgrade(settings: Settings) -> list[Step]:
    """Apply what is outstanding, all or nothing; safe when two do it at once. Returns what was."""
    found = steps(settings)
    connect(settings.db, wait_ms=settings.wait_ms).close()
    return found
