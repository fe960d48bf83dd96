"""What an NER tagger contributes: its names as spans with a category and a weight.

A tagger trained on news, encyclopedias and chat mistakes labels, headings and list bullets of documents for names, so
it reads no sentence with markup. This module does not decide which names are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.entities.tagger import TaggedName
from jotsam.pipeline.text.markdown import outline
from jotsam.pipeline.text.tokens import without_noise

# Tagger kinds to entity categories. Places and works become concepts.
CATEGORIES = {
    "person": "people",
    "organization": "organizations",
    "place": "concepts",
    "product": "tools",
    "other": "",
}


class NameTagger(Protocol):
    """Finds names in a sentence or paragraph. The built-in tagger and spaCy implement it."""

    @property
    def name(self) -> str:
        """Recorded as the extractor of its entities: `tagger/2`, `spacy:en_core_web_sm`."""
        ...

    def __call__(self, text: str) -> Iterable[TaggedName]: ...


_SENTENCE = lazy_pattern(r"[^\n]+?(?:(?<=[.!?])[\"'”’)\]]?(?=\s+[A-Z\"'“‘(])|(?=\n)|\Z)")
_MARKUP = lazy_pattern(
    r"`|\*\*|\]\(|\|\s|\{|\}|=>|->|\w\(\)|^[ \t]*(?:[-*+]\s|\d+[.)]\s|#{1,6}\s\w|>)"
    r"|(?<!\S)--?[a-z]|\w/\w+/|\w_\w|\.\w+\.\w",
    re.MULTILINE,
)
_NAME = lazy_pattern(r"[A-Z0-9]|[^\W\d_a-z]")
_PUNCTUATION = " \t\n.,;:!?\"'“”‘’()[]{}<>|*_~#@&/-–—…`"
_POSSESSIVE = lazy_pattern(r"['’]s$")
MIN_KIND_SCORE = 0.55
MAX_WEIGHT, LEAST_SCORE, SLOPE = 1.05, 0.3, 1.7


def tagged_spans(text: str, tagger: NameTagger) -> Iterator[tuple[int, int, str, float]]:
    """Start, end, category and weight of the names that a tagger finds. Lines must end in LF."""
    readable = without_noise(text, outline(text).fences)
    for match in _SENTENCE.finditer(readable):
        begin, sentence = match.start(), match.group()
        if _NAME.search(sentence) is None or _MARKUP.search(sentence):
            continue
        for name in tagger(sentence):
            start, end = _trim(sentence, name.start, name.end)
            if start < end and _NAME.search(sentence, start, end):
                category = CATEGORIES[name.kind] if name.kind_score >= MIN_KIND_SCORE else ""
                yield begin + start, begin + end, category, min(MAX_WEIGHT, SLOPE * (name.score - LEAST_SCORE))


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    word = _POSSESSIVE.sub("", text[start:end].rstrip(_PUNCTUATION))
    return start + len(word) - len(word.lstrip(_PUNCTUATION)), start + len(word)
