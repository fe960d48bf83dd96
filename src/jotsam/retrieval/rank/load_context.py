"""Read the context of the candidates from the database, in three queries. It scores nothing.

Archived turns are read too, as context of the turns around them."""

from __future__ import annotations

from heapq import nlargest
from itertools import chain

from jotsam.retrieval.rank.context import build_context, is_turn
from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from jotsam.retrieval.rank.context import Context, Row
    from jotsam.storage.database import Transaction
    from jotsam.storage.recall.search import Scope

STEPS = (("second_before", -2), ("before", -1), ("after", 1), ("second_after", 2))


def load_context(
    tx: Transaction, scope: Scope, candidates: Mapping[str, Mapping[int, float]], *, with_neighbours: int
) -> Context:
    """Read all candidates, and the turns around the best `with_neighbours` of each retriever."""
    rows = _rows(tx, scope, {ref for scores in candidates.values() for ref in scores})
    best = {ref for scores in candidates.values() for ref in nlargest(with_neighbours, scores, key=scores.__getitem__)}
    turns = {ref for ref in best & rows.keys() if is_turn(rows[ref])}
    neighbours: dict[int, dict[int, int]] = {}
    for row in search.sequence_neighbours(tx, refs=turns) if turns else ():
        steps = {step: row[name] for name, step in STEPS if row[name] is not None}
        neighbours[row["ref"]] = steps | neighbours.get(row["ref"], {})
    rows |= _rows(tx, scope, {*chain(*(steps.values() for steps in neighbours.values()))} - rows.keys())
    return build_context(rows, neighbours, alone=turns - neighbours.keys())


def _rows(tx: Transaction, scope: Scope, refs: Collection[int]) -> dict[int, Row]:
    found = search.ranking_fields(tx, scope, refs=refs, with_archived=True) if refs else []
    return {row["ref"]: row for row in found}
