"""The plain form of a name, by which what is written in two ways is one thing, and what a text is called.

Pure, and light enough for whoever only asks. It must not decide whether something is a name.
"""

from __future__ import annotations

import re
import unicodedata

MAX_TITLE_CHARACTERS = 200

_LETTERS = str.maketrans({"ø": "o", "ß": "ss", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
_NOT_IN_SLUG = re.compile(r"[^\w+#]+|_+")
_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")
_PIECE = re.compile(r" \(\d+/\d+\)$")
_FOLDERS = re.compile(r"[/\\]")


def slug(name: str) -> str:
    """The name in lower case with hyphens, in ASCII where a letter has a Latin base: "José García" is jose-garcia.

    `+` and `#` stay, because C, C++ and C# are three things; so do letters of other scripts.
    """
    plain = "".join(map(_latin, unicodedata.normalize("NFC", name).casefold().translate(_LETTERS)))
    return _NOT_IN_SLUG.sub("-", plain).strip("-")


def title_slugs(actor: str | None, section: str, source: str | None) -> frozenset[str]:
    """What a text is called, as slugs: by who said it, the heading above it, and the name of its file.

    What stands in brackets behind a name says which of several is meant, as the state behind a town does: "Brand
    (play)" and "Rochester, New York" are called Brand and Rochester.
    """
    heading = _PIECE.sub("", section.rpartition(" > ")[2])
    stem, _, ending = _FOLDERS.split((source or "").rstrip("/\\"))[-1].rpartition(".")
    names = (actor or "", heading, stem or ending)
    bare = [_BRACKETS.sub("", name) for name in names if len(name) <= MAX_TITLE_CHARACTERS]
    return frozenset(filter(None, (slug(one) for name in bare for one in (name, name.partition(",")[0]))))


def _latin(character: str) -> str:
    base = unicodedata.normalize("NFKD", character)[0]
    return base if base.isascii() else character
