"""Search terms of a question: the words, phrases and bigrams that the text index is queried with, and UUIDs.

Pure. A term consists of letters, digits and spaces, so nothing that a user types is ever an operator of an index.

Scripts with spaces are searched by words. Scripts without spaces are searched by bigrams, made by the same function as
those in the index. Two long texts share some bigram by accident, so a match must contain several: see `_shares`.
"""

from __future__ import annotations

import re
from itertools import groupby

from jotsam.core.answers import Terms
from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.languages import unspaced
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.words import bigrams, spell_out
from jotsam.retrieval.question.stems import irregular_forms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_TERMS = 64
MAX_WORD = 40  # characters; a longer run is not a word
MAX_PHRASE = 12  # words
MAX_PHRASES = 4
SHORT_ID = 8  # hex digits of a UUID that answers show, and that a question needs to refer to one

# Verbs of the frame of a question: "how long does it take", "where did we go". Their forms are rare beside other words,
# and would count for more than what is asked about.
_FRAME_VERBS = frozenset(
    "come find get give go keep know make mean say see take tell think".split()  # noqa: SIM905 - words read better
)

FULL_SHARE = 100  # percent
FEW_BIGRAMS = 3
BIGRAMS_PER_MATCH = 5

_QUOTED = lazy_pattern(r"\"([^\"]{2,400})\"|“([^”]{2,400})”|「([^」]{2,400})」|«([^»]{2,400})»")
_HEX = lazy_pattern(r"[0-9a-f]{4,8}(?:-?[0-9a-f]{1,4}){0,8}")
_UUID_DIGITS = 32


class SearchTerms(Record):
    """What the text index is queried with."""

    terms: Terms
    words: tuple[str, ...]  # words with their irregular forms, and bigrams; no phrases
    phrases: tuple[Terms, ...]  # quoted phrases, each as one query


def search_terms(content: str) -> SearchTerms:
    """The terms of a question's content. Stop words are left out unless they are in quotes."""
    content = spell_out(content)
    unspaced = frozenset() if content.isascii() else frozenset(c for c in set(content) if bigrams(c))
    phrases = [next(filter(None, found)) for found in _QUOTED.findall(content)]
    spaced = "".join([" " if c in unspaced else c for c in content]) if unspaced else content
    terms, words = _words(spaced, phrases, unspaced)
    runs = "".join([c if c in unspaced else " " for c in content]) if unspaced else ""
    grams = _bigrams(runs)
    return SearchTerms(
        terms=Terms(words=tuple(terms), grams=tuple(grams), shares=_shares(grams, runs.split())),
        words=(*words, *grams),
        phrases=tuple(filter(None, map(_phrase, phrases[:MAX_PHRASES]))),
    )


def index_query(content: str) -> Terms | None:
    """What the text index is queried with for a text; None if no words are left."""
    terms = search_terms(content).terms
    return terms if terms.words or terms.grams else None


def uuid_prefix(text: str) -> str | None:
    """A UUID, or a prefix of one with at least 4 digits, in canonical form; None for any other text."""
    text = text.strip().lower()
    digits = text.replace("-", "")
    if len(digits) > _UUID_DIGITS or not _HEX.fullmatch(text):
        return None
    parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    return "-".join(part for part in parts if part)


def uuid_prefixes(text: str) -> tuple[str, ...]:
    """The UUIDs and UUID prefixes among the words of a question, if they have at least `SHORT_ID` digits."""
    found = (uuid_prefix(word.strip(".,;:!?()[]'\"`")) for word in text.split()[:MAX_TERMS])
    return tuple(dict.fromkeys(id for id in found if id and len(id) >= SHORT_ID))


def _words(text: str, phrases: list[str], unspaced: frozenset[str]) -> tuple[list[str], list[str]]:
    """Words and phrases for the index, and the words alone.

    A compound such as `foo_bar.py` or a path is searched as a phrase and by its parts, except parts of one letter.
    """
    words: list[str] = []
    compounds: list[str] = []
    for piece in text.lower().split():
        parts = split_words(piece)
        content = [part for part in parts if part not in STOP_WORDS]
        words += [part for part in content if len(part) > 1 or len(content) == 1]
        if len(content) > 1:
            compounds += _with_and_without_v(" ".join(parts[:MAX_PHRASE]))
    words = _most_useful(words)
    quoted = [" ".join(split_words(phrase.lower())) for phrase in phrases if not unspaced.intersection(phrase)]
    quoted = [phrase for phrase in quoted if " " in phrase or phrase in STOP_WORDS]
    words = list(dict.fromkeys(form for word in words for form in (word, *_other_forms(word, words))))
    return list(dict.fromkeys([*words, *quoted, *compounds]))[:MAX_TERMS], words


def _other_forms(word: str, words: Iterable[str]) -> tuple[str, ...]:
    """The irregular forms of a word; none of a verb that only frames a question about other words.

    PostgreSQL keeps the two forms of a sigma apart at the end of a word, and lower case of capitals has the other one.
    """
    if word.endswith("ς"):
        return (f"{word[:-1]}σ",)
    return () if _is_framing(word) and not all(map(_is_framing, words)) else irregular_forms(word)


def _is_framing(word: str) -> bool:
    return not _FRAME_VERBS.isdisjoint((word, *irregular_forms(word)))


def _with_and_without_v(compound: str) -> tuple[str, ...]:
    """A version number as it is written and in its other spelling: "1 2 3" and "v1 2 3"."""
    number = compound.removeprefix("v")
    if not number.replace(" ", "").isdigit():
        return (compound,)
    return compound, number if number != compound else f"v{number}"


def _phrase(phrase: str) -> Terms | None:
    """A query for a whole phrase: its words in sequence, or all of its bigrams. None if it has words and bigrams."""
    pairs = bigrams(phrase).split()[: FULL_SHARE // 2]
    words = split_words("".join(" " if bigrams(c) else c for c in phrase).lower())
    if pairs and words:
        return None
    if words:
        return Terms(words=(" ".join(words),))
    return Terms(grams=tuple(pairs), shares=(-(-FULL_SHARE // len(pairs)),) * len(pairs)) if pairs else None


def split_words(text: str) -> list[str]:
    """Runs of letters and digits of any script, as the text index splits them; `_` separates.

    Where the index splits further, the word becomes a phrase of the index.
    """
    return ["".join(run) for is_word, run in groupby(text, _is_word) if is_word]


def _is_word(character: str) -> bool:
    return character.isalnum() or "\u0300" <= character <= "\u036f"


def _most_useful(words: list[str]) -> list[str]:
    """At most `MAX_TERMS` distinct words, in their order.

    The first half is kept, because a question precedes the text pasted below it. Of the rest, the longest are kept,
    because long words are specific; those above `MAX_WORD` characters come last.
    """
    distinct = list(dict.fromkeys(words))
    if len(distinct) <= MAX_TERMS:
        return distinct
    first, rest = distinct[: MAX_TERMS // 2], distinct[MAX_TERMS // 2 :]
    rest.sort(key=lambda word: -len(word) if len(word) <= MAX_WORD else 0)
    kept = {*first, *rest[: MAX_TERMS // 2]}
    return [word for word in distinct if word in kept]


def _bigrams(text: str) -> list[str]:
    """The distinct bigrams of a text without its function words."""
    if not text:
        return []
    function_words = "|".join(one.function_words for one in unspaced())
    pairs = bigrams(re.sub(function_words, lambda found: found[1] or " ", text)).split()
    return list(dict.fromkeys(pairs))[:MAX_TERMS]


def _shares(grams: list[str], separate: list[str]) -> tuple[int, ...]:
    """The weight of each bigram towards a match, in percent; a match needs 100. Empty: any bigram is a match.

    Up to three bigrams, any one is a match. Above that a match needs one in five and at least two. A bigram that the
    user separated by spaces is a match by itself, as a word is in a script with spaces.
    """
    if len(grams) <= FEW_BIGRAMS:
        return ()
    needed = max(2, -(-len(grams) // BIGRAMS_PER_MATCH))
    share = -(-FULL_SHARE // needed)
    return tuple(FULL_SHARE if gram in separate else share for gram in grams)
