"""Restores a SQLite file from a backup, and saves what can be read of a damaged one in a new one."""

from __future__ import annotations

import os

from jotsam.admin import text_index
from jotsam.core.dsn import is_server, mask_address
from jotsam.core.errors import DatabaseUnusable, InvalidInput
from jotsam.core.platform import files
from jotsam.core.records import Record
from jotsam.storage import connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.sqlite.sqlite_salvage import LostRows


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
            " copy a file to it with `jotsam --db FILE db migrate --to ...`, or read an export with"
            " `jotsam import FILE`"
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


class Salvaged(Record):
    """A new database with what could be read. The counts are of all tenants."""

    path: str
    rows: int  # of all tables
    documents: int
    memories: int
    jobs: int
    lost: tuple[LostRows, ...]  # what could not be read


def salvage(damaged: str, new: str) -> Salvaged:
    """Write what can be read of a damaged database file to a new file, and make its full-text index from the texts.

    The damaged file is not written to, and must not be in use. Raises `DatabaseUnusable` if it does not exist, or the
    new file does; `NotADatabase` if nothing can be read; `DatabaseFull`.
    """
    if is_server(damaged) or is_server(new):
        raise InvalidInput(f"{mask_address(damaged)}: only a file can be salvaged, into a file")
    from jotsam.storage.sqlite import sqlite_backup, sqlite_salvage

    source, target = (os.path.abspath(os.path.expanduser(path)) for path in (damaged, new))
    if not os.path.isfile(source):
        raise DatabaseUnusable(f"{source} does not exist, or is not a file")
    if os.path.exists(target):
        raise DatabaseUnusable(f"{target} exists: name a new file")
    folder = os.path.dirname(target)
    with sqlite_backup.alone(folder), sqlite_backup.partial(target) as unnamed:
        connect(unnamed).close()
        rows, lost = sqlite_salvage.salvage(source, unnamed)
        database = connect(unnamed)
        with database.transaction() as tx:
            text_index.rebuild(tx)
        database.maintain()
        database.close()
        content = sqlite_backup.checked(unnamed)
        files.sync(unnamed)
        files.replace(unnamed, target)
        files.sync(folder)
    return Salvaged(
        path=target,
        rows=rows,
        documents=content.documents,
        memories=content.memories,
        jobs=content.jobs,
        lost=tuple(lost),
    )
