"""Candidates that an engine found outside any transaction: the database says which may be shown, and compares them.

An engine may not know the latest changes. They are read in a snapshot before it is asked, and vectors that were saved
since then in the snapshot of the answer. So the result is that of the database, but for what an index misses.
"""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.storage.recall import vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction
    from jotsam.storage.recall.search import Scope
    from jotsam.storage.recall.vector_index import Nearest
    from jotsam.storage.recall.vectors import Maker


class EngineCandidates(Record):
    uuids: tuple[str, ...]  # the nearest of the engine
    changed: tuple[int, ...]  # memories that changed since the engine was updated
    version: int  # of the embedder when that was read
    project: str | None  # only these were asked for
    is_full: bool  # the engine may have more


def nearest_of(
    tx: Transaction,
    candidates: EngineCandidates,
    query: bytes,
    *,
    maker: Maker,
    scope: Scope,
    nearest: Nearest,
    limit: int,
) -> dict[int, float] | None:
    """The nearest in scope by cosine, best first. None: the candidates are not enough, so the database must search."""
    if (scope.project, scope.actor, scope.narrowed, scope.past) != (candidates.project, None, None, 0):
        return None
    later = vectors.since(tx, maker=maker, version=candidates.version)
    refs = {*vectors.refs(tx, candidates.uuids), *candidates.changed, *(row["memory_id"] for row in later)}
    found = nearest.among(tx, query, maker=maker, within=scope._values(), refs=refs, limit=limit)
    return None if candidates.is_full and len(found) < limit else found
