"""The rows of what is forgotten to the trash, as they were, and writing them again.

Which tables have such rows is in the registry; columns and references are read from the catalogue. So a part of the
trash can be restored after a later migration: a column that is new gets its default, and one that is gone is left out.
Like `table_copy`, this module builds SQL, from names of the catalogue alone.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode

from jotsam.core.names import MERGED
from jotsam.core.records import Record
from jotsam.storage import table_catalogue, tables
from jotsam.storage.table_catalogue import quoted, quoted_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Any

    from jotsam.storage.database import Row, Transaction, Value
    from jotsam.storage.table_catalogue import Catalogue, Reference

    Rows = dict[str, list[Row]]  # by table

BYTES = "base64"


class Cleared(Record):
    """A column that is null since the row that it referred to was forgotten: of a row that stays, or was restored."""

    table: str
    column: str
    row: Row  # all of it if it was restored; otherwise its key, and the column


def rows_of_forgotten(
    tx: Transaction, forgotten: Mapping[str, Iterable[int]], *, also: Mapping[str, Mapping[str, Collection[int]]]
) -> tuple[Rows, list[Cleared]]:
    """The rows that go when these are deleted, by table, and the columns that will be null in those that stay.

    `forgotten` has ids for each of `tables.FORGOTTEN`; `also` has more rows of a table, by the ids in a column. What
    these rows refer to and is known by a name, as entities are, is among them.
    """
    there = table_catalogue.catalogue(tx)
    known = [one for name in tables.TABLES for one in there.references.get(name, ())]
    gone = {name: {*ids} for name, ids in forgotten.items()}
    found: Rows = {}
    for name, table in tables.TABLES.items():
        if table.is_kept and name in there.columns:
            where = [("id", gone[name])] if name in gone else []
            where += [
                (one.column, gone[one.parent])
                for one in known
                if one.table == name and one.follows and one.parent in gone
            ]
            found[name] = _read(tx, there, name, [*where, *also.get(name, {}).items()])
            gone.get(name, set()).update(row["id"] for row in found[name] if name in gone)
    cleared = [
        Cleared(table=one.table, column=one.column, row=row)
        for one in known
        if one.clears and one.parent in gone and one.column not in tables.TABLES[one.table].replaced_by
        for row in _read(tx, there, one.table, [(one.column, gone[one.parent])], but=found.get(one.table, ()), of=one)
    ]
    for one in known:
        if one.table in found and tables.TABLES[one.parent].key and not one.clears:
            others = {row[one.column] for row in found[one.table]} - {None}
            named = found.setdefault(one.parent, [])
            named += _read(tx, there, one.parent, [("id", others)], but=named)
    return {name: rows for name, rows in found.items() if rows}, cleared


class Writer:
    """Writes rows in the order of their references, with the ids that they had. What is there by now stays as it is."""

    def __init__(self, tx: Transaction) -> None:
        self._tx, self._there = tx, table_catalogue.catalogue(tx)
        self._ids: dict[str, dict[int, int]] = {}  # by table: what has another id by now
        self.cleared: list[Cleared] = []  # in rows that are written

    def write(self, rows: Rows) -> None:
        """A row is left out if a row is gone that it cannot be without; a reference that it can be without is null."""
        for name in tables.TABLES:
            if name in self._there.columns and rows.get(name):
                self._write(name, rows[name])

    def refer(self, some: Iterable[Cleared]) -> None:
        """Set columns that are still null, of rows that exist, to what is restored."""
        for one in some:
            key = self._there.key(one.table, but=("tenant",))
            parent = next(of.parent for of in self._there.references[one.table] if of.column == one.column)
            values: dict[str, Value] = {f"k{number}": row for number, row in enumerate(_values(one.row, key))}
            values |= {"value": self._id_now(parent, one.row[one.column]), "tenant": self._tx.tenant}
            column = quoted(one.column)
            self._tx.execute(
                f"update {quoted(one.table)} set {column} = :value where tenant = :tenant and {column} is null"
                f" and {' and '.join(f'{quoted(name)} = :k{number}' for number, name in enumerate(key))}"
                f" and exists (select 1 from {quoted(parent)} p where p.id = :value and p.tenant = :tenant)",
                values,
            )

    def ids_now(self, table: str, ids: Iterable[int]) -> list[int]:
        """The ids that rows have now."""
        return [self._id_now(table, id) for id in ids]

    def _write(self, name: str, rows: Sequence[Row]) -> None:
        columns = tuple(column for column in self._there.columns[name] if column in rows[0])
        references = self._there.references.get(name, ())
        own = [one.column for one in references if one.parent == name and one.column in columns]
        written = [self._renamed({name: row[name] for name in columns if name in row}) for row in rows]
        for one in references:
            if one.column in columns and one.column not in own:
                written = self._with_reference(one, written)
        if key := tables.TABLES[name].key:
            written = self._new_names(name, key, written, own)
        later = [Cleared(table=name, column=column, row=row) for column in own for row in written if row[column]]
        self._add(name, [row | dict.fromkeys(own) for row in written])
        self.refer(later)
        known = self._existing(name, {one.row[one.column] for one in later})
        self.cleared += [one for one in later if one.row[one.column] not in known]

    def _with_reference(self, one: Reference, rows: list[Row]) -> list[Row]:
        """The rows with the ids that are theirs now."""
        ids = self._ids.get(one.parent, {})
        rows = [{**row, one.column: ids.get(row[one.column], row[one.column])} for row in rows]
        known = self._existing(one.parent, {row[one.column] for row in rows} - {None})
        lost = [row for row in rows if row[one.column] is not None and row[one.column] not in known]
        if not lost:
            return rows
        if not one.clears:
            return [row for row in rows if row[one.column] is None or row[one.column] in known]
        self.cleared += [Cleared(table=one.table, column=one.column, row=row) for row in lost]
        return [row if row[one.column] in known else {**row, one.column: None} for row in rows]

    def _new_names(self, name: str, key: tuple[str, ...], rows: list[Row], own: Iterable[str]) -> list[Row]:
        """Those rows whose name is not there, with an id that is theirs. The ids of all are noted."""
        known = self._by_name(name, key, rows)
        new = [row for row in rows if _values(row, key) not in known]
        taken = self._existing(name, (row["id"] for row in new))
        others = [row | dict.fromkeys(own) for row in new if row["id"] in taken]
        self._add(name, [{n: value for n, value in row.items() if n != "id"} for row in others])
        known = self._by_name(name, key, rows) if taken else known
        self._ids[name] = {row["id"]: known.get(_values(row, key)) or row["id"] for row in rows}
        return [{**row, "id": self._ids[name][row["id"]]} for row in new]

    def _by_name(self, name: str, key: tuple[str, ...], rows: Sequence[Row]) -> dict[tuple[Value, ...], int]:
        listed = json.dumps([*{row[key[-1]] for row in rows}])
        sql = (
            f"select id, {quoted_list(key)} from {quoted(name)}"
            f" where tenant = :tenant and {quoted(key[-1])} {self._among('texts')}"
        )
        found = self._tx.execute(sql, {"list": listed, "tenant": self._tx.tenant})
        return {_values(row, key): row["id"] for row in found}

    def _add(self, name: str, rows: Sequence[Row]) -> None:
        table_catalogue.add(self._tx, self._there.forms["insert"], name, rows)

    def _existing(self, name: str, ids: Iterable[int]) -> set[int]:
        listed = sorted({*ids})
        of_tenant = "tenant || '' = :tenant and " if "tenant" in self._there.columns[name] else ""
        sql = f"select id from {quoted(name)} where {of_tenant}id {self._among('ids')}"
        given = {"list": json.dumps(listed), "tenant": self._tx.tenant}
        return {row["id"] for row in self._tx.execute(sql, given)} if listed else set()

    def _among(self, form: str) -> str:
        return str(self._there.forms[form]).format(list=":list")

    def _id_now(self, name: str, id: int) -> int:
        return self._ids.get(name, {}).get(id, id)

    def _renamed(self, row: Row) -> Row:
        """A row whose extractor may be a merged entity."""
        extractor = row.get("extractor") or ""
        if not extractor.startswith(MERGED) or not extractor.removeprefix(MERGED).isdecimal():
            return row
        return {**row, "extractor": f"{MERGED}{self._id_now('entity', int(extractor.removeprefix(MERGED)))}"}


def encoded(some: Sequence[Rows]) -> str:
    """As JSON: for each table the columns, and a list of values for each row. Bytes are in Base64."""
    plain = [
        {name: [[*rows[0]], *([*row.values()] for row in rows)] for name, rows in one.items() if rows} for one in some
    ]
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), default=_encoded_bytes)


def decoded(text: str) -> list[Rows]:
    """The reverse of `encoded`."""
    return [
        {name: [dict(zip(columns, row, strict=True)) for row in rows] for name, (columns, *rows) in one.items()}
        for one in json.loads(text, object_hook=_decoded_bytes)
    ]


def _encoded_bytes(value: bytes) -> dict[str, str]:
    return {BYTES: b64encode(value).decode()}


def _decoded_bytes(value: dict[str, Any]) -> Any:
    return b64decode(value[BYTES]) if BYTES in value else value


def _values(row: Row, columns: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row[name] for name in columns)


def _read(
    tx: Transaction,
    there: Catalogue,
    name: str,
    where: Iterable[tuple[str, Collection[int]]],
    *,
    but: Iterable[Row] = (),
    of: Reference | None = None,
) -> list[Row]:
    """The rows of a table with one of the ids in one of the columns; with `of`, only their keys and that column."""
    key = there.key(name, but=("tenant",))
    columns = tuple(column for column in there.columns[name] if column != "tenant") if of is None else (*key, of.column)
    of_tenant = " and tenant || '' = :tenant" if tables.TABLES[name].is_of_tenant else ""
    found = {_values(row, key) for row in but}
    rows = []
    for column, ids in where:
        among = str(there.forms["ids"]).format(list=":list")
        sql = f"select {quoted_list(columns)} from {quoted(name)} where {quoted(column)} {among}{of_tenant}"
        for row in tx.execute(sql, {"list": json.dumps(sorted(ids)), "tenant": tx.tenant}) if ids else ():
            if _values(row, key) not in found:
                found.add(_values(row, key))
                rows.append(row)
    return rows
