"""The score table: what each retriever and each rule adds to the score of each candidate.

Pure. The table is stored by column, one per retriever or rule: there are about a thousand candidates, and the breakdown
of only a few is ever read.

Score candidates by the similarity of their embedding to that of the question, also while some have no embedding yet.

Pure. A candidate without a vector must neither lose nor gain against one that has a vector, so its words count for
both. A share of 0 would put all of them behind, and the average share of the others would put poor matches ahead.

What importance, confidence and relevance add to the score of a memory: a small part of its own score.

Pure. Of importance and confidence only values that a caller gave count, not estimates of the rules or of a model. 0.5
changes nothing, like none. Relevance is compared with its mean among the candidates, so a memory of which it is not
known yet, such as a new one, is neither raised nor lowered.
"""

from __future__ import annotations

from collections import defaultdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jotsam.retrieval.rank.context import Context
    from jotsam.retrieval.rank.weights import Weights


NEWEST = 2**63  # above the number of every memory
NEUTRAL = 0.5


class Scores:
    """Scores by reference: a memory's number, or minus a document's. `totals` holds the sums."""

    def __init__(self, candidates: Iterable[int]) -> None:
        self.totals = dict.fromkeys(candidates, 0.0)
        self._columns: dict[str, dict[int, float]] = {}

    def add(self, name: str, gains: Mapping[int, float]) -> None:
        """Add to a column and to the totals. References that are not candidates are ignored."""
        totals, old = self.totals, self._columns.get(name, {})
        found = {ref: gain for ref, gain in gains.items() if ref in totals}
        for ref, gain in found.items():
            totals[ref] += gain
        self._columns[name] = (
            {**old, **{ref: old.get(ref, 0.0) + gain for ref, gain in found.items()}} if old else found
        )

    def scale(self, factors: Mapping[int, float]) -> None:
        """Multiply all that was added until now by a factor per candidate."""
        for column in (self.totals, *self._columns.values()):
            for ref, value in column.items():  # No key is added, so the column can be iterated.
                if ref in factors:
                    column[ref] = value * factors[ref]

    def add_candidates(self, refs: Iterable[int]) -> None:
        """Add candidates with a score of 0, unless they are there already."""
        for ref in refs:
            self.totals.setdefault(ref, 0.0)

    def remove(self, refs: Iterable[int]) -> None:
        """Remove candidates. What they have passed to others stays."""
        for ref in refs:
            self.totals.pop(ref, None)

    def breakdown(self, ref: int) -> dict[str, float]:
        """The parts of one candidate's score, by column."""
        return {name: column[ref] for name, column in self._columns.items() if column and ref in column}

    def sum_of(self, names: Iterable[str]) -> dict[int, float]:
        """The sum of some columns, for each candidate in any of them."""
        sums: defaultdict[int, float] = defaultdict(float)
        for name in names:
            for ref, gain in self._columns.get(name, {}).items():
                sums[ref] += gain
        return sums

    def top(self, number: int) -> list[int]:
        """The candidates with the highest scores; of equal ones the newer first, pending documents before memories."""
        newest = sorted(self.totals, reverse=True)
        if newest and newest[-1] < 0:
            newest.sort(key=_age_rank, reverse=True)
        return sorted(newest, key=self.totals.__getitem__, reverse=True)[:number]


def _age_rank(ref: int) -> int:
    return ref if ref > 0 else NEWEST - ref


def add_similarity(
    scores: Scores,
    similar: Mapping[int, float],
    text: Mapping[int, float],
    context: Context,
    weights: Weights,
    *,
    covered: float = 1.0,
) -> None:
    """Add what vectors are worth. `similar` has every candidate with a vector; `text` are the matches of words.

    A similarity counts from the mean of all candidates upwards, because models differ in the range of theirs. It counts
    more, the less of the question is `covered` by a match of its words.
    """
    if max(similar.values(), default=0.0) <= 0:
        return
    alone = weights.vectors + weights.uncovered * (1 - covered) ** weights.uncovered_power
    worth = {ref: weights.turn_vectors if ref in context.turns else alone for ref in context.rows}
    near, words = _above_mean(similar), _above_mean(text)
    scores.add("vectors", {ref: worth[ref] * value for ref, value in near.items() if ref in worth})
    unknown = words.keys() & worth.keys() - similar.keys()
    scores.add("text", {ref: worth[ref] * words[ref] for ref in unknown})


def _above_mean(found: Mapping[int, float]) -> dict[int, float]:
    """Those above the mean of all that were found at all: 1 for the best. If all are equal, 1 for each of them."""
    values = [value for value in found.values() if value > 0]
    best, mean = max(values, default=0.0), sum(values) / max(1, len(values))
    least = mean if mean < best else 0.0
    return {ref: (value - least) / (best - least) for ref, value in found.items() if value > least}


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
