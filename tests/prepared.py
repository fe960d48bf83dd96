"""Databases that are made once and copied: what fills them costs more than most tests."""

from __future__ import annotations

import functools
import glob
import shutil
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from psycopg import ClientCursor, Connection, OperationalError, connect

from jotsam.core import dsn
from jotsam.ingest import spool
from jotsam.storage import connect as open_database
from jotsam.storage import partitions
from processes import LOOK_EVERY
from servers import ROLE

if TYPE_CHECKING:
    from servers import Server

SECONDS_TO_DISCONNECT = 2
EMPTY = 4_096
"""Bytes of a file in which no table was made."""

TARGET = "TARGET"

DELETE = """
select format('delete from %%I.%%I', %(target)s, relname) from pg_class
where relnamespace = %(source)s::regnamespace and relkind in ('r', 'p') and not relispartition
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
# Another value after each change of structure or rights, because a row of the catalogue names its transaction.
STRUCTURE = """
with relation as (select * from pg_class where relnamespace = %(schema)s::regnamespace)
select md5(string_agg(line, ' ' order by line)) as structure from (
  select format('schema %%s', xmin) as line from pg_namespace where oid = %(schema)s::regnamespace
  union all select format('%%s %%s', oid, xmin) from pg_class where relnamespace = %(schema)s::regnamespace
  union all select format('%%s.%%s %%s', attrelid, attnum, xmin) from pg_attribute
    where attrelid in (select oid from relation where relkind in ('r', 'p', 'v'))
  union all select format('%%s %%s', oid, xmin) from pg_attrdef where adrelid in (select oid from relation)
  union all select format('%%s %%s', oid, xmin) from pg_trigger where tgrelid in (select oid from relation)
  union all select format('%%s %%s', oid, xmin) from pg_policy where polrelid in (select oid from relation)
  union all select format('%%s %%s', seqrelid, xmin) from pg_sequence where seqrelid in (select oid from relation)
  union all select format('%%s %%s', oid, xmin) from pg_constraint where connamespace = %(schema)s::regnamespace
  union all select format('%%s %%s', oid, xmin) from pg_proc where pronamespace = %(schema)s::regnamespace
  union all select format('%%s %%s', oid, xmin) from pg_type where typnamespace = %(schema)s::regnamespace
  union all select format('%%s %%s', oid, xmin) from pg_default_acl where defaclnamespace = %(schema)s::regnamespace
) as lines
"""
# Modules whose databases are made by the program: they are about migrations, or about a queue without a memory.
MADE_BY_THE_PROGRAM = {"test_schemas", "test_queue_alone", "test_cli_output_and_setup"}
# An event is shown, and a change is mirrored, when each transaction of the server has ended that had begun before it,
# also those of other test processes.
ALONE_ON_A_SERVER = {"test_events", "test_mirror", "test_recall_by_engine"}

CONNECTIONS = "select count(*) from pg_stat_activity where usename = %s and datname = current_database()"
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
        self._returned: dict[int, list[str]] = {}  # addresses, by their number of partitions
        self._emptying: dict[int, str] = {}
        self._structure: dict[str, str] = {}
        self._kept: Connection | None = None

    def new(self) -> str:
        """The address of an empty database in which every migration is applied."""
        url = self._server.url()
        open_database(url).close()
        return url

    def lend(self, *, patience: float = SECONDS_TO_DISCONNECT) -> str:
        """The address of an empty database, made by `new` or emptied after another test, which costs far less.

        `patience`: how many seconds it waits for the end of the connections of that test.
        """
        admin, returned = self._admin(), self._returned.setdefault(partitions.DEFAULT, [])
        while returned:
            url = returned.pop()
            if self._is_unchanged(admin, url, patience):
                admin.execute(self._emptying[partitions.DEFAULT].replace(TARGET, dsn.split_schema(url)[1]))
                admin.commit()
                return url
        if partitions.DEFAULT not in self._emptying:
            self._emptying[partitions.DEFAULT] = _emptying(admin, self.new())
        url = self.new()
        self._structure[url] = _structure(admin, url)
        admin.commit()
        return url

    def give_back(self, url: str) -> None:
        """Its rows may be anything. It is not lent again if its structure was changed or somebody may still use it."""
        self._returned.setdefault(partitions.DEFAULT, []).append(url)

    def copy(self, url: str) -> str:
        """The address of a new database with the same rows as another."""
        target = self.new()
        with connect(self._server.admin, cursor_factory=ClientCursor) as admin:
            for statement in _copying(admin, dsn.split_schema(url)[1], dsn.split_schema(target)[1]):
                admin.execute(statement)
        return target

    def close(self) -> None:
        if self._kept:
            self._kept.close()
            self._kept = None

    def structure(self, url: str) -> str:
        """Another text after each change of the structure of a database, or of rights on it."""
        admin = self._admin()
        found = _structure(admin, url)
        admin.rollback()
        return found

    def _is_unchanged(self, admin: Connection, url: str, patience: float) -> bool:
        """Whether nothing but rows was changed, and nobody is left who may change them."""
        if glob.glob(glob.escape(spool.path_prefix(url)) + "*"):
            return False
        return _is_alone(admin, patience) and _structure(admin, url) == self._structure[url]

    def _admin(self) -> Connection:
        """A connection that is kept, unless a test restarts the server."""
        try:
            if self._kept:
                self._kept.execute("select 1")
                self._kept.rollback()
                return self._kept
        except OperationalError:
            self.close()
        self._kept = connect(self._server.admin, cursor_factory=ClientCursor)
        return self._kept


def _structure(admin: Connection, url: str) -> str:
    ((found,),) = admin.execute(STRUCTURE, {"schema": dsn.split_schema(url)[1]}).fetchall()
    return str(found)


def _is_alone(admin: Connection, patience: float) -> bool:
    """Whether no test is connected any more. The server notices soon that a connection was closed."""
    deadline = time.monotonic() + patience
    while True:
        admin.rollback()  # A transaction would see what its first look has seen.
        ((connections,),) = admin.execute(CONNECTIONS, [ROLE]).fetchall()
        if not connections or time.monotonic() > deadline:
            return not connections
        threading.Event().wait(LOOK_EVERY)


def _copying(admin: Connection, source: str, target: str) -> list[str]:
    """Statements that give one schema the rows of another."""
    names = {"source": source, "target": target}
    found = [statement for query in (DELETE, INSERT, COUNT) for (statement,) in admin.execute(query, names).fetchall()]
    # Without foreign keys and triggers.
    return ["set local session_replication_role = replica", *found]


def _emptying(admin: Connection, template: str) -> str:
    """Gives `TARGET` the rows of a new database; most tables have none."""
    source = dsn.split_schema(template)[1]
    kept = []
    for statement in _copying(admin, source, TARGET):
        table = statement.rpartition(" from ")[2]
        is_empty = statement.startswith("insert") and not admin.execute(f"select 1 from {table} limit 1").fetchall()
        kept += [] if is_empty else [statement.replace(f'"{TARGET}"', TARGET)]
    return "; ".join(kept)


class Files:
    """Databases in files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @functools.cached_property
    def _template(self) -> Path:
        path = self._folder / "template.db"
        database = open_database(str(path))
        database.maintain()  # Until then, its tables are in the write-ahead log, which is not copied.
        database.close()
        assert path.stat().st_size > EMPTY, f"{path} has no tables"
        return path

    def new(self, path: Path) -> str:
        return str(shutil.copy(self._template, path))
