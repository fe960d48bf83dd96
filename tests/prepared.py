"""Databases that are made once and copied: what fills them costs more than most tests."""

from __future__ import annotations

import functools
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from psycopg import ClientCursor, Connection, connect

from jotsam.core import dsn
from jotsam.storage import connect as open_database

if TYPE_CHECKING:
    from servers import Server

DELETE = """
select format('delete from %%I.%%I', %(target)s, relname) from pg_class
where relnamespace = %(target)s::regnamespace and relkind in ('r', 'p') and not relispartition
"""
INSERT = """
select format(
  'insert into %%I.%%I (%%s) overriding system value select %%3$s from %%4$I.%%2$I',
  %(target)s, relname, string_agg(quote_ident(attname), ', ' order by attnum), %(source)s
)
from pg_class
join pg_attribute on attrelid = pg_class.oid
where relnamespace = %(source)s::regnamespace and relkind in ('r', 'p') and not relispartition
  and attnum > 0 and attgenerated = '' and not attisdropped
group by relname
"""
COUNT = """
select format(
  'select setval(%%L, last_value, is_called) from %%I.%%I', %(target)s || '.' || relname, %(source)s, relname
)
from pg_class where relnamespace = %(source)s::regnamespace and relkind = 'S'
"""


class Schemas:
    """Databases on a server."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def new(self) -> str:
        """The address of an empty database in which every migration is applied."""
        url = self._server.url()
        open_database(url).close()
        return url

    def copy(self, url: str) -> str:
        """The address of a new database with the same rows as another."""
        target = self.new()
        with connect(self._server.admin, cursor_factory=ClientCursor) as admin:
            _copy_rows(admin, dsn.split_schema(url)[1], dsn.split_schema(target)[1])
        return target


def _copy_rows(admin: Connection, source: str, target: str) -> None:
    admin.execute("set local session_replication_role = replica")  # without foreign keys and triggers
    for query in (DELETE, INSERT, COUNT):
        for (statement,) in admin.execute(query, {"source": source, "target": target}).fetchall():
            admin.execute(statement)


class Files:
    """Databases in files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @functools.cached_property
    def _template(self) -> Path:
        path = self._folder / "template.db"
        open_database(str(path)).close()
        return path

    def new(self, path: Path) -> str:
        return str(shutil.copy(self._template, path))
