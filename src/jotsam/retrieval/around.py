"""Reads what stands around the candidates, in two queries. It must not judge, that is what `fuse` does."""

from __future__ import annotations

from heapq import nlargest

from jotsam.retrieval.context import surroundings
from jotsam.storage import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.retrieval.context import Around
    from jotsam.storage.database import Transaction
    from jotsam.storage.search import Scope

STEPS = (("second_before", -2), ("before", -1), ("after", 1), ("second_after", 2))


def around(tx: Transaction, scope: Scope, found: Mapping[str, Mapping[int, float]], *, most: int) -> Around:
    """Read the candidates of all legs, and what was said one or two steps before or after the best `most` of a leg."""
    wanted = {ref for scores in found.values() for ref in scores}
    if not wanted:
        return surroundings({}, {})
    best = {ref for scores in found.values() for ref in nlargest(most, scores, key=scores.__getitem__)}
    beside: dict[int, dict[int, int]] = {}
    for row in search.beside(tx, refs=best):
        steps = {step: row[name] for name, step in STEPS if row[name] is not None}
        beside[row["ref"]] = steps | beside.get(row["ref"], {})
    every = wanted.union(*(steps.values() for steps in beside.values()))
    return surroundings({row["ref"]: row for row in search.about(tx, scope, refs=every)}, beside)
