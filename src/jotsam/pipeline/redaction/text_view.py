"""A text as the search for secrets looks at it: in lower case, and the long words alone. Imports nothing.

Most patterns can match only where a fixed string is, and finding a string costs far less than trying a pattern at every
character. Keys have no white space, so their markers are looked for in long words only, which are a small part of most
texts.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from re import Match, Pattern

# Where the markers of a pattern are looked for: as they are, in any case, where a match begins, in long words.
TEXT, ANY_CASE, BEGINNING, LONG_WORDS = "text", "any case", "beginning", "long words"

# Every pattern of a key, a JWT or a webhook matches at least this many characters.
MIN_KEY_CHARACTERS = 15

# An expression that ignores case takes these for "s", "i" and "k"; `lower` does not, or changes the length.
_UNUSUAL_CASE = ("\u017f", "\u0130", "\u0131", "\u212a")


class TextView:
    """A text, and what is derived from it when it is first needed."""

    __slots__ = ("_long_words", "_lower", "has_unusual_case", "key_markers", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.has_unusual_case = not text.isascii() and any(one in text for one in _UNUSUAL_CASE)
        self.key_markers: frozenset[str] | None = None
        self._lower: str | None = None
        self._long_words: str | None = None

    @property
    def lower(self) -> str:
        if self._lower is None:
            self._lower = self.text.lower()
        return self._lower

    @property
    def long_words(self) -> str:
        """The words that are long enough for a key, separated by line feeds."""
        if self._long_words is None:
            self._long_words = "\n".join([word for word in self.text.split() if len(word) >= MIN_KEY_CHARACTERS])
        return self._long_words

    def may_have(self, words: Iterable[str]) -> bool:
        """Whether one of these words, in lower case, may be in the text in any case."""
        return self.has_unusual_case or any(word in self.lower for word in words)

    def matches(self, pattern: Pattern[str], *, beginnings: Iterable[str], keys: Iterable[str]) -> Iterator[Match[str]]:
        """As `finditer` of a pattern that begins, in any case, with one of `beginnings`, or with one of `keys`, at most
        one "-", "_" or space, and "key".
        """
        if self.has_unusual_case or len(self.lower) != len(self.text):
            yield from pattern.finditer(self.text)
            return
        end = 0
        for at in sorted({*self._places(beginnings), *self._key_places(keys)}):
            match = pattern.match(self.text, at) if at >= end else None
            if match is not None:
                end = match.end()
                yield match

    def _places(self, words: Iterable[str]) -> Iterator[int]:
        for word in words:
            at = self.lower.find(word)
            while at >= 0:
                yield at
                at = self.lower.find(word, at + 1)

    def _key_places(self, keys: Iterable[str]) -> Iterator[int]:
        for at in self._places(("key",)) if keys else ():
            end = at - 1 if self.lower[at - 1 : at] in ("-", "_", " ") else at
            for key in keys:
                if self.lower.endswith(key, 0, end):
                    yield end - len(key)
