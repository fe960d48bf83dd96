"""The values of a fact over time as a strip: which value held when. Pure; the list beside it says the same."""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.surfaces.web.drawings.graph_layout import LETTER, cut, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.memory.graph.article import FactGroup, FactLine

WIDTH, HEIGHT = 720, 34
LEAST = 6  # pixels of a value that held for a short time
MAX_PARTS = 12


class Part(Record):
    """A value, from where to where it is drawn."""

    line: FactLine
    x: int
    width: int
    label: str  # empty where it has no room
    holds: bool


class Strip(Record):
    """The values in the order in which they began."""

    width: int
    height: int
    parts: tuple[Part, ...]


def draw_strip(group: FactGroup) -> Strip:
    """The strip of a predicate: its latest `MAX_PARTS` values, of which the last one holds to the end."""
    lines = sorted((*group.holds, *group.former), key=lambda line: line.first)[-MAX_PARTS:]
    first = lines[0].first
    last = max(max(line.until or line.last, line.last) for line in lines)
    last += max(1, (last - first) // 10 if group.holds else 0)  # What holds is seen to go on.
    span = max(1, last - first)

    def place(at: int) -> int:
        return round(min(max(at - first, 0), span) / span * WIDTH)

    parts = []
    for line in lines:
        begin, end = place(line.first), place(last if line.until is None else max(line.until, line.first))
        begin = min(begin, WIDTH - LEAST)
        width = max(LEAST, end - begin)
        label = cut(plain(line.value), width // LETTER - 1) if width > 5 * LETTER else ""
        parts.append(Part(line=line, x=begin, width=width, label=label, holds=line.until is None))
    return Strip(width=WIDTH, height=HEIGHT, parts=tuple(parts))
