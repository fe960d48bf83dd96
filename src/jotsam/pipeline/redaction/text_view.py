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

# A marker that contains one of these words is looked for only where the word is.
_ROOTS = ("pass", "secret", "token", "key", "pw", "kennwort", "credential")
# Rare characters. A character is found in a tenth of the time of a word.
_SIGNS = "<>|=*"
_root_of: dict[str, str] = {}  # by marker: the first of these that it contains, or nothing

# An expression that ignores case takes these for "s", "i" and "k"; `lower` does not, or changes the length.
_UNUSUAL_CASE = ("\u017f", "\u0130", "\u0131", "\u212a")


class TextView:
    """A text, and what is derived from it when it is first needed."""

    __slots__ = ("_has", "_long_words", "_lower", "_places", "has_unusual_case", "key_markers", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.has_unusual_case = not text.isascii() and any(one in text for one in _UNUSUAL_CASE)
        self.key_markers: frozenset[str] | None = None
        self._lower: str | None = None
        self._long_words: str | None = None
        self._has: dict[str, bool] = {}
        self._places: dict[str, list[int]] = {}

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
        return self.has_unusual_case or any(map(self.has, words))

    def has(self, word: str) -> bool:
        """Whether a word is in the text in lower case."""
        found = self._has.get(word)
        if found is None:
            root = _root(word)
            is_possible = bool(self.places(root)) if len(root) > 1 else root in self.lower
            found = self._has[word] = is_possible and word in self.lower
        return found

    def places(self, word: str) -> list[int]:
        """Where a word is in the text in lower case."""
        found = self._places.get(word)
        if found is None:
            found = self._places[word] = self._find(word)
        return found

    def matches(self, pattern: Pattern[str], *, beginnings: Iterable[str], keys: Iterable[str]) -> Iterator[Match[str]]:
        """As `finditer` of a pattern that begins, in any case, with one of `beginnings`.

        Before one that begins with "key" are one of `keys` and at most one "-", "_" or space.
        """
        if self.has_unusual_case or len(self.lower) != len(self.text):
            yield from pattern.finditer(self.text)
            return
        end = 0
        for at in sorted({at for word in beginnings for at in self._beginnings(word, keys)}):
            match = pattern.match(self.text, at) if at >= end else None
            if match is not None:
                end = match.end()
                yield match

    def _find(self, word: str) -> list[int]:
        lower, root = self.lower, _root(word)
        if len(root) > 1 and root != word:
            begin = word.index(root)
            return [at - begin for at in self.places(root) if at >= begin and lower.startswith(word, at - begin)]
        found = []
        at = lower.find(word)
        while at >= 0:
            found.append(at)
            at = lower.find(word, at + 1)
        return found

    def _beginnings(self, word: str, keys: Iterable[str]) -> Iterable[int]:
        return self._key_places(word, keys) if word.startswith("key") else self.places(word)

    def _key_places(self, word: str, keys: Iterable[str]) -> Iterator[int]:
        for at in self.places(word):
            end = at - 1 if self.lower[at - 1 : at] in ("-", "_", " ") else at
            for key in keys:
                if self.lower.endswith(key, 0, end):
                    yield end - len(key)


def _root(word: str) -> str:
    root = _root_of.get(word)
    if root is None:
        root = _root_of[word] = next((root for root in (*_ROOTS, *_SIGNS) if root in word), "")
    return root
