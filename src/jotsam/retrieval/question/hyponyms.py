"""What a question asks for by its kind: "which instrument" is answered by a violin.

`tools/hyponyms.py` writes the list from WordNet. What software is of a kind is in the lexicon of notes. Both are read
when a question asks so.

Pure, but for the lists.
"""

from __future__ import annotations

import zlib
from functools import cache
from os.path import dirname, join

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.notes.lexicon import kin_of

FILE = "hyponyms.bin"
# "Which pets", "what kind of game", "how many states", "the names of Maria's dogs", "does he keep an animal": the last
# word of two is the noun, if it is one.
_ASKED = lazy_pattern(
    r"\b(?:what|which|how many|any)\s+(?:(?:kind|type|sort)s?\s+of\s+)?(?:[^\W_]+[+-]\S*\s+)?"
    r"([a-z]+)(?:\s+(?!(?:has|have|had)\b)([a-z]+))?"
    r"|\b(?:kind|type|sort|name)s?\s+of\s+(?:\w+'?s?\s+)?([a-z]+)"
    r"|^(?:is|are|do|does|did|has|have)\b.*\ban?\s+([a-z]+)"
)


def kinds_of(question: str) -> dict[str, tuple[str, ...]]:
    """The words, in lower case, by which a question asks for something of a kind, each with what is of it."""
    found = (_of_names([name for name in match.groups() if name]) for match in _ASKED.finditer(question.lower()))
    return {word: things for word, things in found if things}


def _of_names(names: list[str]) -> tuple[str, tuple[str, ...]]:
    """The noun among one or two words with what is of its kind: first of both as a term, such as "martial art"."""
    both = _of(f"{names[0]}_{_singular(names[1])}") if len(names) > 1 else ()
    if both:
        return names[1], both
    return next(((name, things) for name in reversed(names) if (things := _of(name))), ("", ()))


def _singular(word: str) -> str:
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")


@cache
def _of(kind: str) -> tuple[str, ...]:
    """What is of a kind in singular or plural: of the list, then of the lexicon."""
    forms = (kind, _singular(kind))
    listed = next(filter(None, map(_listed, forms)), [])
    kin = next(filter(None, (kin_of(form)[0] for form in forms)), ())
    return (*listed, *(thing for thing in sorted(kin) if thing.isalnum()))


def _listed(kind: str) -> list[str]:
    text = _text()
    at = text.find(f"\n{kind} ")
    return text[at + len(kind) + 2 : text.index("\n", at + 1)].split() if at >= 0 else []


@cache
def _text() -> str:
    """Lines, each with a kind and what is of it, between line breaks."""
    with open(join(dirname(__file__), FILE), "rb") as file:
        return zlib.decompress(file.read()).decode()
