"""Lays out a table: columns as wide as their cells, numbers to the right, and cut to the width of a terminal.

Kept out of `output`, because commands that start often print no table.
"""

from __future__ import annotations

from unicodedata import category, east_asian_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

GAP = 2
SHORT_ID = 8  # characters of an id that are printed
UNITS = ("", "%", "ms", "s", "min", "h", "d")
LEAST_WIDTH = 12  # a column is not cut below this
ZERO_WIDTH = ("Mn", "Me", "Cf", "Cs")  # combining marks, joiners, and the marks of `output.paint`


def lay_out(heads: Sequence[str], rows: Sequence[Sequence[str]], *, width: int | None) -> list[str]:
    """The lines of a table, the heads first.

    With a `width`, empty columns are left out, and the widest ones are cut so that the lines fit: those of several
    words before those of single words, such as ids and dates, and never numbers.
    """
    if width is not None:
        kept = [number for number, column in enumerate(zip(*rows, strict=True)) if any(column)]
        heads, rows = [heads[number] for number in kept], [[row[number] for number in kept] for row in rows]
    columns = list(zip(heads, *rows, strict=True))
    is_number = [_are_numbers(column[1:]) for column in columns]
    widths = [max(map(text_width, column)) for column in columns]
    if width is not None:
        has_words = [any(" " in cell for cell in column[1:]) for column in columns]
        _shrink(widths, width, has_words)
        _shrink(widths, width, [not number for number in is_number])
    lines = []
    for row in (heads, *rows):
        cells = [
            _padded(cell, size, to_the_right=number) for cell, size, number in zip(row, widths, is_number, strict=True)
        ]
        lines.append((" " * GAP).join(cells).rstrip())
    return lines


def text_width(text: str) -> int:
    """The number of columns of a terminal that the text takes: two for a wide character."""
    if text.isascii():
        return len(text)
    return sum(_character_width(character) for character in text)


def cut(text: str, width: int) -> str:
    """The text, cut to a number of columns with `…` at the end."""
    if text_width(text) <= width:
        return text
    kept, used = "", 1
    for character in text:
        used += _character_width(character)
        if used > width:
            break
        kept += character
    return kept.rstrip() + "…"


def _character_width(character: str) -> int:
    if category(character) in ZERO_WIDTH:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def _padded(cell: str, width: int, *, to_the_right: bool) -> str:
    cell = cut(cell, width)
    padding = " " * (width - text_width(cell))
    return padding + cell if to_the_right else cell + padding


def _are_numbers(cells: Sequence[str]) -> bool:
    """Whether all cells that are not empty are numbers, or durations such as `1.5 s`."""
    return any(cells) and all(_is_number(cell) for cell in cells if cell)


def _is_number(cell: str) -> bool:
    number, _, unit = cell.partition(" ")
    if len(number) == SHORT_ID and number.isdigit():
        return False  # An id may have digits alone; a number of eight digits has separators.
    digits = number.replace(",", "").replace(".", "", 1).removeprefix("-")
    return digits.isascii() and digits.isdigit() and unit in UNITS


def _shrink(widths: list[int], limit: int, may_shrink: Sequence[bool]) -> None:
    """Make the widest of some columns narrower until the line fits, or until none can be."""
    excess = sum(widths) + GAP * (len(widths) - 1) - limit
    while excess > 0:
        widest = max((one for one, may in enumerate(may_shrink) if may), key=widths.__getitem__, default=None)
        if widest is None or widths[widest] <= LEAST_WIDTH:
            return
        widths[widest] -= 1
        excess -= 1


def wrap(text: str, width: int, *, lines: int) -> list[tuple[int, int]]:
    """Start and end of at most `lines` lines, broken at spaces and between wide characters.

    The end of the last line is less than that of the text if the text does not fit.
    """
    found: list[tuple[int, int]] = []
    start = 0
    while start < len(text) and len(found) < lines:
        end = _fitting(text, start, width)
        if end < len(text):
            end = _break_before(text, start, end)
        found.append((start, start + len(text[start:end].rstrip())))
        start = end + len(text[end:]) - len(text[end:].lstrip())
    return found


def cut_start(text: str, width: int) -> str:
    """The end of a text in at most `width` columns, with `…` before it, as for a path."""
    if text_width(text) <= width:
        return text
    backwards = text[::-1]
    return "…" + backwards[: _fitting(backwards, 0, max(1, width - 1))][::-1].lstrip()


def _fitting(text: str, start: int, width: int) -> int:
    """The end of what fits into `width` columns, at least one character."""
    for at in range(start, len(text)):
        width -= text_width(text[at])
        if width < 0:
            return max(at, start + 1)
    return len(text)


def _break_before(text: str, start: int, end: int) -> int:
    """The last place at or before `end` where a line may end; `end` if a word is longer than a line."""
    for at in range(end, start, -1):
        if text[at].isspace() or text[at - 1].isspace() or text_width(text[at]) == 2 == text_width(text[at - 1]):
            return at
    return end
