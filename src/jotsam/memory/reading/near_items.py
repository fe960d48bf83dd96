"""Items of the store by their vectors. All below a namespace are compared, some at a time, by this process."""

from __future__ import annotations

from jotsam.storage.memories import items
from jotsam.storage.recall.vector_index import cosines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction

AT_ONCE = 2_000  # items whose vectors are in memory


def nearest(tx: Transaction, wanted: items.Found, query: bytes) -> list[Row]:
    """`id` and `score` of the items with the nearest vectors of this length: the cosine of its nearest one."""
    best: dict[int, float] = {}
    ids = items.with_vectors(tx, wanted, size=len(query))
    for begin in range(0, len(ids), AT_ONCE):
        rows = items.vectors(tx, ids[begin : begin + AT_ONCE], size=len(query))
        for row, cosine in zip(rows, cosines(query, [row["bytes"] for row in rows]), strict=True):
            best[row["item_id"]] = max(cosine, best.get(row["item_id"], cosine))
    ordered = sorted(best.items(), key=lambda one: (-one[1], -one[0]))
    return [{"id": item_id, "score": score} for item_id, score in ordered[wanted.offset :][: wanted.limit]]
