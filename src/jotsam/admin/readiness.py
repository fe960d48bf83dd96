"""Whether a database can be used now: it answers, its schema is that of this program, and it can be written.

Writes nothing, so that it can be asked every second. The reasons name no address or path: anyone may ask.
"""

from __future__ import annotations

import os

from jotsam.core.errors import DatabaseUnusable, SchemaTooNew, SchemaTooOld
from jotsam.core.platform import files
from jotsam.storage import MEMORY, migrations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Database, Transaction

LEAST_FREE_BYTES = 64 << 20


def why_not_ready(database: Database) -> str | None:
    """Why the database cannot be used, or None. Raises `DatabaseUnavailable` if it does not answer."""
    with database.snapshot() as tx:
        reason = _schema(tx, database) or _server(tx)
    return reason or (_disk(database.url) if database.is_file else None)


def _schema(tx: Transaction, database: Database) -> str | None:
    dialect = "sqlite" if database.is_file else "postgres"
    wanted = {schema: migrations.newest(dialect, schema) for schema in MEMORY}
    try:
        found = migrations.versions(database.url, tx.execute(migrations.APPLIED), dialect=dialect)
        migrations.check(database.url, found=found, wanted=wanted, migrate=False)
    except SchemaTooNew:
        return "the schema of the database is newer than this program"
    except (SchemaTooOld, DatabaseUnusable):
        return "the schema of the database is not that of this program"
    return None


def _server(tx: Transaction) -> str | None:
    row = tx.one("writable.is_read_only")
    return "the database accepts no writes" if row and row["read_only"] else None


def _disk(path: str) -> str | None:
    """For a file: its folder too must be writable, because the write-ahead log is there."""
    folder = os.path.dirname(os.path.abspath(path))
    try:
        free = files.free_bytes(folder)
    except OSError:
        return "the folder of the database cannot be read"
    if not (os.access(path, os.W_OK) and os.access(folder, os.W_OK)):  # Nor on a disk that is read-only.
        return "the file of the database cannot be written"
    return f"only {free >> 20} MB are free on the disk" if free < LEAST_FREE_BYTES else None
