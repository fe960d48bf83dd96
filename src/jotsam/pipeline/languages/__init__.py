"""The languages that are read, one file each with all of its words: `LANGUAGE` of `en.py` holds those of English.

A language is added by its file and its code here. The files hold words and patterns only, and no rules.
"""

from __future__ import annotations

from functools import cache

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.languages.language import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.pipeline.languages.language import Language

SPACED, UNSPACED = ("en", "de", "fr", "es"), ("zh", "ja")  # whether words are separated by spaces

FIRST_UNSPACED = "\u3005"  # Hiragana and Han follow it
SHORT = 400  # characters; a longer text may have parts in several languages
_WORD = lazy_pattern(r"[^\W\d_]+")
MIN_ENGLISH = 2  # function words that no other language has


@cache
def by_code(code: str) -> Language:
    found: Language = __import__(f"jotsam.pipeline.languages.{code}", fromlist=["LANGUAGE"]).LANGUAGE
    return found


def spaced() -> tuple[Language, ...]:
    """English, and the other languages with spaces between words."""
    return tuple(map(by_code, SPACED))


def unspaced() -> tuple[Language, ...]:
    return tuple(map(by_code, UNSPACED))


@cache
def united(field: str) -> frozenset[str]:
    """The words of a field in all languages with spaces."""
    return frozenset(word for one in spaced() for word in getattr(one, field).split())


@cache
def either(field: str) -> str:
    """The alternatives of a pattern in all languages with spaces."""
    return "|".join(filter(None, (getattr(one, field) for one in spaced())))


def may_be(text: str) -> Iterator[Language]:
    """The languages in which a text may be, English first.

    A short text with two English words is in English: a hook starts for each prompt, and imports no other language.
    """
    yield by_code("en")
    if not (text.isascii() and len(text) <= SHORT and len(_english() & {*text.lower().split()}) >= MIN_ENGLISH):
        yield from map(by_code, SPACED[1:])
    if not text.isascii() and max(text) >= FIRST_UNSPACED:
        yield from unspaced()


def likely(text: str) -> tuple[Language, ...]:
    """English and the other languages with spaces to which most words of a text point, all of them if none does.

    The one to which more words point is first. A longer text that is in English is in no other.
    """
    english, *others = [one for one in may_be(text) if one.code in SPACED]
    if not others:
        return (english,)
    found = _WORD.findall(text.lower())
    counts = {one.code: _weight(one.code, found) for one in (english, *others)}
    most = max(counts[one.code] for one in others)
    best = [one for one in others if counts[one.code] == most]
    if most > counts["en"]:
        return (*best, english)
    return (english,) if len(text) > SHORT and most < counts["en"] else (english, *best)


def detect(found: list[str]) -> Language:
    """The language with spaces of which words are function words and verbs of state; English if none has more."""
    return by_code(max(SPACED, key=lambda code: _weight(code, found)))


def _weight(code: str, found: list[str]) -> int:
    weights = _weights(code)
    return sum(map(weights.__getitem__, filter(weights.__contains__, found)))


@cache
def _weights(code: str) -> dict[str, int]:
    """What words of a language tell of it. Verbs tell more than function words, which other languages may have."""
    one = by_code(code)
    verbs = [verb for forms in table(one.states).values() for verb in forms.split()]
    return dict.fromkeys(one.function.split(), 2) | dict.fromkeys((*verbs, *one.told.split()), 3)


@cache
def _english() -> frozenset[str]:
    return frozenset(by_code("en").unambiguous.split())
