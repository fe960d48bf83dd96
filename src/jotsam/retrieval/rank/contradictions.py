"""Detects near-duplicates and contradictions between two texts, by their words alone.

Pure. Near-duplicates share half of their words, or more than half of how they start. A common subject is not enough,
because there is much to say about a subject. A contradiction is two different plain values of one thing: "The port is
5432." and "The port is 6543."
"""

from __future__ import annotations

import re

from jotsam.core.records import Record
from jotsam.pipeline.text.words import STOP_WORDS
from jotsam.retrieval.question.stems import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_CHARACTERS = 400  # a longer text says too much to be about one thing
SHARED = 0.5  # part of the words
MIN_WORDS = 2

_WORD = re.compile(r"\w+")
_STATEMENT = re.compile(
    r"^(.{3,80}?)(?:\s(is|are|was|were|uses|use|runs (?:on|in)|starts at|costs|=)\s|(:)\s|(是|在))(.{1,80})$"
)
_SAME_VERB = dict.fromkeys(("are", "was", "were", "=", ":", "是"), "is") | {"use": "uses"}
_VALUE = re.compile(r"((?:(?:in|on|at|the|every|a|an)\s)*)(?:[A-Z\d/`'\"#$€]|[一-鿿])")
_PREPOSITIONS = frozenset(("in", "on", "at"))


class Statement(Record):
    """A text as it is compared. Without words it is compared with nothing."""

    text: str = ""  # lower case, without diacritics
    words: tuple[str, ...] = ()  # in order, without stop words
    all_words: tuple[str, ...] = ()
    subject: str = ""  # "the staging port", if the text states a plain value
    verb: str = ""  # "is", "uses", "runs in"
    prepositions: tuple[str, ...] = ()  # before the value: "on" Friday, "in" Berlin
    value: str = ""  # "5432"


def read_statement(text: str | None) -> Statement:
    """Parse a text for comparison. Never raises."""
    if text is None or len(text) > MAX_CHARACTERS:
        return Statement()
    all_words = tuple(_WORD.findall(text.lower()))
    words = tuple(word for word in all_words if word not in STOP_WORDS)
    plain = Statement(text=fold(text), words=words, all_words=all_words)
    stated = _STATEMENT.match(text.strip().rstrip(".。! "))
    value = _VALUE.match(stated[5]) if stated else None
    if not stated or not value:
        return plain
    verb = stated[2] or stated[3] or stated[4]
    return plain.replace(
        subject=" ".join(stated[1].lower().split()),
        verb=_SAME_VERB.get(verb, verb),
        prepositions=tuple(word for word in value[1].split() if word in _PREPOSITIONS),
        value=stated[5].strip().lower(),
    )


def are_near_duplicates(one: Statement, other: Statement) -> bool:
    """Whether two texts have nearly the same content in different words."""
    if len(one.words) < MIN_WORDS or len(other.words) < MIN_WORDS or one.words == other.words:
        return False
    shared = len({*one.words} & {*other.words})
    if shared < MIN_WORDS:
        return False
    return shared / len({*one.words, *other.words}) >= SHARED or _common_start(one, other) > SHARED


def _common_start(one: Statement, other: Statement) -> float:
    """The part of the longer text that both start with."""
    same = 0
    for mine, theirs in zip(one.all_words, other.all_words, strict=False):
        if mine != theirs:
            break
        same += 1
    return same / max(len(one.all_words), len(other.all_words))


def contradict(one: Statement, other: Statement) -> bool:
    """Whether both state a plain value of the same thing, and the values differ.

    "The retro is on Friday" and "The retro is in Berlin" do not contradict each other.
    """
    is_same = bool(one.subject) and (one.subject, one.verb) == (other.subject, other.verb)
    is_comparable = not one.prepositions or not other.prepositions or one.prepositions == other.prepositions
    return is_same and one.value != other.value and is_comparable


def covers(one: Statement, other: Statement, stems: Iterable[str]) -> bool:
    """Whether `one` contains all of a question's stems that `other` contains."""
    return all(stem in one.text for stem in stems if stem in other.text)
