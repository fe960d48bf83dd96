"""A pattern of date expressions, and the words without which it cannot match.

Most texts have few of these words, so most patterns are neither run nor compiled: both cost more than the check.
"""

from __future__ import annotations

import re

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.languages.en import LANGUAGE
from jotsam.pipeline.languages.language import numbered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Words = frozenset[str]

# Added to the words of a text that has such a number or character.
YEAR, NUMBER, CHINESE = "0000", "0", "日"

_YEAR = lazy_pattern(r"[12]\d{3}|0[sS]")
_NUMBER = lazy_pattern(r"\d")
_CHINESE = lazy_pattern(r"[天周週日月年期拜晚早时時钟鐘]")


# Letters of ASCII in lower case; everything else separates words. Splitting such a text is faster than matching words.
_LETTERS = bytes(ord(chr(at).lower()) if at < 128 and chr(at).isalpha() else 32 for at in range(256))


def cue(words: str) -> Words:
    """One of these words, in lower case, must be in the text."""
    return frozenset(words.split())


MONTHS = frozenset(numbered(LANGUAGE.months))
UNITS = cue("day days weekend weekends week weeks month months quarter quarters year years yr yrs")
STEPS = cue("last past previous this current next coming following")


class Rule:
    """A pattern, compiled on first use. Each of `cues` is a set of words, of which a text that matches has one."""

    def __init__(self, pattern: str, *cues: Words, flags: int = re.IGNORECASE) -> None:
        self._pattern, self._cues = lazy_pattern(pattern, flags), cues

    def matches(self, text: str, words: Words) -> Iterator[re.Match[str]]:
        """The matches in the text; `words` is what `words_of` returns for it."""
        for needed in self._cues:
            if needed.isdisjoint(words):
                return iter(())
        return self._pattern.finditer(text)


def words_of(text: str) -> frozenset[str]:
    """The words of a text in lower case, to compare with the cues of rules."""
    letters = text.encode("ascii", "replace").translate(_LETTERS).decode("ascii")
    words = set(letters.split())
    has_year = _YEAR.search(text) is not None
    if has_year:
        words.add(YEAR)
    if _NUMBER.search(text):
        words.add(NUMBER)
    if not text.isascii() and _CHINESE.search(text):
        words.add(CHINESE)
    if not has_year and letters.count("may") == text.count("may"):
        words.discard("may")  # In lower case and without a year it is a verb.
    return frozenset(words)
