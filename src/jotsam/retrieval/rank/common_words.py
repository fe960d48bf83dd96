"""Ordinary English words, which distinguish a name in lower case from a word that an answer may leave out.

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
    return len(word) < 3 or _has_line(_lines(), stem.encode())


def _has_line(lines: bytes, sought: bytes) -> bool:
    """Whether sorted lines, between line breaks, have this one. A set of them takes too long to make."""
    low, high = 0, len(lines) - 1
    while low < high:
        start = lines.rfind(b"\n", low, (low + high) // 2 + 1)
        end = lines.find(b"\n", start + 1)
        line = lines[start + 1 : end]
        if line == sought:
            return True
        low, high = (end, high) if line < sought else (low, start)
    return False


@cache
def _lines() -> bytes:
    with open(join(dirname(__file__), FILE), "rb") as file:
        return zlib.decompress(file.read())
