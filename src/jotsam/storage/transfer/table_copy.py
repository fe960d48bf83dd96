"""Copying tables from one database to another: the list of tables, their rows in batches, and checksums.

The registry says which tables are copied, in what order, and which have rows of tenants: these are read and written one
tenant at a time. Columns are read from the catalogues, so that new ones need no change here. Like `kept_rows`, this
module builds SQL, from names of the catalogue alone.
"""

from __future__ import annotations

from functools import lru_cache

from jotsam.core.errors import DatabaseUnusable
from jotsam.core.records import Record
from jotsam.storage import table_catalogue, tables
from jotsam.storage.table_catalogue import quoted, quoted_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jotsam.storage.database import Row, Transaction, Value

TEXT_INDEX = ("text_index", "text_count")

OF_TENANT = "tenant = :tenant"

# The rows of one tenant in shared tables, for moving it alone. The order is that in which they can be removed.
_OF_QUEUE = "tenant = :tenant and queue in ({queues})"
_JOBS_OF_TENANT = f"select id from queue_job where {_OF_QUEUE}"
QUEUE_ROWS = {
    "queue_payload": f"job_id in ({_JOBS_OF_TENANT})",
    "queue_result": f"job_id in (select job_id from queue_attempt where {_OF_QUEUE} union {_JOBS_OF_TENANT})",
    "queue_key": _OF_QUEUE,
    "queue_attempt": _OF_QUEUE,
    "queue_count": _OF_QUEUE,
    "queue_job": _OF_QUEUE,
}
HELD_JOBS = "held_job"  # of a tenant that moves

JOBS, TOKENS = "queue_job", "api_token"

# Limits of a batch: the texts of a few rows can be as long as those of thousands.
FIRST_ROWS, MAX_ROWS, MAX_CHARACTERS = 50, 500, 4_000_000


class TableRows(Record):
    """A table that both databases have, with their common columns. `where` selects the rows of a tenant."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    where: str
    is_shared: bool  # no row belongs to a tenant, or only to that of a job
    summed: bool  # several rows may have one key
    own: tuple[str, ...] = ()  # columns that refer to a row of the same table, which may be copied later
    refers: bool = False  # the second pass: the rows exist, and only the columns in `own` are written


class Checksum(Record):
    """The number of rows and a checksum of their values that does not depend on the order."""

    rows: int = 0
    checksum: int = 0


def shared_tables(source: Transaction, target: Transaction) -> tuple[list[TableRows], list[str]]:
    """The tables of both databases in the order of their references, jobs last; and the names of the others in source.

    Raises `DatabaseUnusable` for a table that cannot be copied.
    """
    mine, theirs = table_catalogue.catalogue(source), table_catalogue.catalogue(target)
    copied = [one for one in tables.TABLES.values() if not one.left_out and one.name in mine.columns]
    found = [_rows(one, mine, theirs) for one in copied if one.name in theirs.columns]
    return found, sorted(mine.columns.keys() - {table.name for table in found} - tables.left_out())


def tables_of_tenant(source: Transaction, target: Transaction, queues: Sequence[str]) -> list[TableRows]:
    """The tables with rows of a tenant, in the order of their references, jobs last: for moving the tenant alone.

    Of the shared tables they select the jobs of the tenant in `queues`, and their history.
    """
    found, left = shared_tables(source, target)
    if missing := [name for name in left if name in tables.TABLES]:
        raise DatabaseUnusable(f"{target.url} has no table {missing[0]}: upgrade its schema with `jotsam db migrate`")
    there = table_catalogue.catalogue(target)
    held = _rows(tables.TABLES[HELD_JOBS], there, there).replace(is_shared=False, where=OF_TENANT)
    names = ", ".join(f"'{name}'" for name in queues)
    of_queue = {name: where.format(queues=names) for name, where in QUEUE_ROWS.items()}
    mine = [table for table in found if not table.is_shared]
    return [*mine, held, *(one.replace(where=of_queue[one.name]) for one in found if one.name in of_queue)]


def local_tables(tx: Transaction) -> list[TableRows]:
    """The tables with rows of a tenant that are removed when it moves, and not copied."""
    there = table_catalogue.catalogue(tx)
    return [_rows(one, there, there) for one in tables.TABLES.values() if one.is_local]


def remove(tx: Transaction, table: TableRows, tenant: str, *, limit: int) -> int:
    """Delete rows of a tenant. Returns how many."""
    key, name = quoted_list(table.key), quoted(table.name)
    some = f"select {key} from {name} where {table.where} order by {key} limit :limit"
    sql = f"with gone as (delete from {name} where {table.where} and ({key}) in ({some}) returning 1)"
    gone: int = tx.execute(f"{sql} select count(*) as gone from gone", {"tenant": tenant, "limit": limit})[0]["gone"]
    return gone


def remove_tenant(tx: Transaction) -> None:
    """Delete all rows of the tenant but for the queue and the text index."""
    for table in reversed(tables.TABLES.values()):
        if table.owner == tables.TENANT and not table.is_rebuilt:
            tx.execute(f"delete from {quoted(table.name)} where {OF_TENANT}", {"tenant": tx.tenant})


def tenants(tx: Transaction) -> list[str]:
    """The tenants of all visible rows, and of all tokens.

    Row-level security hides memory, but every tenant with memory has sent jobs.
    """
    there = table_catalogue.catalogue(tx).columns
    named = [name for name in tables.TABLES.keys() - tables.left_out() if "tenant" in there.get(name, ())]
    found = {row["tenant"] for name in named for row in tx.execute(f"select distinct tenant from {quoted(name)}")}
    if TOKENS in there:  # A database with only a queue has none.
        found |= {row["tenant"] for row in tx.all("tokens.tenants")}
    return sorted(found)


def count(tx: Transaction, table: TableRows, tenant: str | None) -> int:
    keys = f"select distinct {quoted_list(table.key)} from {quoted(table.name)}{_where(table.where)}"
    sql = f"select count(*) as found from ({keys}) keys"
    found: int = tx.execute(sql, {"tenant": tenant})[0]["found"]
    return found


def batches(
    tx: Transaction, table: TableRows, tenant: str | None, *, after: Sequence[Value] = ()
) -> Iterator[list[Row]]:
    """The rows of a tenant in the order of their key, after the key `after`."""
    limit = FIRST_ROWS
    while True:
        rows = tx.execute(_selection(table, bool(after)), {"tenant": tenant, "limit": limit, **_numbered(after)})
        if not rows:
            return
        yield rows
        after = key_of(table, rows[-1])
        limit = max(1, min(MAX_ROWS, limit * MAX_CHARACTERS // max(size(rows), 1)))


def key_of(table: TableRows, row: Row) -> tuple[Value, ...]:
    """The key of a row."""
    return tuple(row[column] for column in table.key)


def size(rows: Sequence[Row]) -> int:
    """The length of all strings and bytes in the rows."""
    return sum(len(value) for row in rows for value in row.values() if isinstance(value, str | bytes))


def write(tx: Transaction, table: TableRows, rows: Sequence[Row]) -> None:
    """Insert rows with their ids; references to the same table are written in a second pass, see `self_references`."""
    if table.refers:
        _write_references(tx, table, rows)
        return
    rows = [{**row, **dict.fromkeys(table.own)} for row in rows] if table.own else rows
    table_catalogue.insert(tx, table_catalogue.forms(tx)["insert"], table.name, table.columns, rows)


def self_references(table: TableRows) -> TableRows | None:
    """The second pass for a table whose rows refer to each other; None if they do not."""
    if not table.own:
        return None
    some = " or ".join(f"{quoted(column)} is not null" for column in table.own)
    where = " and ".join(filter(None, (table.where, f"({some})")))
    return table.replace(columns=(*table.key, *table.own), where=where, refers=True)


def lock(tx: Transaction, some: Sequence[TableRows]) -> None:
    """Block other writers of the tables until this transaction ends. On SQLite every write transaction does."""
    tx.execute(table_catalogue.forms(tx)["lock"].format(tables=", ".join(quoted(table.name) for table in some)))


def truncate(tx: Transaction, some: Sequence[TableRows]) -> None:
    """Delete all rows of the tables, of all tenants, and the text index."""
    form, there = table_catalogue.forms(tx)["truncate"], table_catalogue.catalogue(tx).columns
    index = [name for name in TEXT_INDEX if name in there]  # A database with only a queue has none.
    for name in (*index, *(table.name for table in reversed(some))):
        tx.execute(form.format(table=quoted(name)))


def add_rows(total: Checksum, rows: Sequence[Row], table: TableRows) -> Checksum:
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


def _rows(table: tables.Table, mine: table_catalogue.Catalogue, theirs: table_catalogue.Catalogue) -> TableRows:
    """The rows of a table. Its key is without the tenant, because rows are copied one tenant at a time."""
    name, but = table.name, ("tenant",) if table.is_of_tenant else ()
    columns = tuple(column for column in theirs.columns[name] if column in mine.columns[name])
    key = table.summed or theirs.key(name, but=but) or theirs.key(name)
    if not key or (not table.summed and {*key} != {*(mine.key(name, but=but) or mine.key(name))}):
        raise DatabaseUnusable(f"cannot copy table {name}: its primary key differs between the databases")
    references = theirs.references.get(name, ())
    return TableRows(
        name=name,
        columns=columns,
        key=key,
        where=OF_TENANT if table.is_of_tenant else "",
        is_shared=not table.is_of_tenant,
        summed=bool(table.summed),
        own=tuple(one.column for one in references if one.parent == name and one.column in columns),
    )


@lru_cache(maxsize=200)
def _selection(table: TableRows, begun: bool) -> str:
    key = quoted_list(table.key)
    conditions = [table.where] if table.where else []
    if begun:
        conditions.append(f"({key}) > ({', '.join(f':k{n}' for n in range(len(table.key)))})")
    columns = ", ".join(_selected(column, table) for column in table.columns)
    grouped = f" group by {key}" if table.summed else ""
    where = _where(" and ".join(conditions))
    return f"select {columns} from {quoted(table.name)}{where}{grouped} order by {key} limit :limit"


def _selected(column: str, table: TableRows) -> str:
    name = quoted(column)
    return f"cast(sum({name}) as bigint) as {name}" if table.summed and column not in table.key else name


def _numbered(values: Sequence[Value]) -> dict[str, Value]:
    return {f"k{number}": value for number, value in enumerate(values)}


def _write_references(tx: Transaction, table: TableRows, rows: Sequence[Row]) -> None:
    values = ", ".join(f"{quoted(name)} = :c{number}" for number, name in enumerate(table.own))
    key = " and ".join(f"{quoted(name)} = :k{number}" for number, name in enumerate(table.key))
    for row in rows:
        new = {f"c{number}": row[name] for number, name in enumerate(table.own)}
        tx.execute(f"update {quoted(table.name)} set {values} where {key}", {**new, **_numbered(key_of(table, row))})


def _where(condition: str) -> str:
    return f" where {condition}" if condition else ""


def _plain(value: Value) -> Value:
    """PostgreSQL cannot store NUL in text: there it was replaced."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value
