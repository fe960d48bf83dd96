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

# Every pattern of a key, a JWT or a webhook matches a run of at least this many of these characters.
MIN_KEY_CHARACTERS = 15
KEY_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+%=~"
_RUN = b"a" * MIN_KEY_CHARACTERS
_KINDS = bytes(
    ord("a") if chr(code) in KEY_CHARACTERS else ord(" ") if chr(code).isspace() else ord(".") for code in range(128)
)
_KINDS += b"." * 128
_BASE64_RUN = b"a" * 16
_BASE64_KINDS = (
    bytes(ord("a") if chr(code).isalnum() or chr(code) in "+/" else ord(" ") for code in range(128)) + b" " * 128
)

# A marker that contains one of these words is looked for only where the word is.
_ROOTS = ("pass", "secret", "token", "key", "pw", "kennwort", "cred", "auth")
# Rare characters. A character is found in a tenth of the time of a word.
_SIGNS = "<>|=*"
_root_of: dict[str, str] = {}  # by marker: the first of these that it contains, or nothing

# An expression that ignores case takes these for "s", "i" and "k"; `lower` does not, or changes the length.
_UNUSUAL_CASE = ("\u017f", "\u0130", "\u0131", "\u212a")


class TextView:
    """A text, and what is derived from it when it is first needed."""

    __slots__ = ("_base64_runs", "_has", "_long_words", "_lower", "_places", "has_unusual_case", "key_markers", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.has_unusual_case = not text.isascii() and any(one in text for one in _UNUSUAL_CASE)
        self.key_markers: frozenset[str] | None = None
        self._lower: str | None = None
        self._long_words: str | None = None
        self._base64_runs: list[str] | None = None
        self._has: dict[str, bool] = {}
        self._places: dict[str, list[int]] = {}

    @property
    def lower(self) -> str:
        if self._lower is None:
            self._lower = self.text.lower()
        return self._lower

    @property
    def long_words(self) -> str:
        """The words with enough characters of a key in a row, separated by line feeds.

        Letters are replaced by "a" in one pass, and the runs are found as a fixed string. That takes a third of the
        time of splitting the text.
        """
        if self._long_words is None:
            kinds = self.text.encode("ascii", "replace").translate(_KINDS)
            words = []
            at = kinds.find(_RUN)
            while at >= 0:
                end = kinds.find(b" ", at)
                if end < 0:
                    end = len(kinds)
                words.append(self.text[kinds.rfind(b" ", 0, at) + 1 : end])
                at = kinds.find(_RUN, end)
            self._long_words = "\n".join(words)
        return self._long_words

    @property
    def base64_runs(self) -> list[str]:
        """The runs that are long enough for text in base64, without "=" at the end."""
        if self._base64_runs is None:
            kinds = self.text.encode("ascii", "replace").translate(_BASE64_KINDS)
            runs = self._base64_runs = []
            at = kinds.find(_BASE64_RUN)
            while at >= 0:
                end = kinds.find(b" ", at)
                if end < 0:
                    end = len(kinds)
                runs.append(self.text[at:end])
                at = kinds.find(_BASE64_RUN, end)
        return self._base64_runs

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
        found: list[int] = []
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
