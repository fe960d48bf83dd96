"""Where the words of a question are in a text, to emphasise them.

Pure. It finds what the text index finds: other forms of a word, and the bigrams of scripts without spaces.
"""

from __future__ import annotations

from jotsam.core.patterns import lazy_pattern
from jotsam.retrieval.question.intent import strip_recency
from jotsam.retrieval.question.stems import fold, stems
from jotsam.retrieval.question.terms import search_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MIN_PREFIX = 4  # characters of a stem with which a longer word may begin: "Postgres" is in "PostgreSQL"

_WORD = lazy_pattern(r"[^\W_]+")


def question_stems(question: str) -> tuple[str, ...]:
    """The stems of the words that a question searches for."""
    return stems(search_terms(strip_recency(question.strip())).words)


def matches(text: str, stems_of_question: Sequence[str]) -> list[tuple[int, int]]:
    """Start and end of each place, in order and without overlaps. A word is matched whole."""
    wanted = set(stems_of_question)
    prefixes = tuple(stem for stem in wanted if len(stem) >= MIN_PREFIX)
    folded = fold(text)
    found = [one.span() for one in _WORD.finditer(folded) if _is_wanted(one[0], wanted, prefixes)]
    found += _unspaced(folded, [stem for stem in wanted if not stem.isascii()])
    return _merged(sorted(found))


def _is_wanted(word: str, wanted: set[str], prefixes: tuple[str, ...]) -> bool:
    return word in wanted or word.startswith(prefixes) or not wanted.isdisjoint(stems([word]))


def _unspaced(folded: str, wanted: Sequence[str]) -> Iterator[tuple[int, int]]:
    for stem in wanted:
        at = folded.find(stem)
        while at >= 0:
            yield at, at + len(stem)
            at = folded.find(stem, at + 1)


def _merged(found: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in found:
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
