"""Makes a database of many tenants from one: the rows of a tenant are copied in bulk, under other tenants and ids.

Only for benchmarks. It runs as a superuser without triggers and foreign keys, and builds the indexes at the end, so
that ten million memories take minutes. Each tenant gets the texts of the first. Its lexemes get the prefix of the
tenant, as they have when they are written one by one.
"""

from __future__ import annotations

from typing import Any

from benchmarks.postgres.server import Server

SCHEMA = "jotsam"
IDS = {
    **{("memory", column): "memory" for column in ("id", "superseded_by")},
    **{(table, "memory_id"): "memory" for table in ("recall_count", "memory_tag", "metadata_index", "date_range")},
    **{(table, "memory_id"): "memory" for table in ("mention", "title", "change_word", "pattern_terms", "fact")},
    ("memory", "document_id"): "document",
    ("document", "id"): "document",
    ("fact", "id"): "fact",
    ("fact", "superseded_by"): "memory",
    ("entity", "id"): "entity",
    ("entity", "canonical_id"): "entity",
    ("mention", "entity_id"): "entity",
    ("link", "source_id"): "memory",
    ("link", "target_id"): "memory",
    ("text_index", "ref"): "memory",
    ("text_count", "id"): "text_count",
}
"""Columns that hold a number, and the table whose number it is."""

TABLES = (
    *("memory", "text_index", "text_count", "memory_tag", "metadata_index", "date_range", "title", "entity"),
    *("mention", "link", "fact", "change_word", "pattern_terms"),
)

Steps = dict[str, tuple[int, int]]

PREFIX = "left(encode(sha256(convert_to({tenant}, 'utf8')), 'base64'), 3)"


def multiply(server: Server, database: str, *, first: str, tenants: int, large: str = "", times: int = 0) -> None:
    """Copy what the tenant `first` has to this number of others, named "tenant 1" and so on.

    The tenant `large` gets it this number of `times`, with each entity once.
    """
    with server.connect(database) as connection:
        connection.execute(f"set search_path = {SCHEMA}, public")
        connection.execute("set session_replication_role = replica")
        connection.execute("set synchronous_commit = off")
        connection.execute("set maintenance_work_mem = '512MB'")
        steps = _steps(connection)
        shared = {**steps, "entity": (0, (tenants + 1) * steps["entity"][0])}
        indexes = _indexes(connection)
        for index, _ in indexes:
            connection.execute(f"drop index {index}")
        for table in TABLES:
            _copy(connection, table, steps, first=first, copies=(1, tenants), tenant="'tenant ' || k")
            last = tenants + (min(times, 1) if table == "entity" else times)
            _copy(connection, table, shared, first=first, copies=(tenants + 1, last), tenant=f"'{large}'")
        for _, definition in indexes:
            connection.execute(definition)
        _advance(connection)
        connection.execute("vacuum analyze")


def _steps(connection: Any) -> Steps:
    """How far apart the numbers of two copies are, and of the first from the original, for each table with numbers."""
    found = {}
    for table in {*IDS.values()}:
        (row,) = connection.execute(f"select coalesce(max(id), 0) from {table}")
        found[table] = (row[0] + 1, 0)
    return found


def _indexes(connection: Any) -> list[tuple[str, str]]:
    """The indexes that no constraint needs, with what makes them."""
    rows = connection.execute(
        """
        select i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid)
        from pg_index i
        where i.indrelid::regclass::text = any (%s)
          and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)
        """,
        [list(TABLES)],
    )
    return [(row[0], row[1].replace(" ON ONLY ", " ON ")) for row in rows]


def _copy(connection: Any, table: str, steps: Steps, *, first: str, copies: tuple[int, int], tenant: str) -> None:
    rows = connection.execute(
        "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 and not attisdropped"
        " order by attnum",
        [table],
    )
    columns = [row[0] for row in rows]
    values = ", ".join(_value(table, column, steps, first=first, tenant=tenant) for column in columns)
    over = " overriding system value" if "id" in columns else ""
    connection.execute(
        f"insert into {table} ({', '.join(columns)}){over}"
        f" select {values} from generate_series({copies[0]}, {copies[1]}) k cross join {table} t where t.tenant = %s",
        [first],
    )


def _value(table: str, column: str, steps: Steps, *, first: str, tenant: str) -> str:
    if column == "tenant":
        return tenant
    if (table, column) in IDS:
        step, offset = steps[IDS[table, column]]
        return f"t.{column} + k * {step} + {offset}"
    if column == "uuid":
        return "cast(cast(md5(t.uuid || k) as uuid) as text)"
    if column == "lexemes":
        before, after = PREFIX.format(tenant=f"'{first}'"), PREFIX.format(tenant=tenant)
        return f"cast(replace(' ' || cast(t.lexemes as text), ' ''' || {before}, ' ''' || {after}) as tsvector)"
    return f"t.{column}"


def _advance(connection: Any) -> None:
    """Let new rows get numbers that are free."""
    for table in {*IDS.values()}:
        connection.execute(f"select setval(pg_get_serial_sequence('{table}', 'id'), (select max(id) + 1 from {table}))")
