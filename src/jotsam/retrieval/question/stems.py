"""Word stems: what excerpts and match scores look for inside a text.

Pure. It only cuts endings off, which is simpler than the stemmer of the text index but finds the same words. It must
not know what the stems are compared with.
"""

from __future__ import annotations

import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MIN_STEM = 3
# Endings that the text index removes too, longest first.
ENDINGS = "ations ation ingly ments ings ions ment edly ing ion ies ers ed es er ly s e y".split()  # noqa: SIM905 - endings read better


def stems(words: Iterable[str]) -> tuple[str, ...]:
    """The distinct stems of words: lower case, without diacritics and endings. Order is kept."""
    return tuple(dict.fromkeys(_stem(fold(word)) for word in words))


def fold(text: str) -> str:
    """Lower case without diacritics, and with one form of sigma. The result has the same length as the text."""
    if text.isascii():
        return text.lower()
    return text.translate({ord(c): _fold(c.lower()) for c in set(text) if not c.isascii() or c.isupper()})


def _fold(character: str) -> str:
    """The base letter. A Korean syllable decomposes into letters, not into a letter and marks, so it is kept."""
    if character == "ς":
        return "σ"
    parts = unicodedata.normalize("NFD", character)
    return parts[0] if all(map(unicodedata.combining, parts[1:])) else character[0]


def _stem(word: str) -> str:
    if not word.isascii() or not word.isalpha():
        return word
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= MIN_STEM:
            return word.removesuffix(ending)
    return word
