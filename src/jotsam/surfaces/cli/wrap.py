"""Wraps a text to the columns of a terminal. Texts must have no control characters (`output.printable`)."""

from __future__ import annotations

from jotsam.surfaces.cli.table import text_width


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
