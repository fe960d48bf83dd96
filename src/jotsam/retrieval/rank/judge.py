"""Judge hits: how much evidence each has for the question, which words none contains, and whether all are off topic.

Pure. A hit is also judged by what it was found by without words: its id, a title, a fact, a time, its embedding. A turn
of a conversation is judged with the turn before it, because an answer does not repeat the question.
"""

from __future__ import annotations

from jotsam.retrieval.rank.evidence import ENOUGH, MAX_BODY, NAME, UNUSUAL, contained, says_nothing, share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jotsam.core.answers import Hit
    from jotsam.retrieval.rank.context import Context, Row
    from jotsam.retrieval.rank.evidence import Word
    from jotsam.retrieval.rank.fuse import Ranked

BEST = 3  # hits that together may answer
MAX_NAMED = 4  # words in the footer
MAX_NAME = 40  # characters of each
# What a hit was found by, and the evidence that this is.
FOUND_BY = {"pinned": 1.0, "id": 1.0, "phrase": 1.0, "title": 0.6, "period": 0.6}
FACT = 1.2  # times the score of a fact: one that matches in all parts, and is certain, is evidence of 0.7
UNRELATED, SAME = 0.2, 0.8  # cosines of unrelated texts, and of texts with one meaning


class Judge:
    """Judges the hits of one question, in their order."""

    def __init__(self, words: Sequence[Word], context: Context, cosines: Mapping[int, float]) -> None:
        self.words = tuple(words)
        self._context = context
        self._cosines = cosines
        self._have: dict[str, frozenset[str]] = {}  # by id
        self._bodies: dict[int, frozenset[str]] = {}  # of the turns before hits, by reference
        self._found_by: dict[str, float] = {}

    def evidence(self, item: Ranked, row: Row, text: str) -> float:
        """The evidence of a hit with this row and this text, which is remembered for what is asked next."""
        described = (row["source"], row["section"], row["actor"], row["tags"], text)
        is_document = item.ref < 0
        have = contained(self.words, " ".join(map(str, described)), most=None if is_document else MAX_BODY)
        if len(have) < len(self.words):
            have |= self._before(item.ref)
        id = row["uuid"]
        self._have[id] = have
        found_by = max((FOUND_BY.get(name, 0.0) for name in item.scores), default=0.0)
        found_by = max(found_by, FACT * item.scores.get("facts", 0.0))
        cosine = self._cosines.get(item.ref, 0.0)
        self._found_by[id] = max(found_by, min(1.0, (cosine - UNRELATED) / (SAME - UNRELATED)))
        return round(max(share(self.words, have), self._found_by[id]), 3)

    def missing(self, shown: Iterable[Hit]) -> tuple[str, ...]:
        """The names and unusual words of the question that no shown hit contains, as they are written there."""
        have = self._together(shown)
        words = [word for word in self.words if word.text not in have and word.kind in (NAME, UNUSUAL)]
        return tuple(_named(word) for word in sorted(words, key=lambda word: -word.weight)[:MAX_NAMED])

    def unknown(self) -> tuple[str, ...]:
        """The rarest words of the question that no candidate contains."""
        words = sorted((word for word in self.words if not word.is_known), key=lambda word: -word.weight)
        return tuple(map(_named, words[:MAX_NAMED]))

    def finds_nothing(self, shown: Sequence[Hit]) -> bool:
        """Whether the best hits speak of something else than what is asked."""
        best = shown[:BEST]
        if any(self._found_by.get(_id(hit), 0.0) >= ENOUGH for hit in best):
            return False
        every = self._together(shown)
        words = [word.replace(is_known=word.is_known or word.text in every) for word in self.words]
        return says_nothing(words, self._together(best))

    def _before(self, ref: int) -> frozenset[str]:
        """The words of the turn before, which an answer does not repeat."""
        before = self._context.neighbours.get(ref, {}).get(-1)
        if before is None:
            return frozenset()
        if before not in self._bodies:
            row = self._context.rows.get(before)
            self._bodies[before] = contained(self.words, row["body"]) if row and row["body"] else frozenset()
        return self._bodies[before]

    def _together(self, hits: Iterable[Hit]) -> frozenset[str]:
        return frozenset().union(*(self._have.get(_id(hit), frozenset()) for hit in hits))


def _named(word: Word) -> str:
    return word.written[:MAX_NAME]


def _id(hit: Hit) -> str:
    return hit.facts[0].memory if hit.kind == "fact" else hit.id
