"""The nearest vectors behind row-level security: an exact search against an HNSW index.

The index is pgvector's with its iterative scan, which continues until enough results belong to the tenant. The vectors
are seeded, of 384 numbers around 200 centres. Three tenants share one table with the policy of the memories: the first
has nearly all of it, the second a tenth, the third a hundredth. "Agreement" is the share of the exact result that the
index finds too. What is compared is processor time of the server, which a busy machine distorts less. The planner
chooses freely, and its choice is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter_ns

import numpy as np
import psycopg

from benchmarks.plan import Plan, main
from benchmarks.postgres.server import ROLE, Server
from benchmarks.report import Report, Table, duration, number

SIZES, QUICK_SIZES = (10_000, 100_000), (300,)
DIMENSION, CENTRES, SPREAD = 384, 200, 0.7
TENANTS = {"most": 89, "tenth": 10, "few": 1}
"""How many of a hundred vectors are each one's."""

LIMITS, ASKED = (10, 200), 30
"""The second is how many recall asks for, to have enough for its other legs to choose from."""

TABLE = """
create table probe (memory_id bigint primary key, tenant text not null, embedder_id bigint not null, value vector);
create index probe_tenant on probe (tenant, embedder_id);
alter table probe enable row level security, force row level security;
create policy tenant_isolation on probe using (tenant = nullif(current_setting('jotsam.tenant', true), ''))
"""
HNSW = "create index probe_hnsw on probe using hnsw ((value::vector(384)) vector_cosine_ops)"
FIND = """
select memory_id from probe where tenant = %(tenant)s and embedder_id = 1 order by {distance}, memory_id limit {limit}
"""
EXACT, BY_INDEX = "value <=> %(asked)s::vector", "value::vector(384) <=> %(asked)s::vector(384)"
WAYS = {"exact": "off", "HNSW, strict": "strict_order", "HNSW, relaxed": "relaxed_order"}


def measure(plan: Plan) -> Report:
    built, rows = [], list[tuple[str, ...]]()
    with Server(plan.folder) as server:
        for size in QUICK_SIZES if plan.quick else SIZES:
            database = server.new_database(durable=False, owner=ROLE)
            server.execute(database, "create extension vector")
            with psycopg.connect(server.url(database, ROLE), autocommit=True, prepare_threshold=None) as line:
                line.execute("set jit = off; set enable_seqscan = off")
                line.execute("set maintenance_work_mem = '1GB'")
                line.execute(TABLE)
                with server.connect(database) as superuser:
                    wrote = _filled(superuser, size)
                before, began = server.worked_ns(database), perf_counter_ns()
                line.execute(HNSW)
                took, worked = perf_counter_ns() - began, server.worked_ns(database) - before
                line.execute("vacuum analyze probe")
                more = _written(line, server, database, size)
                sizes = line.execute("select pg_table_size('probe'), pg_relation_size('probe_hnsw')").fetchone()
                table, index = sizes or (0, 0)
                built.append(
                    (f"{size:,}", duration(took), duration(worked), *(f"{n / size:,.0f} B" for n in (table, index)))
                )
                built[-1] += (duration(wrote / size), duration(more))
                for tenant in TENANTS:
                    for limit in LIMITS:
                        rows += _compared(plan, line, partial(server.worked_ns, database), (size, tenant, limit))
            server.drop(database)
        version = server.version
    columns = ("vectors", "index built in", "of that the leader computed", "table, of one", "index, of one")
    columns += ("copied without it", "inserted with it, computed")
    tables = [
        Table(caption="What the index costs.", columns=columns, rows=built),
        Table(
            caption="Asking.",
            columns=("vectors", "tenant", "nearest", "way", "server computed", "found", "agreement", "by"),
            rows=rows,
        ),
    ]
    return Report(tables=tables, conditions=(f"{ASKED} questions each", "not synced", "pgvector 0.8", version))


def _filled(line: psycopg.Connection, size: int) -> float:
    """Fill the table, as one whom no wall stops, for nothing can be copied through it; how long that took."""
    whose = np.random.default_rng(1).choice(list(TENANTS), size, p=[share / 100 for share in TENANTS.values()])
    began = perf_counter_ns()
    with line.cursor().copy("copy probe from stdin") as copy:
        for place, (tenant, vector) in enumerate(zip(whose, _vectors(size), strict=True)):
            copy.write_row((place, str(tenant), 1, _text(vector)))
    return perf_counter_ns() - began


def _written(line: psycopg.Connection, server: Server, database: str, size: int) -> float:
    """What one more costs while the index is there, in processor time."""
    more = _vectors(100, seed=5)
    line.execute("select set_config('jotsam.tenant', 'most', false)")
    before = server.worked_ns(database)
    for place, vector in enumerate(more):
        line.execute("insert into probe values (%s, 'most', 1, %s)", [size + place, _text(vector)])
    return (server.worked_ns(database) - before) / len(more)


def _compared(
    plan: Plan, line: psycopg.Connection, worked: Callable[[], int], what: tuple[int, str, int]
) -> list[tuple[str, ...]]:
    size, tenant, limit = what
    questions = [_text(vector) for vector in _vectors(plan.of(full=ASKED, quick=3), seed=3)]
    line.execute("select set_config('jotsam.tenant', %s, false)", [tenant])
    truth: list[list[int]] = []
    rows = []
    for name, scan in WAYS.items():
        line.execute(f"set hnsw.iterative_scan = {scan}")
        sql = FIND.format(distance=EXACT if name == "exact" else BY_INDEX, limit=limit)
        if name != "exact":
            sql = sql.replace(", memory_id limit", " limit")
        values = [{"tenant": tenant, "asked": question} for question in questions]
        line.execute(sql, values[0]).fetchall()
        before = worked()
        found = [[row[0] for row in line.execute(sql, value).fetchall()] for value in values]
        took = (worked() - before) / len(values)
        truth = truth or found
        how = "\n".join(row[0] for row in line.execute(f"explain (costs off) {sql}", values[0]).fetchall())
        chosen = "the index" if "probe_hnsw" in how else "the tenant's rows" if "probe_tenant" in how else "every row"
        seen = sum(map(len, found)) / len(found)
        rows.append(
            (
                f"{size:,}",
                tenant,
                str(limit),
                name,
                duration(took),
                number(seen),
                number(_agreement(truth, found)),
                chosen,
            )
        )
    return rows


def _agreement(truth: Sequence[Sequence[int]], found: Sequence[Sequence[int]]) -> float:
    return sum(len({*one} & {*other}) for one, other in zip(truth, found, strict=True)) / sum(map(len, truth))


def _vectors(count: int, seed: int = 0) -> np.ndarray:
    """Of length 1, around the same centres whatever the seed."""
    centres = np.random.default_rng(0).standard_normal((CENTRES, DIMENSION)).astype("<f4")
    dice = np.random.default_rng(seed + 10)
    near = centres[dice.integers(0, CENTRES, count)] + SPREAD * dice.standard_normal((count, DIMENSION)).astype("<f4")
    return near / np.linalg.norm(near, axis=1, keepdims=True)


def _text(vector: np.ndarray) -> str:
    return "[" + ",".join(f"{value:.5f}" for value in vector) + "]"


if __name__ == "__main__":
    main(measure, __doc__)
