"""Whole tables, for moving one database into another: what there is, its rows in parts, and sums to compare them by.

It reads the catalogue of the database, so a table that is new needs no word here. It is the one room that puts SQL
together, out of names from the catalogue and nothing else. A table `queue_...` is open to all; any other belongs to
tenants, by its column `tenant` or by the row that it refers to, and is read and written one tenant at a time.
"""

from __future__ import annotations

from functools import lru_cache

from jotsam.core.errors import DatabaseUnusable
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jotsam.storage.database import Row, Transaction, Value

LEFT_OUT = {
    "jotsam_migration": "what was applied to a database is its own affair",
    "jotsam_move": "how far a move has come",
    "worker_lease": "a worker does not move along",
    "words": "the index of words is made anew from the texts",
    "embedding_index": "the copy that pgvector compares is made anew from the vectors",
}
"""Tables that no move takes along, and why."""

COUNTED = {"queue_count": ("queue", "tenant", "kind", "hour")}
"""Tables of which a database may keep several rows for one key: what is not in the key are numbers to be added up."""

OPEN = "queue_"
SHARED = ("embedder", "spending")
"""Tables of memory that belong to all tenants together."""

JOBS = "queue_job"

FIRST_ROWS, MOST_ROWS, MOST_CHARACTERS = 50, 500, 4_000_000
"""Of one part: the texts of a few rows can be as long as those of thousands."""


class Table(Record):
    """A table that both databases have, as far as they share it. `where` says which of its rows are a tenant's."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    where: str
    folded: bool  # one of `COUNTED`
    own: tuple[str, ...] = ()  # columns that refer to a row of this same table, which may come later
    refers: bool = False  # its rows are there already, and lack what is in `own`

    @property
    def is_open(self) -> bool:
        return _is_open(self.name)


class Sum(Record):
    """How many rows there are, and a checksum of what is in them that knows no order."""

    rows: int = 0
    checksum: int = 0


def shared(source: Transaction, target: Transaction) -> tuple[list[Table], list[str]]:
    """The tables of both, those that others refer to first, the jobs last; and the names of what only the source has.

    Raises `DatabaseUnusable` for a table of which it cannot be said how to move it.
    """
    mine, theirs = _columns(source), _columns(target)
    parents = _parents(target)
    names = _ordered([name for name in mine if name in theirs and name not in LEFT_OUT], parents)
    tables = [_table(name, mine[name], theirs[name], parents, theirs) for name in names]
    return tables, sorted(mine.keys() - theirs.keys() - LEFT_OUT.keys())


def tenants(tx: Transaction) -> list[str]:
    """Everybody of whom there is a row. Behind a wall nothing is seen, but whoever has memory has sent jobs."""
    named = [name for name, columns in _columns(tx).items() if "tenant" in columns and name not in LEFT_OUT]
    return sorted(
        {row["tenant"] for name in named for row in tx.execute(f"select distinct tenant from {_quoted(name)}")}
    )


def count(tx: Transaction, table: Table, tenant: str | None) -> int:
    keys = f"select distinct {', '.join(map(_quoted, table.key))} from {_quoted(table.name)}{_having(table.where)}"
    sql = f"select count(*) as found from ({keys}) keys"
    found: int = tx.execute(sql, {"tenant": tenant})[0]["found"]
    return found


def parts(tx: Transaction, table: Table, tenant: str | None, *, after: Sequence[Value] = ()) -> Iterator[list[Row]]:
    """The rows of a tenant in the order of their key, beginning behind the key `after`, some at a time."""
    limit = FIRST_ROWS
    while True:
        rows = tx.execute(_selection(table, bool(after)), {"tenant": tenant, "limit": limit, **_numbered(after)})
        if not rows:
            return
        yield rows
        after = place(table, rows[-1])
        limit = max(1, min(MOST_ROWS, limit * MOST_CHARACTERS // max(size(rows), 1)))


def place(table: Table, row: Row) -> tuple[Value, ...]:
    """The key of a row."""
    return tuple(row[column] for column in table.key)


def size(rows: Sequence[Row]) -> int:
    """How many characters and bytes of text are in them."""
    return sum(len(value) for row in rows for value in row.values() if isinstance(value, str | bytes))


def write(tx: Transaction, table: Table, rows: Sequence[Row]) -> None:
    """Write rows with the numbers that they have, but without what refers to other rows of their table."""
    if table.refers:
        _refer(tx, table, rows)
        return
    forms = _forms(tx)["insert"]
    rows = [{**row, **dict.fromkeys(table.own)} for row in rows] if table.own else rows
    while rows:
        many = min(64, 1 << len(rows).bit_length() - 1)  # A few sizes, so that few statements have to be understood.
        values = {f"{c}_{r}": rows[r][name] for r in range(many) for c, name in _lettered(table.columns)}
        tx.execute(_insertion(forms, table, many), values)
        rows = rows[many:]


def referring(table: Table) -> Table | None:
    """What is written of a table when all its rows are there: which of them refer to others, and to which."""
    if not table.own:
        return None
    some = " or ".join(f"{_quoted(column)} is not null" for column in table.own)
    where = " and ".join(filter(None, (table.where, f"({some})")))
    return table.replace(columns=(*table.key, *table.own), where=where, refers=True)


def hold(tx: Transaction, tables: Sequence[Table]) -> None:
    """Until this transaction ends nobody else writes to the tables. A file that is written to is held as it is."""
    tx.execute(_forms(tx)["hold"].format(tables=", ".join(_quoted(table.name) for table in tables)))


def empty(tx: Transaction, tables: Sequence[Table]) -> None:
    """Remove every row of the tables, of all tenants, and the index of words with them."""
    form = _forms(tx)["empty"]
    index = ["words"] if any(not table.is_open for table in tables) else []  # A queue alone has none.
    for name in (*index, *(table.name for table in reversed(tables))):
        tx.execute(form.format(table=_quoted(name)))


def added(total: Sum, rows: Sequence[Row], table: Table) -> Sum:
    """The sum with these rows in it."""
    from hashlib import blake2b

    checksum = total.checksum
    for row in rows:
        line = repr([_plain(row[column]) for column in table.columns])
        checksum += int.from_bytes(blake2b(line.encode("utf-8", "surrogatepass"), digest_size=8).digest())
    return Sum(rows=total.rows + len(rows), checksum=checksum % (1 << 64))


def counters(tx: Transaction) -> dict[str, int]:
    """The highest id that each table has ever given."""
    return {row["table"]: row["highest"] for row in tx.all("tables.counters")}


def raise_counter(tx: Transaction, table: str, highest: int) -> None:
    """From now on the table gives ids above `highest`."""
    tx.all("tables.raise_counter", table=table, highest=highest)
    tx.all("tables.raise_counter_further", table=table, highest=highest)


def move(tx: Transaction) -> Row | None:
    """Of the move into this database that is under way: `source`, `state` of the source, `place`."""
    return tx.one("tables.move")


def begin_move(tx: Transaction, *, source: str, state: str) -> None:
    tx.run("tables.begin_move", source=source, state=state)


def go_on(tx: Transaction, *, before: str | None, place: str) -> bool:
    """The move has come as far as `place`. False: it is not where we left it, so somebody else moves too."""
    return tx.one("tables.go_on", before=before, place=place) is not None


def end_move(tx: Transaction) -> None:
    tx.run("tables.end_move")
    tx.run("tables.forget_move")


def _columns(tx: Transaction) -> dict[str, dict[str, int]]:
    """By table, its columns with their places in the primary key."""
    found: dict[str, dict[str, int]] = {}
    for row in tx.all("tables.columns"):
        found.setdefault(row["table"], {})[row["column"]] = row["place"]
    return found


def _parents(tx: Transaction) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in tx.all("tables.parents"):
        found.setdefault(row["table"], []).append(row)
    return found


def _ordered(names: list[str], parents: dict[str, list[Row]]) -> list[str]:
    """Whatever is referred to before whoever refers to it, and the jobs at the end."""
    ordered: list[str] = []

    def settle(name: str) -> None:
        if name in names and name not in ordered:
            for row in parents.get(name, ()):
                if row["parent"] != name:
                    settle(row["parent"])
            ordered.append(name)

    for name in sorted(names, key=lambda name: (name.startswith(OPEN), name == JOBS, name)):
        settle(name)
    return ordered


def _table(
    name: str,
    mine: dict[str, int],
    theirs: dict[str, int],
    parents: dict[str, list[Row]],
    all_columns: dict[str, dict[str, int]],
) -> Table:
    columns = tuple(column for column in theirs if column in mine)
    key = COUNTED.get(name) or tuple(sorted((column for column in columns if theirs[column]), key=lambda c: theirs[c]))
    if not key or any(bool(mine[column]) != (column in key) for column in columns if name not in COUNTED):
        raise DatabaseUnusable(f"the table {name} has not the same primary key in both databases: it cannot be moved")
    where = "" if _is_open(name) else _whose(name, parents, all_columns)
    own = tuple(row["column"] for row in parents.get(name, ()) if row["parent"] == name and row["column"] in columns)
    return Table(name=name, columns=columns, key=key, where=where, folded=name in COUNTED, own=own)


def _is_open(name: str) -> bool:
    return name.startswith(OPEN) or name in SHARED


def _whose(name: str, parents: dict[str, list[Row]], columns: dict[str, dict[str, int]]) -> str:
    """The condition that a row of a table is one of `:tenant`."""
    if "tenant" in columns[name]:
        return "tenant = :tenant"
    for row in parents.get(name, ()):
        if row["parent"] != name:
            column, parent, named = _quoted(row["column"]), _quoted(row["parent"]), _quoted(row["parent_column"])
            return f"{column} in (select {named} from {parent} where {_whose(row['parent'], parents, columns)})"
    raise DatabaseUnusable(f"of the table {name} nothing says whose its rows are: give it a tenant, or a reference")


@lru_cache(maxsize=200)
def _selection(table: Table, begun: bool) -> str:
    key = ", ".join(map(_quoted, table.key))
    conditions = [table.where] if table.where else []
    if begun:
        conditions.append(f"({key}) > ({', '.join(f':k{n}' for n in range(len(table.key)))})")
    columns = ", ".join(_folded(column, table) for column in table.columns)
    grouped = f" group by {key}" if table.folded else ""
    where = _having(" and ".join(conditions))
    return f"select {columns} from {_quoted(table.name)}{where}{grouped} order by {key} limit :limit"


def _folded(column: str, table: Table) -> str:
    name = _quoted(column)
    return f"cast(sum({name}) as bigint) as {name}" if table.folded and column not in table.key else name


@lru_cache(maxsize=400)
def _insertion(form: str, table: Table, many: int) -> str:
    rows = (f"({', '.join(f':{c}_{r}' for c, _ in _lettered(table.columns))})" for r in range(many))
    return form.format(table=_quoted(table.name), columns=", ".join(map(_quoted, table.columns)), rows=", ".join(rows))


def _lettered(columns: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(f"c{number}", name) for number, name in enumerate(columns)]


def _numbered(values: Sequence[Value]) -> dict[str, Value]:
    return {f"k{number}": value for number, value in enumerate(values)}


def _refer(tx: Transaction, table: Table, rows: Sequence[Row]) -> None:
    values = ", ".join(f"{_quoted(name)} = :c{number}" for number, name in enumerate(table.own))
    key = " and ".join(f"{_quoted(name)} = :k{number}" for number, name in enumerate(table.key))
    for row in rows:
        new = {f"c{number}": row[name] for number, name in enumerate(table.own)}
        tx.execute(f"update {_quoted(table.name)} set {values} where {key}", {**new, **_numbered(place(table, row))})


def _forms(tx: Transaction) -> Row:
    row = tx.one("tables.forms")
    assert row is not None
    return row


def _having(condition: str) -> str:
    return f" where {condition}" if condition else ""


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _plain(value: Value) -> Value:
    """A text may hold a NUL in one database, and not in the other: there it is a sign that says so."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value
