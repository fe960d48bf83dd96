"""Split a document into chunks along its structure.

Headings of level 1 and 2 always begin a chunk, because authors change the subject there. A section above the token
limit is split further at the coarsest boundary that divides it: deeper headings, paragraphs and fenced blocks, lines of
lists, tables and code, sentences, words, characters. The parts are then packed into chunks up to the limit.

Joined, the chunks give the text unchanged, so offsets in a chunk map to offsets in the document. No rule may drop,
trim or repeat characters. White space around a part does not count towards the limit.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from jotsam.core.errors import InvalidInput
from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Chunk, Record
from jotsam.pipeline.text.markdown import Heading, outline
from jotsam.pipeline.text.words import CHARACTERS_PER_TOKEN, dense_characters

DEFAULT_LIMIT = 500

_SECTION_LEVELS = (1, 2)
_BLANK_LINES = lazy_pattern(r"\n(?:[ \t]*\n)+")
_SENTENCE_END = lazy_pattern(r"(?<![.!?…])[.!?…]++[\"'”’)\]*_]*+\s++|[。！？；]++[\"'”’」』）]*+\s*+")
_LINE_BASED = lazy_pattern(r"\s*(?:[-*+>|]|\d{1,9}[.)]\s|`{3}|~{3}|(?<=\n)(?: {4}|\t))")
_WORD_BOUNDARIES = (" ", "\n", "\t", "\u3000", "，", "、")

Span = tuple[int, int]


class _Document(Record):
    """A text with its structure.

    Weights and `capacity` are in quarters of a token: rounded tokens of parts do not add up.
    """

    text: str
    capacity: int
    dense: frozenset[str]
    headings: tuple[Heading, ...]
    fences: tuple[Span, ...]


_Splitter = Callable[[_Document, int, int], Sequence[int]]


def chunk(text: str, *, limit: int = DEFAULT_LIMIT) -> tuple[Chunk, ...]:
    """The chunks of a text, at least one, each of at most `limit` tokens without surrounding white space.

    `section` is the path of level 1 and 2 headings, such as "Guide > Setup", or "" before the first heading. If the
    section was split, it goes on with the deeper headings that hold for the whole chunk, and ends in " (2/3)"
    if several chunks have the same. Raises `InvalidInput` for a limit below 1.
    """
    if limit < 1:
        raise InvalidInput(f"invalid limit {limit}: must be at least 1 token")
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
        names = [path] if len(pieces) == 1 else _names(document, path, pieces)
        for (begin, stop), section in zip(pieces, names, strict=True):
            piece = Chunk(position=len(chunks), text=text[begin:stop], start=begin, end=stop, section=section)
            chunks.append(piece)
    return tuple(chunks)


def _sections(document: _Document) -> list[tuple[str, int, int]]:
    """Path, start and end of each section.

    A heading without a text of its own belongs to the section of the next one. White space before the first heading
    belongs to the first section.
    """
    titles: dict[int, str] = {}
    sections: list[tuple[str, int, int]] = []
    path, start, body, level = "", 0, 0, 0
    for heading in document.headings:
        if heading.level not in _SECTION_LEVELS:
            continue
        if not _is_blank(document.text, body, heading.start):
            sections.append((path, start, heading.start))
            start = heading.start
        level, body = heading.level, heading.end
        titles = {upper: title for upper, title in titles.items() if upper < level} | {level: heading.title}
        path = " > ".join(title for title in titles.values() if title)
    return [*sections, (path, start, len(document.text))]


def _names(document: _Document, path: str, pieces: Sequence[Span]) -> list[str]:
    """The section of each piece of a split section: its path, and the deeper heading if all of the piece is under one.

    Pieces with the same path are numbered.
    """
    paths = [" > ".join(filter(None, (path, *titles))) for titles in _deeper_titles(document, pieces)]
    total, seen = Counter(paths), Counter[str]()
    names = []
    for name in paths:
        seen[name] += 1
        names.append(f"{name} ({seen[name]}/{total[name]})" if name and total[name] > 1 else name)
    return names


def _deeper_titles(document: _Document, pieces: Sequence[Span]) -> Iterator[list[str]]:
    """For each piece of a section the titles of the headings below level 2 that hold for the piece as a whole."""
    at = bisect_left(document.headings, pieces[0][0], key=_start_of_heading)
    titles: dict[int, str] = {}
    for start, end in pieces:
        body, is_under_one = start, True
        while at < len(document.headings) and document.headings[at].start < end:
            heading = document.headings[at]
            is_under_one = is_under_one and _is_blank(document.text, body, heading.start)
            if heading.level not in _SECTION_LEVELS:
                titles = {level: title for level, title in titles.items() if level < heading.level}
                titles[heading.level] = heading.title
            body = heading.end
            at += 1
        yield [title for title in titles.values() if title] if is_under_one else []


def _is_blank(text: str, start: int, end: int) -> bool:
    return not text[start:end].strip()


def _split(document: _Document, start: int, end: int, splitters: Sequence[_Splitter]) -> list[Span]:
    """The span itself if it fits, else its parts, split by the first splitter that finds a boundary.

    Parts that are still too large are split by the remaining splitters.
    """
    if _fits(document, start, end):
        return [(start, end)]
    for used, splitter in enumerate(splitters, 1):
        if boundaries := splitter(document, start, end):
            parts = pairwise((start, *boundaries, end))
            return [unit for part in parts for unit in _split(document, *part, splitters[used:])]
    return _words(document, start, end)


def _fits(document: _Document, start: int, end: int) -> bool:
    """Whether the span fits into a chunk. Short spans are accepted without counting their characters."""
    max_weight = (end - start) * (CHARACTERS_PER_TOKEN if document.dense else 1)
    return max_weight <= document.capacity or _weigh(document, *_content(document, start, end)) <= document.capacity


def _pack(document: _Document, units: Sequence[Span]) -> list[Span]:
    """Merge adjacent units up to the capacity.

    A unit that introduces the next one, such as a heading, is moved to the next chunk where that fits.
    """
    begins = [units[0][0]]
    weight, reached, previous = 0, 0, -1
    for start, end in units:
        first, last = _content(document, start, end)
        if first == last:
            continue
        own_weight = _weigh(document, first, last)
        total = weight + first - reached + own_weight if weight else own_weight
        if total <= document.capacity:
            previous = first if weight else -1
        else:
            with_previous = _weigh(document, previous, first) + own_weight if previous >= 0 else total
            moves_previous = with_previous <= document.capacity and _introduces(document, previous, reached)
            begins.append(previous if moves_previous else start)
            total, previous = with_previous if moves_previous else own_weight, -1
        weight, reached = total, last
    return list(pairwise((*begins, units[-1][1])))


def _introduces(document: _Document, start: int, end: int) -> bool:
    """Whether the span is a heading or a single line that ends in a colon."""
    line = document.text[start:end]
    return "\n" not in line and (line.rstrip("*_").endswith((":", "：")) or _is_heading(document, start, end))


def _is_heading(document: _Document, start: int, end: int) -> bool:
    at = bisect_left(document.headings, start, key=_start_of_heading)
    return at < len(document.headings) and document.headings[at].start == start and document.headings[at].end >= end


def _start_of_heading(heading: Heading) -> int:
    return heading.start


def _content(document: _Document, start: int, end: int) -> Span:
    """The span without surrounding white space."""
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
    """Boundaries after blank lines outside fenced blocks, and around fenced blocks."""
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
    """Boundaries after each line of a list, table, quotation or code. Prose has none: it is split at sentences."""
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
    """Runs of words of at most a quarter of the capacity, so that preceding units can share a chunk with them.

    Words are not visited one by one: a text can be a single line of 20 MB.
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
    """The end of the longest span from `start` that fits.

    A text with dense characters needs several steps, because their number is only known after a step.
    """
    if not document.dense:
        return min(end, start + capacity)
    reached = start
    while reached < end and capacity >= CHARACTERS_PER_TOKEN:
        step = min(end, reached + capacity // CHARACTERS_PER_TOKEN)
        capacity -= _weigh(document, reached, step)
        reached = step
    return reached
