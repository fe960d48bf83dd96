"""What a question means, as vectors: embedded by each model whose vectors are searched, before the answer's snapshot.

A model may take its time, and a server even more, so nothing is embedded inside a transaction. Whatever fails is told
in the answer's footer, and the other legs answer: also where the cap of the day is reached, or nothing can be paid.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput, JotsamError, install_extra
from jotsam.models.embedder_registry import metered
from jotsam.storage import vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jotsam.models.embedder_registry import Embedder, EmbedderRegistry
    from jotsam.models.remote_embedder import Meter
    from jotsam.storage.database import Database, Transaction
    from jotsam.storage.search import Scope
    from jotsam.storage.vector_index import Nearest
    from jotsam.storage.vectors import Maker

    Asked = tuple[Maker, bytes]

LEAST_COSINE = 0.2
"""What is further away has nothing to do with the question: without it, every question would find everything."""

LONGEST_REASON = 200


class Meaning:
    """The leg of vectors for one question: see `legs.Meaning`."""

    def __init__(self, asked: Sequence[Asked], missing: Sequence[str], nearest: Nearest) -> None:
        """`asked` holds the question's vectors, each with the maker of those that it is compared with."""
        self.missing = tuple(missing)
        self._asked = asked
        self._nearest = nearest

    def near(self, tx: Transaction, scope: Scope, *, depth: int) -> dict[int, float]:
        """How near memories are, by reference: the best `depth` within the scope. Raises `JotsamError`.

        While the vectors of a second embedder are being made, those of both are asked, each measured against its own
        best.
        """
        found: dict[int, float] = {}
        for maker, vector in self._asked:
            near = self._nearest.nearest(tx, vector, maker=maker, within=scope._values(), limit=depth)
            if near is None:
                raise JotsamError(f"neither the database nor numpy can compare them; {install_extra('embed')}")
            near = {ref: score for ref, score in near.items() if score >= LEAST_COSINE}
            best = max(near.values(), default=1.0) if len(self._asked) > 1 else 1.0
            found |= {ref: score / best for ref, score in near.items()}
        return found


def meaning(
    database: Database,
    question: str,
    *,
    tenant: str,
    embedders: EmbedderRegistry,
    nearest: Nearest,
    pay: Callable[[str], Meter],
) -> Meaning | None:
    """The leg of vectors, and what of it is missing, with the reason. None: no embedder is chosen, or nothing asked.

    `pay` says how a server is paid, given the name of its model.
    """
    if not embedders.is_configured or not question.strip():
        return None
    try:
        chosen = embedders.configured()
    except InvalidInput as error:
        return Meaning((), [_because(error)], nearest)
    with database.snapshot(tenant=tenant) as tx:
        makers = vectors.makers(tx)
    asked: list[Asked] = []
    missing: list[str] = []
    for maker in makers:
        try:
            embedder = _maker(maker, chosen, embedders)
            asked.append((maker, _embedded(question, maker, metered(embedder, pay(maker.name)))))
        except JotsamError as error:
            missing.append(_because(error))
    return Meaning(asked, missing, nearest)


def _maker(maker: Maker, chosen: Embedder, embedders: EmbedderRegistry) -> Embedder:
    embedder = chosen if chosen.name == maker.name else embedders.find(name=maker.name, location=maker.place)
    if embedder is None:
        raise InvalidInput(f"{maker.name} is not to be had any more; `jotsam embedder refresh` replaces what it made")
    return embedder


def _embedded(question: str, maker: Maker, embedder: Embedder) -> bytes:
    (vector,) = embedder.embed([question])
    if len(vector) != maker.dimension * 4:
        raise InvalidInput(f"{maker.name} gives {len(vector) // 4} numbers now, and gave {maker.dimension}")
    return vector


def _because(error: JotsamError) -> str:
    reason = " ".join(str(error).split())
    return f"vectors ({reason if len(reason) <= LONGEST_REASON else reason[: LONGEST_REASON - 1] + '…'})"
