"""The job `embed`: computes vectors for a batch of memories, and links memories of similar meaning.

A job is not tied to certain memories: it takes the next batch of its tenant that has no vectors, embeds it outside any
transaction, saves vectors and links in the transaction that acknowledges the job, and sends another job if memories are
left. So servers get batches, an embedder outage delays nothing else, and memories stored before an embedder was
configured are included.

A text that cannot be embedded is marked as failed with the reason; the rest of the batch continues.
"""

from __future__ import annotations

import json

from jotsam.core.errors import InvalidInput, Malformed, ProviderUnavailable, Refused, RetryJob
from jotsam.core.job_records import JobSpec
from jotsam.core.names import EMBED
from jotsam.core.records import Record
from jotsam.models.embedder_registry import metered
from jotsam.storage import queue
from jotsam.storage.costs.budget import ModelCall
from jotsam.storage.graph import graph
from jotsam.storage.recall import vectors
from jotsam.storage.recall.vector_index import between

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from jotsam.core.job_records import Job
    from jotsam.models.embedder_registry import Embedder, EmbedderRegistry
    from jotsam.queueing.loop import Handler
    from jotsam.storage.costs.budget import Budget
    from jotsam.storage.database import Database, Row, Transaction
    from jotsam.storage.recall.vector_index import Nearest
    from jotsam.storage.recall.vectors import Maker

BATCH = 64
SIMILAR_TO = "SIMILAR_TO"
PURPOSE = "embedding"
LEASE_MS = 120_000
ROUNDING = 1e-6  # tolerance of cosine comparisons


class SimilarityOptions(Record):
    """Options for SIMILAR_TO links."""

    limit: int = 5  # links per memory; 0 turns them off
    threshold: float = 0.8  # minimum cosine similarity


class _Batch(Record):
    """The result of a batch, by memory number."""

    vectors: Mapping[int, bytes]
    errors: Mapping[int, str]

    def without(self, numbers: Sequence[int]) -> _Batch:
        """The batch without some memories."""
        return _Batch(
            vectors={number: vector for number, vector in self.vectors.items() if number not in numbers},
            errors={number: error for number, error in self.errors.items() if number not in numbers},
        )


def job_spec(tenant: str) -> JobSpec:
    """The job that embeds the next batch of a tenant. One at a time: two would embed the same memories."""
    return JobSpec(queue=EMBED, kind=EMBED, tenant=tenant, lease_ms=LEASE_MS, lane=EMBED, parallel=False)


def handler(
    database: Database,
    *,
    embedders: EmbedderRegistry,
    nearest: Nearest,
    similar: SimilarityOptions,
    budget: Budget,
    price: float,
) -> Handler:
    """A handler of `embed` jobs. Requests to a server are paid from the budget, at `price` per million tokens."""

    def embed(job: Job) -> Callable[[Transaction], None] | None:
        embedder = _open(embedders)
        call = ModelCall(tenant=job.tenant, job_id=job.id, model=embedder.name, purpose=PURPOSE)
        embedder = metered(embedder, budget.by_tokens(call, price=price))
        with database.snapshot(tenant=job.tenant) as tx:
            rows = vectors.wanted(tx, limit=BATCH)
        versions = {row["id"]: row["version"] for row in rows}
        read = _embed(embedder, rows, one_by_one=job.failures + job.interruptions > 1)
        links = _SimilarLinks(similar, read.vectors)
        with database.snapshot(tenant=job.tenant) as tx:
            known = vectors.embedder(tx, embedder.name)
            if known:
                links.search(tx, nearest, known)

        def save(tx: Transaction) -> None:
            changed = vectors.texts_changed(tx, versions)
            batch = read.without(changed)
            links.drop(changed)
            if batch.vectors:
                dimension = len(next(iter(batch.vectors.values()))) // 4
                maker = vectors.begin_batch(tx, name=embedder.name, place=embedder.location, dimension=dimension)
                links.search_new(tx, maker)
                vectors.save(tx, batch.vectors, maker=maker, versions=versions)
                links.save(tx, maker)
            for number, error in batch.errors.items():
                vectors.fail(tx, number=number, error=error)
            if vectors.count_wanted(tx):
                queue.ensure(tx, job_spec(job.tenant))

        return save

    return embed


def text(row: Row) -> str:
    """The text that is embedded for a memory: its body after the actor or the section heading."""
    if row["actor"]:
        return f"{row['actor']}: {row['body']}"
    return f"{row['section']}\n{row['body']}" if row["section"] else str(row["body"])


def _open(embedders: EmbedderRegistry) -> Embedder:
    try:
        return embedders.configured()
    except InvalidInput as error:  # Retrying cannot help: a setting or a library is missing.
        raise ProviderUnavailable(str(error)) from error


def _embed(embedder: Embedder, rows: Sequence[Row], *, one_by_one: bool) -> _Batch:
    """Embed a batch in one request, or one by one to isolate a text if the batch is refused or failed repeatedly."""
    numbers, texts = [row["id"] for row in rows], [text(row) for row in rows]
    if not one_by_one or len(rows) < 2:
        try:
            return _Batch(vectors=dict(zip(numbers, embedder.embed(texts), strict=True)), errors={})
        except Refused as error:
            if len(rows) == 1:
                return _Batch(vectors={}, errors={numbers[0]: str(error)})
    found: dict[int, bytes] = {}
    errors: dict[int, str] = {}
    for number, one in zip(numbers, texts, strict=True):
        try:
            (found[number],) = embedder.embed([one])
        except (Refused, Malformed) as error:
            errors[number] = str(error)
        except (RetryJob, ProviderUnavailable):
            if not found and not errors:
                raise
            break  # Save what was paid for; the rest stays pending.
    return _Batch(vectors=found, errors=errors)


class _SimilarLinks:
    """Finds the memories most similar to those of a batch, and links them."""

    def __init__(self, options: SimilarityOptions, found: Mapping[int, bytes]) -> None:
        self._options = options
        self._found = found if options.limit else {}
        self._near = dict(zip(self._found, between([*self._found.values()], [*self._found.items()]), strict=True))
        self._seen = 0

    def drop(self, numbers: Sequence[int]) -> None:
        """Link nothing to memories whose text has changed since it was read."""
        self._found = {number: vector for number, vector in self._found.items() if number not in numbers}
        self._near = {
            number: {other: score for other, score in near.items() if other not in numbers}
            for number, near in self._near.items()
            if number not in numbers
        }

    def search(self, tx: Transaction, nearest: Nearest, maker: Maker) -> None:
        """Search all stored vectors, outside a write transaction. The batch itself was compared in `__init__`."""
        limit = self._options.limit + 1  # A memory that is embedded again finds itself.
        batch, least = [*self._found.values()], self._options.threshold - ROUNDING
        self._add(nearest.alike(tx, batch, maker=maker, limit=limit, least=least))
        self._seen = vectors.newest_version(tx, maker=maker)

    def search_new(self, tx: Transaction, maker: Maker) -> None:
        """Search the vectors that other workers saved after `search`. Runs in the transaction that saves."""
        rows = vectors.since(tx, maker=maker, version=self._seen)
        self._add(between([*self._found.values()], [(row["memory_id"], row["bytes"]) for row in rows]))

    def save(self, tx: Transaction, maker: Maker) -> None:
        """Replace the SIMILAR_TO links of the batch, in both directions, with the cosine as weight."""
        near = {number: self._nearest(number) for number in self._found}
        refs = json.dumps(sorted({ref for number, others in near.items() for ref in (number, *others)}))
        existing = vectors.states(tx, refs=refs)  # Some may have been forgotten since.
        for number in near:
            graph.clear_links_of_type(tx, number, type=SIMILAR_TO)
        for number, other, weight in _pairs(near):
            if number in existing and other in existing:
                for source, target in ((number, other), (other, number)):
                    graph.link(tx, source=source, target=target, type=SIMILAR_TO, weight=weight, extractor=maker.name)

    def _add(self, found: Sequence[Mapping[int, float]]) -> None:
        for number, near in zip(self._found, found, strict=True):
            self._near[number] = {**self._near[number], **near}

    def _nearest(self, number: int) -> dict[int, float]:
        least = self._options.threshold - ROUNDING
        near = [(other, score) for other, score in self._near[number].items() if score >= least and other != number]
        near.sort(key=lambda one: (-one[1], one[0]))
        return dict(near[: self._options.limit])


def _pairs(near: Mapping[int, Mapping[int, float]]) -> Iterator[tuple[int, int, float]]:
    for number, others in near.items():
        for other, score in others.items():
            yield number, other, round(min(score, 1.0), 4)
