"""Whether two texts say the same: the same words in the same order, apart from case, punctuation and a few fillers.

Pure. In doubt they do not: texts that differ in one word may mean the opposite, and no rule can tell. So a number, a
name, a date or a negation that differs keeps them apart, and so does a word that no list knows.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.languages import spaced, united, unspaced
from jotsam.pipeline.languages.language import numbered

MIN_WORDS, MIN_TURN_WORDS = 4, 6  # "Sounds good, thanks!" is said again and again
MAX_CHARACTERS = 8_000
DAY_MS = 86_400_000

_TOKEN = lazy_pattern(
    r"(?<![\w.])[-+](?=\d)|[\u2190-\u2bff\U0001f300-\U0001faff]|\d+(?:[.,:/-]\d+)*|[^\W\d_]+(?:\+\+|#)?|[<>=!]=|[<>=%$€£@&|~^\\/+]|(?<=\s)--?(?=\w)"
)
_CONTRACTIONS = (
    (lazy_pattern(r"\bcan(?:no|'|no')t\b"), "can not"),
    (lazy_pattern(r"\bwon't\b"), "will not"),
    (lazy_pattern(r"n't\b"), " not"),
    (lazy_pattern(r"\b(it|that|there|what|where|who|he|she|here)'s\b"), r"\1 is"),
    (lazy_pattern(r"\b(i)'m\b"), r"\1 am"),
    (lazy_pattern(r"\b(\w+)'re\b"), r"\1 are"),
    (lazy_pattern(r"\b(\w+)'ve\b"), r"\1 have"),
    (lazy_pattern(r"\b(\w+)'ll\b"), r"\1 will"),
)
_LABEL = lazy_pattern(r"^\W*(?:note|remember|reminder|fyi|info|btw)(?:\s+that)?\s*[:,]\s*|^remember that\s+")
_FILLERS = frozenset(("a", "an", "the", "please", "also"))
_HEADING = lazy_pattern(r"\s*(?:#{1,6} [^\n]*|[^\n]*\n([-=~^*])\1{2,})\s*$")
# In code, a command or a table each sign counts.
_CODE = lazy_pattern(r"```|[{}\\;=<>|\[\]]|\w\(|(?:^|[\s'\"`])--?\w?")
_CAPITAL_WORDS = frozenset(("US", "IT", "WHO", "AM"))  # other words than in lower case
_WORD = lazy_pattern(r"[^\W_]+")


class Saying(Record):
    """A text, who said it, and when."""

    text: str
    actor: str | None = None
    session: str | None = None
    at: int = 0  # milliseconds


def words_of_saying(text: str) -> tuple[str, ...]:
    """The words of a text that must be equal in another one. A character of a script without spaces is one."""
    folded = " ".join(
        word if word.strip(".,;:!?()\"'") in _CAPITAL_WORDS else word.lower()
        for word in unicodedata.normalize("NFKC", text[: MAX_CHARACTERS + 1]).replace("’", "'").split()
    )
    folded = _LABEL.sub("", folded)
    for pattern, whole in _CONTRACTIONS:
        folded = pattern.sub(whole, folded)
    found: list[str] = []
    for token in _TOKEN.findall(folded):
        if not token.isascii() and token[0] >= "\u0e01" and token.isalpha():
            found += token
        elif token not in _FILLERS:
            found.append(token)
    return tuple(found)


def says_the_same(one: Saying, other: Saying) -> bool:
    """Whether one of two texts is enough. Questions, turns of two people in one session, and short ones are not."""
    if max(len(one.text), len(other.text)) > MAX_CHARACTERS or "?" in one.text + other.text:
        return False
    if "？" in one.text + other.text or (one.session is not None and _is_answer(one, other)):
        return False
    is_code = _CODE.search(one.text) or _CODE.search(other.text)
    if is_code and one.text.split() != other.text.split():
        return False
    mine, theirs = words_of_saying(one.text), words_of_saying(other.text)
    least = MIN_WORDS if one.session is None and other.session is None else MIN_TURN_WORDS
    if len(mine) < least or not _are_equal(mine, theirs) or _needs_its_place(one.text, mine):
        return False
    if one.actor != other.actor and _speaks_of(one.text, "first_person", "second_person"):
        return False
    if one.at // DAY_MS != other.at // DAY_MS and _is_of_its_day(one.text):
        return False
    return not _contradict(one.text, other.text)


def _is_answer(one: Saying, other: Saying) -> bool:
    """Whether two people said them in one session."""
    return one.session == other.session and one.actor != other.actor


def _needs_its_place(text: str, words: tuple[str, ...]) -> bool:
    """Whether what it speaks of is in the texts beside it."""
    return words[0] in united("pointing") or text.rstrip().endswith((":", "：")) or _HEADING.match(text) is not None


def _are_equal(mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Whether the words are equal, or one part of the sentence was moved: "On Fridays we deploy."."""
    if mine == theirs:
        return True
    if len(mine) != len(theirs) or not united("placed").isdisjoint(mine):
        return False
    twice = mine + mine
    return any(twice[at : at + len(mine)] == theirs for at in range(1, len(mine)) if mine[at] == theirs[0])


def _speaks_of(text: str, *fields: str) -> bool:
    """Whether a text has one of the words of these fields in any language."""
    from jotsam.pipeline.statements.words import plain  # slow to import, and few texts are compared so far

    words = {*_WORD.findall(plain(text))}
    signs = [sign for one in unspaced() for field in fields for sign in getattr(one, field).split()]
    return any(not united(field).isdisjoint(words) for field in fields) or any(sign in text for sign in signs)


@cache
def _weekdays() -> frozenset[str]:
    return frozenset(day for one in spaced() for day in numbered(one.weekdays) if len(day) > len("tues"))


def _is_of_its_day(text: str) -> bool:
    """Whether it means another time when it is said on another day, or is a reading of a moment."""
    if _speaks_of(text, "momentary") or not _weekdays().isdisjoint(_WORD.findall(text.lower())):
        return True
    from jotsam.pipeline.statements.read import read_statements

    return any(one.measured for one in read_statements(text))


def _contradict(one: str, other: str) -> bool:
    from jotsam.pipeline.statements.compare import differ
    from jotsam.pipeline.statements.read import read_statements

    theirs = read_statements(other)
    return any(differ(mine, their) for mine in read_statements(one) for their in theirs)
