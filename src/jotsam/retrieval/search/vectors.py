"""Vector retriever: the question's embedding, made before the snapshot, compared with the embeddings of memories.

Nothing is embedded inside a transaction, because a model or server may take long. A failure is reported in the footer,
and the other retrievers answer: also if the daily budget is used up, or the cost cannot be recorded.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput, JotsamError, install_extra
from jotsam.core.records import Record
from jotsam.models.embedder_registry import metered
from jotsam.retrieval.search.engine_candidates import nearest_of
from jotsam.storage.recall import vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from jotsam.models.embedder_registry import Embedder, EmbedderRegistry
    from jotsam.models.remote_embedder import Meter
    from jotsam.retrieval.search.engine_candidates import EngineCandidates
    from jotsam.storage.database import Database, Transaction
    from jotsam.storage.recall.search import Scope
    from jotsam.storage.recall.vector_index import Nearest
    from jotsam.storage.recall.vectors import Maker

MIN_COSINE = 0.1  # below it, texts are unrelated; without it every question would match everything
MAX_REASON = 200  # characters


class Embedded(Record):
    """The embedding of a question, and the embedder whose vectors it is compared with."""

    maker: Maker
    vector: bytes
    candidates: EngineCandidates | None = None  # of an engine; None: the database finds them


class QuestionVectors:
    """The embeddings of one question."""

    def __init__(self, embedded: Sequence[Embedded], failures: Sequence[str], nearest: Nearest) -> None:
        self.failures = tuple(failures)
        self._embedded = embedded
        self._nearest = nearest

    def search(self, tx: Transaction, scope: Scope, *, limit: int) -> dict[int, float]:
        """The nearest memories within the scope, by reference, each above 0; more is nearer. Raises `JotsamError`.

        During a change of the embedder there are two, and the scores of each are divided by its best.
        """
        found: dict[int, float] = {}
        for one in self._embedded:
            near = self._near(tx, one, scope, limit=limit)
            if near is None:
                raise JotsamError(f"vector search needs numpy or pgvector; {install_extra('embed')}")
            near = {ref: score for ref, score in near.items() if score >= MIN_COSINE}
            best = max(near.values(), default=1.0) if len(self._embedded) > 1 else 1.0
            found |= {ref: score / best for ref, score in near.items()}
        return found

    def compare(self, tx: Transaction, refs: Collection[int]) -> dict[int, float]:
        """How near each of these memories is, on the scale of `search` if they include all that it found.

        Those without a vector are left out; 0 is too far to be found.
        """
        compared: dict[int, float] = {}
        for one in self._embedded:
            near = self._nearest.cosines(tx, one.vector, maker=one.maker, refs=refs)
            best = max([MIN_COSINE, *near.values()]) if len(self._embedded) > 1 else 1.0
            compared |= {ref: score / best if score >= MIN_COSINE else 0.0 for ref, score in near.items()}
        return compared

    def _near(self, tx: Transaction, one: Embedded, scope: Scope, *, limit: int) -> dict[int, float] | None:
        near = None
        if one.candidates is not None:
            near = nearest_of(
                tx, one.candidates, one.vector, maker=one.maker, scope=scope, nearest=self._nearest, limit=limit
            )
        if near is None:
            near = self._nearest.nearest(tx, one.vector, maker=one.maker, within=scope._values(), limit=limit)
        return near


def embed_question(
    database: Database,
    question: str,
    *,
    tenant: str,
    embedders: EmbedderRegistry,
    nearest: Nearest,
    meter: Callable[[str], Meter],
    plan: Callable[[Transaction, Maker], Callable[[bytes], EngineCandidates] | None],
) -> QuestionVectors | None:
    """Embed a question with every embedder that has vectors. None without an embedder, or without a question.

    `meter` returns what accounts for the cost of a request, given the name of the model. `plan` returns what asks
    an engine for candidates, or None: it is asked here and not in the snapshot of the answer, because it may take long.
    """
    if not embedders.is_configured or not question.strip():
        return None
    try:
        configured = embedders.configured()
    except InvalidInput as error:
        return QuestionVectors((), [_failure(error)], nearest)
    with database.snapshot(tenant=tenant) as tx:
        plans = [(maker, plan(tx, maker)) for maker in vectors.embedders(tx)]
    embedded: list[Embedded] = []
    failures: list[str] = []
    for maker, ask in plans:
        try:
            embedder = _embedder(maker, configured, embedders)
            vector = _embed(question, maker, metered(embedder, meter(maker.name)))
        except JotsamError as error:
            failures.append(_failure(error))
            continue
        candidates = None
        try:
            candidates = ask(vector) if ask else None
        except JotsamError as error:
            failures.append(_failure(error, of="qdrant, so the database compared all vectors"))
        embedded.append(Embedded(maker=maker, vector=vector, candidates=candidates))
    return QuestionVectors(embedded, failures, nearest)


def _embedder(maker: Maker, configured: Embedder, embedders: EmbedderRegistry) -> Embedder:
    embedder = configured if configured.name == maker.name else embedders.find(name=maker.name, location=maker.place)
    if embedder is None:
        raise InvalidInput(f"{maker.name} is not available any more; `jotsam models refresh` replaces its vectors")
    return embedder


def _embed(question: str, maker: Maker, embedder: Embedder) -> bytes:
    (vector,) = embedder.embed([question])
    if len(vector) != maker.dimension * 4:
        raise InvalidInput(f"{maker.name} returned {len(vector) // 4} dimensions; its vectors have {maker.dimension}")
    return vector


def _failure(error: JotsamError, *, of: str = "vectors") -> str:
    reason = " ".join(str(error).split())
    return f"{of} ({reason if len(reason) <= MAX_REASON else reason[: MAX_REASON - 1] + '…'})"
