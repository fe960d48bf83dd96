"""One order out of several legs: a weighted sum of scores, each leg measured against its own best.

Pure. Ranks are not fused, scores are: with reciprocal ranks a strong match on one leg loses against two weak ones, and
that was measured to be worse than words alone. A leg that found nothing changes nothing.

Three kinds of memory are judged differently. What was said in a session is understood by what was said around it, by
who said it and when. A chunk of a document is a section of its own: its document speaks for it, what stands beside it
does not. And for what stands alone nothing speaks besides. These two are joined to others by the rare entities that
they share, see `graph`. All constants stand in `weights`.
"""

from __future__ import annotations

from collections import defaultdict
from math import log, sqrt

from jotsam.core.records import Record
from jotsam.retrieval.present.excerpt import fold, roots
from jotsam.retrieval.question.intent import holds, named_actor
from jotsam.retrieval.rank.context import DOCUMENT, SESSION
from jotsam.retrieval.rank.scores import Scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jotsam.retrieval.question.intent import Asks
    from jotsam.retrieval.rank.context import Around, Row
    from jotsam.retrieval.rank.weights import Weights

    Legs = Mapping[str, Mapping[int, float]]

MATCHING = ("words", "vectors")
"""The legs that say how well a text matches, and so something about what stands beside it."""

ABSOLUTE = frozenset(("facts", "named", "quoted"))
"""Legs whose scores are measured against 1: a weak match stays weak, also when it is the best there is."""

READ = 120
"""So many of the best are read for what the question asks for; the rest has no chance to come before them."""

LONGEST_BODY = 4_000
MOST_ROOTS = 24
"""How far into a text the words of a question are looked for, and how many of them."""


class Ranked(Record):
    """A reference and why it stands where it stands: `scores` add up to the `score`."""

    ref: int
    score: float
    scores: Mapping[str, float]
    path: tuple[str, ...] = ()  # how the graph came to it


def fuse(
    legs: Legs,
    around: Around,
    asked: Asks,
    words: Sequence[str],
    weights: Weights,
    fitting: Mapping[int, float] | None = None,
) -> Scores:
    """What speaks for every candidate within the scope: what a leg found, and what was said beside that.

    `fitting` says what being of the time asked for is worth to each, see `times`.
    """
    matching = any(legs.get(leg) for leg in MATCHING)
    candidates = {ref for found in legs.values() for ref in found}
    if matching:
        candidates |= around.conversation
    scores = Scores(ref for ref in around.rows if ref in candidates)
    for leg, found in legs.items():
        best = 1.0 if leg in ABSOLUTE else max(found.values(), default=0.0)
        weight = getattr(weights, leg) / best if best > 0 else 0.0
        scores.add(leg, {ref: weight * score for ref, score in found.items()})
    if matching:
        match = {ref: value for ref, value in scores.summed(MATCHING).items() if value > 0}
        scores.add("beside", _beside(around, match, weights))
        scores.add("around", _covered(around, match, roots(words)[:MOST_ROOTS], weights))
        scores.add("whole", _whole(around, match, weights))
        _say(scores, around, asked, weights)
        scores.multiply(_counted(around, weights))
    # To be of the time asked for is worth the same to all that stand in one order.
    worth = weights.turn if matching and around.turns else 1.0
    scores.add("period", {ref: worth * gain for ref, gain in (fitting or {}).items()})
    if asked.latest:
        scores.add("latest", _latest(scores, around, weights))
    return scores


def prefer(scores: Scores, around: Around, project: str | None, weights: Weights) -> None:
    """What belongs to one project stands a little before the rest."""
    if project is not None:
        ours = [ref for ref, row in around.rows.items() if row["project"] == project]
        scores.add("project", dict.fromkeys(ours, weights.project))


def rank(scores: Scores, number: int, paths: Mapping[int, str] | None = None) -> list[Ranked]:
    """The best of them in order, with all that speaks for each."""
    paths = paths or {}
    return [
        Ranked(ref=ref, score=scores.sums[ref], scores=scores.of(ref), path=(paths[ref],) if ref in paths else ())
        for ref in scores.best(number)
    ]


def _counted(around: Around, weights: Weights) -> dict[int, float]:
    """How many times what speaks for a turn or a chunk counts."""
    return dict.fromkeys(around.sequences, weights.chunk) | dict.fromkeys(around.turns, weights.turn)


def _beside(around: Around, match: Mapping[int, float], weights: Weights) -> dict[int, float]:
    """Each match gives a part of itself to what stands one or two steps away."""
    rows = around.rows
    gained: defaultdict[int, float] = defaultdict(float)
    for ref, value in match.items():
        for step, other in around.beside.get(ref, {}).items():
            if other not in rows:
                continue
            part = weights.near if -2 < step < 2 else weights.far
            if step == 1 and ref in around.questions:
                part = weights.answered
            elif step == -1 and other in around.questions:
                part = weights.asked
            gained[other] += part * value
    return gained


def _covered(around: Around, match: Iterable[int], wanted: Sequence[str], weights: Weights) -> dict[int, float]:
    """Which part of the question stands in a memory and around it, a rare word counting more."""
    held = {ref: _held(around.rows[ref], wanted) for ref in match}
    often = [sum(bits >> place & 1 for bits in held.values()) for place in range(len(wanted))]
    rarity = [log(1 + (len(around.rows) - count + 0.5) / (count + 0.5)) for count in often]
    total = sum(rarity)
    if total <= 0:
        return {}
    everything = dict(held)
    for ref, own in held.items():
        for other in around.beside.get(ref, {}).values():
            everything[other] = everything.get(other, 0) | own
    worth = {
        bits: weights.around * sum(rare for place, rare in enumerate(rarity) if bits >> place & 1) / total
        for bits in set(everything.values())
    }
    return {ref: worth[bits] for ref, bits in everything.items() if ref in around.conversation}


def _held(row: Row, wanted: Sequence[str]) -> int:
    """Which of the words it holds, as bits."""
    text = fold(row["body"][:LONGEST_BODY]) if row["body"] else ""
    return sum([1 << place for place, root in enumerate(wanted) if root in text])


def _whole(around: Around, match: Mapping[int, float], weights: Weights) -> dict[int, float]:
    """How well its session or document matches as a whole."""
    sums: defaultdict[tuple[str, object], float] = defaultdict(float)
    for ref, value in match.items():
        if ref in around.sequences:
            sums[around.sequences[ref]] += value**weights.sharpness
    highest = max(sums.values(), default=0.0)
    if highest <= 0:
        return {}
    worth = {SESSION: weights.whole / highest, DOCUMENT: weights.document / highest}
    return {ref: worth[one[0]] * sums[one] for ref, one in around.sequences.items() if one in sums}


def _say(scores: Scores, around: Around, asked: Asks, weights: Weights) -> None:
    """What who said it, when, and how, say about each."""
    rows = {ref: around.rows[ref] for ref in around.conversation}
    scores.add("question", dict.fromkeys(around.questions & around.conversation, weights.question))
    scores.add("length", _lengths(rows, weights))
    actor = named_actor(asked.names, {row["actor"] for row in rows.values()})
    if actor is not None:
        scores.add("actor", {ref: weights.actor for ref, row in rows.items() if row["actor"] == actor})
    if asked.kind:
        read = [ref for ref in scores.best(READ) if ref in rows]
        scores.add("kind", {ref: weights.kind for ref in read if holds(asked.kind, rows[ref]["body"])})


def _lengths(rows: Mapping[int, Row], weights: Weights) -> dict[int, float]:
    """Longer than the others of the candidates, in standard deviations of the logarithm."""
    logs = {ref: log(1 + len(row["body"])) for ref, row in rows.items()}
    mean = sum(logs.values()) / max(1, len(logs))
    spread = sqrt(sum([(value - mean) ** 2 for value in logs.values()]) / max(1, len(logs)))
    return {ref: weights.length * (value - mean) / spread for ref, value in logs.items()} if spread > 0 else {}


def _latest(scores: Scores, around: Around, weights: Weights) -> dict[int, float]:
    """Newer ones gain, in the order of their dates, and the more the better they match."""
    dates = sorted({row["date"] for row in around.rows.values()})
    place = {date: weights.latest * number / max(1, len(dates) - 1) for number, date in enumerate(dates)}
    return {ref: place[around.rows[ref]["date"]] * max(0.0, score) for ref, score in scores.sums.items()}
