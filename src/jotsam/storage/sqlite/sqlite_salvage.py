"""Reads what can be read of a damaged SQLite file, and writes it to a new one.

The damaged file is never written to: it is opened as a file that does not change, or copied first if it has a log.
Each table is read from both ends up to the first damaged page, and then row by row in between. The new file has the
constraints of the schema, so a row whose values cannot be true is not taken over. A file of an earlier development
version is read with the names that its tables and columns had.

Where a column of today is in a file of an earlier development version, for `jotsam db salvage`.

Before the first release schemas were changed in place, so such a file cannot be migrated. A table that is not listed
has the name it has today, and so has a column. What an earlier version did not have stays empty.
"""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager

import apsw

from jotsam.core.errors import NotADatabase
from jotsam.core.records import Record
from jotsam.storage import metadata_index, migrations, tables
from jotsam.storage.sqlite import sqlite_backup, sqlite_tree
from jotsam.storage.sqlite.backup_files import PARTIAL
from jotsam.storage.sqlite.sqlite_connection import recorded
from jotsam.storage.sqlite.sqlite_restore import VOID_LEASES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Values = tuple[apsw.SQLiteValue, ...]

LEAF_ROWS = 200  # more than a page has in most cases
MOST_PROBES = 5_000_000  # ids of one table that are looked up one by one
UNREADABLE = (apsw.Error, UnicodeDecodeError)
OF_THIS_FILE = "jotsam_migration"
TABLES = "select name, rootpage from sqlite_schema where type = 'table' and rootpage > 0 order by rootpage"
SCHEMA_PAGES = "select pageno from dbstat where name = 'sqlite_schema'"
EARLIER_TABLES = {
    "allowed_secret": "allowed",
    "daily_spend": "spending",
    "date_range": "period",
    "llm_cache": "reading",
    "pattern_example": "exemplifies",
}

_TENANT = "(select memory.tenant from memory where memory.id = {})"
_UUID = f"""lower({" || '-' || ".join(f"hex(randomblob({size}))" for size in (4, 2, 2, 2, 6))})"""
# What a row of an earlier version has in a column that it does not have by this name, in SQL.
VALUES: dict[tuple[str, str], str] = {
    ("api_token", "purpose"): "'api'",
    ("daily_spend", "reserved_cost"): "0.0",
    ("daily_spend", "reserved_tokens"): "0",
    ("daily_spend", "reserved_until"): "0",
    ("date_range", "tenant"): _TENANT.format("memory_id"),
    ("fact", "uuid"): _UUID,
    ("link", "tenant"): _TENANT.format("source_id"),
    ("llm_cache", "used_at"): "created_at",
    ("memory", "external_id"): "own_id",
    ("mention", "tenant"): _TENANT.format("memory_id"),
    ("pattern_example", "tenant"): _TENANT.format("memory_id"),
    ("queue_clock", "id"): "one",
    ("tombstone_key", "version"): "1",
    ("triage", "judged_by"): "''",
}


class LostRows(Record):
    """Rows of a table that cannot be read: a range of ids, or an unknown number if the ids are None."""

    table: str
    first: int | None = None
    last: int | None = None


def salvage(damaged: str, new: str) -> tuple[int, list[LostRows]]:
    """Copy all rows that can be read to `new`, an empty database of the current schema. Returns how many, and the lost.

    Raises `NotADatabase` if not even the names of the tables can be read, and `SchemaTooNew`.
    """
    target = apsw.Connection(new, flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        with _readable(damaged, new, target) as source:
            target.execute("pragma foreign_keys = 0; begin")
            found = set(_tables(source))
            is_earlier = _is_earlier(source, damaged)
            lost, rows = [], 0
            for table in _copied(target):
                target.execute(f"delete from {table}")  # A new database has a row in some.
                name = table_of(table, found)
                copy = _TableCopy(source, target, table, name=name if is_earlier else None)
                if name is None or not copy.has_key:
                    lost += [] if is_earlier else [LostRows(table=table)]
                    continue
                copy.run()
                if copy.has_lost_many():
                    copy = _again_with_new_tree(source, target, copy, f"{new}{PARTIAL}-tree")
                rows += copy.rows
                lost += copy.lost
            if is_earlier:
                _index_metadata(target)
            _copy_sequences(source, target)
            _remove_dangling(target)
            for sql in VOID_LEASES.values():
                target.execute(sql)
            target.execute("commit")
    finally:
        target.close()
    return rows, lost


def _again_with_new_tree(source: apsw.Connection, target: apsw.Connection, copy: _TableCopy, path: str) -> _TableCopy:
    """Copy a table again from a file whose inner pages are made from its leaves. Returns the copy with more rows."""
    table, name = copy.table, copy.name or copy.table
    try:
        root = source.execute("select rootpage from sqlite_schema where name = ?", (name,)).get
        image, size = bytearray(source.serialize("main")), int(str(source.execute("pragma page_size").get))
        names = [str(one) for (one,) in source.execute("select name from sqlite_schema where rootpage > 0")]
    except UNREADABLE:
        return copy
    others = set().union(*(_pages(source, one) for one in ("sqlite_schema", *names) if one != name))
    sqlite_tree.rebuild(image, root=int(str(root)), size=size, others=others)
    with open(path, "wb") as file:
        file.write(image)
    with sqlite_backup.opened(path, is_used=False) as connection:
        again = _TableCopy(connection, target, table, name=copy.name)
        target.execute(f"delete from {table}")
        again.run()
    if again.rows >= copy.rows:
        return again
    target.execute(f"delete from {table}")
    copy = _TableCopy(source, target, table, name=copy.name)
    copy.run()
    return copy


def _pages(connection: apsw.Connection, name: str) -> set[int]:
    """The pages of a table or index, as far as they can be reached."""
    found: set[int] = set()
    try:
        for (page,) in connection.execute("select pageno from dbstat where name = ?", (name,)):
            found.add(int(str(page)))
    except UNREADABLE:
        pass
    return found


@contextmanager
def _readable(damaged: str, new: str, fresh: apsw.Connection) -> Iterator[apsw.Connection]:
    """A connection to the damaged file, or to a copy of it with its log, or to one with the schema of a new file."""
    log = damaged + "-wal"
    path, copy = damaged, f"{new}{PARTIAL}-copy"
    if os.path.exists(log) and os.path.getsize(log):
        shutil.copyfile(damaged, copy)
        shutil.copyfile(log, copy + "-wal")
        path = copy
    try:
        if not _is_readable(path):
            shutil.copyfile(damaged, copy)
            path = copy
            _replace_schema(copy, fresh)
            if not _is_readable(path):
                raise NotADatabase(f"{damaged}: nothing can be read; it is not a database of jotsam, or all is damaged")
        with sqlite_backup.opened(path, is_used=False) as connection:
            yield connection
    finally:
        sqlite_backup.remove_partials(os.path.dirname(copy), but=new)


def _is_readable(path: str) -> bool:
    try:
        with sqlite_backup.opened(path, is_used=False) as connection:
            return {"document", "memory"} & set(_tables(connection)) != set()
    except (*UNREADABLE, NotADatabase):
        return False


def _replace_schema(copy: str, fresh: apsw.Connection) -> None:
    """Overwrite the pages of the schema by those of a new file: files of one schema version have them in one place."""
    pages = [int(str(page)) for (page,) in fresh.execute(SCHEMA_PAGES)]
    size = int(str(fresh.execute("pragma page_size").get))
    image = fresh.serialize("main")
    with open(copy, "r+b") as file:
        count = os.path.getsize(copy) // size
        for page in pages:
            file.seek((page - 1) * size)
            file.write(image[(page - 1) * size : page * size])
        file.seek(28)
        file.write(count.to_bytes(4) + bytes(8))  # the number of pages, and an empty list of free ones


def _tables(connection: apsw.Connection) -> list[str]:
    return [str(name) for name, _ in connection.execute(TABLES)]


def _copied(target: apsw.Connection) -> list[str]:
    """The tables whose rows are copied. Others are made from these again, such as the text index."""
    known = {table.name for table in tables.TABLES.values() if not table.is_rebuilt} - {OF_THIS_FILE}
    return [name for name in _tables(target) if name in known]


def _is_earlier(source: apsw.Connection, path: str) -> bool:
    """Whether another version made the file. Raises `SchemaTooNew` for a version whose columns are not known here."""
    try:
        rows = recorded(source)
    except UNREADABLE:
        return False
    found = migrations.numbers(rows)
    migrations.check(path, found=found, wanted=migrations.newest_of("sqlite", found), migrate=True)
    return migrations.is_earlier(rows, dialect="sqlite")


class _TableCopy:
    """Copies one table, which has another name in an earlier file. `lost` are the rows that cannot be read, or break a
    constraint.
    """

    def __init__(self, source: apsw.Connection, target: apsw.Connection, table: str, *, name: str | None) -> None:
        self._source = source
        self.table = table
        self.name = name
        info = target.execute(f"pragma table_info({table})").fetchall()
        values = {str(row[1]): str(row[1]) for row in info}
        if name is not None:
            existing = [str(row[1]) for row in source.execute(f"pragma table_info({name})")]
            known = {column: value_of(table, column, existing) for column in values}
            values = {column: value for column, value in known.items() if value is not None}
        columns = list(values)
        self._key = [str(row[1]) for row in sorted(info, key=lambda row: int(str(row[5]))) if row[5]]
        kinds = {str(row[1]): str(row[2]).lower() for row in info}
        self._by_id = len(self._key) == 1 and kinds[self._key[0]] == "integer"
        # Without its key it is another table that had this name.
        self.has_key = set(self._key) <= values.keys()
        listed = ", ".join(f"{value} as {column}" for column, value in values.items())
        self._select = f"select {listed} from {name or table}"
        self._insert = f"insert into {table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"
        self._id_at = columns.index(self._key[0]) if self.has_key else 0
        self._target = target
        self.rows = 0
        self.lost: list[LostRows] = []

    def run(self) -> None:
        first = self._read_in_order("asc")
        if first is not None:
            last = self._read_in_order("desc")
            if self._by_id:
                self._probe(first, last if last is not None else first)
            else:
                self.lost.append(LostRows(table=self.table))

    def has_lost_many(self) -> bool:
        """Whether more is lost than a leaf page has."""
        return self._by_id and any((one.last or LEAF_ROWS) - (one.first or 0) >= LEAF_ROWS for one in self.lost)

    def _read_in_order(self, order: str) -> int | None:
        """Read from one end up to the first error. Returns the last id before it (0: none), or None for no error."""
        last, seen = 0, None
        try:
            by = ", ".join(f"{column} {order}" for column in self._key)
            for row in self._source.execute(f"{self._select} order by {by}"):
                if self._by_id:
                    number = row[self._id_at]
                    if not isinstance(number, int) or (seen is not None and (number > seen) != (order == "asc")):
                        return last  # The order is wrong, so the page is damaged.
                    seen = number
                if not self._store(row) and self._by_id:
                    self._lose(int(str(row[self._id_at])))
                last = seen or 0
        except UNREADABLE:
            return last
        return None

    def _probe(self, after: int, before: int) -> None:
        """Look up the ids between two one by one. Nothing was read from the end if `before` is 0."""
        end = before or self._highest() + 1
        for number in range(after + 1, min(end, after + MOST_PROBES)):
            try:
                row = self._source.execute(f"{self._select} where {self._key[0]} = ?", (number,)).fetchone()
            except UNREADABLE:
                self._lose(number)
                continue
            if row is not None and (row[self._id_at] != number or not self._store(row)):
                self._lose(number)
        if not after and not before and not self.rows:
            self.lost = [LostRows(table=self.table)]

    def _highest(self) -> int:
        """The highest id that was ever used."""
        try:
            sql = "select seq from sqlite_sequence where name = ?"
            return int(str(self._source.execute(sql, (self.table,)).get or 0))
        except (*UNREADABLE, ValueError):
            return 0

    def _store(self, row: Values) -> bool:
        if any(isinstance(value, str) and "\0" in value for value in row):
            return False  # No text is stored with NUL.
        try:
            self._target.execute(self._insert, row)
        except (apsw.ConstraintError, apsw.MismatchError):
            return False
        self.rows += self._target.changes()
        return True

    def _lose(self, number: int) -> None:
        if self.lost and self.lost[-1].last == number - 1:
            self.lost[-1] = self.lost[-1].replace(last=number)
        else:
            self.lost.append(LostRows(table=self.table, first=number, last=number))


def _index_metadata(target: apsw.Connection) -> None:
    """Make the index of metadata, which the first versions did not have, from the metadata."""
    target.execute("delete from metadata_index")
    for number, tenant, metadata in target.execute(
        "select id, tenant, metadata from memory where metadata is not null"
    ):
        rows = [(tenant, one, number) for one in metadata_index.hashes(str(metadata))]
        target.executemany("insert or ignore into metadata_index (tenant, hash, memory_id) values (?, ?, ?)", rows)


def _copy_sequences(source: apsw.Connection, target: apsw.Connection) -> None:
    """Ids of lost rows are not used again."""
    try:
        found = source.execute("select name, seq from sqlite_sequence").fetchall()
    except UNREADABLE:
        return
    for name, seq in found:
        if isinstance(seq, int) and 0 < seq < 1 << 53:
            target.execute("update sqlite_sequence set seq = max(seq, ?) where name = ?", (seq, name))


def _remove_dangling(target: apsw.Connection) -> None:
    """References to lost rows become null, or their row is removed if it cannot be without."""
    changed = True
    while changed:  # A row that is removed can be referred to.
        before = target.total_changes()
        for table in _copied(target):
            required = {str(row[1]) for row in target.execute(f"pragma table_info({table})") if row[3] or row[5]}
            for reference in target.execute(f"pragma foreign_key_list({table})").fetchall():
                parent, column, key = map(str, (reference[2], reference[3], reference[4]))
                what = f"delete from {table}" if column in required else f"update {table} set {column} = null"
                is_lost = f"{column} is not null and {column} not in (select {key} from {parent})"
                target.execute(f"{what} where {is_lost}")
        changed = target.total_changes() != before


def table_of(name: str, existing: Iterable[str]) -> str | None:
    """The table of an earlier file that is this one today; None if it has none."""
    return next((one for one in (name, EARLIER_TABLES.get(name)) if one in set(existing)), None)


def value_of(table: str, column: str, existing: Iterable[str]) -> str | None:
    """SQL for the value of a column in a row of an earlier file; None if such a row has no value for it."""
    if column in set(existing):
        return column
    value = VALUES.get((table, column))
    is_renamed = value is not None and value.isidentifier()
    return None if is_renamed and value not in set(existing) else value
