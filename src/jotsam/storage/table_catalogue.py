"""What a database says of its tables, and statements that are made of it: columns, keys and references.

Only `table_copy` and `kept_rows` build other SQL with it, from names of the catalogue alone.
"""

from __future__ import annotations

from functools import lru_cache

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jotsam.storage.database import Row, Transaction


class Reference(Record):
    """A column that refers to a row of another table."""

    table: str
    column: str
    parent: str
    follows: bool  # the row is deleted with its parent
    clears: bool  # the column is null when its parent is deleted


class Catalogue(Record):
    """By table: its columns with their positions in the primary key, and its references."""

    columns: dict[str, dict[str, int]]
    references: dict[str, tuple[Reference, ...]]
    forms: Row  # statements and conditions in which the databases differ

    def key(self, table: str, *, but: Sequence[str] = ()) -> tuple[str, ...]:
        """The columns of the primary key, but for some."""
        places = self.columns[table]
        key = sorted((name for name, place in places.items() if place), key=lambda name: places[name])
        return tuple(name for name in key if name not in but)


def catalogue(tx: Transaction) -> Catalogue:
    columns: dict[str, dict[str, int]] = {}
    for row in tx.all("table_catalogue.columns"):
        columns.setdefault(row["table"], {})[row["column"]] = row["place"]
    references: dict[str, tuple[Reference, ...]] = {}
    for row in tx.all("table_catalogue.references"):
        one = Reference(**{**row, "follows": bool(row["follows"]), "clears": bool(row["clears"])})
        references[one.table] = (*references.get(one.table, ()), one)
    return Catalogue(columns=columns, references=references, forms=forms(tx))


def forms(tx: Transaction) -> Row:
    row = tx.one("table_catalogue.forms")
    assert row is not None
    return row


def insert(tx: Transaction, form: str, table: str, columns: tuple[str, ...], rows: Sequence[Row]) -> None:
    """Insert rows with a statement of `forms`, in powers of two, so that few statements are prepared."""
    while rows:
        many = min(64, 1 << len(rows).bit_length() - 1)
        values = {f"c{c}_{r}": rows[r][name] for r in range(many) for c, name in enumerate(columns)}
        tx.execute(_insertion(form, table, columns, many), values)
        rows = rows[many:]


def add(tx: Transaction, form: str, table: str, rows: Sequence[Row]) -> None:
    """Add rows of the tenant, all with the same columns. What is there by now stays as it is."""
    if rows:
        form, mine = f"{form} on conflict do nothing", {"tenant": tx.tenant}
        insert(tx, form, table, (*rows[0], "tenant"), [{**row, **mine} for row in rows])


@lru_cache(maxsize=400)
def _insertion(form: str, table: str, columns: tuple[str, ...], many: int) -> str:
    rows = (f"({', '.join(f':c{c}_{r}' for c in range(len(columns)))})" for r in range(many))
    return form.format(table=quoted(table), columns=quoted_list(columns), rows=", ".join(rows))


def quoted_list(names: Sequence[str]) -> str:
    return ", ".join(map(quoted, names))


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
