"""The summary that follows the shown hits it was made of. It takes the place of none of them."""

from __future__ import annotations

from jotsam.retrieval.present.hits import load_hits
from jotsam.retrieval.rank.fuse import Ranked
from jotsam.retrieval.rank.recency import Ordered
from jotsam.retrieval.search.failures import Failures
from jotsam.storage.recall import summaries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jotsam.core.answers import Hit
    from jotsam.retrieval.rank.judge import Judge
    from jotsam.storage.database import Transaction
    from jotsam.storage.recall.search import Scope

MOST = 1  # summaries after an answer; the path of such a hit is SUMMARIZES


class Summaries:
    """Finds the summaries of what is shown."""

    def __init__(self, tx: Transaction, scope: Scope, judge: Judge) -> None:
        self._tx = tx
        self._scope = scope
        self._judge = judge

    def __call__(self, shown: Sequence[Hit]) -> Iterable[Hit]:
        """The summary of at least two of these hits; of several, that of most of them. () while one is shown anyway."""
        uuids = [hit.id for hit in shown if hit.kind == "memory"]
        if len(uuids) < 2:
            return ()
        refs = summaries.following(self._tx, self._scope, uuids, limit=MOST)
        ranked = [Ranked(ref=ref, score=0.0, scores={}, path=(summaries.SUMMARIZES,)) for ref in refs]
        ordered = Ordered(ranked=ranked, conflicts={}, reasons={})
        found = load_hits(self._tx, ordered, self._scope, {}, Failures(self._tx), self._judge)
        return [hit for hit in found if hit.id not in uuids]
