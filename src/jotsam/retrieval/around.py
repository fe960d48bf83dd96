"""Reads what stands around the candidates, in two queries. It must not judge, that is what `fuse` does."""

from __future__ import annotations

from jotsam.retrieval.context import surroundings
from jotsam.storage import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.retrieval.context import Around
    from jotsam.storage.database import Transaction
    from jotsam.storage.search import Scope


def around(tx: Transaction, scope: Scope, refs: Iterable[int]) -> Around:
    """Read the candidates, and whatever was said one or two steps before or after one of them."""
    wanted = {*refs}
    if not wanted:
        return surroundings({}, {})
    beside: dict[int, dict[int, int]] = {}
    for row in search.beside(tx, refs=wanted):
        beside.setdefault(row["ref"], {}).setdefault(row["step"], row["beside"])
    every = wanted.union(*(steps.values() for steps in beside.values()))
    return surroundings({row["ref"]: row for row in search.about(tx, scope, refs=every)}, beside)
