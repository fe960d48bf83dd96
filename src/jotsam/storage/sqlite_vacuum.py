"""Rewrites a SQLite file without its unused pages. Others can read meanwhile, and wait to write."""

from __future__ import annotations

from typing import cast

from jotsam.storage.sqlite import SQLiteDatabase
from jotsam.storage.sqlite_connection import Translated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Database


def vacuum(database: Database) -> None:
    """Raises `DatabaseBusy`, and `DatabaseFull`: it needs up to twice the size of the file on the disk."""
    file = cast("SQLiteDatabase", database)
    file.acquire()
    try:
        with Translated(file.url):
            connection = file.connection()
            file.retry_busy(lambda: [*connection.execute("vacuum")])
    finally:
        file.release()
