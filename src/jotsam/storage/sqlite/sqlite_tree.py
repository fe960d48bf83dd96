"""Rebuilds the inner pages of a table in a copy of a damaged SQLite file, so that its leaf pages can be reached.

A table is a tree of pages: leaves with rows, and inner pages with the number of each child and its highest row id. All
that an inner page has can be computed from the leaves (https://www.sqlite.org/fileformat.html). Pure functions on the
bytes of a file.
"""

from __future__ import annotations

from itertools import pairwise

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LEAF, INNER = 0x0D, 0x05
CHILDREN = 200  # of an inner page; each takes at most 15 bytes of at least 4,096


class Child(Record):
    """A page below an inner page."""

    page: int
    first: int  # lowest and highest row id
    last: int


def rebuild(image: bytearray, *, root: int, size: int, others: set[int]) -> None:
    """Write a new root at page `root`, above all leaves that do not belong to the pages `others` of other trees."""
    children = sorted(_leaves(image, size, {root, *others, *_free(image, size)}), key=lambda child: child.first)
    level = [child for child, before in zip(children, [None, *children], strict=False) if _follows(child, before)]
    while len(level) > CHILDREN:
        groups = [level[at : at + CHILDREN] for at in range(0, len(level), CHILDREN)]
        level = []
        for group in groups:
            image += _inner(group, size)
            level.append(Child(page=len(image) // size, first=group[0].first, last=group[-1].last))
    if level:
        image[(root - 1) * size : root * size] = _inner(level, size)
    image[28:32] = (len(image) // size).to_bytes(4)


def _follows(child: Child, before: Child | None) -> bool:
    """False for a page that repeats ids of the one before: two pages of one tree never do."""
    return before is None or child.first > before.last


def _free(image: bytearray, size: int) -> set[int]:
    """The pages in the list of free pages, as far as it can be read."""
    found: set[int] = set()
    page = int.from_bytes(image[32:36])
    while page and page not in found and page * size <= len(image):
        found.add(page)
        start = (page - 1) * size
        count = min(int.from_bytes(image[start + 4 : start + 8]), size // 4 - 2)
        found |= {int.from_bytes(image[at : at + 4]) for at in range(start + 8, start + 8 + 4 * count, 4)}
        page = int.from_bytes(image[start : start + 4])
    return found


def _leaves(image: bytearray, size: int, others: set[int]) -> Iterator[Child]:
    for page in range(2, len(image) // size + 1):
        start = (page - 1) * size
        if image[start] != LEAF or page in others:
            continue
        data = bytes(image[start : start + size])
        count = int.from_bytes(data[3:5])
        if not 0 < count <= size // 4:
            continue
        ids = [_row_id(data, int.from_bytes(data[at : at + 2])) for at in range(8, 8 + 2 * count, 2)]
        if ids[0] > 0 and all(one < next for one, next in pairwise(ids)):  # Otherwise the page is damaged.
            yield Child(page=page, first=ids[0], last=ids[-1])


def _row_id(data: bytes, at: int) -> int:
    """The row id of a cell: the second number in it."""
    _, at = _varint(data, at)
    return _varint(data, at)[0]


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = 0
    for index in range(9):
        byte = data[at + index] if at + index < len(data) else 0
        if index == 8:
            return number << 8 | byte, at + 9
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, at + index + 1
    raise AssertionError


def _inner(children: Sequence[Child], size: int) -> bytes:
    """An inner page. Its last child has no cell; the header names it."""
    cells = [child.page.to_bytes(4) + _encoded(child.last) for child in children[:-1]]
    body, pointers = b"", b""
    for cell in cells:
        body = cell + body
        pointers += (size - len(body)).to_bytes(2)
    header = bytes([INNER, 0, 0]) + len(cells).to_bytes(2) + (size - len(body)).to_bytes(2) + b"\0"
    header += children[-1].page.to_bytes(4) + pointers
    return header + bytes(size - len(header) - len(body)) + body


def _encoded(number: int) -> bytes:
    """A number below 2**56 as a varint."""
    groups = [number & 0x7F]
    while number := number >> 7:
        groups.append(number & 0x7F | 0x80)
    return bytes(reversed(groups))
