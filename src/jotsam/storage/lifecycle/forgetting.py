"""What the step `forget` has to know about memories."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction


def inputs(tx: Transaction, *, tags: Iterable[str], after: int, limit: int) -> tuple[list[Row], int, int]:
    """Of the next `limit` memories, those that are enriched and current; the last id of them, and how many they are.

    Besides its columns each has its `relevance`, `said_at` (or when it was stored), how many of these `tags` it has,
    how many memories were `merged` into it, and how many `facts` that hold no other memory states.
    """
    last = tx.one("forgetting.last", after=after, limit=limit)
    assert last is not None
    rows = tx.all("forgetting.inputs", tags=json.dumps([*tags]), after=after, limit=limit)
    return rows, int(last["id"] or 0), int(last["memories"])
