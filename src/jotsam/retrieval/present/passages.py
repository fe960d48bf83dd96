"""Split a text into passages: the sentences, list items, table rows and code blocks that an excerpt is made of.

Pure, and linear in the length of the text. It must not know what is asked for; `excerpt` chooses among the passages.
"""

from __future__ import annotations

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.text.markdown import outline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LONG = 240  # characters; a longer paragraph is split into its sentences
LONG_CODE = 600  # characters; a longer block of code is split into its lines

_BLOCK = lazy_pattern(r"[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*")
_ITEM = lazy_pattern(r"[ \t]*(?:[-*+•]|\d{1,9}[.)]|:[\w -]+:)[ \t]")
_ROW = lazy_pattern(r"[ \t]*\|.*\|[ \t]*$")
_RULE = lazy_pattern(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*\|?[ \t]*$")
_SENTENCE_END = lazy_pattern(r"(?<=[.!?])[\"'”’)\]*_`]*\s+(?=\S)|(?<=[。！？；])")


class Passage(Record):
    """A part of a text, from offset `start` to offset `end`, without surrounding white space."""

    start: int
    end: int
    under: int | None = None  # the passage that names what it is: its heading, or the first row of its table


def passages(text: str) -> tuple[Passage, ...]:
    """The passages of a text in order. Together they contain everything but white space. Lines must end in LF."""
    structure = outline(text)
    titles = {heading.start: heading.end for heading in structure.headings}
    found: list[Passage] = []
    under: int | None = None
    for start, end, is_code in _blocks(text, titles, structure.fences):
        if start in titles:
            under = len(found)
            found.append(Passage(start=start, end=end))
        elif is_code:
            found += [Passage(start=a, end=b, under=under) for a, b in _code(text, start, end)]
        else:
            found += _of_block(text, start, end, under, len(found))
    return tuple(found)


def _blocks(text: str, titles: Mapping[int, int], fences: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, bool]]:
    """Headings, fenced blocks, and what blank lines separate."""
    place = 0
    marked = sorted([(a, b, False) for a, b in titles.items()] + [(a, b, True) for a, b in fences])
    for start, end, is_code in (*marked, (len(text), len(text), False)):
        for block in _BLOCK.finditer(text, place, max(place, start)):
            yield block.start(), block.end(), False
        stop = start + len(text[start:end].rstrip())
        if stop > start:
            yield start, stop, is_code
        place = max(place, end)


def _code(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if end - start <= LONG_CODE:
        yield start, end
    else:
        yield from _lines(text, start, end)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        if text[start:stop].strip():
            yield start, stop
        start = stop + 1


def _of_block(text: str, start: int, end: int, under: int | None, number: int) -> list[Passage]:
    lines = [*_lines(text, start, end)]
    if len(lines) > 2 and _ROW.match(text[slice(*lines[0])]) and _RULE.match(text[slice(*lines[1])]):
        head = Passage(start=lines[0][0], end=lines[1][1], under=under)
        return [head, *(Passage(start=a, end=b, under=number) for a, b in lines[2:])]
    parts: list[tuple[int, int]] = []
    for a, b in _items(text, lines):
        parts += _sentences(text, a, b) if b - a > LONG else [(a, b)]
    return [Passage(start=a, end=b, under=under) for a, b in parts]


def _items(text: str, lines: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The items of a list, each with its further lines; rows of a table; or the whole block."""
    begin, last = lines[0][0], lines[0][1]
    for start, end in lines[1:]:
        line = text[start:end]
        if _ITEM.match(line) or _ROW.match(line):
            yield begin, last
            begin = start
        last = end
    yield begin, last


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Its sentences; its lines, where a sentence is long or missing."""
    begin = start
    for mark in _SENTENCE_END.finditer(text, start, end):
        if mark.start() > begin:
            yield from _lines(text, begin, mark.start()) if mark.start() - begin > 2 * LONG else [(begin, mark.start())]
        begin = mark.end()
    if begin < end:
        yield from _lines(text, begin, end) if end - begin > 2 * LONG else [(begin, end)]
