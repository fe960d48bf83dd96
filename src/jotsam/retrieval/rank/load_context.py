"""Reads what stands around the candidates, in three queries. It must not judge, that is what `fuse` does."""

from __future__ import annotations

from heapq import nlargest
from itertools import chain

from jotsam.retrieval.rank.context import is_turn, surroundings
from jotsam.storage import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from jotsam.retrieval.rank.context import Around, Row
    from jotsam.storage.database import Transaction
    from jotsam.storage.search import Scope

STEPS = (("second_before", -2), ("before", -1), ("after", 1), ("second_after", 2))


def around(tx: Transaction, scope: Scope, found: Mapping[str, Mapping[int, float]], *, most: int) -> Around:
    """Read the candidates of all legs, and what was said one or two steps before or after the best `most` of a leg."""
    rows = _about(tx, scope, {ref for scores in found.values() for ref in scores})
    best = {ref for scores in found.values() for ref in nlargest(most, scores, key=scores.__getitem__)}
    turns = {ref for ref in best & rows.keys() if is_turn(rows[ref])}
    beside: dict[int, dict[int, int]] = {}
    for row in search.beside(tx, refs=turns) if turns else ():
        steps = {step: row[name] for name, step in STEPS if row[name] is not None}
        beside[row["ref"]] = steps | beside.get(row["ref"], {})
    rows |= _about(tx, scope, {*chain(*(steps.values() for steps in beside.values()))} - rows.keys())
    return surroundings(rows, beside, alone=turns - beside.keys())


def _about(tx: Transaction, scope: Scope, refs: Collection[int]) -> dict[int, Row]:
    return {row["ref"]: row for row in search.about(tx, scope, refs=refs)} if refs else {}
