"""What importance, confidence and relevance add to the score of a memory: a small part of its own score.

Pure. Of importance and confidence only values that a caller gave count, not estimates of the rules or of a model. 0.5
changes nothing, like none. Relevance is compared with its mean among the candidates, so a memory of which it is not
known yet, such as a new one, is neither raised nor lowered.
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


def prefer_relevant(scores: Scores, context: Context, weights: Weights) -> None:
    """Raise what is still relevant, and lower what has faded: little more than the order of equal matches."""
    if not weights.relevance:
        return
    known = {
        ref: row["relevance"]
        for ref, row in context.rows.items()
        if row["relevance"] is not None and ref in scores.totals
    }
    if not known:
        return
    mean = sum(known.values()) / len(known)
    part = {ref: weights.relevance * (value - mean) for ref, value in known.items()}
    scores.add("relevance", {ref: part[ref] * max(0.0, scores.totals[ref]) for ref in part})
