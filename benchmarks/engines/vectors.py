"""The nearest memories by Qdrant's embedded engine, by the database, and in memory, at 10,000 to a million memories.

    python -m benchmarks.engines.vectors [--db URL] [--steps 10000,100000] [--folder FOLDER]

The vectors are generated, with 384 dimensions: 200 subjects of 50 topics each, and memories around the topics. Real
texts lie in clusters too; uniform noise would have no near neighbours. All memories belong to one tenant. Each way
finds the 200 nearest that may be shown: "database" is vec1 on SQLite and pgvector on PostgreSQL, "memory" is numpy with
the vectors loaded, "engine" asks Qdrant for candidates, and has the database say which may be shown and compare them
again. "agreement" is the share of the exact 200 that the engine's way finds. Ways take turns; a figure is a median: on
SQLite of processor time of all threads, which a busy machine distorts less; on PostgreSQL of elapsed time.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

import jotsam
from benchmarks.timing import take_turns
from jotsam.core.clock import new_id
from jotsam.core.mirror_records import MirroredMemory, MirroredVector
from jotsam.core.records import Memory
from jotsam.engines.qdrant import QdrantEngine, open_engine
from jotsam.storage.memories import memories
from jotsam.storage.recall import vectors
from jotsam.storage.recall.vector_index import Nearest

DIMENSION, SUBJECTS, TOPICS = 384, 200, 50
TOPIC, SPREAD = 0.7, 0.4
LIMIT, ASKED, ROUNDS, BATCH = 200, 400, 9, 1_000
NAME = "clustered-384"
TEXT = "A memory of some forty characters or so."


class Clusters:
    def __init__(self) -> None:
        self._dice = np.random.default_rng(0)
        subjects = self._dice.standard_normal((SUBJECTS, 1, DIMENSION))
        topics = subjects + TOPIC * self._dice.standard_normal((SUBJECTS, TOPICS, DIMENSION))
        self._topics = topics.reshape(-1, DIMENSION).astype("<f4")

    def some(self, count: int) -> list[bytes]:
        chosen = self._topics[self._dice.integers(0, len(self._topics), count)]
        found = chosen + SPREAD * self._dice.standard_normal(chosen.shape).astype("<f4")
        return [row.tobytes() for row in (found / np.linalg.norm(found, axis=1, keepdims=True)).astype("<f4")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", help="a PostgreSQL server (default: a file of SQLite)")
    parser.add_argument("--steps", default="10000,100000,1000000")
    parser.add_argument("--folder", default=tempfile.gettempdir())
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jotsam-benchmark-", dir=given.folder) as folder:
        engine = open_engine(f"qdrant://{folder}/qdrant")
        engine.prepare()
        address = given.db or str(Path(folder) / "vectors.db")
        with jotsam.Jotsam(address, tenant=new_id(), worker="off") as jot:
            run(jot, engine, [int(step) for step in given.steps.split(",")], folder)
        engine.close()


def run(jot: jotsam.Jotsam, engine: QdrantEngine, steps: list[int], folder: str) -> None:
    clusters, there = Clusters(), 0
    print("memories | database ms | memory ms | engine ms | of it Qdrant ms | agreement | loading s | filling us | MB")
    for step in steps:
        began = perf_counter()
        spent = fill(jot, engine, clusters, step - there)
        print(f"# filled in {perf_counter() - began:.0f} s", flush=True)
        there = step
        print(
            f"{step:,} | {measure(jot, engine, clusters)} | {spent / step * 1e6:.0f} | {size(folder):.0f}", flush=True
        )


def fill(jot: jotsam.Jotsam, engine: QdrantEngine, clusters: Clusters, count: int) -> float:
    """Store memories with vectors in both. Returns the processor seconds that the engine took."""
    spent, empty = 0.0, dict.fromkeys(name for name in MirroredMemory._fields if name not in MirroredMemory._defaults)
    for start in range(0, count, BATCH):
        made = clusters.some(min(BATCH, count - start))
        with jot.database.transaction(durable=False, tenant=jot.settings.tenant) as tx:
            rows = [Memory(text=TEXT, id=new_id(), tenant=tx.tenant) for _ in made]
            numbers = [memories.save(tx, row, metadata=None, key=None, job_id=0) for row in rows]
            for number in numbers:
                vectors.want(tx, number=number)
            maker = vectors.begin_batch(tx, name=NAME, place="nowhere", dimension=DIMENSION)
            vectors.save(tx, dict(zip(numbers, made, strict=True)), maker=maker)
        mirrored = [
            MirroredMemory(
                **{**empty, "id": row.id, "digest": "", "content": TEXT, "tags": (), "created_at": 0},
                vector=MirroredVector(embedder=NAME, bytes=vector),
            )
            for row, vector in zip(rows, made, strict=True)
        ]
        began = process_time()
        engine.upsert(jot.settings.tenant, mirrored, version=1)
        spent += process_time() - began
    return spent


def measure(jot: jotsam.Jotsam, engine: QdrantEngine, clusters: Clusters) -> str:
    queries, loaded, tenant = iter(clusters.some(200)), Nearest(), jot.settings.tenant
    clock = perf_counter if jot.database.url.startswith("postgres") else process_time
    with jot.database.snapshot(tenant=tenant) as tx:
        (maker,) = vectors.embedders(tx)
        within, qdrant_ms = vectors.whole_scope(tx), list[float]()

        def by_engine(query: bytes) -> dict[int, float]:
            began = clock()
            near = engine.nearest(tenant, query, embedder=NAME, limit=ASKED, projects=None)
            qdrant_ms.append((clock() - began) * 1e3)
            refs = vectors.refs(tx, near)
            return Nearest().among(tx, query, maker=maker, within=within, refs=refs, limit=LIMIT)

        in_memory = partial(loaded.nearest, tx, maker=maker, within=within, limit=LIMIT)
        began = perf_counter()
        for query in clusters.some(2):  # The database answers the first.
            in_memory(query)
        loading = perf_counter() - began
        ways = {"memory": in_memory, "engine": by_engine}
        if tx.compares_vectors():
            ways["database"] = partial(vectors.nearest, tx, maker=maker, within=within, limit=LIMIT)
        agreed = []
        for query in clusters.some(20):
            exact, found = in_memory(query), by_engine(query)
            agreed.append(len(exact.keys() & found.keys()) / len(exact))

        def once(way: object) -> float:
            query = next(queries)
            began = clock()
            way(query)  # type: ignore[operator]
            return (clock() - began) * 1e3

        took = {name: statistics.median(found) for name, found in take_turns(ways, ROUNDS, once).items()}
    figures = [took.get("database", float("nan")), took["memory"], took["engine"], statistics.median(qdrant_ms)]
    return " | ".join([*(f"{one:.1f}" for one in figures), f"{statistics.mean(agreed):.4f}", f"{loading:.1f}"])


def size(folder: str) -> float:
    """Of the files of Qdrant, in MB."""
    found = sum(
        os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(f"{folder}/qdrant") for name in names
    )
    return found / 1e6


if __name__ == "__main__":
    main()
