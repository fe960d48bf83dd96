"""One order out of several legs: a weighted sum of scores, each leg measured against its own best.

Pure. Ranks are not fused, scores are: with reciprocal ranks a strong match on one leg loses against two weak ones, and
that was measured to be worse than words alone. A leg that found nothing changes nothing.

Two kinds of memory are judged differently. What was said in a session is understood by what was said around it, by who
said it and when. What stands alone, or was cut from a document, is joined to others by the rare entities it shares with
them (`hop`). All constants stand in `weights`.
"""

from __future__ import annotations

from collections import defaultdict
from math import log
from statistics import fmean, pstdev

from jotsam.records import Record
from jotsam.retrieval.asks import falls_into, holds, named_actor
from jotsam.retrieval.excerpt import fold, roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jotsam.retrieval.around import Around
    from jotsam.retrieval.asks import Asks
    from jotsam.retrieval.weights import Weights
    from jotsam.storage.database import Row

    Shares = Mapping[int, float]
    Legs = Mapping[str, Mapping[int, float]]

MATCHING = ("words", "vectors")
"""The legs that say how well a text matches, and so something about what stands beside it."""

LONGEST_BODY = 4_000
"""So much of a text is looked at for the question's words, of a question of at most so many words."""
MOST_ROOTS = 24


class Ranked(Record):
    """A reference and why it stands where it stands: `scores` add up to the `score`."""

    ref: int
    score: float
    scores: Mapping[str, float]
    path: tuple[str, ...] = ()


class Joined(Record):
    """That the graph joins `ref` to one of the best, so strongly (0 to 1), and how."""

    seed: int
    ref: int
    strength: float
    by: str  # leg: hop or relation
    path: str


def fuse(legs: Legs, around: Around, asked: Asks, words: Sequence[str], weights: Weights) -> tuple[Ranked, ...]:
    """Every candidate within the scope, best first; of equals the newer first."""
    scores: dict[int, dict[str, float]] = {ref: {} for ref in around.rows}
    for leg, found in legs.items():
        best = max(found.values(), default=0.0)
        for ref, score in found.items():
            if ref in scores:
                scores[ref][leg] = getattr(weights, leg) * (score / best if best > 0 else 0.0)
    if any(leg in legs for leg in MATCHING):
        match = {ref: sum(parts.get(leg, 0.0) for leg in MATCHING) for ref, parts in scores.items()}
        context = _Context(around, match, weights)
        for leg, found in context.scores(words).items():
            for ref, score in found.items():
                scores[ref][leg] = score
        for leg, found in _said(around, asked, weights).items():
            for ref, score in found.items():
                scores[ref][leg] = score
    ranked = [Ranked(ref=ref, score=sum(parts.values()), scores=parts) for ref, parts in scores.items()]
    return _in_order(_latest(ranked, around, weights) if asked.latest else ranked)


def join(ranked: Sequence[Ranked], joined: Iterable[Joined], weights: Weights) -> tuple[Ranked, ...]:
    """The order once the graph has been walked: what is joined to one of the best gains a part of its score."""
    known = {item.ref: item for item in ranked}
    best: dict[int, tuple[float, Joined]] = {}
    for one in joined:
        if one.seed in known:
            gained = getattr(weights, one.by) * one.strength * max(0.0, known[one.seed].score)
            if gained > best.get(one.ref, (0.0, one))[0]:
                best[one.ref] = (gained, one)
    for ref, (gained, one) in best.items():
        old = known.get(ref, Ranked(ref=ref, score=0.0, scores={}))
        scores = {**old.scores, one.by: gained}
        known[ref] = Ranked(ref=ref, score=sum(scores.values()), scores=scores, path=(one.path,))
    return _in_order(known.values())


def preferred(ranked: Sequence[Ranked], around: Around, project: str | None, weights: Weights) -> tuple[Ranked, ...]:
    """The order with what belongs to one project a little before the rest."""
    if project is None:
        return tuple(ranked)
    return _in_order(
        _adding(item, "project", weights.project)
        if (around.rows[item.ref]["project"] if item.ref in around.rows else None) == project
        else item
        for item in ranked
    )


class _Context:
    """What the surroundings of each candidate say about it."""

    def __init__(self, around: Around, match: Shares, weights: Weights) -> None:
        self._around = around
        self._match = {ref: value for ref, value in match.items() if value > 0}
        self._weights = weights
        self._sequences = around.sequences

    def scores(self, words: Sequence[str]) -> dict[str, dict[int, float]]:
        return {"beside": self._beside(), "around": self._covered(words), "whole": self._whole()}

    def _beside(self) -> dict[int, float]:
        """Each match gives a part of itself to what stands one or two steps away."""
        weights, rows = self._weights, self._around.rows
        gained: defaultdict[int, float] = defaultdict(float)
        for ref, value in self._match.items():
            for step, other in self._around.beside.get(ref, {}).items():
                if other not in rows:
                    continue
                part = weights.near if abs(step) == 1 else weights.far
                if step == 1 and _is_question(rows[ref]):
                    part = weights.answered
                elif step == -1 and _is_question(rows[other]):
                    part = weights.asked
                gained[other] += part * value
        return gained

    def _covered(self, words: Sequence[str]) -> dict[int, float]:
        """Which part of the question stands in a memory and around it, a rare word counting more."""
        wanted = roots(words)[:MOST_ROOTS]
        held = {ref: _held(self._around.rows[ref], wanted) for ref in self._match}
        often = [sum(bits >> place & 1 for bits in held.values()) for place in range(len(wanted))]
        rarity = [log(1 + (len(self._around.rows) - count + 0.5) / (count + 0.5)) for count in often]
        total = sum(rarity)
        if total <= 0:
            return {}
        bits = dict(held)
        for ref, own in held.items():
            for other in self._around.beside.get(ref, {}).values():
                if other in self._around.rows:
                    bits[other] = bits.get(other, 0) | own
        worth: dict[int, float] = {}
        for value in set(bits.values()):
            worth[value] = sum(rare for place, rare in enumerate(rarity) if value >> place & 1) / total
        return {ref: self._weights.around * worth[value] for ref, value in bits.items() if ref in self._sequences}

    def _whole(self) -> dict[int, float]:
        """How well its session or document matches as a whole."""
        sums: defaultdict[object, float] = defaultdict(float)
        for ref, value in self._match.items():
            sequence = self._sequences.get(ref)
            if sequence:
                sums[sequence] += value**self._weights.sharpness
        best = max(sums.values(), default=0.0)
        if best <= 0:
            return {}
        return {
            ref: self._weights.whole * sums[sequence] / best
            for ref, sequence in self._sequences.items()
            if sequence in sums
        }


def _said(around: Around, asked: Asks, weights: Weights) -> dict[str, dict[int, float]]:
    """What who said it, when, and how, say about each."""
    rows = {ref: row for ref, row in around.rows.items() if ref in around.conversation}
    actor = named_actor(asked.names, {row["actor"] for row in rows.values() if row["actor"]})
    found: dict[str, dict[int, float]] = {
        "question": {ref: weights.question for ref, row in rows.items() if _is_question(row)},
        "length": _lengths(rows, weights),
    }
    if actor is not None:
        found["actor"] = {ref: weights.actor for ref, row in rows.items() if row["actor"] == actor}
    if asked.kind:
        found["kind"] = {ref: weights.kind for ref, row in rows.items() if holds(asked.kind, row["body"])}
    if asked.periods:
        every = around.rows.items()
        found["period"] = {ref: weights.period for ref, row in every if falls_into(row["date"], asked.periods)}
    return found


def _lengths(rows: Mapping[int, Row], weights: Weights) -> dict[int, float]:
    """Longer than the others of the candidates, in standard deviations of the logarithm."""
    logs = {ref: log(1 + len(row["body"])) for ref, row in rows.items()}
    if len(logs) < 2:
        return {}
    mean, spread = fmean(logs.values()), pstdev(logs.values())
    return {ref: weights.length * (value - mean) / spread for ref, value in logs.items()} if spread else {}


def _latest(ranked: Sequence[Ranked], around: Around, weights: Weights) -> list[Ranked]:
    """Newer ones gain, in the order of their dates, and the more the better they match."""
    dates = sorted({around.rows[item.ref]["date"] for item in ranked})
    place = {date: number / max(1, len(dates) - 1) for number, date in enumerate(dates)}
    return [
        _adding(item, "latest", weights.latest * place[around.rows[item.ref]["date"]] * max(0.0, item.score))
        for item in ranked
    ]


def _adding(item: Ranked, leg: str, score: float) -> Ranked:
    scores = {**item.scores, leg: score}
    return Ranked(ref=item.ref, score=sum(scores.values()), scores=scores, path=item.path)


def _in_order(ranked: Iterable[Ranked]) -> tuple[Ranked, ...]:
    return tuple(sorted(ranked, key=lambda item: (-item.score, *_age(item.ref))))


def _age(ref: int) -> tuple[bool, int]:
    """Newer first. Minus the number of a document says that it still waits to be cut: nothing is newer than that."""
    return ref > 0, -abs(ref)


def _is_question(row: Row) -> bool:
    return bool(row["body"]) and row["body"].rstrip()[-1:] in "?？"


def _held(row: Row, wanted: Sequence[str]) -> int:
    """Which of the words it holds, as bits."""
    text = fold(row["body"][:LONGEST_BODY]) if row["body"] else ""
    return sum(1 << place for place, root in enumerate(wanted) if root in text)
