"""The latency of an answer when every memory has a vector and a model embeds the question.

The memories and questions are those of `recall.latency`. The vectors of the memories are random, because the time does
not depend on their content. The question is embedded by the model in the folder that `JOTSAM_EMBED_MODEL` names, or by
hashing without one. What the first answer of a process loads once is not counted in p50 and p95.
"""

from __future__ import annotations

import os

import numpy as np

import jotsam
from benchmarks.child import Child
from benchmarks.plan import Plan, main
from benchmarks.recall.latency import ASKED, ASKER, bounded, fill, first_answer
from benchmarks.report import Bound, Report, Table, duration
from benchmarks.timing import percentile
from jotsam.models.embedder_registry import HASHING, EmbedderRegistry
from jotsam.storage.recall import vectors

SIZES = (10_000, 100_000)
ANSWER_MS = {10_000: (50, 150), 100_000: (150, 300)}
SLICE = 2_000


def measure(plan: Plan) -> Report:
    model = os.environ.get("JOTSAM_EMBED_MODEL") or HASHING
    rows, bounds = [], list[Bound]()
    for size in (500,) if plan.quick else SIZES:
        path = plan.folder / f"{size}.db"
        with jotsam.Jotsam(str(path), worker="off") as jot:
            fill(jot, size)
            embed(jot, model)
        with Child(ASKER) as asker:
            asker.ask("start", path=str(path), embed_model=model)
            times = sorted(wall for wall, _ in asker.ask("ask", count=plan.of(full=ASKED, quick=20)))
            used = asker.ask("peak")
        p50, p95 = percentile(times, 0.5), percentile(times, 0.95)
        fresh = first_answer(plan, path, JOTSAM_EMBED_MODEL=model)
        rows.append((f"{size:,}", duration(p50), duration(p95), duration(fresh), f"{used / 1024:,.0f} MiB"))
        bounds += bounded(f"an answer with vectors, {size:,} memories", p50, p95, ANSWER_MS.get(size, ()))
    caption = f"An answer of 2,000 tokens, the question embedded by {'hashing' if model == HASHING else 'a model'}."
    table = Table(caption=caption, columns=("memories", "p50", "p95", "new process", "peak memory"), rows=rows)
    return Report(tables=[table], bounds=bounds, conditions=(f"{ASKED} questions for each size", "one tenant, SQLite"))


def embed(jot: jotsam.Jotsam, model: str) -> None:
    """Give every memory a random vector, in the name of the model."""
    tenant, dice = jot.settings.tenant, np.random.default_rng(0)
    embedder = EmbedderRegistry(jot.settings.replace(embed_model=model), timeout_ms=1).configured()
    dimension = len(embedder.embed(["x"])[0]) // 4
    with jot.database.transaction(durable=False, tenant=tenant) as tx:
        vectors.want_all(tx, name=embedder.name)
    while True:
        with jot.database.transaction(durable=False, tenant=tenant) as tx:
            refs = [row["id"] for row in vectors.wanted(tx, limit=SLICE)]
            if not refs:
                return
            made = dice.standard_normal((len(refs), dimension)).astype("<f4")
            made /= np.linalg.norm(made, axis=1, keepdims=True)
            maker = vectors.begin_batch(tx, name=embedder.name, place=embedder.location, dimension=dimension)
            vectors.save(tx, {ref: row.tobytes() for ref, row in zip(refs, made, strict=True)}, maker=maker)


if __name__ == "__main__":
    main(measure, __doc__)
