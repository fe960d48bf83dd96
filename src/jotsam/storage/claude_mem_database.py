"""Reads the tables of a database of claude-mem, without writing to it."""

from __future__ import annotations

import os
from contextlib import contextmanager

import apsw

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jotsam.storage.database import Row

# Columns differ between its versions, so all are read.
TABLES = {
    "sdk_sessions": "select * from sdk_sessions order by id",
    "observations": "select * from observations order by id",
    "session_summaries": "select * from session_summaries order by id",
    "user_prompts": "select * from user_prompts order by id",
}
WAIT_MS = 5_000


@contextmanager
def opened(path: str) -> Iterator[Callable[[str], Iterator[Row]]]:
    """A function that yields the rows of one of `TABLES`; none if this version has no such table.

    Raises `InvalidInput` if it is not a database of claude-mem, or cannot be read.
    """
    try:
        connection = apsw.Connection(os.path.abspath(path), flags=apsw.SQLITE_OPEN_READONLY)
        connection.set_busy_timeout(WAIT_MS)
        names = {str(name) for (name,) in connection.execute("select name from sqlite_schema where type = 'table'")}
        if "observations" not in names:
            raise InvalidInput(f"{path}: not a database of claude-mem: it has no table observations")

        def rows(table: str) -> Iterator[Row]:
            if table in names:
                cursor = connection.execute(TABLES[table])
                for row in cursor:
                    yield {column[0]: value for column, value in zip(cursor.description, row, strict=True)}

        try:
            with connection:  # One read transaction, so that all tables are of one moment.
                yield rows
        finally:
            connection.close()
    except apsw.Error as error:
        raise InvalidInput(f"{path}: cannot be read: {error}") from error
