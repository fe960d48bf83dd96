"""Finds the names of a person in texts: in any case, with or without accents, and with the last name first."""

from __future__ import annotations

import re
import unicodedata

from jotsam.core.patterns import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MIN_PART = 2  # characters of a part of a name that is looked for alone

_LETTERS = str.maketrans({"ø": "o", "ß": "ss", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
_ESCAPE = lazy_pattern(r"\\u([0-9a-fA-F]{4})|\\[nrtbf]")  # in JSON
_WORD = lazy_pattern(r"[^\W_]+")
_BETWEEN = r"(?:[\W_]{1,3}[^\W_])?[\W_]{1,3}"  # at most an initial
# Scripts without spaces between words.
_UNSPACED = lazy_pattern("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class NameFinder:
    """Finds names as whole words. `others` are longer names of other people, inside which nothing is found."""

    def __init__(self, names: Iterable[str], others: Iterable[str] = ()) -> None:
        listed = [*names]
        self._names = _pattern(listed)
        self._others = _pattern(others)
        # One of them is in each text with a name; looking for it is faster than for the pattern.
        self._first = tuple({own[0] for name in listed if (own := words(name))})

    def is_in(self, text: str) -> bool:
        return self.is_in_folded(folded(text))

    def is_in_folded(self, text: str) -> bool:
        """The same of a text that `folded` has made."""
        if self._names is None or not any(word in text for word in self._first):
            return False
        if self._names.search(text) is None:
            return False
        return self._others is None or self._names.search(self._others.sub("\n\n\n\n", text)) is not None


def in_bytes(names: Iterable[str]) -> re.Pattern[bytes] | None:
    """A pattern of names in bytes of UTF-8 that were made lower, between any others: fields of a file follow closely.

    A name of one word ends where its letters do.
    """
    forms = set[bytes]()
    for name in names:
        whole = tuple(_WORD.findall(name))
        for spelled in (words(name), *(tuple(map(change, whole)) for change in (str.lower, str.upper, str.title))):
            found = [re.escape(word.encode().lower()) for word in spelled]
            edge = (rb"(?<![a-z0-9])", rb"(?![a-z0-9])") if len(found) == 1 else (b"", b"")
            forms.add(edge[0] + rb"[^a-z0-9]{1,3}".join(found) + edge[1])
    return re.compile(b"|".join(sorted(forms, reverse=True))) if forms else None


def folded(text: str) -> str:
    """The text in lower case, without accents; escapes of JSON are decoded."""
    if "\\" in text:
        text = _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else "\n", text)
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    return "".join(one for one in plain if not unicodedata.combining(one))


def words(name: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(folded(name)))


def parts(names: Iterable[str]) -> tuple[str, ...]:
    """The words of names of several words, unless one is a name itself."""
    whole = {words(name) for name in names}
    found = [word for one in sorted(whole) if len(one) > 1 for word in one if len(word) >= MIN_PART]
    return tuple(dict.fromkeys(word for word in found if (word,) not in whole))


def _pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    forms = {form for name in names for form in _forms(words(name))}
    ordered = sorted(forms, key=lambda form: (-len(form), form))
    return re.compile("|".join(ordered)) if ordered else None


def _forms(name: tuple[str, ...]) -> list[str]:
    """Patterns of a name, and of "Last, First"."""
    if not name:
        return []
    if any(_UNSPACED.search(word) for word in name):
        return [r"[\W_]{0,3}".join(map(re.escape, name))]
    orders = [name] if len(name) == 1 else [name, (name[-1], *name[:-1])]
    return [rf"(?<![^\W_]){_BETWEEN.join(map(re.escape, order))}s?(?![^\W_])" for order in orders]
