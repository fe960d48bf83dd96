"""Known names: which slugs are names of tools, organizations, places or people, and which are English words.

`tools/gazetteer.py` builds the file from public sources; nothing in it was chosen by hand. It is loaded with the first
question, as one string of 1 MB that is searched by bisection, because a table of 80,000 strings would need ten times
the memory. Whether a known name is meant in a text is decided elsewhere.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from functools import cache
from importlib.resources import files

from jotsam.pipeline.text.memoize import memoize_short
from jotsam.pipeline.text.slugs import slug

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = "known_names.bin"

COMMON, ENGLISH, GIVEN, TOOL, ORGANIZATION, PLACE, PHRASE, FREQUENT = (1 << bit for bit in range(8))
NAMES = TOOL | ORGANIZATION | PLACE
WORDS = COMMON | ENGLISH
_LETTER = 64  # Flags are stored as two letters of four bits each, added to this.
_BLOCK = 512
_ENDINGS = (
    ("ies", "y"),
    ("ied", "y"),
    ("s", ""),
    ("es", ""),
    ("ed", ""),
    ("d", ""),
    ("ing", ""),
    ("ing", "e"),
    ("ly", ""),
    ("er", ""),
    ("r", ""),
)


class Having:
    """The slugs with one of some flags, as a container."""

    def __init__(self, flags: int) -> None:
        self._flags = flags

    def __contains__(self, name_slug: object) -> bool:
        return bool(flags(str(name_slug)) & self._flags)


@memoize_short
def known(text: str) -> int:
    """The flags of a name or word as written, an English word also without its ending."""
    return flags(slug(text)) | word_flags(text.lower())


def word_flags(lower: str) -> int:
    """Whether a word in lower case is English: COMMON, ENGLISH or 0."""
    if not lower.isascii():
        return 0
    found = flags(lower) & WORDS
    for stem in () if found else stems(lower):
        found |= flags(stem) & WORDS
    return found


def stems(word: str) -> Iterator[str]:
    """The words to which a regular English ending may have been added."""
    for ending, instead in _ENDINGS:
        if len(word) > len(ending) + 2 and word.endswith(ending):
            yield word[: len(word) - len(ending)] + instead


def flags(name_slug: str) -> int:
    """The flags of a slug, 0 if it is not known."""
    data, firsts, places = _load()
    wanted = name_slug.encode("utf8", "replace")
    block = bisect_right(firsts, wanted) - 1
    if block < 0:
        return 0
    line = b"\n" + wanted + b"\t"
    at = data.find(line, places[block], places[block + 1] + 1)
    if at < 0:
        return 0
    high, low = data[at + len(line) : at + len(line) + 2]
    return (high - _LETTER) << 4 | (low - _LETTER)


@cache
def _load() -> tuple[bytes, list[bytes], list[int]]:
    """The lines, and the first slug and the place of each block of them."""
    data = zlib.decompress(files("jotsam.pipeline.entities").joinpath(FILE).read_bytes())
    last = len(data) - 1
    places = sorted({data.index(b"\n", at) for at in range(0, last, _BLOCK)} - {last})
    firsts = [data[at + 1 : data.index(b"\t", at)] for at in places]
    return data, firsts, [*places, last]
