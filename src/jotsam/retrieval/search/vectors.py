"""Vector retriever: the question's embedding, made before the snapshot, compared with the embeddings of memories.

Nothing is embedded inside a transaction, because a model or server may take long. A failure is reported in the footer,
and the other retrievers answer: also if the daily budget is used up, or the cost cannot be recorded.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput, JotsamError, install_extra
from jotsam.models.embedder_registry import metered
from jotsam.storage import vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from jotsam.models.embedder_registry import Embedder, EmbedderRegistry
    from jotsam.models.remote_embedder import Meter
    from jotsam.storage.database import Database, Transaction
    from jotsam.storage.search import Scope
    from jotsam.storage.vector_index import Nearest
    from jotsam.storage.vectors import Maker

MIN_COSINE = 0.2  # below it, texts are unrelated; without it every question would match everything
MAX_REASON = 200  # characters


class QuestionVectors:
    """The embeddings of one question, each with the embedder whose vectors it is compared with."""

    def __init__(self, embedded: Sequence[tuple[Maker, bytes]], failures: Sequence[str], nearest: Nearest) -> None:
        self.failures = tuple(failures)
        self._embedded = embedded
        self._nearest = nearest

    def search(self, tx: Transaction, scope: Scope, *, limit: int) -> dict[int, float]:
        """The nearest memories within the scope, by reference, each above 0; more is nearer. Raises `JotsamError`.

        During a change of the embedder there are two, and the scores of each are divided by its best.
        """
        found: dict[int, float] = {}
        for maker, vector in self._embedded:
            near = self._nearest.nearest(tx, vector, maker=maker, within=scope._values(), limit=limit)
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
        for maker, vector in self._embedded:
            near = self._nearest.cosines(tx, vector, maker=maker, refs=refs)
            best = max([MIN_COSINE, *near.values()]) if len(self._embedded) > 1 else 1.0
            compared |= {ref: score / best if score >= MIN_COSINE else 0.0 for ref, score in near.items()}
        return compared


def embed_question(
    database: Database,
    question: str,
    *,
    tenant: str,
    embedders: EmbedderRegistry,
    nearest: Nearest,
    meter: Callable[[str], Meter],
) -> QuestionVectors | None:
    """Embed a question with every embedder that has vectors. None without an embedder, or without a question.

    `meter` returns what accounts for the cost of a request, given the name of the model.
    """
    if not embedders.is_configured or not question.strip():
        return None
    try:
        configured = embedders.configured()
    except InvalidInput as error:
        return QuestionVectors((), [_failure(error)], nearest)
    with database.snapshot(tenant=tenant) as tx:
        makers = vectors.embedders(tx)
    embedded: list[tuple[Maker, bytes]] = []
    failures: list[str] = []
    for maker in makers:
        try:
            embedder = _embedder(maker, configured, embedders)
            embedded.append((maker, _embed(question, maker, metered(embedder, meter(maker.name)))))
        except JotsamError as error:
            failures.append(_failure(error))
    return QuestionVectors(embedded, failures, nearest)


def _embedder(maker: Maker, configured: Embedder, embedders: EmbedderRegistry) -> Embedder:
    embedder = configured if configured.name == maker.name else embedders.find(name=maker.name, location=maker.place)
    if embedder is None:
        raise InvalidInput(f"{maker.name} is not available any more; `jotsam embedder refresh` replaces its vectors")
    return embedder


def _embed(question: str, maker: Maker, embedder: Embedder) -> bytes:
    (vector,) = embedder.embed([question])
    if len(vector) != maker.dimension * 4:
        raise InvalidInput(f"{maker.name} returned {len(vector) // 4} dimensions; its vectors have {maker.dimension}")
    return vector


def _failure(error: JotsamError) -> str:
    reason = " ".join(str(error).split())
    return f"vectors ({reason if len(reason) <= MAX_REASON else reason[: MAX_REASON - 1] + '…'})"
