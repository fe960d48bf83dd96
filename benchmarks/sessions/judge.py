"""How a line that an agent gets is judged by the labels of its project. Pure.

A label has `keys`: one of them must be in the text. `a & b` means both, `migrat*` any ending; otherwise whole words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

Label = dict[str, Any]
Project = dict[str, Any]

REVERSED, CLOSED, ONCE, OTHER, USEFUL, REPEATED, EMPTY = (
    *("reversed", "closed", "once", "other project", "useful", "repeated", "empty"),
)
WRONG = (REVERSED, CLOSED, ONCE, OTHER)
# A line with one of these does not say that something old holds.
PAST = re.compile(
    r"\b(?:no longer|any ?more|instead of|replaced|removed|retired|until \d|formerly|rejected|rather than|was|were"
    r"|nicht mehr|statt|ersetzt|verworfen)\b|[,;(] ?not\b"
)
DONE = re.compile(r"(?<!not )(?<!n't )\b(?:done|closed|finished|resolved|solved|merged|erledigt|fertig)\b")


def folded(text: str) -> str:
    """In lower case, with plain quotes and dashes, without backticks, and with single spaces."""
    text = unicodedata.normalize("NFKC", text).casefold().translate(str.maketrans("’‘“”„–", '\'\'"""-', "`"))
    return " ".join(text.split())


def has(text: str, keys: Iterable[str]) -> bool:
    """Whether a text has one of the keys."""
    text = folded(text)
    return any(all(_pattern(part.strip()).search(text) for part in key.split(" & ")) for key in keys)


@cache
def _pattern(part: str) -> re.Pattern[str]:
    part = folded(part)
    stem = part.rstrip("*")
    before = r"(?<!\w)" if stem[:1].isalnum() else ""
    after = r"(?!\w)" if stem[-1:].isalnum() and stem == part else ""
    return re.compile(before + re.escape(stem) + after)


class Judge:
    """Judges the lines of one project of a set."""

    def __init__(self, projects: Sequence[Project], number: int) -> None:
        self.own = projects[number]
        others = [*projects[:number], *projects[number + 1 :]]
        self._marks = [mark for other in others for mark in other["marks"]]
        self.of_person = [(other is self.own, rule) for other in projects for rule in _rules(other, "person")]
        self.rules = _rules(self.own, "project")
        self._decided = {one["id"]: one["keys"] for one in self.own["decisions"]}

    def judged(self, text: str) -> tuple[str, set[str]]:
        """The class of a line, and the labels in it: of what is wrong, or of what is useful."""
        if not has(text, [key for _, rule in self.of_person for key in rule["keys"]]) and has(text, self._marks):
            return OTHER, set()
        if stale := self.stale(text):
            return REVERSED, stale
        is_asked = text.rstrip().endswith("?")
        closed = {one["id"] for one in self._open("closed") if has(text, one["keys"]) and not self._unless(one, text)}
        if closed and not is_asked and not DONE.search(folded(text)):
            return CLOSED, closed
        if once := {one["id"] for one in self.own["traps"] if has(text, one["keys"])}:
            return ONCE, once
        if has(text, self.own["noise"]):
            return EMPTY, set()
        found = {one["id"] for one in self._open("open") if has(text, one["keys"])}
        found |= {one["id"] for one in self.own["fixes"] if has(text, one["fix"])}
        if not is_asked:
            stated = (*self.own["decisions"], *self.own["facts"], *self.rules, *(rule for _, rule in self.of_person))
            found |= {one["id"] for one in stated if has(text, one["keys"])}
        return (USEFUL, found) if found else (EMPTY, set())

    def stale(self, text: str) -> set[str]:
        """What no longer holds, and is said as if it did."""
        if text.rstrip().endswith("?") or PAST.search(folded(text)):
            return set()
        return {
            one["id"]
            for one in self.own["reversed"]
            if has(text, one["keys"])
            and not has(text, self._decided.get(one.get("by"), ()))
            and not self._unless(one, text)
        }

    def _open(self, state: str) -> list[Label]:
        return [one for one in self.own["open"] if one["state"] == state]

    @staticmethod
    def _unless(label: Label, text: str) -> bool:
        return has(text, label.get("unless", ()))


def _rules(project: Project, scope: str) -> list[Label]:
    return [rule for rule in project["rules"] if rule["scope"] == scope]
