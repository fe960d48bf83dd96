"""Normal forms of words, so that "Ports", "port" and "port's" are one."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

# Patterns are strings, and compiled when a text needs them: most answers need few, and a hook starts for each prompt.
compiled = cache(re.compile)

MIN_STEM, MIN_BEFORE_E = 3, 5  # letters that remain
_WORD = r"[^\W_]+(?:[-.@/:_]+[^\W_]+)*"
_LETTERS = str.maketrans({"ß": "ss", "’": "'"})


def fold(text: str) -> str:
    """Lower case without diacritics."""
    lower = text.lower().translate(_LETTERS)
    if lower.isascii():
        return lower
    return "".join(sign for sign in unicodedata.normalize("NFD", lower) if not unicodedata.combining(sign))


def words_of(text: str) -> list[str]:
    """The words of a text as written. Hyphens and dots inside a word belong to it."""
    return compiled(_WORD).findall(text)


def stem(word: str) -> str:
    """The folded word without a plural or genitive ending."""
    word = fold(word)
    if word.endswith("ies") and len(word) > MIN_STEM + len("ies"):
        return word.removesuffix("ies") + "y"
    if word.endswith(("xes", "ches", "shes", "sses")):
        return word.removesuffix("es")
    if word.endswith("s") and not word.endswith("ss") and len(word) > MIN_STEM:
        word = word.removesuffix("s")
    if word.endswith("e") and len(word) > MIN_BEFORE_E:
        word = word.removesuffix("e")
    return word
