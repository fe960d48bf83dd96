"""Reads the SQLite databases of other programs, without writing to them."""

from __future__ import annotations

import os
from contextlib import contextmanager

import apsw

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.storage.database import Row

WAIT_MS = 5_000


class ForeignDatabase:
    """An open database of another program."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        names = connection.execute("select name from sqlite_schema where type = 'table'")
        self.tables = frozenset(str(name) for (name,) in names)

    def rows(self, query: str, *values: str) -> Iterator[Row]:
        """The rows of a query. Raises `apsw.Error` or `UnicodeDecodeError`, which `opened` translates."""
        cursor = self._connection.execute(query, values)
        for row in cursor:
            yield {column[0]: value for column, value in zip(cursor.description, row, strict=True)}

    def rows_or_none(self, query: str) -> Iterator[Row | None]:
        """The rows of a query; None for one with a text that is not UTF-8. Raises `apsw.Error`."""
        cursor = self._connection.execute(query)
        while True:
            try:
                row = next(cursor)
            except StopIteration:
                return
            except UnicodeDecodeError:
                yield None
            else:
                yield {column[0]: value for column, value in zip(cursor.description, row, strict=True)}


@contextmanager
def opened(path: str) -> Iterator[ForeignDatabase]:
    """Open a database. All that is read is of one moment. Raises `InvalidInput` if it cannot be read."""
    try:
        connection = apsw.Connection(os.path.abspath(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            connection.set_busy_timeout(WAIT_MS)
            with connection:
                yield ForeignDatabase(connection)
        finally:
            connection.close()
    except (apsw.Error, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path}: cannot be read: {error}") from error


def tables(path: str) -> frozenset[str]:
    """The names of the tables of a database. Raises `InvalidInput` if it cannot be read."""
    with opened(path) as database:
        return database.tables
