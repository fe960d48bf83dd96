"""What importance and confidence add to the score of a memory: a small part of its own score.

Pure. Only values that a caller gave count, not estimates of the rules or of a model. 0.5 changes nothing, like none.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.retrieval.rank.context import Context
    from jotsam.retrieval.rank.scores import Scores
    from jotsam.retrieval.rank.weights import Weights

NEUTRAL = 0.5


def prefer_important(scores: Scores, context: Context, weights: Weights) -> None:
    """Raise what the caller called important or certain, and lower what it called unimportant or uncertain."""
    for name, weight in (("importance", weights.importance), ("confidence", weights.confidence)):
        given = {ref: row[name] for ref, row in context.rows.items() if row[name] is not None}
        part = {ref: weight * (value - NEUTRAL) / NEUTRAL for ref, value in given.items()}
        scores.add(name, {ref: part[ref] * max(0.0, scores.totals.get(ref, 0.0)) for ref in part})
