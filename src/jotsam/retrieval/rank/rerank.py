"""Put the best results in the order of a reranker: a model that reads the question and a text together.

Pure: it does not know which model that is. The reranker judges relevance only. What else a score is made of stays: the
times that the question names, its ids and quotes, the project, places and pinned results that the caller prefers, and
how important and certain a memory is.
"""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.retrieval.rank.fuse import DIGITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jotsam.retrieval.rank.context import Row
    from jotsam.retrieval.rank.fuse import Ranked

MOST = 30  # results; a common limit of one request is 32
MAX_CHARACTERS = 2_000  # of a text: many rerankers read 512 tokens, and most chunks are shorter
# The parts of a score that are not about relevance.
KEPT = ("confidence", "id", "importance", "latest", "period", "phrase", "pinned", "place", "project", "relevance")


class Reranking(Record):
    """What a reranker returned: the score of each result by reference, or why there is none."""

    scores: Mapping[int, float]
    failure: str = ""


def reranked_texts(ranked: Iterable[Ranked], rows: Mapping[int, Row]) -> dict[int, str]:
    """The texts of the best results by reference, each after its speaker; without documents that wait to be cut."""
    texts: dict[int, str] = {}
    for item in ranked:
        row = rows[item.ref]
        if row["body"] and len(texts) < MOST:
            texts[item.ref] = (f"{row['actor']}: {row['body']}" if row["actor"] else row["body"])[:MAX_CHARACTERS]
    return texts


def rerank(ranked: list[Ranked], scores: Mapping[int, float]) -> list[Ranked]:
    """The results by the scores of a reranker, those without one where they are.

    The best of them gets the highest relevance that they had, and so on: what compares scores, and what has no score of
    the reranker, needs the scale to stay.
    """
    kept = {item.ref: sum(item.scores.get(name, 0.0) for name in KEPT) for item in ranked if item.ref in scores}
    own = {item.ref: item.score - kept[item.ref] for item in ranked if item.ref in kept}
    order = sorted(own, key=scores.__getitem__, reverse=True)
    gained = dict(zip(order, sorted(own.values(), reverse=True), strict=True))
    items = {item.ref: item for item in ranked}
    # Put in their places before sorting, so that the reranker decides between equal scores too.
    places = iter([_with(items[ref], gained[ref] - own[ref]) for ref in order])
    placed = [next(places) if item.ref in own else item for item in ranked]
    return sorted(placed, key=lambda item: item.score, reverse=True)


def _with(item: Ranked, gain: float) -> Ranked:
    return item.replace(score=round(item.score + gain, DIGITS), scores={**item.scores, "rerank": gain})
