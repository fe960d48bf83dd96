"""Which two texts speak of the same thing, so that only one of them can be the last word.

Pure, and by their words alone: what a model or a caller knows better stands in the graph. Two rules. Texts that share
half of their words, or begin with the same two, say nearly the same: the newer is to be read first. If moreover they
differ in a plain value ("The port is 5432.", "The port is 6543."), they contradict each other, and that is to be told.
"""

from __future__ import annotations

import re

from jotsam.pipeline.words import STOP_WORDS
from jotsam.records import Record

LONGEST = 400
"""Texts longer than this, in characters, say too much to be about one thing."""

SHARED = 0.5

_WORD = re.compile(r"\w+")
_STATED = re.compile(
    r"^(.{3,80}?)(?:\s(?:is|are|was|were|uses|use|runs (?:on|in)|starts at|costs|=)\s|:\s|是|在)(.{1,80})$"
)
_VALUE = re.compile(r"(?:(?:in|on|at|the|every|a|an)\s)*(?:[A-Z\d/`'\"#$€]|[一-鿿])")


class Said(Record):
    """A text as it is compared. Empty words: it is compared with nothing."""

    words: tuple[str, ...] = ()  # without stop words, in order
    subject: str = ""  # "the staging port", of a text that states a plain value
    value: str = ""  # "5432"


def said(text: str | None) -> Said:
    """Read a text. Never raises."""
    if text is None or len(text) > LONGEST:
        return Said()
    words = tuple(word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS)
    stated = _STATED.match(text.strip().rstrip(".。! "))
    if not stated or not _VALUE.match(stated[2]):
        return Said(words=words)
    return Said(words=words, subject=" ".join(stated[1].lower().split()), value=stated[2].strip().lower())


def are_alike(one: Said, other: Said) -> bool:
    """Whether both speak of the same thing, and not in the same words."""
    if len(one.words) < 2 or len(other.words) < 2 or one.words == other.words:
        return False
    if one.words[:2] == other.words[:2]:
        return True
    shared = len({*one.words} & {*other.words})
    return shared >= 2 and shared / len({*one.words, *other.words}) >= SHARED


def contradict(one: Said, other: Said) -> bool:
    """Whether both state a plain value of the same subject, and not the same one."""
    return bool(one.subject) and one.subject == other.subject and one.value != other.value
