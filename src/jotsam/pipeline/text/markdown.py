"""Markdown structure: offsets of headings, fenced code blocks, front matter and HTML comments.

Follows CommonMark 0.31 for ATX headings, setext headings and fenced code blocks. reStructuredText underlines titles
like setext headings, and also with characters that open a fence in Markdown. It reports offsets only: where to cut a
text is decided by the caller.
"""

from __future__ import annotations

import re
from functools import lru_cache

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record

MAX_TITLE_CHARACTERS = 200
MAX_COMMENT_CHARACTERS = 4_000  # A comment that closes later than this is read as text.
COMMENT_START, COMMENT_END = "<!--", "-->"

# Many rules read the same text one after the other, in each thread of a worker.
KEPT_TEXTS, MAX_KEPT_CHARACTERS = 8, 20_000

_STRUCTURE = lazy_pattern(
    r"^ {0,3}(?:(?P<hashes>#{1,6})(?:[ \t]+(?P<title>[^\n]*))?$"
    r"|(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)$"
    r"|(?P<underline>={3,}|-{3,}|\^{3,}|\"{3,})[ \t]*$)",
    re.MULTILINE,
)
_LEVELS = {"=": 1, "-": 2, "^": 4, '"': 5}
_FRONT_MATTER = lazy_pattern(r"---[ \t]*\n(?:[ \t]*(?:#[^\n]*)?\n)*[\w\"'][^\n:]{0,200}:")
_FRONT_MATTER_END = lazy_pattern(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_NOT_A_TITLE = lazy_pattern(r"[ \t]*$|[ \t]{4}|\t| {0,3}(?:[-*+>|#]|\d{1,9}[.)](?:\s|$)|[-=]{3,}[ \t]*$)")
_LINK = lazy_pattern(r"\[([^\[\]\n]*)\]\([^()\s]*\)")


class Heading(Record):
    """A heading from offset `start` to offset `end`, where its body begins."""

    level: int  # 1 to 6
    title: str
    start: int
    end: int


class Outline(Record):
    """Headings and fenced blocks in order.

    A fenced block is `(start, end)` including its fence lines. Front matter counts as one.
    """

    headings: tuple[Heading, ...]
    fences: tuple[tuple[int, int], ...]


def outline(text: str) -> Outline:
    """The headings and fenced blocks of a text. Lines must end in LF.

    A fence that is never closed extends to the end of the text.
    """
    return _recent_outline(text) if len(text) <= MAX_KEPT_CHARACTERS else _outline(text)


@lru_cache(maxsize=KEPT_TEXTS)
def _recent_outline(text: str) -> Outline:
    return _outline(text)


def _outline(text: str) -> Outline:
    headings: list[Heading] = []
    fences = _front_matter(text)
    opening: re.Match[str] | None = None
    for line in _STRUCTURE.finditer(text, fences[0][1] if fences else 0):
        if opening is not None:
            if _closes(line, opening):
                fences.append((opening.start(), _line_end(line)))
                opening = None
        elif line["fence"] and not _is_underline(text, line):
            opening = line if _opens(line) else None
        elif heading := _heading(text, line):
            headings.append(heading)
    if opening is not None:
        fences.append((opening.start(), len(text)))
    return Outline(headings=tuple(headings), fences=tuple(fences))


def without_comments(text: str) -> str:
    """The text without HTML comments."""
    parts: list[str] = []
    kept, closing = 0, -1
    start = text.find(COMMENT_START)
    while start >= 0:
        at = start + len(COMMENT_START)
        closing = comment_closing(text, at, closing)
        if closing - at <= MAX_COMMENT_CHARACTERS:
            parts.append(text[kept:start])
            kept = at = closing + len(COMMENT_END)
        start = text.find(COMMENT_START, at)
    return "".join([*parts, text[kept:]])


def comment_closing(text: str, at: int, known: int) -> int:
    """Offset of the first `-->` at or after `at`, or an offset beyond the maximum comment length if not found.

    `known` is the result of the previous call for the same text, initially -1. It keeps the cost linear for a text with
    many openings and few closings.
    """
    if known >= at:
        return known
    closing = text.find(COMMENT_END, at)
    return closing if closing >= 0 else len(text) + MAX_COMMENT_CHARACTERS + 1


def _front_matter(text: str) -> list[tuple[int, int]]:
    """The span of YAML front matter. Without this check its last line would be the underline of a setext heading."""
    opening = _FRONT_MATTER.match(text)
    closing = _FRONT_MATTER_END.search(text, opening.end()) if opening else None
    return [(0, _line_end(closing))] if closing else []


def _opens(line: re.Match[str]) -> bool:
    """Whether the line opens a fence: the info string of a backtick fence cannot contain a backtick."""
    return line["fence"][0] == "~" or "`" not in line["info"]


def _is_underline(text: str, line: re.Match[str]) -> bool:
    """Whether a line of fence characters underlines a title of reStructuredText.

    It is as long as the title, or longer and followed by a blank line. A fence is mostly shorter than the text above
    it, and followed by code.
    """
    start = None if line["info"].strip() or line.start() == 0 else _start_of_single_line(text, line.start())
    if start is None:
        return False
    title = text[start : line.start()].strip()
    is_longer = len(line["fence"]) > max(3, len(title)) and not _next_line(text, line).strip()
    return not title.endswith(":") and (len(line["fence"]) == len(title) or is_longer)


def _is_below_title(text: str, line: re.Match[str], start: int) -> bool:
    """Whether a line of carets or quotation marks underlines a title of reStructuredText, and no mistake in a line."""
    title = text[start : line.start()].strip()
    return len(line["underline"]) >= len(title) and not _next_line(text, line).strip()


def _next_line(text: str, line: re.Match[str]) -> str:
    return text[_line_end(line) : text.find("\n", _line_end(line)) + 1 or None]


def _closes(line: re.Match[str], opening: re.Match[str]) -> bool:
    return bool(line["fence"]) and line["fence"].startswith(opening["fence"]) and not line["info"].strip()


def _line_end(line: re.Match[str]) -> int:
    """Offset after the line feed that ends the line."""
    return min(line.end() + 1, len(line.string))


def _heading(text: str, line: re.Match[str]) -> Heading | None:
    if line["hashes"]:
        title = _without_closing_hashes(line["title"] or "")
        return Heading(level=len(line["hashes"]), title=_clean_title(title), start=line.start(), end=_line_end(line))
    start = _start_of_single_line(text, line.start())
    if start is None:
        return None
    level = 3 if line["fence"] else _LEVELS[line["underline"][0]]
    if level > 2 and not line["fence"] and not _is_below_title(text, line, start):
        return None
    return Heading(level=level, title=_clean_title(text[start : line.start()]), start=start, end=_line_end(line))


def _without_closing_hashes(title: str) -> str:
    title = title.strip()
    without_hashes = title.rstrip("#")
    return without_hashes if not without_hashes or without_hashes[-1].isspace() else title


def _clean_title(title: str) -> str:
    """The title on one line of limited length, with link texts but without URLs."""
    text_only = _LINK.sub(r"\1", title.strip()[: 5 * MAX_TITLE_CHARACTERS])
    return " ".join(text_only.split())[:MAX_TITLE_CHARACTERS].rstrip()


def _start_of_single_line(text: str, underline: int) -> int | None:
    """Offset of the one-line paragraph above an underline, or `None`.

    Unlike in CommonMark, a paragraph of several lines is not a heading: in notes and logs the underline is a
    horizontal rule below prose.
    """
    start = text.rfind("\n", 0, max(underline - 1, 0)) + 1
    if start == underline or _NOT_A_TITLE.match(text, start, underline - 1):
        return None
    above = text[text.rfind("\n", 0, start - 1) + 1 : start] if start else ""
    is_alone = not above.strip() or _STRUCTURE.match(above.rstrip("\n")) is not None
    return start if is_alone else None
