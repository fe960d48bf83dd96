"""Summarise a text by its first sentence of prose, without a model.

Headings, front matter, code, tables and images are skipped unless the text has nothing else. The summary contains only
words of the text, and an ellipsis if it was cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, filterfalse

from jotsam.pipeline.text.markdown import Outline, outline, without_comments

DEFAULT_LIMIT = 240
MAX_CHARACTERS = 20_000  # Prose that begins later does not describe the text.

_NOT_PROSE = re.compile(r"\s*(?:\||:{3}|\(\S+\)=|\[[^\]\n]+\]:\s|(?:[-*_=] ?){3,}\s*$|import\s|@|\{%)")
_LIST_MARK = re.compile(r"\s*(?:>\s?)*\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?(?:>\s?)*(?:\[![A-Z]+\]\s*)?")
_NEXT_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s")
_IMAGE = re.compile(r"!\[[^\[\]\n]*\]\([^()\n]*\)")
_LINK = re.compile(r"\[([^\[\]\n]*)\](?:\([^()\n]*\)|\[[^\[\]\n]*\])")
_TAG = re.compile(r"</?(?:a|p|div|span|img|br|b|i|em|strong|h[1-6]|center|picture|source|kbd|sub|sup|code)\b[^<>]*>")
_STRONG = re.compile(r"(\*{1,3})(?=\S)([^*\n]+)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<!\w)(_{1,2})(?=\S)([^_\n]* [^_\n]*)(?<=\S)\1(?!\w)")
_WORD = re.compile(r"\w")
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s|$)|[。！？]++[\"'”’」』）]*+")
_LAST_WORD = re.compile(r"[^\s(\[\"'“‘]*$")

# In German a period after a number marks an ordinal.
_ORDINAL = re.compile(
    r"(?:\b(?:vom|zum|beim|im|der|die|das|dem|den|des|bis|ab|seit|nach|vor|über|unter|jede[rsmn]?)"
    r"|(?<!\bi )\bam) \d{1,2}$",
    re.IGNORECASE,
)
_TITLES = frozenset(("dr", "mr", "mrs", "ms", "prof", "st", "sen", "gen", "rev", "hon", "capt", "lt", "col", "sgt"))
_ABBREVIATIONS = frozenset(
    ("e.g", "eg", "i.e", "ie", "cf", "vs", "approx", "ca", "fig", "figs", "eq", "eqs", "resp", "incl", "z.b", "bzw")
)
_ABBREVIATIONS_BEFORE_NUMBERS = frozenset(
    ("no", "nos", "nr", "vol", "vols", "p", "pp", "art", "sec", "ch", "jan", "feb", "aug", "sept", "oct")
)
_ABBREVIATIONS_AT_THE_END = frozenset(
    ("etc", "inc", "ltd", "corp", "co", "jr", "sr", "al", "u.s", "u.k", "a.m", "p.m", "usw")
)


def summarise(text: str, *, limit: int = DEFAULT_LIMIT) -> str:
    """The first sentence of prose, cut at a word to at most `limit` characters; the first heading if there is no prose.

    Returns "" for a text without words. Lines must end in LF.
    """
    beginning = without_comments(text[:MAX_CHARACTERS])
    structure = outline(beginning)
    sentences = (_first_sentence(_without_markup(paragraph)) for paragraph in _paragraphs(beginning, structure))
    titles = (_without_markup(heading.title) for heading in structure.headings)
    anything = (_without_markup(line.strip(" \t<!->|#")) for line in text[:MAX_CHARACTERS].splitlines())
    for candidate in chain(filterfalse(_is_label, sentences), titles, anything):
        if _WORD.search(candidate):
            return _shorten(candidate, limit)
    return ""


def _paragraphs(text: str, structure: Outline) -> Iterator[str]:
    """The paragraphs of prose. Each list item is a paragraph."""
    lines: list[str] = []
    for line in _lines_of_prose(text, structure):
        if lines and (not line or _NEXT_ITEM.match(line)):
            yield " ".join(lines)
            lines = []
        if line:
            lines.append(_LIST_MARK.sub("", line, count=1).strip())
    if lines:
        yield " ".join(lines)


def _lines_of_prose(text: str, structure: Outline) -> Iterator[str]:
    """The lines outside headings and fences; "" for a line that ends a paragraph."""
    apart = sorted([*structure.fences, *((heading.start, heading.end) for heading in structure.headings)])
    place = 0
    for start, end in [*apart, (len(text), len(text))]:
        for line in text[place:start].splitlines():
            yield "" if _NOT_PROSE.match(line) else line.rstrip()
        yield ""
        place = end


def _without_markup(text: str) -> str:
    """The text without Markdown and HTML markup, on one line."""
    text = _TAG.sub("", _LINK.sub(r"\1", _IMAGE.sub("", text)))
    text = _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", text))
    return " ".join(text.replace("`", "").split())


def _is_label(sentence: str) -> bool:
    """Whether a sentence only announces what follows, as "Output:" does."""
    return sentence.endswith((":", "：")) and len(sentence.split()) <= 3


def _first_sentence(text: str) -> str:
    word = _WORD.search(text)
    for end in _SENTENCE_END.finditer(text, word.start() if word else 0):
        if _ends_sentence(text, end):
            return text[: end.end()]
    return text


def _ends_sentence(text: str, end: re.Match[str]) -> bool:
    """Whether the punctuation mark `end` ends a sentence."""
    mark, following = end.group(), text[end.end() : end.end() + 2].strip()[:1]
    if mark.startswith(("..", "…")):
        return not following.islower()
    if mark != ".":
        return True
    last = _LAST_WORD.search(text, max(0, end.start() - 20), end.start())
    word = last.group().lower() if last else ""
    is_number_of_item = word.isdigit() and len(word) == end.start()
    goes_on = word[-1:].isdigit() and (following.islower() or _ORDINAL.search(text, 0, end.start()) is not None)
    return not is_number_of_item and not goes_on and not _is_abbreviation(word, following)


def _is_abbreviation(word: str, following: str) -> bool:
    """Whether the period belongs to the word: "Dr." always, "No." before a number, "Inc." before lower case."""
    is_initial = len(word) == 1 and word.isalpha() and following.isupper()
    if is_initial or word in _TITLES or word in _ABBREVIATIONS:
        return True
    if word in _ABBREVIATIONS_BEFORE_NUMBERS:
        return following.isdigit()
    return word in _ABBREVIATIONS_AT_THE_END and following.islower()


def _shorten(sentence: str, limit: int) -> str:
    if len(sentence) <= limit:
        return sentence
    length = max(limit - 1, 0)
    cut = sentence[:length]
    space = len(cut) if sentence[length : length + 1].isspace() else cut.rfind(" ")
    kept = cut[:space] if space > length // 2 else cut
    return kept.rstrip(" ,;:-–—(") + "…" if limit > 0 else ""
