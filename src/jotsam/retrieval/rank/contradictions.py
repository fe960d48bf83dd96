"""Detects near-duplicates and contradictions between two texts, by their words alone.

Pure. Near-duplicates share half of their words, or more than half of how they start. A common subject is not enough,
because a subject has many sides. A contradiction is two different values of one thing, as
`pipeline.statements` reads them.
"""

from __future__ import annotations

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.retrieval.question.stems import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


MAX_CHARACTERS = 400  # a longer text is rarely about one thing
SHARED = 0.5  # part of the words
SAID_OF_ONE_THING = 0.3  # the part of the shorter text's words that two texts about one thing share at least
FIRST_UNSPACED = "぀"  # Hiragana, which Han follows: these have no words to compare
MIN_WORDS = 2

_WORD = lazy_pattern(r"\w+")


class ComparedText(Record):
    """A text as it is compared. Without words it is compared with nothing."""

    text: str = ""  # lower case, without diacritics
    words: tuple[str, ...] = ()  # in order, without stop words
    all_words: tuple[str, ...] = ()
    distinct: frozenset[str] = frozenset()  # `words`
    stating: str = ""  # the text, unless it is a question


class Contradiction(Record):
    """How two texts contradict each other: whether each of them is only a guess or hearsay."""

    one_hedged: bool
    other_hedged: bool


def compared_text(text: str | None) -> ComparedText:
    """Parse a text for comparison. Never raises."""
    if text is None or len(text) > MAX_CHARACTERS:
        return ComparedText()
    all_words = tuple(_WORD.findall(text.lower()))
    words = tuple(word for word in all_words if word not in STOP_WORDS)
    stating = "" if text.rstrip().endswith(("?", "？")) else text
    return ComparedText(text=fold(text), words=words, all_words=all_words, distinct=frozenset(words), stating=stating)


def are_near_duplicates(one: ComparedText, other: ComparedText) -> bool:
    """Whether two texts have nearly the same content in different words."""
    if len(one.words) < MIN_WORDS or len(other.words) < MIN_WORDS or one.words == other.words:
        return False
    shared = len(one.distinct & other.distinct)
    if shared < MIN_WORDS:
        return False
    return shared / len(one.distinct | other.distinct) >= SHARED or _common_start(one, other) > SHARED


def _common_start(one: ComparedText, other: ComparedText) -> float:
    """The part of the longer text that both start with."""
    same = 0
    for mine, theirs in zip(one.all_words, other.all_words, strict=False):
        if mine != theirs:
            break
        same += 1
    return same / max(len(one.all_words), len(other.all_words))


def find_contradiction(
    one: ComparedText, other: ComparedText, *, is_same_speaker: bool, is_one_day: bool = False
) -> Contradiction | None:
    """The first contradiction between two texts. What speakers state of themselves is only compared with their texts.

    Readings contradict each other only if two people made them on one day.
    """
    if not _may_be_about_one_thing(one, other):
        return None
    # Slow to import: a hook starts for each prompt, and most of its answers have no such pair.
    from jotsam.pipeline.statements.compare import contradict, differ
    from jotsam.pipeline.statements.read import read_statements

    are_opposed = differ if is_one_day and not is_same_speaker else contradict
    for mine in read_statements(one.stating):
        for theirs in read_statements(other.stating):
            is_comparable = is_same_speaker or "i" not in (mine.speaker, theirs.speaker)
            if is_comparable and are_opposed(mine, theirs):
                return Contradiction(one_hedged=mine.hedged, other_hedged=theirs.hedged)
    return None


def _may_be_about_one_thing(one: ComparedText, other: ComparedText) -> bool:
    """A quick check that two texts share words. Texts without spaces pass, if both are."""
    if not one.stating or not other.stating or one.stating == other.stating:
        return False
    shortest = min(len(one.distinct), len(other.distinct))
    if shortest and len(one.distinct & other.distinct) >= SAID_OF_ONE_THING * shortest:
        return True
    return _is_unspaced(one.stating) and _is_unspaced(other.stating)


def _is_unspaced(text: str) -> bool:
    return not text.isascii() and max(text) >= FIRST_UNSPACED


def covers(one: ComparedText, other: ComparedText, stems: Iterable[str]) -> bool:
    """Whether `one` contains all of a question's stems that `other` contains."""
    return all(stem in one.text for stem in stems if stem in other.text)
