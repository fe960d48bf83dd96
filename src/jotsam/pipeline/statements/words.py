"""Words in normal forms, so that "Ports", "port" and "port's" are one, in all languages. Pure."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.languages import spaced
from jotsam.pipeline.languages.language import table

# Patterns are strings, and compiled when a text needs them: most answers need few, and a hook starts for each prompt.
compiled = cache(re.compile)


def has(pattern: str, text: str) -> bool:
    return compiled(pattern).search(text) is not None


MAX_CHARACTERS_KEPT = 4_096
MIN_STEM, MIN_BEFORE_E = 3, 5  # letters that remain

HAN, KANA = "々\u3400-\u4dbf\u4e00-\u9fff", "\u3041-\u30ff"
WORD = lazy_pattern(r"[^\W_]+(?:[.:/@_+\-]+[^\W_]+)*\+*|[€$£]")  # hyphens and dots inside a word belong to it
_IS_CJK, _IS_KANA = f"[{HAN}{KANA}]", f"[{KANA}]"
_ENDINGS = frozenset(("", "s", "es", "e", "en", "n", "ern", "ed", "d", "ing", "nen"))
_VERB_ENDINGS = frozenset(("e", "es", "ed", "ing"))


def is_cjk(text: str) -> bool:
    """Whether a text has Chinese or Japanese characters."""
    return not text.isascii() and has(_IS_CJK, text)


def is_japanese(text: str) -> bool:
    return has(_IS_KANA, text)


def plain(text: str) -> str:
    """Lower case without diacritics, of the same length."""
    if text.isascii():
        return text.lower()
    return text.translate(_PLAIN_CHARACTERS)


def _plain_character(character: str) -> str:
    if character < "\x80":
        return character.lower()
    if character == "’":
        return "'"
    if character in "àÀ":
        return "à"  # a preposition, unlike "a"
    base = character if has(_IS_KANA, character) else unicodedata.normalize("NFKD", character)[:1]
    lower = (base or character).lower()
    return lower if len(lower) == 1 else character


class _PlainCharacters(dict[int, str]):
    """The plain form of each character that was met."""

    def __missing__(self, point: int) -> str:
        if len(self) >= MAX_CHARACTERS_KEPT:
            self.clear()
        plain = self[point] = _plain_character(chr(point))
        return plain


_PLAIN_CHARACTERS = _PlainCharacters()


def stem(word: str) -> str:
    """The plain word without a plural or genitive ending."""
    word = plain(word).replace("ß", "ss")
    if word.endswith("ies") and len(word) > MIN_STEM + len("ies"):
        return word.removesuffix("ies") + "y"
    if word.endswith(("xes", "ches", "shes", "sses")):
        return word.removesuffix("es")
    if word.endswith("s") and not word.endswith("ss") and len(word) > MIN_STEM:
        word = word.removesuffix("s")
    if word.endswith("e") and len(word) > MIN_BEFORE_E:
        word = word.removesuffix("e")
    return word


@cache
def _synonyms() -> dict[str, str]:
    """One name for words of one meaning, by their stem."""
    return {
        stem(word): name for one in spaced() for name, found in table(one.synonyms).items() for word in found.split()
    }


def name_of(word: str) -> str:
    """One name for words of one meaning: "fee" and "cost" are the price."""
    return _synonyms().get(stem(word), stem(word))


def same(one: str, other: str) -> bool:
    """Whether two words are forms of one word, or mean the same."""
    if one == other or name_of(one) == name_of(other):
        return True
    if one[:3] != other[:3] or min(len(one), len(other)) < 4 or any(map(str.isdigit, one + other)):
        return False
    return _same_stem(one, other)


def _same_stem(one: str, other: str) -> bool:
    common = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        common += 1
    endings = one[common:], other[common:]
    return (common >= 4 and _ENDINGS.issuperset(endings)) or (common == 3 and _VERB_ENDINGS.issuperset(endings))
