"""Which two texts speak of the same thing, so that only one of them can be the last word.

Pure, and by their words alone: what a model or a caller knows better stands in the graph. Two rules. Texts that share
half of their words, or more than half of how they begin, say nearly the same: of two that match a question about as
well, the newer is to be read first. That both begin with the same subject is not enough, for of a subject there is much
to say. If two moreover state different plain values of one thing ("The port is 5432.", "The port is 6543."), they
contradict each other, and that is to be told.
"""

from __future__ import annotations

import re

from jotsam.core.records import Record
from jotsam.pipeline.text.words import STOP_WORDS
from jotsam.retrieval.present.excerpt import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 400
"""Texts longer than this, in characters, say too much to be about one thing."""

SHARED = 0.5

_WORD = re.compile(r"\w+")
_STATED = re.compile(
    r"^(.{3,80}?)(?:\s(is|are|was|were|uses|use|runs (?:on|in)|starts at|costs|=)\s|(:)\s|(是|在))(.{1,80})$"
)
_SAME = dict.fromkeys(("are", "was", "were", "=", ":", "是"), "is") | {"use": "uses"}
_VALUE = re.compile(r"((?:(?:in|on|at|the|every|a|an)\s)*)(?:[A-Z\d/`'\"#$€]|[一-鿿])")
_PLACED = frozenset(("in", "on", "at"))


class Said(Record):
    """A text as it is compared. Empty words: it is compared with nothing."""

    text: str = ""  # in lower case, without marks
    words: tuple[str, ...] = ()  # without stop words, in order
    every: tuple[str, ...] = ()  # with them
    subject: str = ""  # "the staging port", of a text that states a plain value
    verb: str = ""  # "is", "uses", "runs in"
    placed: tuple[str, ...] = ()  # before the value: "on" Friday, "in" Berlin
    value: str = ""  # "5432"


def said(text: str | None) -> Said:
    """Read a text. Never raises."""
    if text is None or len(text) > LONGEST:
        return Said()
    every = tuple(_WORD.findall(text.lower()))
    words = tuple(word for word in every if word not in STOP_WORDS)
    plain = Said(text=fold(text), words=words, every=every)
    stated = _STATED.match(text.strip().rstrip(".。! "))
    value = _VALUE.match(stated[5]) if stated else None
    if not stated or not value:
        return plain
    verb = stated[2] or stated[3] or stated[4]
    return plain.replace(
        subject=" ".join(stated[1].lower().split()),
        verb=_SAME.get(verb, verb),
        placed=tuple(word for word in value[1].split() if word in _PLACED),
        value=stated[5].strip().lower(),
    )


def are_alike(one: Said, other: Said) -> bool:
    """Whether both say nearly the same thing, and not in the same words."""
    if len(one.words) < 2 or len(other.words) < 2 or one.words == other.words:
        return False
    shared = len({*one.words} & {*other.words})
    if shared < 2:
        return False
    return shared / len({*one.words, *other.words}) >= SHARED or _begins(one, other) > SHARED


def _begins(one: Said, other: Said) -> float:
    """Which part of the longer text is the beginning that both have."""
    same = 0
    for mine, theirs in zip(one.every, other.every, strict=False):
        if mine != theirs:
            break
        same += 1
    return same / max(len(one.every), len(other.every))


def contradict(one: Said, other: Said) -> bool:
    """Whether both state a plain value of the same thing, and not the same one.

    "The retro is on Friday" and "The retro is in Berlin" do not.
    """
    is_same = bool(one.subject) and (one.subject, one.verb) == (other.subject, other.verb)
    return is_same and one.value != other.value and (not one.placed or not other.placed or one.placed == other.placed)


def answers(one: Said, other: Said, roots: Iterable[str]) -> bool:
    """Whether of a question's words (their roots) the one holds all that the other does."""
    return all(root in one.text for root in roots if root in other.text)
