"""Copying tables from one database to another: the list of tables, their rows in batches, and checksums.

Tables and columns are read from the catalogue of the database, so that new ones need no change here. This is the only
module that builds SQL, from names of the catalogue alone. Tables named `queue_...` are shared. The others belong to
tenants, by a column `tenant` or by the row that they refer to, and are read and written one tenant at a time.
"""

from __future__ import annotations

from functools import lru_cache

from jotsam.core.errors import DatabaseUnusable
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jotsam.storage.database import Row, Transaction, Value

# Tables that are not copied, and why.
LEFT_OUT = {
    "jotsam_migration": "each database has its own migrations",
    "jotsam_copy": "the progress of a copy",
    "worker_lease": "the lease belongs to a process on the source",
    "event": "what happened on the source is not news on the target",
    "event_pruned": "it describes the events, which are not copied",
    "recording": "the server that records runs on the source",
    "text_index": "it is rebuilt from the texts",
    "text_count": "it is rebuilt with the text index",
    "engine": "an engine belongs to one database",
    "mirror_change": "it describes what engines of the source lack",
    "mirror_progress": "it describes what engines of the source hold",
    "embedding_index": "the copy for pgvector is rebuilt from the vectors",
    "tenant_move": "it describes how the source and a third database divide their tenants",
    "held_job": "no tenant moves while a database is copied",
}

TEXT_INDEX = ("text_index", "text_count")

# Tables that may have several rows for a key; the other columns are numbers to be added up.
SUMMED = {"queue_count": ("queue", "tenant", "kind", "hour")}

QUEUE_PREFIX = "queue_"

# The rows of one tenant in shared tables, for moving it alone. The order is that in which they can be removed.
_OF_TENANT = "tenant = :tenant and queue in ({queues})"
_JOBS_OF_TENANT = f"select id from queue_job where {_OF_TENANT}"
QUEUE_ROWS = {
    "queue_payload": f"job_id in ({_JOBS_OF_TENANT})",
    "queue_result": f"job_id in (select job_id from queue_attempt where {_OF_TENANT} union {_JOBS_OF_TENANT})",
    "queue_key": _OF_TENANT,
    "queue_attempt": _OF_TENANT,
    "queue_count": _OF_TENANT,
    "queue_job": _OF_TENANT,
}
HELD_JOBS = "held_job"  # of a tenant that moves
LOCAL = ("event", "mirror_progress", "mirror_change")  # rows of a tenant about one database

# Tables of memory without a tenant.
SHARED = ("embedder", "daily_spend", "model_use")

JOBS, TOKENS = "queue_job", "api_token"

# Limits of a batch: the texts of a few rows can be as long as those of thousands.
FIRST_ROWS, MAX_ROWS, MAX_CHARACTERS = 50, 500, 4_000_000


class Table(Record):
    """A table that both databases have, with their common columns. `where` selects the rows of a tenant."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    where: str
    summed: bool  # one of `SUMMED`
    own: tuple[str, ...] = ()  # columns that refer to a row of the same table, which may be copied later
    refers: bool = False  # the second pass: the rows exist, and only the columns in `own` are written

    @property
    def is_shared(self) -> bool:
        return _is_shared(self.name)


class Checksum(Record):
    """The number of rows and a checksum of their values that does not depend on the order."""

    rows: int = 0
    checksum: int = 0


def shared_tables(source: Transaction, target: Transaction) -> tuple[list[Table], list[str]]:
    """The tables of both databases in the order of their references, jobs last; and the names of those only in source.

    Raises `DatabaseUnusable` for a table that cannot be copied.
    """
    mine, theirs = _columns(source), _columns(target)
    parents = _parents(target)
    names = _ordered([name for name in mine if name in theirs and name not in LEFT_OUT], parents)
    tables = [_table(name, mine[name], theirs[name], parents, theirs) for name in names]
    return tables, sorted(mine.keys() - theirs.keys() - LEFT_OUT.keys())


def tables_of_tenant(source: Transaction, target: Transaction, queues: Sequence[str]) -> list[Table]:
    """The tables with rows of a tenant, in the order of their references, jobs last: for moving the tenant alone.

    Of the shared tables they select the jobs of the tenant in `queues`, and their history.
    """
    found, left = shared_tables(source, target)
    if left:
        raise DatabaseUnusable(f"{target.url} has no table {left[0]}: upgrade its schema with `jotsam migrate`")
    columns = _columns(target)
    held = _table(HELD_JOBS, columns[HELD_JOBS], columns[HELD_JOBS], {}, columns)
    names = ", ".join(f"'{name}'" for name in queues)
    of_queue = {name: where.format(queues=names) for name, where in QUEUE_ROWS.items()}
    mine = [table for table in found if not table.is_shared]
    return [*mine, held, *(one.replace(where=of_queue[one.name]) for one in found if one.name in of_queue)]


def local_tables(tx: Transaction) -> list[Table]:
    """The tables with rows of a tenant that are removed when it moves, and not copied."""
    columns = _columns(tx)
    return [_table(name, columns[name], columns[name], {}, columns) for name in LOCAL]


def remove(tx: Transaction, table: Table, tenant: str, *, limit: int) -> int:
    """Delete rows of a tenant. Returns how many."""
    key, name = ", ".join(map(_quoted, table.key)), _quoted(table.name)
    some = f"select {key} from {name} where {table.where} order by {key} limit :limit"
    sql = f"with gone as (delete from {name} where {table.where} and ({key}) in ({some}) returning 1)"
    gone: int = tx.execute(f"{sql} select count(*) as gone from gone", {"tenant": tenant, "limit": limit})[0]["gone"]
    return gone


def tenants(tx: Transaction) -> list[str]:
    """The tenants of all visible rows, and of all tokens.

    Row-level security hides memory, but every tenant with memory has sent jobs.
    """
    columns_by_table = _columns(tx)
    named = [name for name, columns in columns_by_table.items() if "tenant" in columns and name not in LEFT_OUT]
    found = {row["tenant"] for name in named for row in tx.execute(f"select distinct tenant from {_quoted(name)}")}
    if TOKENS in columns_by_table:  # A database with only a queue has none.
        found |= {row["tenant"] for row in tx.all("tokens.tenants")}
    return sorted(found)


def count(tx: Transaction, table: Table, tenant: str | None) -> int:
    keys = f"select distinct {', '.join(map(_quoted, table.key))} from {_quoted(table.name)}{_where(table.where)}"
    sql = f"select count(*) as found from ({keys}) keys"
    found: int = tx.execute(sql, {"tenant": tenant})[0]["found"]
    return found


def batches(tx: Transaction, table: Table, tenant: str | None, *, after: Sequence[Value] = ()) -> Iterator[list[Row]]:
    """The rows of a tenant in the order of their key, after the key `after`."""
    limit = FIRST_ROWS
    while True:
        rows = tx.execute(_selection(table, bool(after)), {"tenant": tenant, "limit": limit, **_numbered(after)})
        if not rows:
            return
        yield rows
        after = key_of(table, rows[-1])
        limit = max(1, min(MAX_ROWS, limit * MAX_CHARACTERS // max(size(rows), 1)))


def key_of(table: Table, row: Row) -> tuple[Value, ...]:
    """The key of a row."""
    return tuple(row[column] for column in table.key)


def size(rows: Sequence[Row]) -> int:
    """The length of all strings and bytes in the rows."""
    return sum(len(value) for row in rows for value in row.values() if isinstance(value, str | bytes))


def write(tx: Transaction, table: Table, rows: Sequence[Row]) -> None:
    """Insert rows with their ids; references to the same table are written in a second pass, see `self_references`."""
    if table.refers:
        _write_references(tx, table, rows)
        return
    forms = _forms(tx)["insert"]
    rows = [{**row, **dict.fromkeys(table.own)} for row in rows] if table.own else rows
    while rows:
        many = min(64, 1 << len(rows).bit_length() - 1)  # Powers of two, so that few statements are prepared.
        values = {f"{c}_{r}": rows[r][name] for r in range(many) for c, name in _lettered(table.columns)}
        tx.execute(_insertion(forms, table, many), values)
        rows = rows[many:]


def self_references(table: Table) -> Table | None:
    """The second pass for a table whose rows refer to each other; None if they do not."""
    if not table.own:
        return None
    some = " or ".join(f"{_quoted(column)} is not null" for column in table.own)
    where = " and ".join(filter(None, (table.where, f"({some})")))
    return table.replace(columns=(*table.key, *table.own), where=where, refers=True)


def lock(tx: Transaction, tables: Sequence[Table]) -> None:
    """Block other writers of the tables until this transaction ends. On SQLite every write transaction does."""
    tx.execute(_forms(tx)["lock"].format(tables=", ".join(_quoted(table.name) for table in tables)))


def truncate(tx: Transaction, tables: Sequence[Table]) -> None:
    """Delete all rows of the tables, of all tenants, and the text index."""
    form, there = _forms(tx)["truncate"], _columns(tx)
    index = [name for name in TEXT_INDEX if name in there]  # A database with only a queue has none.
    for name in (*index, *(table.name for table in reversed(tables))):
        tx.execute(form.format(table=_quoted(name)))


def add_rows(total: Checksum, rows: Sequence[Row], table: Table) -> Checksum:
    """The checksum with these rows included."""
    from hashlib import blake2b

    checksum = total.checksum
    for row in rows:
        line = repr([_plain(row[column]) for column in table.columns])
        checksum += int.from_bytes(blake2b(line.encode("utf-8", "surrogatepass"), digest_size=8).digest())
    return Checksum(rows=total.rows + len(rows), checksum=checksum % (1 << 64))


def counters(tx: Transaction) -> dict[str, int]:
    """The highest id ever assigned, by table. Raises `DatabaseUnusable` if the role may not know."""
    found = {row["table"]: row["highest"] for row in tx.all("table_copy.counters")}
    if None in found.values():
        raise DatabaseUnusable("this role may not read the id counters: copy as the role that owns the tables")
    return found


def raise_counter(tx: Transaction, table: str, highest: int) -> None:
    """Let the table assign ids above `highest`."""
    tx.all("table_copy.raise_counter", table=table, highest=highest)
    tx.all("table_copy.raise_counter_further", table=table, highest=highest)


def progress(tx: Transaction) -> Row | None:
    """The unfinished copy into this database: `source`, `state` of the source, `place`; or None."""
    return tx.one("table_copy.progress")


def begin(tx: Transaction, *, source: str, state: str) -> None:
    tx.run("table_copy.begin", source=source, state=state)


def advance(tx: Transaction, *, before: str | None, place: str) -> bool:
    """Save the progress. False if it is not `before`, because another process copies at the same time."""
    return tx.one("table_copy.advance", before=before, place=place) is not None


def end(tx: Transaction) -> None:
    tx.run("table_copy.end")
    tx.run("table_copy.forget_migration")


def _columns(tx: Transaction) -> dict[str, dict[str, int]]:
    """By table: its columns with their positions in the primary key."""
    found: dict[str, dict[str, int]] = {}
    for row in tx.all("table_copy.columns"):
        found.setdefault(row["table"], {})[row["column"]] = row["place"]
    return found


def _parents(tx: Transaction) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in tx.all("table_copy.parents"):
        found.setdefault(row["table"], []).append(row)
    return found


def _ordered(names: list[str], parents: dict[str, list[Row]]) -> list[str]:
    """Referenced tables before those that refer to them, and jobs at the end."""
    ordered: list[str] = []

    def add(name: str) -> None:
        if name in names and name not in ordered:
            for row in parents.get(name, ()):
                if row["parent"] != name:
                    add(row["parent"])
            ordered.append(name)

    for name in sorted(names, key=lambda name: (name.startswith(QUEUE_PREFIX), name == JOBS, name)):
        add(name)
    return ordered


def _table(
    name: str,
    mine: dict[str, int],
    theirs: dict[str, int],
    parents: dict[str, list[Row]],
    all_columns: dict[str, dict[str, int]],
) -> Table:
    columns = tuple(column for column in theirs if column in mine)
    key = SUMMED.get(name) or _key(name, theirs, columns)
    if not key or (name not in SUMMED and {*key} != {*_key(name, mine, columns)}):
        raise DatabaseUnusable(f"cannot copy table {name}: its primary key differs between the databases")
    where = "" if _is_shared(name) else _of_tenant(name, parents, all_columns)
    own = tuple(row["column"] for row in parents.get(name, ()) if row["parent"] == name and row["column"] in columns)
    return Table(name=name, columns=columns, key=key, where=where, summed=name in SUMMED, own=own)


def _key(name: str, places: dict[str, int], columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns of the primary key, without that of the tenant, because rows are copied one tenant at a time."""
    key = sorted((column for column in columns if places[column]), key=lambda column: places[column])
    return tuple(column for column in key if _is_shared(name) or column != "tenant")


def _is_shared(name: str) -> bool:
    return name.startswith(QUEUE_PREFIX) or name in SHARED


def _of_tenant(name: str, parents: dict[str, list[Row]], columns: dict[str, dict[str, int]]) -> str:
    """The condition that a row belongs to `:tenant`."""
    if "tenant" in columns[name]:
        return "tenant = :tenant"
    for row in parents.get(name, ()):
        if row["parent"] != name:
            column, parent, named = _quoted(row["column"]), _quoted(row["parent"]), _quoted(row["parent_column"])
            return f"{column} in (select {named} from {parent} where {_of_tenant(row['parent'], parents, columns)})"
    raise DatabaseUnusable(f"cannot copy table {name}: it has neither a tenant nor a reference to a table with one")


@lru_cache(maxsize=200)
def _selection(table: Table, begun: bool) -> str:
    key = ", ".join(map(_quoted, table.key))
    conditions = [table.where] if table.where else []
    if begun:
        conditions.append(f"({key}) > ({', '.join(f':k{n}' for n in range(len(table.key)))})")
    columns = ", ".join(_selected(column, table) for column in table.columns)
    grouped = f" group by {key}" if table.summed else ""
    where = _where(" and ".join(conditions))
    return f"select {columns} from {_quoted(table.name)}{where}{grouped} order by {key} limit :limit"


def _selected(column: str, table: Table) -> str:
    name = _quoted(column)
    return f"cast(sum({name}) as bigint) as {name}" if table.summed and column not in table.key else name


@lru_cache(maxsize=400)
def _insertion(form: str, table: Table, many: int) -> str:
    rows = (f"({', '.join(f':{c}_{r}' for c, _ in _lettered(table.columns))})" for r in range(many))
    return form.format(table=_quoted(table.name), columns=", ".join(map(_quoted, table.columns)), rows=", ".join(rows))


def _lettered(columns: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(f"c{number}", name) for number, name in enumerate(columns)]


def _numbered(values: Sequence[Value]) -> dict[str, Value]:
    return {f"k{number}": value for number, value in enumerate(values)}


def _write_references(tx: Transaction, table: Table, rows: Sequence[Row]) -> None:
    values = ", ".join(f"{_quoted(name)} = :c{number}" for number, name in enumerate(table.own))
    key = " and ".join(f"{_quoted(name)} = :k{number}" for number, name in enumerate(table.key))
    for row in rows:
        new = {f"c{number}": row[name] for number, name in enumerate(table.own)}
        tx.execute(f"update {_quoted(table.name)} set {values} where {key}", {**new, **_numbered(key_of(table, row))})


def _forms(tx: Transaction) -> Row:
    row = tx.one("table_copy.forms")
    assert row is not None
    return row


def _where(condition: str) -> str:
    return f" where {condition}" if condition else ""


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _plain(value: Value) -> Value:
    """PostgreSQL cannot store NUL in text: there it was replaced."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value
