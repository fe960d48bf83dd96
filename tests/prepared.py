"""Databases that are made once and copied: creating 140 tables and indexes on a server costs as much as most tests.

A schema of a finished test is used again: its rows are replaced by those of a template. One that a test has changed in
any other way (tables, grants, statistics), has grown, or that might still be written to is not.
"""

from __future__ import annotations

import functools
import itertools
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, LiteralString

from psycopg import ClientCursor, Connection, connect

from jotsam.core import dsn
from jotsam.storage import connect as open_database
from processes import until

if TYPE_CHECKING:
    from collections.abc import Iterable

    from servers import Server

LOOKS = 20
"""How often to look whether all connections have ended, before a new schema is made instead."""

MAX_BYTES = 1 << 18
"""A table that has grown beyond this stays slow to scan after its rows are deleted."""

# A change of a definition writes its row again, which `xmin` shows.
DEFINITIONS = """
select md5(string_agg(line, ' ' order by line)) from (
  select concat_ws(' ', oid, xmin) from pg_class where relnamespace = %(schema)s::regnamespace
  union all
  select concat_ws(' ', attrelid, attnum, a.xmin) from pg_attribute a
  join pg_class c on c.oid = attrelid where relnamespace = %(schema)s::regnamespace
  union all select concat_ws(' ', oid, xmin) from pg_namespace where oid = %(schema)s::regnamespace
  union all select concat_ws(' ', oid, xmin) from pg_constraint where connamespace = %(schema)s::regnamespace
  union all
  select concat_ws(' ', p.oid, p.xmin) from pg_policy p
  join pg_class c on c.oid = polrelid where relnamespace = %(schema)s::regnamespace
  union all
  select concat_ws(' ', t.oid, t.xmin) from pg_trigger t
  join pg_class c on c.oid = tgrelid where relnamespace = %(schema)s::regnamespace
  union all select concat_ws(' ', oid, xmin) from pg_default_acl
) as definition (line)
"""
OTHERS = "select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
LIKE_NEW = """
select bool_and(reltuples <= 0 and pg_relation_size(c.oid) < %(bytes)s)
  and not exists (
    select 1 from pg_statistic join pg_class s on s.oid = starelid where s.relnamespace = %(schema)s::regnamespace
  )
from pg_class c where relnamespace = %(schema)s::regnamespace and relkind = 'r'
"""
COPY = """
select format('delete from %%I.%%I', %(target)s, relname) from pg_class
where relnamespace = %(target)s::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
union all
select format(
  'insert into %%I.%%I (%%s) overriding system value select %%3$s from %%4$I.%%2$I',
  %(target)s, relname, string_agg(quote_ident(attname), ', ' order by attnum), %(source)s
)
from pg_class
join pg_attribute on attrelid = pg_class.oid
where relnamespace = %(source)s::regnamespace and relkind = 'r' and pg_relation_size(pg_class.oid) > 0
  and attnum > 0 and attgenerated = '' and not attisdropped
group by relname
union all
select format(
  'select setval(%%L, last_value, is_called) from %%I.%%I', %(target)s || '.' || relname, %(source)s, relname
)
from pg_class where relnamespace = %(source)s::regnamespace and relkind = 'S'
"""
"""The statements that replace all rows of a schema by those of another: first what deletes, then what inserts."""


class Schemas:
    """Databases on a server."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._definitions: dict[str, object] = {}
        self._free: list[str] = []

    def new(self) -> str:
        """The address of a database without documents, jobs or memories, in which every migration is applied."""
        return self.copy(self._template)

    def copy(self, schema: str) -> str:
        """The address of a database with the same rows as the database in a schema."""
        with connect(self._server.admin, autocommit=True, cursor_factory=ClientCursor) as admin:
            target = self._reusable(admin) or self._make(admin)
            _copy_rows(admin, schema, target)
        return self._server.url(target)

    def give_back(self, addresses: Iterable[str]) -> None:
        """Databases that no test uses any more."""
        self._free += [schema for url in addresses if (schema := dsn.split_schema(url)[1]) in self._definitions]

    def _reusable(self, admin: Connection) -> str | None:
        if self._free and _is_alone(admin):
            while self._free:
                schema = self._free.pop()
                if self._is_like_new(admin, schema):
                    return schema
        return None

    @functools.cached_property
    def _template(self) -> str:
        with connect(self._server.admin, autocommit=True, cursor_factory=ClientCursor) as admin:
            return self._make(admin)

    def _make(self, admin: Connection) -> str:
        url = self._server.url()
        open_database(url).close()
        schema = dsn.split_schema(url)[1]
        self._definitions[schema] = _one(admin, DEFINITIONS, schema=schema)
        return schema

    def _is_like_new(self, admin: Connection, schema: str) -> bool:
        same = _one(admin, DEFINITIONS, schema=schema) == self._definitions[schema]
        return same and bool(_one(admin, LIKE_NEW, schema=schema, bytes=MAX_BYTES))


def _is_alone(admin: Connection) -> bool:
    """Whether no other connection could still write; those that were closed or killed need a moment to end."""
    looks = itertools.count()
    until(lambda: not _one(admin, OTHERS) or next(looks) == LOOKS)
    return not _one(admin, OTHERS)


def _copy_rows(admin: Connection, source: str, target: str) -> None:
    admin.execute("begin; set local session_replication_role = replica")  # without foreign keys and triggers
    statements = admin.execute(COPY, {"source": source, "target": target}).fetchall()
    admin.execute("; ".join(row[0] for row in statements))
    admin.execute("commit")


def _one(admin: Connection, query: LiteralString, **values: object) -> object:
    row = admin.execute(query, values).fetchone()
    return row[0] if row else None


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
