"""A document is cut into chunks at its own structure.

The first and second level of headings always begin a chunk: that is where an author changes the subject. Only what is
larger than the limit is cut further, at the coarsest border that helps: deeper headings, paragraphs and fences, lines
of lists, tables and code, sentences, words, characters. The pieces are then packed until the next one would not fit.

Chunks joined give the text again, character by character. So a place in a chunk is a place in the document, and no
rule here may drop, trim or repeat anything. White space around a piece is free: it never decides about a cut.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Chunk, Record
from jotsam.pipeline.text.markdown import Heading, outline
from jotsam.pipeline.text.words import CHARACTERS_PER_TOKEN, dense_characters

DEFAULT_LIMIT = 500

_SECTION_LEVELS = (1, 2)
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]*_]*+\s++|[。！？；]++[\"'”’」』）]*+\s*+")
_CUT_AT_LINES = re.compile(r"\s*(?:[-*+>|]|\d{1,9}[.)]\s|`{3}|~{3}|(?<=\n)(?: {4}|\t))")
_WORD_BORDERS = (" ", "\n", "\t", "\u3000", "，", "、")

Span = tuple[int, int]


class Page(Record):
    """A text under the knife. Weights are quarters of a token, because only they add up."""

    text: str
    capacity: int
    dense: frozenset[str]
    headings: tuple[Heading, ...]
    fences: tuple[Span, ...]


Ruler = Callable[[Page, int, int], Sequence[int]]


def chunk(text: str, *, limit: int = DEFAULT_LIMIT) -> tuple[Chunk, ...]:
    """The chunks of a text, at least one, each of at most `limit` tokens beside the white space around it.

    `section` is the path of headings of level 1 and 2, "" before the first; a piece of an oversize section ends in
    " (2/3)". Raises `InvalidInput` for a limit below 1.
    """
    if limit < 1:
        raise InvalidInput(f"limit is {limit}: a chunk holds at least 1 token")
    structure = outline(text)
    page = Page(
        text=text,
        capacity=limit * CHARACTERS_PER_TOKEN,
        dense=dense_characters(text),
        headings=structure.headings,
        fences=structure.fences,
    )
    chunks: list[Chunk] = []
    for path, start, end in _sections(page):
        pieces = _pack(page, _units(page, start, end, _RULERS))
        for number, (begin, stop) in enumerate(pieces, 1):
            section = f"{path} ({number}/{len(pieces)})" if path and len(pieces) > 1 else path
            piece = Chunk(position=len(chunks), text=text[begin:stop], start=begin, end=stop, section=section)
            chunks.append(piece)
    return tuple(chunks)


def _sections(page: Page) -> list[tuple[str, int, int]]:
    """Path, start and end of every section.

    A heading with nothing below it but a deeper heading belongs to that one's section, and so does white space before
    the first heading.
    """
    opened: dict[int, str] = {}
    sections: list[tuple[str, int, int]] = []
    path, start, body, level = "", 0, 0, 0
    for heading in page.headings:
        if heading.level not in _SECTION_LEVELS:
            continue
        if level >= heading.level or not _is_blank(page.text, body, heading.start):
            sections.append((path, start, heading.start))
            start = heading.start
        level, body = heading.level, heading.end
        opened = {upper: title for upper, title in opened.items() if upper < level} | {level: heading.title}
        path = " > ".join(title for title in opened.values() if title)
    return [*sections, (path, start, len(page.text))]


def _is_blank(text: str, start: int, end: int) -> bool:
    return not text[start:end].strip()


def _units(page: Page, start: int, end: int, rulers: Sequence[Ruler]) -> list[Span]:
    """The span, or if it is too large its parts by the first ruler that divides it, cut further where they must be."""
    if _fits(page, start, end):
        return [(start, end)]
    for used, ruler in enumerate(rulers, 1):
        if borders := ruler(page, start, end):
            parts = pairwise((start, *borders, end))
            return [unit for part in parts for unit in _units(page, *part, rulers[used:])]
    return _words(page, start, end)


def _fits(page: Page, start: int, end: int) -> bool:
    """Most spans are so short that nobody needs to look at their characters."""
    heaviest = (end - start) * (CHARACTERS_PER_TOKEN if page.dense else 1)
    return heaviest <= page.capacity or _weigh(page, *_content(page, start, end)) <= page.capacity


def _pack(page: Page, units: Sequence[Span]) -> list[Span]:
    """Neighbouring units together as long as they fit. What introduces the next unit begins a piece, and ends none."""
    begins = [units[0][0]]
    weight, reached, previous = 0, 0, -1
    for start, end in units:
        first, last = _content(page, start, end)
        if first == last:
            continue
        own = _weigh(page, first, last)
        grown = weight + first - reached + own if weight else own
        if grown <= page.capacity:
            previous = first if weight else -1
        else:
            together = _weigh(page, previous, first) + own if previous >= 0 else grown
            moves = together <= page.capacity and _introduces(page, previous, reached)
            begins.append(previous if moves else start)
            grown, previous = together if moves else own, -1
        weight, reached = grown, last
    return list(pairwise((*begins, units[-1][1])))


def _introduces(page: Page, start: int, end: int) -> bool:
    """A heading, or one line that ends in a colon."""
    line = page.text[start:end]
    return "\n" not in line and (line.rstrip("*_").endswith((":", "：")) or _is_heading(page, start, end))


def _is_heading(page: Page, start: int, end: int) -> bool:
    at = bisect_left(page.headings, start, key=_start_of_heading)
    return at < len(page.headings) and page.headings[at].start == start and page.headings[at].end >= end


def _start_of_heading(heading: Heading) -> int:
    return heading.start


def _content(page: Page, start: int, end: int) -> Span:
    """The span without the white space around it."""
    piece = page.text[start:end]
    last = start + len(piece.rstrip())
    return min(end - len(piece.lstrip()), last), last


def _weigh(page: Page, start: int, end: int) -> int:
    if not page.dense:
        return end - start
    dense = sum(map(page.dense.__contains__, page.text[start:end]))
    return end - start + dense * (CHARACTERS_PER_TOKEN - 1)


def _at_headings(level: int) -> Ruler:
    def borders(page: Page, start: int, end: int) -> list[int]:
        first = bisect_right(page.headings, start, key=_start_of_heading)
        last = bisect_left(page.headings, end, key=_start_of_heading)
        return [heading.start for heading in page.headings[first:last] if heading.level == level]

    return borders


def _at_blocks(page: Page, start: int, end: int) -> list[int]:
    """Behind blank lines outside of fences, and around fences."""
    borders: list[int] = []
    place = start
    for fence_start, fence_end in page.fences[bisect_right(page.fences, start, key=_end_of_fence) :]:
        if fence_start >= end:
            break
        borders += _behind_blank_lines(page, place, fence_start)
        borders += (fence_start, fence_end)
        place = fence_end
    borders += _behind_blank_lines(page, place, end)
    return [border for border in dict.fromkeys(borders) if start < border < end]


def _behind_blank_lines(page: Page, start: int, end: int) -> list[int]:
    return [blank.end() for blank in _BLANK_LINES.finditer(page.text, start, end)]


def _end_of_fence(fence: Span) -> int:
    return fence[1]


def _is_inside_fence(page: Page, place: int) -> bool:
    at = bisect_right(page.fences, place, key=_end_of_fence)
    return at < len(page.fences) and page.fences[at][0] < place


def _at_lines(page: Page, start: int, end: int) -> list[int]:
    """Behind every line of a list, a table, a quotation or code. Prose has no borders here: it is cut at sentences."""
    if not _CUT_AT_LINES.match(page.text, start, end) and not _is_inside_fence(page, start + 1):
        return []
    borders = []
    at = page.text.find("\n", start, end - 1)
    while at >= 0:
        borders.append(at + 1)
        at = page.text.find("\n", at + 1, end - 1)
    return borders


def _at_sentences(page: Page, start: int, end: int) -> list[int]:
    return [sentence.end() for sentence in _SENTENCE_END.finditer(page.text, start, end) if sentence.end() < end]


_RULERS = (*(_at_headings(level) for level in range(3, 7)), _at_blocks, _at_lines, _at_sentences)


def _words(page: Page, start: int, end: int) -> list[Span]:
    """Runs of words of at most a quarter of the capacity, so that what stands before them can share their chunk.

    They are measured out and not looked at one by one: a text can be one line of twenty megabytes.
    """
    capacity = max(page.capacity // 4, CHARACTERS_PER_TOKEN)
    spans = []
    while start < end:
        reached = _reach(page, start, end, capacity)
        if reached < end:
            border = max(page.text.rfind(mark, start, reached) for mark in _WORD_BORDERS) + 1
            reached = border if border > start else reached
        spans.append((start, reached))
        start = reached
    return spans


def _reach(page: Page, start: int, end: int, capacity: int) -> int:
    """How far the text from `start` fits. Dense characters make it a guess that is bettered until nothing is left."""
    if not page.dense:
        return min(end, start + capacity)
    reached = start
    while reached < end and capacity >= CHARACTERS_PER_TOKEN:
        step = min(end, reached + capacity // CHARACTERS_PER_TOKEN)
        capacity -= _weigh(page, reached, step)
        reached = step
    return reached
