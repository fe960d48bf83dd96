"""One order out of several legs: a weighted sum of scores, each leg measured against its own best.

Pure. Ranks are not fused, scores are: with reciprocal ranks a strong match on one leg loses against two weak ones, and
that was measured to be worse than words alone. A leg that found nothing changes nothing.
"""

from __future__ import annotations

from jotsam.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "words": 1.0,
    "vectors": 0.8,
    "id": 2.0,  # whoever names an id wants that, whatever else the question says
    "newest": 1.0,
}


class Ranked(Record):
    """A reference and why it stands where it stands: `scores` by leg are 0 to 1."""

    ref: int
    score: float
    scores: Mapping[str, float]


def fuse(legs: Mapping[str, Mapping[int, float]]) -> tuple[Ranked, ...]:
    """Every reference that some leg found, best first; of equals the newer first."""
    shares: dict[int, dict[str, float]] = {}
    for leg, found in legs.items():
        best = max(found.values(), default=0.0)
        for ref, score in found.items():
            shares.setdefault(ref, {})[leg] = score / best if best > 0 else 0.0
    ranked = [
        Ranked(ref=ref, score=sum(WEIGHTS[leg] * share for leg, share in scores.items()), scores=scores)
        for ref, scores in shares.items()
    ]
    return tuple(sorted(ranked, key=lambda item: (-item.score, *_age(item.ref))))


def _age(ref: int) -> tuple[bool, int]:
    """Newer first. Minus the number of a document says that it still waits to be cut: nothing is newer than that."""
    return ref > 0, -abs(ref)
