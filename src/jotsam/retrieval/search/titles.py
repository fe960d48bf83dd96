"""Title retriever: memories whose title is in the question. "Who directed Brother?" finds the page called Brother."""

from __future__ import annotations

from collections import Counter
from math import log

from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jotsam.storage.database import Transaction
    from jotsam.storage.recall.search import Scope


def by_title(tx: Transaction, slugs: Sequence[str], scope: Scope, *, max_same: int) -> dict[int, float]:
    """Memories with one of these titles: 1 each, or less if up to `max_same` share it; more are ignored."""
    rows = search.by_title(tx, slugs=slugs, most=max_same) if slugs else []
    counts = Counter(row["slug"] for row in rows)
    return {row["ref"]: 1 / (1 + log(counts[row["slug"]])) for row in rows if counts[row["slug"]] <= max_same}
