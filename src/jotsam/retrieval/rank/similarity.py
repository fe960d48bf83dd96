"""Score candidates by the similarity of their embedding to that of the question, also while some have no embedding yet.

Pure. A candidate without a vector must neither lose nor gain against one that has a vector, so its words count for
both. A share of 0 would put all of them behind, and the average share of the others would put poor matches ahead.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.retrieval.rank.context import Context
    from jotsam.retrieval.rank.scores import Scores
    from jotsam.retrieval.rank.weights import Weights


def add_similarity(
    scores: Scores, similar: Mapping[int, float], text: Mapping[int, float], context: Context, weights: Weights
) -> None:
    """Add what vectors are worth. `similar` has every candidate with a vector; `text` are the matches of words."""
    best, best_text = max(similar.values(), default=0.0), max(text.values(), default=0.0)
    if best <= 0:
        return
    worth = {ref: weights.turn_vectors if ref in context.turns else weights.vectors for ref in context.rows}
    scores.add("vectors", {ref: worth[ref] / best * value for ref, value in similar.items() if value and ref in worth})
    if best_text > 0:
        unknown = text.keys() & worth.keys() - similar.keys()
        scores.add("text", {ref: worth[ref] / best_text * text[ref] for ref in unknown})
