"""Names and products in the texts of notes. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.notes.lexicon import kind_of
from jotsam.pipeline.notes.words import plain

_NAME = lazy_pattern(r"`([^`\n]{2,40})`|(?<![\w./-])([A-Za-z][\w+#]*(?:[-./][A-Za-z0-9]\w*)*)")
_NO_NAMES = frozenset(
    """
    i the a an it this that these those then there here with for and or but so if when we you they he she one two three
    both all each done added created changed moved removed switched replaced fixed set open next yes no ok mail works
    option options use keep stay leave write move small large simple new my our your in on at by from to as is are was
    der die das ein eine und oder wir ich es le la les un une el los o os uma um as mit
    """.split()  # noqa: SIM905 - words read better
)


# Products whose names are everyday words: one is meant only with a capital within a sentence, in code, or as a place.
_EVERYDAY = frozenset(
    "go make just next parse render fly spring express swift metal actions dash cast beam ion diesel ent argo".split()  # noqa: SIM905
)
_UNITS = frozenset(["khz", "hz", "mhz", "ghz", "kb", "mb", "gb", "tb", "mbit", "kbit", "ma", "mv", "kw", "rpm", "dbm"])


@lru_cache(maxsize=1_024)  # Each sentence of a message is compared with the whole of another.
def names(text: str) -> frozenset[str]:
    """The names in a text, in lower case: words with a capital letter or in code, and known products."""
    found: set[str] = set()
    for match in _NAME.finditer(text):
        word = match[1] or match[2]
        lower = plain(word)
        is_product = kind_of(lower) != "" and may_be_product(lower, text)
        is_name = match[1] is not None or any(c.isupper() for c in word) or is_product
        if is_name and lower not in _NO_NAMES and lower not in _UNITS and lower not in STOP_WORDS and len(lower) > 1:
            found.add(lower)
    return frozenset(found)


def products(text: str) -> list[tuple[str, str]]:
    """The known products in a text, as they are written, in order, and their kinds."""
    found = []
    listed = re.findall(r"[a-z0-9][\w+#]*(?:-[a-z0-9]\w*)*", plain(text))
    for word, following in pairwise((*listed, "")):
        joined = f"{word}-{following}"
        for written, key in ((f"{word} {following}", joined), (word, word), (word.split("-")[0], word.split("-")[0])):
            if not may_be_product(key, text):
                continue
            if kind := kind_of(key):
                found.append((written, kind))
                break
    return found


def may_be_product(word: str, text: str) -> bool:
    """False for an everyday word that is not written as the name of a product in a text."""
    if word not in _EVERYDAY:
        return True
    written = rf"`{word}`|(?<=[a-z,] ){word.capitalize()}\b|\b(?:in|into|using) {word}\b"
    return re.search(written, text) is not None
