"""The schemas of a SQLite file: apply the migrations that are outstanding, after a backup of a file that exists."""

from __future__ import annotations

import os

import apsw

from jotsam.core.errors import DatabaseFull
from jotsam.storage import migrations
from jotsam.storage.sqlite.sqlite_connection import Translated, applied


def outstanding(path: str, *, schemas: tuple[str, ...]) -> list[migrations.Migration]:
    """The migrations that opening the file would apply. Does not create the file."""
    wanted = {schema: migrations.newest("sqlite", schema) for schema in schemas}
    with Translated(path):
        found = applied(apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE), path) if os.path.exists(path) else {}
    return list(migrations.outstanding("sqlite", found=found, wanted=wanted))


def ledger(connection: apsw.Connection) -> str:
    """The statement that makes the table of migrations, or adds to it what it lacks."""
    columns = [row[1] for row in connection.execute("pragma table_info(jotsam_migration)")]
    return migrations.LEDGER if not columns or "program" in columns else migrations.ADD_PROGRAM.format("")


def script(path: str, *, schemas: tuple[str, ...]) -> str:
    """The SQL that opening the file would run, as one transaction; empty if it is up to date."""
    with Translated(path):
        existing = apsw.Connection(path if os.path.exists(path) else ":memory:")
        begin = f"pragma journal_mode = wal;\nbegin immediate;\n\n{ledger(existing)};"
    now = "cast(unixepoch('subsec') * 1000 as integer)"
    return migrations.script(outstanding(path, schemas=schemas), begin=begin, now=now)


def migrate(
    connection: apsw.Connection, path: str, wanted: dict[str, int], *, now: int
) -> tuple[migrations.Migration, ...]:
    """Apply what is outstanding, in the open transaction of the connection. Returns it."""
    found = applied(connection, path)  # Read again under the lock: another process may have migrated.
    migrations.check(path, found=found, wanted=wanted, migrate=True)
    outdated = [schema for schema, version in wanted.items() if 0 < found.get(schema, 0) < version]
    if outdated:
        _copy_before(path, "-".join(f"{schema}-{wanted[schema]}" for schema in outdated), now=now)
    connection.execute(ledger(connection))
    steps = tuple(migrations.outstanding("sqlite", found=found, wanted=wanted))
    for step in steps:
        for _ in connection.execute(step.script):
            pass  # apsw runs a script lazily: it stops at every row until the row is fetched.
        connection.execute(migrations.RECORD, step.record(now))
    return steps


def _copy_before(path: str, name: str, *, now: int) -> None:
    """Make a backup before the migration of an existing file."""
    from jotsam.storage.sqlite import backup_files, sqlite_backup  # migrations are rare

    backup = backup_files.new_path(path, now, why=f"before-{name}")
    try:
        sqlite_backup.copy(path, backup)
    except DatabaseFull as error:
        size = os.path.getsize(path) / 1e6
        raise DatabaseFull(
            f"{path}: must be migrated, and there is no space for the backup that is made before"
            f" ({size:,.0f} MB in {os.path.dirname(backup)}). Free some space and try again, or run `jotsam db backup"
            " FILE` to copy the database to another disk, and use FILE as --db; nothing was changed"
        ) from error
