"""The rows of one tenant in every table, as far as they are the same on every server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jotsam.core.names import EVERY_QUEUE
from jotsam.storage import connect

if TYPE_CHECKING:
    from jotsam.storage.database import Transaction

    Rows = dict[str, list[tuple[tuple[str, Any], ...]]]

COLUMNS = """
select c.relname as "table", array_agg(a.attname) as columns
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
group by c.relname
"""
BY_JOB = ("queue_payload", "queue_result")
SUMMED = {"queue_count": ("queue", "tenant", "kind", "hour"), "text_count": ("tenant",)}
# A counter of the server in one row of a tenant: another row has another value, and means the same.
OWN_VALUE = {"embedding": {"version"}, "text_count": {"id"}, "event": {"id", "xact"}, "queue_job": {"requeued"}}
OF_OTHERS = "queue not in ({})".format(", ".join(f"'{name}'" for name in EVERY_QUEUE))


def tables_with_columns(tx: Transaction) -> dict[str, set[str]]:
    return {row["table"]: {*row["columns"]} for row in tx.execute(COLUMNS)}


def without_tenant(url: str) -> set[str]:
    """The tables in which no row belongs to a tenant."""
    database = connect(url)
    with database.snapshot() as tx:
        found = {name for name, columns in tables_with_columns(tx).items() if "tenant" not in columns}
    database.close()
    return found - {*BY_JOB}


def rows_of_tenant(url: str, tenant: str, *, jobs: set[int] | None = None) -> tuple[Rows, set[int]]:
    """By table, also the empty ones; and the ids of the tenant's jobs. `jobs` adds jobs that the queue forgot.

    Ids of jobs are counted from the first, because all tenants of a server share them.
    """
    database = connect(url)
    with database.transaction() as tx:
        # A move that has ended refuses the tenant, and its rows must be looked for nevertheless.
        tx.execute("select set_config('jotsam.tenant', :tenant, true)", {"tenant": tenant})
        columns = tables_with_columns(tx)
        known = jobs or set()
        for name in ("queue_job", "queue_attempt"):
            id = "id" if name == "queue_job" else "job_id"
            sql = f"select {id} as id from {name} where tenant = :tenant and not ({OF_OTHERS})"
            known |= {row["id"] for row in tx.execute(sql, {"tenant": tenant})}
        embedders = {row["id"]: row["name"] for row in tx.execute("select id, name from embedder")}
        first = min(known, default=0)
        found: Rows = {}
        for name, has in sorted(columns.items()):
            if name in BY_JOB:
                where = f"job_id in ({', '.join(map(str, known)) or 'null'})"
            elif "tenant" in has:
                where = "tenant = :tenant" + (f" and not ({OF_OTHERS})" if "queue" in has else "")
            else:
                continue
            rows = [dict(row) for row in tx.execute(f"select * from {name} where {where}", {"tenant": tenant})]
            if name in SUMMED and rows:
                rows = _summed([_without(row, OWN_VALUE.get(name, set())) for row in rows], SUMMED[name])
            found[name] = sorted((_plain(name, row, first, embedders) for row in rows), key=repr)
    database.close()
    return found, known


def _plain(name: str, row: dict[str, Any], first: int, embedders: dict[int, str]) -> tuple[tuple[str, Any], ...]:
    row = _without(row, OWN_VALUE.get(name, set()))
    for column in ("id",) if name == "queue_job" else ("job_id",):
        if row.get(column):
            row[column] -= first
    if "embedder_id" in row:
        row["embedder_id"] = embedders.get(row["embedder_id"])
    if row.get("location"):
        row["location"] = re.sub(r"\d+$", lambda found: str(int(found[0]) - first), row["location"])
    return tuple(sorted(row.items()))


def _without(row: dict[str, Any], columns: set[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in columns}


def _summed(rows: list[dict[str, Any]], key: tuple[str, ...]) -> list[dict[str, Any]]:
    sums: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        of = sums.setdefault(tuple(row[name] for name in key), {name: row[name] for name in key})
        for name in row.keys() - {*key}:
            of[name] = of.get(name, 0) + row[name]
    return [*sums.values()]
