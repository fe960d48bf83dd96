"""Which names of a tagger are worth keeping, and under which category.

A tagger that learned from news, encyclopedias and chat takes "Phase", "CLI" and a bullet for names when it reads a
manual. So it is believed in plain prose and hardly at all in marked-up text, where rules do better. It must not look
for names itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from jotsam.pipeline import known
from jotsam.pipeline.names import GIVEN, TITLES
from jotsam.pipeline.slugs import slug
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


class Namer(Protocol):
    """Finds names in a sentence or a paragraph; both taggers, the shipped one and spaCy, are one."""

    @property
    def name(self) -> str:
        """Who that is, as it stands on every row that comes of it: `tagger/1`, `spacy:en_core_web_sm`."""
        ...

    def __call__(self, text: str) -> Iterable[Named]: ...


LONGEST = 60
_SENTENCE = re.compile(r"[^\n]+?(?:(?<=[.!?])[\"'”’)\]]?(?=\s+[A-Z\"'“‘(])|(?=\n)|\Z)")
_MARKUP = re.compile(
    r"`|\*\*|\]\(|\|\s|\{|\}|=>|->|\w\(\)|^[ \t]*(?:[-*+]\s|\d+[.)]\s|#{1,6}\s\w|>)"
    r"|(?<!\S)--?[a-z]|\w/\w+/|\w_\w|\.\w+\.\w",
    re.MULTILINE,
)
_EDGES = " \t\n.,;:!?\"'“”‘’()[]{}<>|*_~#@&/-–—…`"
_LABEL = re.compile(r"[A-Z]{1,2}-?\d{1,2}")
_TWO_CAPITALS = re.compile(r"[A-Z][\w'’-]+ (?:[a-z]{1,3} )?[A-Z]")
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_SURE = 0.8
_CALLING = re.compile(
    r"(?:^|[.!?]\s+)(?:hey|hi|hello|dear|thanks|thank you|wow|yeah|yes|yep|nope|no|sure(?: thing)?|cheers|go|great|nice"
    r"|awesome|cool|ok|okay|congrats|bye|morning|aww|oh)(?:\s+there)?,?\s+$",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"\s?['’]s$")


def sentences(text: str) -> Iterator[tuple[int, int, bool]]:
    """Start and end of the sentences that a tagger should read, and whether it is to be believed there.

    In a document with headings, lists, code or tables, plain sentences are read for names of several words alone.
    """
    is_document = _MARKUP.search(text) is not None
    for match in _SENTENCE.finditer(text):
        start, end = match.span()
        if not is_document:
            yield start, end, not _is_shouted(match.group())
        elif _TWO_CAPITALS.search(text, start, end) and not _MARKUP.search(text, start, end):
            yield start, end, False


def _is_shouted(sentence: str) -> bool:
    return len(_CAPITALS.findall(sentence)) > 4


def sift(text: str, start: int, named: Iterable[Named], *, believed: bool) -> Iterator[tuple[str, int, int]]:
    """Category, start and end in the text of every name worth keeping, of those found in a sentence at `start`."""
    for name in named:
        begin, stop = _trimmed(text, start + name.start, start + name.end)
        word = text[begin:stop]
        if _is_name(word) and (believed or _is_full_name(name, word)):
            yield CATEGORIES["person" if _is_person(text, begin, stop) else name.kind], begin, stop


def _is_person(text: str, start: int, end: int) -> bool:
    """One word that is a given name, or that somebody is called by: "Thanks, Gina!"."""
    word = text[start:end]
    if slug(word) in GIVEN:
        return True
    called = _CALLING.search(text[max(0, start - 20) : start]) is not None
    return called and " " not in word and text[end : end + 1] in ("!", ",", ".", "?", "")


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
    if (
        lower in STOP_WORDS | TITLES
        or lower in known.NO_NAMES
        or lower in known.JARGON
        or "\n" in word
        or _LABEL.fullmatch(word)
    ):
        return False
    return word[0].isupper() or word[0].isdigit() or any(character.isupper() for character in word)


def _is_full_name(name: Named, word: str) -> bool:
    """Several words, each as names are written; a person's begins with a name that people bear."""
    parts = word.split()
    is_written = len(parts) > 1 and all(part[0].isupper() and not part.isupper() for part in parts)
    if name.kind == "person":
        return is_written and slug(parts[0]) in GIVEN
    return is_written and name.kind in ("organization", "place") and name.sure >= _SURE
