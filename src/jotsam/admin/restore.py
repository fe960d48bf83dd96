"""Restore a SQLite file from a backup."""

from __future__ import annotations

import os

from jotsam.core.dsn import is_server, mask_address
from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record


class Restored(Record):
    """What was restored. The counts are of all tenants."""

    path: str
    backup: str
    kept: str | None  # the database that was replaced; None if it did not exist
    documents: int
    memories: int
    jobs: int  # live and dead; those that were running when the backup was made run again
    newest_at: int | None  # when the newest of them was stored


def restore(db: str, backup: str) -> Restored:
    """Replace the database file `db` by a backup, which is checked first. The replaced database is kept beside it.

    If the process is killed, `db` is either the old database or the restored one. Raises `InvalidInput` for a server,
    `DatabaseBusy` if a process has `db` open, `NotADatabase` if the backup is damaged, `SchemaTooNew`, `DatabaseFull`.
    """
    if is_server(db):
        raise InvalidInput(
            f"{mask_address(db)} is a server: restore a dump with `pg_restore -d DATABASE FILE` into an empty database,"
            " copy a file to it with `jotsam --db FILE migrate --to ...`, or read an export with `jotsam import FILE`"
        )
    from jotsam.storage.sqlite import sqlite_restore

    source = os.path.abspath(os.path.expanduser(backup))
    target = os.path.abspath(os.path.expanduser(db))
    content, kept = sqlite_restore.restore(source, target)
    return Restored(
        path=target,
        backup=source,
        kept=kept,
        documents=content.documents,
        memories=content.memories,
        jobs=content.jobs,
        newest_at=content.newest_at,
    )
