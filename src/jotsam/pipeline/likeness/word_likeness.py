"""How alike two texts are by the words that they share. Pure; depends on no other texts, so it never changes.

How alike a few texts are by their words: cosines of tf-idf vectors. Pure.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import log, sqrt

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.statements.words import stem
from jotsam.pipeline.text.words import bigrams, index_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


MIN_EQUAL = 2  # words of two texts with the same words
MIN_WORDS = 4  # that two texts share: fewer are shared by chance, or by manners
MAX_CHARACTERS = 8_000

_WORD = lazy_pattern(r"[^\W_]{2,}")
_COMMON = frozenset(
    """
    glad awesome amazing definitely soon sorry sound sounds hope congrats cool keep mean look wait guess gonna wanna
    yay haha love appreciate yeah yes yep okay ok oh hey hi wow thanks thank really just like get got go going good
    great nice one also lot much thing things something make know think see want need way even still sure right well
    time day
    """.split()  # noqa: SIM905 - a list of quoted words is harder to read
)
MIN_STEMMED_WORDS = 4  # different words that say something; a shorter text is compared with nothing
MAX_COMPARED_CHARACTERS = 4_000  # of a text


def content_words(text: str) -> dict[str, str]:
    """The distinct words of a text that carry its content, by their stems, each as first written in lower case."""
    found: dict[str, str] = {}
    text = text[:MAX_CHARACTERS]
    for word in _WORD.findall(text.lower()):
        if word not in STOP_WORDS and word not in _COMMON and (word.isascii() or word[0] < "\u0e01"):
            found.setdefault(stem(word), word)
    return found


def content_grams(text: str) -> frozenset[str]:
    """The pairs of characters of the parts in scripts without spaces."""
    return frozenset(bigrams(text[:MAX_CHARACTERS]).split())


def likeness(mine: frozenset[str], theirs: frozenset[str]) -> float:
    """The cosine of two sets of words, from 0 to 1."""
    if mine == theirs and len(mine) >= MIN_EQUAL:
        return 1.0
    shared = len(mine & theirs)
    return 0.0 if shared < MIN_WORDS else shared / sqrt(len(mine) * len(theirs))


def stemmed_words(text: str) -> Counter[str]:
    """The words of a text that say something, with how often; of scripts without spaces, pairs of characters."""
    spaced, pairs = index_terms(text[:MAX_COMPARED_CHARACTERS].lower())
    plain = "".join(character if character.isalnum() else " " for character in spaced)
    words = [word for word in plain.split() if len(word) > 1 and word not in STOP_WORDS]
    return Counter([_stem(word) for word in words] + [pair for pair in pairs.split() if len(pair) > 1])


def word_cosines(texts: Mapping[int, str]) -> dict[tuple[int, int], float]:
    """The cosine of each pair of texts by their keys, lower key first. Short texts are left out."""
    counted = {key: stemmed_words(text) for key, text in texts.items()}
    counted = {key: words for key, words in counted.items() if len(words) >= MIN_STEMMED_WORDS}
    known = Counter(word for words in counted.values() for word in words)
    rows = {}
    for key, words in counted.items():
        row = {word: (1 + log(count)) * log((1 + len(counted)) / known[word]) for word, count in words.items()}
        length = sqrt(sum(value * value for value in row.values())) or 1.0
        rows[key] = {word: value / length for word, value in row.items()}
    return {(one, other): _product(rows[one], rows[other]) for one, other in combinations(sorted(rows), 2)}


def _product(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    less, more = sorted((one, other), key=len)
    return sum(value * more[word] for word, value in less.items() if word in more)


def _stem(word: str) -> str:
    """Without the ending of a plural, which is enough to compare."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
