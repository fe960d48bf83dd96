"""How alike two texts are by the words that they share. Pure; depends on no other texts, so it never changes."""

from __future__ import annotations

import re
from math import sqrt

from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.statements.words import stem
from jotsam.pipeline.text.words import bigrams

MIN_EQUAL = 2  # words of two texts with the same words
MIN_WORDS = 4  # that two texts share: fewer are shared by chance, or by manners
MAX_CHARACTERS = 8_000

_WORD = re.compile(r"[^\W_]{2,}")
_COMMON = frozenset(
    """
    glad awesome amazing definitely soon sorry sound sounds hope congrats cool keep mean look wait guess gonna wanna
    yay haha love appreciate yeah yes yep okay ok oh hey hi wow thanks thank really just like get got go going good
    great nice one also lot much thing things something make know think see want need way even still sure right well
    time day
    """.split()  # noqa: SIM905 - a list of quoted words is harder to read
)


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
