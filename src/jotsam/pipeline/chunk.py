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
_LINE_BASED = re.compile(r"\s*(?:[-*+>|]|\d{1,9}[.)]\s|`{3}|~{3}|(?<=\n)(?: {4}|\t))")
_WORD_BOUNDARIES = (" ", "\n", "\t", "\u3000", "，", "、")

Span = tuple[int, int]


class _Document(Record):
    """A text under the knife. Weights are quarters of a token, because only they add up."""

    text: str
    capacity: int
    dense: frozenset[str]
    headings: tuple[Heading, ...]
    fences: tuple[Span, ...]


_Splitter = Callable[[_Document, int, int], Sequence[int]]


def chunk(text: str, *, limit: int = DEFAULT_LIMIT) -> tuple[Chunk, ...]:
    """The chunks of a text, at least one, each of at most `limit` tokens beside the white space around it.

    `section` is the path of headings of level 1 and 2, "" before the first; a piece of an oversize section ends in
    " (2/3)". Raises `InvalidInput` for a limit below 1.
    """
    if limit < 1:
        raise InvalidInput(f"limit is {limit}: a chunk holds at least 1 token")
    structure = outline(text)
    document = _Document(
        text=text,
        capacity=limit * CHARACTERS_PER_TOKEN,
        dense=dense_characters(text),
        headings=structure.headings,
        fences=structure.fences,
    )
    chunks: list[Chunk] = []
    for path, start, end in _sections(document):
        pieces = _pack(document, _split(document, start, end, _SPLITTERS))
        for number, (begin, stop) in enumerate(pieces, 1):
            section = f"{path} ({number}/{len(pieces)})" if path and len(pieces) > 1 else path
            piece = Chunk(position=len(chunks), text=text[begin:stop], start=begin, end=stop, section=section)
            chunks.append(piece)
    return tuple(chunks)


def _sections(document: _Document) -> list[tuple[str, int, int]]:
    """Path, start and end of every section.

    A heading with nothing below it but a deeper heading belongs to that one's section, and so does white space before
    the first heading.
    """
    titles: dict[int, str] = {}
    sections: list[tuple[str, int, int]] = []
    path, start, body, level = "", 0, 0, 0
    for heading in document.headings:
        if heading.level not in _SECTION_LEVELS:
            continue
        if level >= heading.level or not _is_blank(document.text, body, heading.start):
            sections.append((path, start, heading.start))
            start = heading.start
        level, body = heading.level, heading.end
        titles = {upper: title for upper, title in titles.items() if upper < level} | {level: heading.title}
        path = " > ".join(title for title in titles.values() if title)
    return [*sections, (path, start, len(document.text))]


def _is_blank(text: str, start: int, end: int) -> bool:
    return not text[start:end].strip()


def _split(document: _Document, start: int, end: int, splitters: Sequence[_Splitter]) -> list[Span]:
    """The span, or if it is too large its parts by the first ruler that divides it, cut further where they must be."""
    if _fits(document, start, end):
        return [(start, end)]
    for used, splitter in enumerate(splitters, 1):
        if boundaries := splitter(document, start, end):
            parts = pairwise((start, *boundaries, end))
            return [unit for part in parts for unit in _split(document, *part, splitters[used:])]
    return _words(document, start, end)


def _fits(document: _Document, start: int, end: int) -> bool:
    """Most spans are so short that nobody needs to look at their characters."""
    max_weight = (end - start) * (CHARACTERS_PER_TOKEN if document.dense else 1)
    return max_weight <= document.capacity or _weigh(document, *_content(document, start, end)) <= document.capacity


def _pack(document: _Document, units: Sequence[Span]) -> list[Span]:
    """Neighbouring units together as long as they fit. What introduces the next unit begins a piece, and ends none."""
    begins = [units[0][0]]
    weight, reached, previous = 0, 0, -1
    for start, end in units:
        first, last = _content(document, start, end)
        if first == last:
            continue
        own = _weigh(document, first, last)
        total = weight + first - reached + own if weight else own
        if total <= document.capacity:
            previous = first if weight else -1
        else:
            with_previous = _weigh(document, previous, first) + own if previous >= 0 else total
            moves_previous = with_previous <= document.capacity and _introduces(document, previous, reached)
            begins.append(previous if moves_previous else start)
            total, previous = with_previous if moves_previous else own, -1
        weight, reached = total, last
    return list(pairwise((*begins, units[-1][1])))


def _introduces(document: _Document, start: int, end: int) -> bool:
    """A heading, or one line that ends in a colon."""
    line = document.text[start:end]
    return "\n" not in line and (line.rstrip("*_").endswith((":", "：")) or _is_heading(document, start, end))


def _is_heading(document: _Document, start: int, end: int) -> bool:
    at = bisect_left(document.headings, start, key=_start_of_heading)
    return at < len(document.headings) and document.headings[at].start == start and document.headings[at].end >= end


def _start_of_heading(heading: Heading) -> int:
    return heading.start


def _content(document: _Document, start: int, end: int) -> Span:
    """The span without the white space around it."""
    piece = document.text[start:end]
    last = start + len(piece.rstrip())
    return min(end - len(piece.lstrip()), last), last


def _weigh(document: _Document, start: int, end: int) -> int:
    if not document.dense:
        return end - start
    dense = sum(map(document.dense.__contains__, document.text[start:end]))
    return end - start + dense * (CHARACTERS_PER_TOKEN - 1)


def _at_headings(level: int) -> _Splitter:
    def boundaries(document: _Document, start: int, end: int) -> list[int]:
        first = bisect_right(document.headings, start, key=_start_of_heading)
        last = bisect_left(document.headings, end, key=_start_of_heading)
        return [heading.start for heading in document.headings[first:last] if heading.level == level]

    return boundaries


def _at_blocks(document: _Document, start: int, end: int) -> list[int]:
    """Behind blank lines outside of fences, and around fences."""
    boundaries: list[int] = []
    place = start
    for fence_start, fence_end in document.fences[bisect_right(document.fences, start, key=_end_of_fence) :]:
        if fence_start >= end:
            break
        boundaries += _after_blank_lines(document, place, fence_start)
        boundaries += (fence_start, fence_end)
        place = fence_end
    boundaries += _after_blank_lines(document, place, end)
    return [boundary for boundary in dict.fromkeys(boundaries) if start < boundary < end]


def _after_blank_lines(document: _Document, start: int, end: int) -> list[int]:
    return [blank.end() for blank in _BLANK_LINES.finditer(document.text, start, end)]


def _end_of_fence(fence: Span) -> int:
    return fence[1]


def _is_inside_fence(document: _Document, place: int) -> bool:
    at = bisect_right(document.fences, place, key=_end_of_fence)
    return at < len(document.fences) and document.fences[at][0] < place


def _at_lines(document: _Document, start: int, end: int) -> list[int]:
    """Behind every line of a list, a table, a quotation or code. Prose has no borders here: it is cut at sentences."""
    if not _LINE_BASED.match(document.text, start, end) and not _is_inside_fence(document, start + 1):
        return []
    boundaries = []
    at = document.text.find("\n", start, end - 1)
    while at >= 0:
        boundaries.append(at + 1)
        at = document.text.find("\n", at + 1, end - 1)
    return boundaries


def _at_sentences(document: _Document, start: int, end: int) -> list[int]:
    return [sentence.end() for sentence in _SENTENCE_END.finditer(document.text, start, end) if sentence.end() < end]


_SPLITTERS = (*(_at_headings(level) for level in range(3, 7)), _at_blocks, _at_lines, _at_sentences)


def _words(document: _Document, start: int, end: int) -> list[Span]:
    """Runs of words of at most a quarter of the capacity, so that what stands before them can share their chunk.

    They are measured out and not looked at one by one: a text can be one line of twenty megabytes.
    """
    capacity = max(document.capacity // 4, CHARACTERS_PER_TOKEN)
    spans = []
    while start < end:
        reached = _fitting_end(document, start, end, capacity)
        if reached < end:
            boundary = max(document.text.rfind(mark, start, reached) for mark in _WORD_BOUNDARIES) + 1
            reached = boundary if boundary > start else reached
        spans.append((start, reached))
        start = reached
    return spans


def _fitting_end(document: _Document, start: int, end: int, capacity: int) -> int:
    """How far the text from `start` fits. Dense characters make it a guess that is bettered until nothing is left."""
    if not document.dense:
        return min(end, start + capacity)
    reached = start
    while reached < end and capacity >= CHARACTERS_PER_TOKEN:
        step = min(end, reached + capacity // CHARACTERS_PER_TOKEN)
        capacity -= _weigh(document, reached, step)
        reached = step
    return reached
