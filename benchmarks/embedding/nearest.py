"""Latency of vector search and of similarity links, at 1,000 to 100,000 memories.

    python -m benchmarks.embedding.nearest [--db URL] [--most 100000]

The vectors are random, with 384 dimensions, around 200 centres. By the database: vec1 on SQLite, pgvector on
PostgreSQL. In memory: numpy. Linking is the time per memory of a batch of 64, from the search to the commit. Each
number is the best of several runs, because other processes on the machine make single runs many times slower.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

import jotsam
from benchmarks.timing import timed
from jotsam.core.clock import new_id
from jotsam.core.records import Memory
from jotsam.models.embedder_registry import EmbedderRegistry
from jotsam.storage.costs import ledger
from jotsam.storage.costs.budget import Budget
from jotsam.storage.memories import memories
from jotsam.storage.recall import vectors
from jotsam.storage.recall.vector_index import Nearest
from jotsam.worker.enrichment import embed

DIMENSION, BATCH, STEPS = 384, 64, (1_000, 10_000, 30_000, 100_000)


class Clusters:
    """An embedder without a model: each text gets a random vector near one of 200 centres."""

    name, location = "random-384", "nowhere"

    def __init__(self) -> None:
        self._dice = np.random.default_rng(0)
        self._centres = self._dice.standard_normal((200, DIMENSION)).astype("<f4")

    def embed(self, texts: list[str]) -> list[bytes]:
        chosen = self._centres[self._dice.integers(0, 200, len(texts))]
        found = chosen + 0.7 * self._dice.standard_normal(chosen.shape).astype("<f4")
        return [row.tobytes() for row in found / np.linalg.norm(found, axis=1, keepdims=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", help="a PostgreSQL server (default: a file of SQLite)")
    parser.add_argument("--most", type=int, default=STEPS[-1])
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="jotsam-benchmark-") as folder,
        jotsam.Jotsam(given.db or str(Path(folder) / "nearest.db"), tenant=new_id(), worker="off") as jot,
    ):
        run(jot, [step for step in STEPS if step <= given.most])


def run(jot: jotsam.Jotsam, steps: list[int]) -> None:
    clusters, there = Clusters(), 0
    embedders = EmbedderRegistry(jot.settings, timeout_ms=1)
    embedders.configured = lambda: clusters  # type: ignore[method-assign,assignment,return-value]
    budget = Budget(jot.database, cap=ledger.Cap(), timeout_ms=1_000)
    similar = embed.SimilarityOptions()
    handler = embed.handler(
        jot.database, embedders=embedders, nearest=Nearest(), similar=similar, budget=budget, price=0.0
    )
    print("memories | by the database ms | in memory ms | loading ms | linking ms per memory")
    for step in steps:
        fill(jot, clusters, step - there)
        asking = ask(jot, clusters)
        linking = link(jot, handler)
        there = step + 5 * BATCH
        print(f"{step:,} | {' | '.join(f'{took:.2f}' for took in (*asking, linking))}", flush=True)


def ask(jot: jotsam.Jotsam, clusters: Clusters) -> tuple[float, float, float]:
    """Milliseconds by the database, in memory, and for loading the vectors into memory."""
    tenant, copy = jot.settings.tenant, Nearest()
    (query,) = clusters.embed([""])
    with jot.database.snapshot(tenant=tenant) as tx:
        (maker,) = vectors.embedders(tx)
        within = vectors.whole_scope(tx)
        if tx.compares_vectors():
            copy.cosines(tx, query, maker=maker, tenant=tenant, refs=[])  # The first is answered by the database.
            by_database = timed(lambda: vectors.nearest(tx, query, maker=maker, within=within, limit=400), 15)
        else:
            by_database = [0]
        loading = timed(lambda: copy.cosines(tx, query, maker=maker, tenant=tenant, refs=[]), 1)
        in_memory = timed(lambda: copy.nearest(tx, query, maker=maker, within=within, limit=400), 15)
    return min(by_database) / 1e6, min(in_memory) / 1e6, min(loading) / 1e6


def fill(jot: jotsam.Jotsam, clusters: Clusters, count: int) -> None:
    """Store `count` memories with vectors, without jobs that link them."""
    tenant = jot.settings.tenant
    for start in range(0, count, 1_000):
        with jot.database.transaction(durable=False, tenant=tenant) as tx:
            numbers = [keep(tx, tenant) for _ in range(min(1_000, count - start))]
            maker = vectors.begin_batch(tx, name=clusters.name, place=clusters.location, dimension=DIMENSION)
            vectors.save(tx, dict(zip(numbers, clusters.embed([""] * len(numbers)), strict=True)), maker=maker)


def keep(tx: object, tenant: str) -> int:
    memory = Memory(text="A memory of some forty characters or so.", id=new_id(), tenant=tenant)
    number = memories.save(tx, memory, metadata=None, key=None, job_id=0)  # type: ignore[arg-type]
    vectors.want(tx, number=number)  # type: ignore[arg-type]
    return number


def link(jot: jotsam.Jotsam, handler: Callable[[object], Callable[[object], None] | None]) -> float:
    """Milliseconds per memory, after a first batch that loads the vectors."""

    class Job:
        id = 1
        tenant = jot.settings.tenant
        failures = 0

    def batch() -> None:
        save = handler(Job)
        assert save is not None
        with jot.database.transaction(durable=False) as tx:
            save(tx)

    took = []
    for _ in range(5):
        with jot.database.transaction(durable=False, tenant=Job.tenant) as tx:
            for _ in range(BATCH):
                keep(tx, Job.tenant)
        took += timed(batch, 1)
    return min(took[1:]) / 1e6 / BATCH


if __name__ == "__main__":
    main()
