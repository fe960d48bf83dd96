"""Keeps results of functions of a word, because the words of texts recur."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")

MAX_KEPT, MAX_CHARACTERS = 8_192, 40  # A longer word seldom recurs, and would take much memory.


def memoize_short(function: Callable[[str], T]) -> Callable[[str], T]:
    """The same function, which keeps its results for short texts. They must not be changed.

    What it returns is the look-up of a dictionary: a function around it would take most of the time.
    """
    return _Kept(function).__getitem__


class _Kept(dict[str, "T"]):
    """Results by text, made when they are first asked for."""

    def __init__(self, function: Callable[[str], T]) -> None:
        self._function = function

    def __missing__(self, text: str) -> T:
        found = self._function(text)
        if len(text) <= MAX_CHARACTERS:
            if len(self) >= MAX_KEPT:
                self.clear()
            self[text] = found
        return found
