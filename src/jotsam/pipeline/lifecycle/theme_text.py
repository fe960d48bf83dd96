"""The terms, the name and the summary of a group of similar texts, without a model. Pure."""

from __future__ import annotations

from collections import Counter
from math import log

from jotsam.core.records import Record
from jotsam.pipeline.dates.iso import format_day
from jotsam.pipeline.extraction.summarise import summarise
from jotsam.pipeline.languages.en import LANGUAGE
from jotsam.pipeline.languages.language import words
from jotsam.pipeline.likeness.pattern_detection import frequent_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_NAMES, MAX_TERMS = 3, 8
MAX_SENTENCES, MAX_SENTENCE = 5, 240
COMMON = 0.4  # share of the texts that a term must be in
_TALK = words(LANGUAGE.talk)


class DatedText(Record):
    """A text of a group, and when it was said."""

    text: str
    at: int  # milliseconds


def shared_terms(texts: Sequence[str]) -> dict[str, int]:
    """The terms that at least two of the texts have, each with the number of those that have it.

    Words that go with everything are left out, unless there are no others.
    """
    every = Counter(term for text in texts for term in frequent_terms(text))
    counts = {term: count for term, count in every.items() if count >= 2 and term not in _TALK} or every
    least = max(2, -int(-COMMON * len(texts) // 1))
    often = {term: count for term, count in counts.items() if count >= least}
    return often or {term: count for term, count in counts.items() if count >= 2}


def ranked_terms(shared: Mapping[str, int], elsewhere: Mapping[str, int], *, texts: int) -> tuple[str, ...]:
    """The terms by descending TF-IDF. `elsewhere` is how many of all the `texts` contain each."""
    weights = {term: n * log(1 + (texts + 1) / (elsewhere.get(term, 0) + 1)) for term, n in shared.items()}
    return tuple(sorted(weights, key=lambda term: (-weights[term], term))[:MAX_TERMS])


def best_sentences(members: Sequence[DatedText], terms: Sequence[str]) -> str:
    """A list of the sentences that say most about a group, each with its day, in the order in which they were said.

    Each next sentence is the one with most terms that those before it lack, so that none repeats another.
    """
    left = [(member.at, sentence) for member in members if (sentence := summarise(member.text, limit=MAX_SENTENCE))]
    chosen: list[tuple[int, str]] = []
    covered: Counter[str] = Counter()
    while left and len(chosen) < MAX_SENTENCES:
        best = max(left, key=lambda one: (_gain(one[1], terms, covered), -one[0], one[1]))
        left = [one for one in left if one[1] != best[1]]
        chosen.append(best)
        covered.update(frequent_terms(best[1]))
    return "\n".join(f"- {format_day(at)}: {sentence}" for at, sentence in sorted(chosen))


def _gain(sentence: str, terms: Sequence[str], covered: Mapping[str, int]) -> float:
    own = frequent_terms(sentence)
    return sum((2.0 if term in terms else 0.5) / (1 + covered.get(term, 0)) for term in own)
