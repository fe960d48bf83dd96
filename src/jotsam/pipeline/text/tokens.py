"""Tokenizer for prose: words, the gaps between them, and whether a word is in backticks or in a heading.

Entity and fact rules work on its tokens instead of on regular expressions. Code blocks, URLs, paths, email addresses
and markup are skipped, because names in them are not statements.
"""

from __future__ import annotations

from functools import lru_cache

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.text.markdown import (
    COMMENT_END,
    COMMENT_START,
    KEPT_TEXTS,
    MAX_COMMENT_CHARACTERS,
    MAX_KEPT_CHARACTERS,
    comment_closing,
    outline,
)

_NOISE = lazy_pattern(
    r"[A-Za-z][A-Za-z0-9+.-]{1,15}://[^\s)>\]]*+"
    r"|\[\[[^\[\]\n]*\]\]"
    r"|\]\([^()\s]*\)"
    r"|<!--"
    r"|</?[A-Za-z][^<>\n]{0,300}>"
    r"|(?<![\w.+-])[\w.+-]{1,64}+@[\w.-]++"
    r"|(?<!\S)(?:~|\.{1,2})?/[^\s`)]*+"
    r"|(?<![\w/.*-])[\w.*-]++(?:/[\w.*-]*+){2,}+"
)
_MARK = lazy_pattern(r"[<@/]|\]\(|\[\[")  # One of them is in each match, and it ends in the same line.
# Underscores alone are markup: without it they are no text, and a name or an object of a fact must not be empty.
_WORD = lazy_pattern(r"(?<!\w)(?:\.NET\b|(?=_*+[^\W_])\w+(?:[.'’&-]\w+)*(?:\+\+|#(?!\w))?)")
_MARKS = " \t\n*_"
_BETWEEN = {"": " ", ",": ",", "、": ",", "/": "/", ".": ".", "!": ".", "?": ".", "。": ".", ":": ":", "：": ":"}

# First word and the word after the last, as indexes.
Span = tuple[int, int]

SENTENCE, CLAUSE, POSSESSIVE = ".", ";", "'"


class Prose(Record):
    """The tokens of a text. Each tuple has one entry per word."""

    words: tuple[str, ...]
    lower: tuple[str, ...]
    # The gap before the word: " " for spaces only, "," "/" ":" "." for these characters, "'" after 's, ";" otherwise.
    gaps: tuple[str, ...]
    in_backticks: tuple[bool, ...]
    in_heading: tuple[bool, ...]
    offsets: tuple[int, ...]  # of the word in the text


def tokenize(text: str) -> Prose:
    """The tokens of a text. Lines must end in LF."""
    return _recent(text) if len(text) <= MAX_KEPT_CHARACTERS else _tokenize(text)


@lru_cache(maxsize=KEPT_TEXTS)
def _recent(text: str) -> Prose:
    return _tokenize(text)


def _tokenize(text: str) -> Prose:
    structure = outline(text)
    text = without_noise(text, structure.fences)
    words: list[str] = []
    gaps: list[str] = []
    in_backticks: list[bool] = []
    in_heading: list[bool] = []
    offsets: list[int] = []
    headings = iter([*((heading.start, heading.end) for heading in structure.headings), (len(text), len(text))])
    start_of_heading, heading_end = next(headings)
    end, possessive, ticks, length = 0, False, 0, len(text)
    for match in _WORD.finditer(text):
        start, word = match.start(), match.group()
        while start >= heading_end and heading_end < length:
            start_of_heading, heading_end = next(headings)
        between = text[end:start]
        is_in_heading = start_of_heading <= start < heading_end
        if not words or is_in_heading != in_heading[-1]:  # A heading and the text below it are separate.
            gaps.append(SENTENCE)
        elif possessive:
            gaps.append(POSSESSIVE)
        else:
            gaps.append(" " if between == " " else _gap_kind(between))
        if between != " " and "`" in between:
            ticks += between.replace("``", "`").count("`")
        possessive = word[-1] == "s" and word.endswith(("'s", "’s"))
        words.append(word[:-2] if possessive else word)
        in_backticks.append(ticks % 2 == 1)
        in_heading.append(is_in_heading)
        offsets.append(start)
        end = match.end()
    lower = tuple(word.lower() for word in words)
    return Prose(
        words=tuple(words),
        lower=lower,
        gaps=tuple(gaps),
        in_backticks=tuple(in_backticks),
        in_heading=tuple(in_heading),
        offsets=tuple(offsets),
    )


def without_noise(text: str, fences: tuple[tuple[int, int], ...]) -> str:
    """The text with fenced blocks, links, paths, tags and comments replaced by spaces. Offsets stay the same.

    `fences` are spans as in `Outline.fences`.
    """
    return _recent_without_noise(text, fences) if len(text) <= MAX_KEPT_CHARACTERS else _without_noise(text, fences)


@lru_cache(maxsize=KEPT_TEXTS)
def _recent_without_noise(text: str, fences: tuple[tuple[int, int], ...]) -> str:
    return _without_noise(text, fences)


def _without_noise(text: str, fences: tuple[tuple[int, int], ...]) -> str:
    parts: list[str] = []
    place = 0
    for start, end in fences:
        parts += (_without_inline_noise(text[place:start]), ";\n", " " * (end - start - 2))
        place = end
    return "".join([*parts, _without_inline_noise(text[place:])])


def _without_inline_noise(text: str) -> str:
    """The text with URLs, links, paths, tags and comments replaced by spaces."""
    parts: list[str] = []
    kept, at, closing = 0, 0, -1
    while mark := _MARK.search(text, at):
        line_end = text.find("\n", mark.end())
        line_end = len(text) if line_end < 0 else line_end
        match = _NOISE.search(text, max(at, text.rfind("\n", at, mark.start())), line_end)
        if match is None:
            at = line_end
            continue
        start, at = match.span()
        if match.group() == COMMENT_START:
            closing = comment_closing(text, at, closing)
            if closing - at > MAX_COMMENT_CHARACTERS:
                at = start + 1
                continue
            at = closing + len(COMMENT_END)
        parts += (text[kept:start], ";".ljust(at - start))
        kept = at
    return "".join([*parts, text[kept:]])


def _gap_kind(between: str) -> str:
    kind = _BETWEEN.get(between.replace("`", "").strip(_MARKS), CLAUSE)
    return SENTENCE if kind == " " and between.count("\n") > 1 else kind
