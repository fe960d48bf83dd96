"""Slugs: the normal form of a name, equal for its spelling variants, and the title slugs of a text."""

from __future__ import annotations

import unicodedata

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.text.memoize import memoize_short

MAX_TITLE_CHARACTERS = 200

_LETTERS = str.maketrans({"ø": "o", "ß": "ss", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
_NOT_IN_SLUG = lazy_pattern(r"[^\w+#]+|_+")
_BRACKETS = lazy_pattern(r"\s*\([^()]*\)\s*$")
_PIECE = lazy_pattern(r" \(\d+/\d+\)$")
_FOLDERS = lazy_pattern(r"[/\\]")


@memoize_short
def slug(name: str) -> str:
    """The name in lower case with hyphens, transliterated to ASCII where possible: "José García" gives jose-garcia.

    `+` and `#` are kept, because C, C++ and C# differ. Letters of other scripts are kept.
    """
    plain = name.lower()
    if not name.isascii():
        plain = "".join(map(_latin, unicodedata.normalize("NFC", name).casefold().translate(_LETTERS)))
    return _NOT_IN_SLUG.sub("-", plain).strip("-")


def title_slugs(actor: str | None, section: str, source: str | None) -> frozenset[str]:
    """The titles of a text as slugs: its actor, its last section heading and its file name without extension.

    A disambiguator in brackets is dropped, and a part after a comma is optional: "Brand (play)" gives `brand`,
    "Rochester, New York" gives `rochester-new-york` and `rochester`.
    """
    heading = _PIECE.sub("", section.rpartition(" > ")[2])
    stem, _, extension = _FOLDERS.split((source or "").rstrip("/\\"))[-1].rpartition(".")
    names = (actor or "", heading, stem or extension)
    titles = [_BRACKETS.sub("", name) for name in names if len(name) <= MAX_TITLE_CHARACTERS]
    return frozenset(filter(None, (slug(form) for name in titles for form in (name, name.partition(",")[0]))))


def _latin(character: str) -> str:
    base = unicodedata.normalize("NFKD", character)[0]
    return base if base.isascii() else character
