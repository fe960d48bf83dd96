"""The job `embed`: gives a batch of memories their vectors, and links those that mean nearly the same.

A job is about no certain memory, but about all of a tenant that wait for their vector: it takes the first of them,
embeds them outside any transaction, saves vectors and links in the transaction that acknowledges it, and sees there
whether more are waiting. So texts go to a server in batches, an embedder that is down holds up nothing else, and what
was remembered before there was an embedder is taken in like everything else.

A text that cannot be embedded is marked with the reason, and the others go on.
"""

from __future__ import annotations

import json

from jotsam.core.errors import InvalidInput, Malformed, ProviderUnavailable, Refused, RetryJob
from jotsam.core.job_records import JobSpec
from jotsam.core.names import EMBED
from jotsam.core.records import Record
from jotsam.models.embedder_registry import metered
from jotsam.storage import graph, queue, vectors
from jotsam.storage.budget import Order
from jotsam.storage.vector_index import between

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from jotsam.core.job_records import Job
    from jotsam.models.embedder_registry import Embedder, EmbedderRegistry
    from jotsam.queueing.loop import Handler
    from jotsam.storage.budget import Till
    from jotsam.storage.database import Database, Row, Transaction
    from jotsam.storage.vector_index import Nearest
    from jotsam.storage.vectors import Maker

BATCH = 64
SIMILAR_TO = "SIMILAR_TO"
PURPOSE = "embedding"
LEASE_MS = 120_000
ROUNDING = 1e-6


class Similar(Record):
    """To how many memories one is linked that mean nearly the same, and from which cosine on they do."""

    limit: int = 5
    threshold: float = 0.8


class _Done(Record):
    """What became of a batch: vectors and errors by the number of the memory."""

    found: Mapping[int, bytes]
    failed: Mapping[int, str]


def job_spec(tenant: str) -> JobSpec:
    """The job that embeds what waits in a tenant. Two at a time would embed the same."""
    return JobSpec(queue=EMBED, kind=EMBED, tenant=tenant, lease_ms=LEASE_MS, lane=EMBED, parallel=False)


def handler(
    database: Database, *, embedders: EmbedderRegistry, nearest: Nearest, similar: Similar, till: Till, price: float
) -> Handler:
    """A handler of `embed` jobs. What a server takes is paid at the `till`: `price` is that of a million tokens."""

    def embed(job: Job) -> Callable[[Transaction], None] | None:
        embedder = _opened(embedders)
        order = Order(tenant=job.tenant, job_id=job.id, model=embedder.name, purpose=PURPOSE)
        embedder = metered(embedder, till.by_tokens(order, price=price))
        with database.snapshot(tenant=job.tenant) as tx:
            rows = vectors.wanted(tx, limit=BATCH)
        done = _embedded(embedder, rows, alone=job.failures > 1)
        kin = _Kin(similar, done.found)
        with database.snapshot(tenant=job.tenant) as tx:
            known = vectors.maker(tx, embedder.name)
            if known:
                kin.look(tx, nearest, known)

        def save(tx: Transaction) -> None:
            if done.found:
                dimension = len(next(iter(done.found.values()))) // 4
                maker = vectors.begin(tx, name=embedder.name, place=embedder.location, dimension=dimension)
                kin.look_again(tx, maker)
                vectors.save(tx, done.found, maker=maker)
                kin.link(tx, maker)
            for number, error in done.failed.items():
                vectors.fail(tx, number=number, error=error)
            if vectors.wanting(tx):
                queue.ensure(tx, job_spec(job.tenant))

        return save

    return embed


def text(row: Row) -> str:
    """What is embedded of a memory: its text, and in front of it who said it, or under which heading it stood."""
    if row["actor"]:
        return f"{row['actor']}: {row['body']}"
    return f"{row['section']}\n{row['body']}" if row["section"] else str(row["body"])


def _opened(embedders: EmbedderRegistry) -> Embedder:
    try:
        return embedders.configured()
    except InvalidInput as error:  # No job can mend that: it is a matter of the settings, or of what is installed.
        raise ProviderUnavailable(str(error)) from error


def _embedded(embedder: Embedder, rows: Sequence[Row], *, alone: bool) -> _Done:
    """The whole batch at once; one by one where it is refused, or has failed repeatedly, to find the text at fault."""
    numbers, texts = [row["id"] for row in rows], [text(row) for row in rows]
    if not alone or len(rows) < 2:
        try:
            return _Done(found=dict(zip(numbers, embedder.embed(texts), strict=True)), failed={})
        except Refused as error:
            if len(rows) == 1:
                return _Done(found={}, failed={numbers[0]: str(error)})
    found: dict[int, bytes] = {}
    failed: dict[int, str] = {}
    for number, one in zip(numbers, texts, strict=True):
        try:
            (found[number],) = embedder.embed([one])
        except (Refused, Malformed) as error:
            failed[number] = str(error)
        except (RetryJob, ProviderUnavailable):
            if not found and not failed:
                raise
            break  # What was paid for is saved; the rest is still waiting.
    return _Done(found=found, failed=failed)


class _Kin:
    """The memories that mean nearly the same as those of a batch."""

    def __init__(self, similar: Similar, found: Mapping[int, bytes]) -> None:
        self._similar = similar
        self._found = found if similar.limit else {}
        self._near = dict(zip(self._found, between([*self._found.values()], [*self._found.items()]), strict=True))
        self._seen = 0

    def look(self, tx: Transaction, nearest: Nearest, maker: Maker) -> None:
        """Outside any writing: among all vectors that are there. The batch itself was looked through already."""
        limit = self._similar.limit + 1  # One that is embedded again finds itself.
        batch, least = [*self._found.values()], self._similar.threshold - ROUNDING
        self._add(nearest.alike(tx, batch, maker=maker, limit=limit, least=least))
        self._seen = vectors.seen(tx, maker=maker)

    def look_again(self, tx: Transaction, maker: Maker) -> None:
        """In the transaction that saves: among what another worker has saved meanwhile."""
        rows = vectors.since(tx, maker=maker, version=self._seen)
        self._add(between([*self._found.values()], [(row["memory_id"], row["bytes"]) for row in rows]))

    def link(self, tx: Transaction, maker: Maker) -> None:
        """Both ways, with the cosine; in place of the links that earlier vectors of these memories have made."""
        near = {number: self._nearest(number) for number in self._found}
        refs = json.dumps(sorted({ref for number, others in near.items() for ref in (number, *others)}))
        there = vectors.there(tx, refs=refs)  # Some may have been forgotten meanwhile.
        for number in near:
            graph.unlink(tx, number, type=SIMILAR_TO)
        for number, other, weight in _pairs(near):
            if number in there and other in there:
                for source, target in ((number, other), (other, number)):
                    graph.link(tx, source=source, target=target, type=SIMILAR_TO, weight=weight, extractor=maker.name)

    def _add(self, found: Sequence[Mapping[int, float]]) -> None:
        for number, near in zip(self._found, found, strict=True):
            self._near[number] = {**self._near[number], **near}

    def _nearest(self, number: int) -> dict[int, float]:
        least = self._similar.threshold - ROUNDING
        near = [(other, score) for other, score in self._near[number].items() if score >= least and other != number]
        near.sort(key=lambda one: (-one[1], one[0]))
        return dict(near[: self._similar.limit])


def _pairs(near: Mapping[int, Mapping[int, float]]) -> Iterator[tuple[int, int, float]]:
    for number, others in near.items():
        for other, score in others.items():
            yield number, other, round(min(score, 1.0), 4)
