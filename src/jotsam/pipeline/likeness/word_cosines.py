"""How alike a few texts are by their words: cosines of tf-idf vectors. Pure."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import log, sqrt

from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.words import index_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MIN_WORDS = 4  # different words that say something; a shorter text is compared with nothing
MAX_CHARACTERS = 4_000  # of a text


def content_words(text: str) -> Counter[str]:
    """The words of a text that say something, with how often; of scripts without spaces, pairs of characters."""
    spaced, pairs = index_terms(text[:MAX_CHARACTERS].lower())
    plain = "".join(character if character.isalnum() else " " for character in spaced)
    words = [word for word in plain.split() if len(word) > 1 and word not in STOP_WORDS]
    return Counter([_stem(word) for word in words] + [pair for pair in pairs.split() if len(pair) > 1])


def word_cosines(texts: Mapping[int, str]) -> dict[tuple[int, int], float]:
    """The cosine of each pair of texts by their keys, lower key first. Short texts are left out."""
    counted = {key: content_words(text) for key, text in texts.items()}
    counted = {key: words for key, words in counted.items() if len(words) >= MIN_WORDS}
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
