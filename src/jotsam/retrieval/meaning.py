"""What a question means, as vectors: embedded by each model whose vectors are searched, before the answer's snapshot.

A model may take its time, and a server even more, so nothing here happens inside a transaction. Whatever fails is told
in the answer's footer, and the other legs answer.
"""

from __future__ import annotations

from jotsam.errors import InvalidInput, JotsamError
from jotsam.records import Record
from jotsam.storage import vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.models.embedders import Embedder, Embedders
    from jotsam.storage.database import Database
    from jotsam.storage.nearest import Nearest
    from jotsam.storage.vectors import Maker

LONGEST_REASON = 160


class Meaning(Record):
    """The question's vectors, each with the maker of those that it is compared with, and where to compare them."""

    asked: tuple[tuple[Maker, bytes], ...]
    missing: tuple[str, ...]  # what cannot be asked, and why
    nearest: Nearest


def meaning(
    database: Database, question: str, *, tenant: str, embedders: Embedders, nearest: Nearest
) -> Meaning | None:
    """None: no embedder is chosen, so nothing is missing."""
    if not embedders.is_chosen:
        return None
    try:
        chosen = embedders.chosen()
        with database.snapshot() as tx:
            tx.enter(tenant)
            makers = vectors.makers(tx, tenant=tenant)
    except InvalidInput as error:
        return Meaning(asked=(), missing=(_because(error),), nearest=nearest)
    found = [_asked(question, maker, chosen, embedders) for maker in makers] if question.strip() else []
    asked = tuple(one for one in found if not isinstance(one, str))
    return Meaning(asked=asked, missing=tuple(one for one in found if isinstance(one, str)), nearest=nearest)


def _asked(question: str, maker: Maker, chosen: Embedder, embedders: Embedders) -> tuple[Maker, bytes] | str:
    try:
        embedder = chosen if chosen.name == maker.name else embedders.maker(name=maker.name, place=maker.place)
        if embedder is None:
            return f"vectors of {maker.name} (it is not to be had any more: `jotsam embedder refresh`)"
        (vector,) = embedder.embed([question])
    except JotsamError as error:
        return _because(error)
    if len(vector) != maker.dimension * 4:
        return f"vectors of {maker.name} (it gives {len(vector) // 4} numbers now, and gave {maker.dimension})"
    return maker, vector


def _because(error: JotsamError) -> str:
    reason = " ".join(str(error).split())
    return f"vectors ({reason[:LONGEST_REASON]})"
