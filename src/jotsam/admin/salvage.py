"""Save what can be read of a damaged SQLite file in a new one."""

from __future__ import annotations

import os

from jotsam.admin import text_index
from jotsam.core.dsn import is_server, mask_address
from jotsam.core.errors import DatabaseUnusable, InvalidInput
from jotsam.core.records import Record
from jotsam.storage import connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.sqlite.sqlite_salvage import LostRows


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
        sqlite_backup.sync(unnamed)
        os.replace(unnamed, target)
        sqlite_backup.sync(folder)
    return Salvaged(
        path=target,
        rows=rows,
        documents=content.documents,
        memories=content.memories,
        jobs=content.jobs,
        lost=tuple(lost),
    )
