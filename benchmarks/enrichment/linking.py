"""The cost of linking one more memory by the number of memories: PRECEDED_BY and patterns, and SIMILAR_TO.

The first thousand memories are enriched by the worker. All others are written as rows with what enrichment leaves
behind: their theme, five links, their patterns, and a vector of the hashing embedder. At each size fifty more are
added, and linking each is timed in a transaction of its own that is not synced: PRECEDED_BY and patterns by the
functions of the worker, without extraction; SIMILAR_TO by the handler of `embed` jobs, including the vector. The first
of them loads the vectors into memory and is reported separately.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter_ns
from typing import TYPE_CHECKING

import jotsam
from benchmarks.child import ROOT
from benchmarks.plan import Plan, main
from benchmarks.queue.chart import Series, chart
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import no_collection, percentile
from jotsam.core.names import EMBED
from jotsam.core.records import Memory
from jotsam.core.settings import Settings
from jotsam.models.embedder_registry import EmbedderRegistry
from jotsam.models.hashing_embedder import HashingEmbedder
from jotsam.pipeline.likeness.pattern_detection import frequent_terms
from jotsam.storage import queue
from jotsam.storage.costs import ledger
from jotsam.storage.costs.budget import Budget
from jotsam.storage.memories import memories
from jotsam.storage.recall import vectors
from jotsam.storage.recall.vector_index import Nearest
from jotsam.worker.enrichment import embed
from jotsam.worker.enrichment.enrich import extract_by_rules
from jotsam.worker.enrichment.links import link_to_earlier, update_patterns
from jotsam.worker.enrichment.save_extraction import save_extraction

if TYPE_CHECKING:
    from jotsam.queueing.loop import Handler
    from jotsam.storage.database import Transaction

SIZES, QUICK_SIZES = (1_000, 3_000, 10_000, 30_000, 100_000), (200, 400)
SAMPLE, SLICE = 50, 1_000
LIMIT = 2
CHART = ROOT / "docs" / "linking-cost.svg"
WORDS = ("billing", "search", "index", "cache", "worker", "queue", "server", "table", "login", "report", "backup")
PLAIN, SIMILAR = "PRECEDED_BY and patterns", "SIMILAR_TO"


def measure(plan: Plan) -> Report:
    sizes = QUICK_SIZES if plan.quick else SIZES
    took: dict[str, dict[int, list[float]]] = {PLAIN: {}, SIMILAR: {}}
    loading = {}
    filling = 0
    settings = Settings(db=str(plan.folder / "linking.db"), worker="off", embed_model="hashing")
    with jotsam.Jotsam(settings=settings) as jot:
        done = 0
        for size in sizes:
            began = perf_counter_ns()
            fill(jot, done, size, read=sizes[0])
            filling += perf_counter_ns() - began
            took[PLAIN][size] = [linked(jot, size + place) for place in range(SAMPLE)]
            handler = _handler(jot)
            loading[size], *took[SIMILAR][size] = [embedded(jot, handler, size + place) for place in range(SAMPLE)]
            done = size + SAMPLE
    if not plan.quick:
        _draw(took, CHART)
    return _report(sizes, took, loading, filling)


def fill(jot: jotsam.Jotsam, start: int, stop: int, *, read: int) -> None:
    """Memories from one number to before another; the first `read` of all are read by the rules."""
    for first in range(start, stop, SLICE):
        numbers = range(first, min(first + SLICE, stop))
        with jot.database.transaction(durable=False, tenant="default") as tx:
            if first < read:
                for place in numbers:
                    _put(tx, place)
                    _enrich(tx, place)
                rows = tx.execute("select id, body from memory where id not in (select memory_id from embedding)")
            else:
                rows = _write(tx, numbers)
            _embed(tx, rows)


def linked(jot: jotsam.Jotsam, place: int) -> float:
    """Nanoseconds of linking one more memory to those before it, and of noting its patterns."""
    with jot.database.transaction(durable=False, tenant="default") as tx:
        _put(tx, place)
        row = _row(tx, place)
        found = extract_by_rules(row)
        save_extraction(tx, row, found)
        with no_collection():
            began = perf_counter_ns()
            link_to_earlier(tx, row)
            update_patterns(tx, row, found)
            return perf_counter_ns() - began


def embedded(jot: jotsam.Jotsam, handler: Handler, place: int) -> float:
    """Nanoseconds of making the vector of one memory, and of linking it to what means nearly the same."""
    with jot.database.transaction(durable=False, tenant="default") as tx:
        vectors.want(tx, number=_row(tx, place)["id"])
        queue.send(tx, embed.job_spec("default"))
        (job,) = queue.receive(tx, queue=EMBED, owner="benchmark")
    with no_collection():
        began = perf_counter_ns()
        save = handler(job)
        assert save is not None
        with jot.database.transaction(durable=False, tenant=job.tenant) as tx:
            queue.delete(tx, job)
            save(tx)
        return perf_counter_ns() - began


def _handler(jot: jotsam.Jotsam) -> Handler:
    """As the worker makes it, with a copy of the vectors that is empty."""
    embedders = EmbedderRegistry(jot.settings, timeout_ms=1_000)
    budget = Budget(jot.database, cap=ledger.Cap(), timeout_ms=1_000)
    return embed.handler(
        jot.database,
        embedders=embedders,
        nearest=Nearest(),
        similar=embed.SimilarityOptions(),
        budget=budget,
        price=0.0,
    )


def _text(place: int) -> str:
    dice = random.Random(place)
    one, two, three = (dice.choice(WORDS) for _ in range(3))
    return f"We decided to move the {one} of {two} {place % 997} to a new {three}."


def _uuid(place: int) -> str:
    return f"00000000-0000-4000-8000-{place:012d}"


def _put(tx: Transaction, place: int) -> int:
    memory = Memory(text=_text(place), id=_uuid(place), tenant="default")
    return memories.save(tx, memory, metadata=None, key=None, job_id=0)


def _row(tx: Transaction, place: int) -> dict:
    row = memories.get(tx, uuid=_uuid(place))
    assert row is not None
    return row


def _enrich(tx: Transaction, place: int) -> None:
    row = _row(tx, place)
    found = extract_by_rules(row)
    save_extraction(tx, row, found)
    link_to_earlier(tx, row)
    update_patterns(tx, row, found)


def _write(tx: Transaction, numbers: range) -> list[dict]:
    """Memories as enrichment leaves them, in a few statements. Returns their numbers and texts."""
    rows = [
        {"uuid": _uuid(place), "body": _text(place), "terms": " ".join(frequent_terms(_text(place)))}
        for place in numbers
    ]
    given = {"rows": json.dumps(rows)}
    tx.execute(
        "insert into memory (uuid, tenant, body, type, type_by, confidence, job_id, created_at, enriched_at, extractor)"
        " select value ->> 'uuid', 'default', value ->> 'body', 'Decision', 'rules/2', 0.6, 0, :now, :now, 'rules/2'"
        " from json_each(:rows)",
        given,
    )
    first = tx.execute("select id from memory where uuid = :uuid", {"uuid": rows[0]["uuid"]})[0]["id"]
    tx.execute(
        "insert into pattern_terms (memory_id, tenant, type, terms)"
        " select m.id, 'default', 'Decision', value ->> 'terms' from json_each(:rows)"
        " join memory m on m.uuid = value ->> 'uuid'",
        given,
    )
    tx.execute(
        "insert into link (tenant, source_id, target_id, type, weight, created_at, extractor)"
        " select m.tenant, m.id, m.id - value, 'PRECEDED_BY', round(1.0 / (value + 1), 3), :now, 'rules/2'"
        " from memory m, json_each('[1, 2, 3, 4, 5]') where m.id >= :first",
        {"first": first},
    )
    tx.execute(
        "insert into pattern_example (tenant, pattern_id, memory_id, at) select p.tenant, p.id, t.memory_id, :now"
        " from pattern_terms t join pattern p on p.type = t.type and ' ' || t.terms || ' ' like '% ' || p.slug || ' %'"
        " where t.memory_id >= :first",
        {"first": first},
    )
    return tx.execute("select id, body from memory where id >= :first", {"first": first})


def _embed(tx: Transaction, rows: list[dict]) -> None:
    embedder = HashingEmbedder()
    maker = vectors.begin_batch(tx, name=embedder.name, place=embedder.location, dimension=embedder.dimension)
    given = {"ids": json.dumps([row["id"] for row in rows])}
    tx.execute(
        "insert into embedding (memory_id, tenant, wanted) select value, 'default', 1 from json_each(:ids)", given
    )
    found = dict(zip((row["id"] for row in rows), embedder.embed([row["body"] for row in rows]), strict=True))
    vectors.save(tx, found, maker=maker)


def _report(
    sizes: tuple[int, ...], took: dict[str, dict[int, list[float]]], loading: dict[int, float], filling: int
) -> Report:
    def ratio(kind: str) -> float:
        return percentile(took[kind][sizes[-1]], 0.5) / percentile(took[kind][sizes[0]], 0.5)

    rows = [
        (
            f"{size:,}",
            *(duration(percentile(took[kind][size], share)) for kind in took for share in (0.5, 0.95)),
            duration(loading[size]),
        )
        for size in sizes
    ]
    columns = ("memories", f"{PLAIN}, p50", "p95", f"{SIMILAR}, p50", "p95", "first, with loading")
    table = Table(caption="Linking one more memory.", columns=columns, rows=rows)
    promise = f"{PLAIN} at {sizes[-1]:,} memories, against {sizes[0]:,}"
    said = (
        f"{SIMILAR} looks at every vector: at {sizes[-1]:,} it takes"
        f" {number(ratio(SIMILAR))} times what it takes at {sizes[0]:,}. A job links up to {embed.BATCH} memories"
        " in one look, and here it links one."
    )
    return Report(
        tables=[table],
        bounds=[Bound(promise=promise, measured=ratio(PLAIN), limit=LIMIT)],
        conditions=(f"{SAMPLE} memories for each size", f"filling took {duration(filling)}"),
        remarks=[said],
    )


def _draw(took: dict[str, dict[int, list[float]]], path: Path) -> None:
    lines = [Series(name=kind, points=list(_points(by_size))) for kind, by_size in took.items()]
    title = "Linking latency by number of memories"
    path.write_text(chart(lines, title=title, across="memories", up="ms, p50"))


def _points(by_size: dict[int, list[float]]) -> Iterator[tuple[float, float]]:
    for size, times in by_size.items():
        yield size, percentile(times, 0.5) / 1e6


if __name__ == "__main__":
    main(measure, __doc__)
