"""Ordinary English words, which tell a name in lower case from a word that an answer may leave out.

`tools/common_words.py` writes the list. It is read when it is first asked for, without modules that slow a hook down.
"""

from __future__ import annotations

import zlib
from functools import cache
from os.path import dirname, join

from jotsam.retrieval.question.stems import stems

FILE = "common_words.bin"


def is_common(word: str) -> bool:
    """Whether a word in lower case, or another inflection of it, is an ordinary English word."""
    (stem,) = stems([word])
    return len(word) < 3 or f"\n{stem}\n".encode() in _lines()


@cache
def _lines() -> bytes:
    with open(join(dirname(__file__), FILE), "rb") as file:
        return zlib.decompress(file.read())
