"""Judge hits: how much evidence each has for the question, which words none contains, and whether all are off topic.

Pure. A hit is also judged by what it was found by without words: its id, a title, a fact, a time, its embedding. A turn
of a conversation is judged with the turn before it, because an answer does not repeat the question.
"""

from __future__ import annotations

from jotsam.pipeline.languages.language import words as listed
from jotsam.retrieval.rank.absence import PARTLY
from jotsam.retrieval.rank.evidence import ENOUGH, MAX_BODY, NAME, UNUSUAL, contained, says_nothing, share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jotsam.core.answers import Hit
    from jotsam.retrieval.rank.absence import Asked
    from jotsam.retrieval.rank.context import Context, Row
    from jotsam.retrieval.rank.evidence import Word
    from jotsam.retrieval.rank.fuse import Ranked

BEST = 3  # hits that together may answer
MAX_NAMED = 4  # words in the footer
MAX_NAME = 40  # characters of each
# What a hit was found by, and the evidence that this is.
FOUND_BY = {"pinned": 1.0, "id": 1.0, "phrase": 1.0, "title": 0.6, "period": 0.6}
FACT = 1.2  # times the score of a fact: one that matches in all parts, and is certain, is evidence of 0.7
HINTS = 2.0  # times the score of hints: a question that a model foresaw whole is evidence of 0.6
UNRELATED, SAME = 0.2, 0.8  # cosines of unrelated texts, and of texts with one meaning
MAX_PARTLY = 5  # results that contain a part of what is asked, if nothing is known of it
# Parts of a score that are no evidence: who said it, where, what others said around it. The text index has names too.
CIRCUMSTANCES = listed(
    "actor confidence coverage hyponyms importance kind latest length neighbours passage project question relevance"
    " rerank session text"
)


class Judge:
    """Judges the hits of one question, in their order."""

    def __init__(self, asked: Asked, context: Context, cosines: Mapping[int, float]) -> None:
        self.words = asked.words
        self.subjects = tuple(map(_named, asked.subjects))
        self._every = (*asked.subjects, *asked.words)
        self._asked = asked
        self._context = context
        self._cosines = cosines
        self._have: dict[str, frozenset[str]] = {}  # by id
        self._bodies: dict[int, frozenset[str]] = {}  # of the turns before hits, by reference
        self._found_by: dict[str, float] = {}

    def evidence(self, item: Ranked, row: Row, text: str) -> float:
        """The evidence of a hit with this row and this text, which is remembered for what is asked next."""
        described = (row["source"], row["section"], row["actor"], row["tags"], text)
        is_document = item.ref < 0
        have = contained(self._every, " ".join(map(str, described)), most=None if is_document else MAX_BODY)
        if len(have) < len(self._every):
            have |= self._before(item.ref) | frozenset(self._asked.of_kind.get(item.ref, ()))
        id = row["uuid"]
        self._have[id] = have
        self._found_by[id] = self._without_words(item)
        return round(max(share(self.words, have), self._found_by[id]), 3)

    def is_absent(self, ranked: Sequence[Ranked]) -> bool:
        """Whether nothing is known of what is asked, given the best results. A pending document is read later."""
        if any(item.ref < 0 for item in ranked) or any(self._without_words(item) >= ENOUGH for item in ranked[:BEST]):
            return False
        return self._asked.is_absent()

    def partly(self, ranked: Sequence[Ranked]) -> list[Ranked]:
        """The few results that contain a part of what is asked, of which nothing else is known."""
        return [item for item in ranked if self._has_part(item)][:MAX_PARTLY]

    def _has_part(self, item: Ranked) -> bool:
        """Whether a result contains a part of what is asked, or was found by more than words, as by its embedding."""
        own = self._asked.part(item.ref)
        return own >= PARTLY or (own == 0 and self._is_found_otherwise(item)) or self._is_reached(item)

    def _is_reached(self, item: Ranked) -> bool:
        return item.ref < 0 or any(score > 0 and name not in CIRCUMSTANCES for name, score in item.scores.items())

    def _is_found_otherwise(self, item: Ranked) -> bool:
        """Whether the text index found a result by its title, its tags or another spelling, and not by a speaker."""
        return not self.subjects and item.scores.get("text", 0.0) > 0

    def _without_words(self, item: Ranked) -> float:
        """The evidence by what a result was found by beside its words."""
        found_by = max((FOUND_BY.get(name, 0.0) for name in item.scores), default=0.0)
        found_by = max(found_by, FACT * item.scores.get("facts", 0.0))
        found_by = max(found_by, HINTS * item.scores.get("hints", 0.0))
        cosine = self._cosines.get(item.ref, 0.0)
        return max(found_by, min(1.0, (cosine - UNRELATED) / (SAME - UNRELATED)))

    def missing(self, shown: Iterable[Hit]) -> tuple[str, ...]:
        """The names and unusual words of the question that no shown hit contains, as they are written there."""
        have = self._together(shown)
        words = [word for word in self.words if word.text not in have and word.kind in (NAME, UNUSUAL)]
        return tuple(_named(word) for word in sorted(words, key=lambda word: -word.weight)[:MAX_NAMED])

    def unknown(self) -> tuple[str, ...]:
        """The rarest words of the question that no candidate about its subjects contains, without those of its form."""
        unknown = self._asked.not_contained()
        asked = [word for word in unknown if word.text not in self._asked.forms] or unknown
        words = sorted(asked, key=lambda word: -word.weight)
        return tuple(map(_named, words[:MAX_NAMED]))

    def finds_nothing(self, shown: Sequence[Hit]) -> bool:
        """Whether the best hits speak of something else than what is asked."""
        best = shown[:BEST]
        if self._asked.is_guess and best:
            return False
        if any(self._found_by.get(_id(hit), 0.0) >= ENOUGH for hit in best):
            return False
        every = self._together(shown)
        asked = [word for word in self._every if word.text not in self._asked.forms] or self._every
        words = [word.replace(is_known=word.is_known or word.text in every) for word in asked]
        return says_nothing(words, self._together(best))

    def _before(self, ref: int) -> frozenset[str]:
        """The words of the turn before, which an answer does not repeat."""
        before = self._context.neighbours.get(ref, {}).get(-1)
        if before is None:
            return frozenset()
        if before not in self._bodies:
            row = self._context.rows.get(before)
            self._bodies[before] = contained(self._every, row["body"]) if row and row["body"] else frozenset()
        return self._bodies[before]

    def _together(self, hits: Iterable[Hit]) -> frozenset[str]:
        return frozenset().union(*(self._have.get(_id(hit), frozenset()) for hit in hits))


def _named(word: Word) -> str:
    return word.written[:MAX_NAME]


def _id(hit: Hit) -> str:
    return hit.facts[0].memory if hit.kind == "fact" else hit.id
