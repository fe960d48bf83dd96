"""Which names of a tagger are worth keeping, and under which category.

A tagger that learned from news, encyclopedias and chat takes "Phase", "CLI" and a bullet for names when it reads a
manual. So it is believed in plain prose and hardly at all in marked-up text, where rules do better. It must not look
for names itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from jotsam.pipeline import known
from jotsam.pipeline.names import GIVEN, slug
from jotsam.pipeline.tagger import Named
from jotsam.pipeline.words import STOP_WORDS

CATEGORIES = {
    "person": "people",
    "organization": "organizations",
    "place": "concepts",
    "product": "tools",
    "other": "concepts",
}
"""A place or a work is no person, organization, tool or project: what is left is a concept."""

Namer = Callable[[str], Iterable[Named]]
"""Finds names in a sentence or a paragraph; both taggers, the shipped one and spaCy, are one."""

LONGEST = 60
_SENTENCE = re.compile(r"[^\n]+?(?:(?<=[.!?])[\"'”’)\]]?(?=\s+[A-Z\"'“‘(])|(?=\n)|\Z)")
_MARKUP = re.compile(
    r"`|\*\*|\]\(|\|\s|\{|\}|=>|->|\w\(\)|^\s*(?:[-*+]\s|\d+[.)]\s|#{1,6}\s\w|>)|(?<!\S)--?[a-z]|\w/\w+/|\w_\w|\.\w+\.\w",
    re.MULTILINE,
)
_EDGES = " \t\n.,;:!?\"'“”‘’()[]{}<>|*_~#@&/-–—…`"
_POSSESSIVE = re.compile(r"\s?['’]s$")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a text, by their places; a tagger reads one at a time."""
    for match in _SENTENCE.finditer(text):
        yield match.span()


def sift(text: str, sentence: tuple[int, int], named: Iterable[Named]) -> Iterator[tuple[str, int, int]]:
    """Category, start and end in the text of every name worth keeping."""
    start, end = sentence
    is_marked = _MARKUP.search(text, start, end) is not None
    for name in named:
        begin, stop = _trimmed(text, start + name.start, start + name.end)
        word = text[begin:stop]
        if not _is_name(word) or (is_marked and not _is_sure_person(name, word)):
            continue
        yield CATEGORIES[name.kind], begin, stop


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    word = text[start:end]
    word = _POSSESSIVE.sub("", word.rstrip(_EDGES.replace(".", "")))
    if word.endswith(".") and word.count(".") == 1:
        word = word[:-1].rstrip()
    bare = word.lstrip(_EDGES)
    return start + len(word) - len(bare), start + len(word)


def _is_name(word: str) -> bool:
    lower = word.lower()
    if not 1 < len(word) <= LONGEST or not any(character.isalpha() for character in word) or "_" in word:
        return False
    if lower in STOP_WORDS or lower in known.NO_NAMES or "\n" in word:
        return False
    return word[0].isupper() or word[0].isdigit() or any(character.isupper() for character in word)


def _is_sure_person(name: Named, word: str) -> bool:
    parts = word.split()
    return name.kind == "person" and len(parts) == 2 and slug(parts[0]) in GIVEN and parts[1][0].isupper()
