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
}
"""Columns that hold a number, and the table whose number it is."""

TABLES = (
    *("memory", "text_index", "memory_tag", "metadata_index", "date_range", "title", "entity", "mention", "link"),
    *("fact", "change_word", "pattern_terms"),
)

PREFIX = "left(encode(sha256(convert_to({tenant}, 'utf8')), 'base64'), 3)"


def multiply(server: Server, database: str, *, first: str, tenants: int) -> None:
    """Copy what the tenant `first` has to this number of others, named "tenant 1" and so on."""
    with server.connect(database) as connection:
        connection.execute(f"set search_path = {SCHEMA}, public")
        connection.execute("set session_replication_role = replica")
        connection.execute("set synchronous_commit = off")
        connection.execute("set maintenance_work_mem = '512MB'")
        steps = _steps(connection)
        indexes = _indexes(connection)
        for index, _ in indexes:
            connection.execute(f"drop index {index}")
        for table in TABLES:
            _copy(connection, table, steps, first=first, tenants=tenants)
        for _, definition in indexes:
            connection.execute(definition)
        _advance(connection)
        connection.execute("vacuum analyze")


def _steps(connection: Any) -> dict[str, int]:
    """How far apart the numbers of two tenants are, for each table that has numbers."""
    found = {}
    for table in {*IDS.values()}:
        (row,) = connection.execute(f"select coalesce(max(id), 0) from {table}")
        found[table] = row[0] + 1
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


def _copy(connection: Any, table: str, steps: dict[str, int], *, first: str, tenants: int) -> None:
    columns = [
        row[0]
        for row in connection.execute(
            "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 and not attisdropped"
            " and attgenerated = '' order by attnum",
            [table],
        )
    ]
    values = ", ".join(_value(table, column, steps, first) for column in columns)
    over = " overriding system value" if "id" in columns else ""
    connection.execute(
        f"insert into {table} ({', '.join(columns)}){over}"
        f" select {values} from generate_series(1, {tenants}) k cross join {table} t where t.tenant = %s",
        [first],
    )


def _value(table: str, column: str, steps: dict[str, int], first: str) -> str:
    if column == "tenant":
        return "'tenant ' || k"
    if (table, column) in IDS:
        return f"t.{column} + k * {steps[IDS[table, column]]}"
    if column == "uuid":
        return "cast(cast(md5(t.uuid || k) as uuid) as text)"
    if column == "lexemes":
        before, after = PREFIX.format(tenant=f"'{first}'"), PREFIX.format(tenant="'tenant ' || k")
        return f"cast(replace(' ' || cast(t.lexemes as text), ' ''' || {before}, ' ''' || {after}) as tsvector)"
    return f"t.{column}"


def _advance(connection: Any) -> None:
    """Let new rows get numbers that are free."""
    for table in {*IDS.values()}:
        connection.execute(f"select setval(pg_get_serial_sequence('{table}', 'id'), (select max(id) + 1 from {table}))")
