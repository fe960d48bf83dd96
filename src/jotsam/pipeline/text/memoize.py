"""Keeps results of functions of a word, because the words of texts recur."""

from __future__ import annotations

from functools import lru_cache, wraps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")

MAX_KEPT, MAX_CHARACTERS = 2_048, 40  # A longer word seldom recurs, and would take much memory.


def memoize_short(function: Callable[[str], T]) -> Callable[[str], T]:
    """The same function, which keeps its results for short texts. They must not be changed."""
    kept = lru_cache(maxsize=MAX_KEPT)(function)

    @wraps(function)
    def memoized(text: str) -> T:
        return kept(text) if len(text) <= MAX_CHARACTERS else function(text)

    return memoized
