"""The moments of a memory on a line: when it was said, stored, valid, changed and superseded. Pure."""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.records import StoredMemory

WIDTH, EDGE = 720, 40
TOP, ROW, AXIS = 18, 20, 14  # of the labels, which have several rows, and of the line below them
LETTER = 7  # pixels of a character, about
GAP = 14


class Moment(Record):
    """A mark on the line with its label."""

    name: str
    at: int
    x: int
    label_x: int  # the middle of the label, inside the drawing
    y: int  # of the label


class TimeLine(Record):
    """The marks, and from where to where the memory is valid."""

    width: int
    height: int
    axis: int  # y of the line
    moments: tuple[Moment, ...]
    valid: tuple[int, int]  # x of its begin and of its end
    is_open: bool  # it is valid until further notice


def draw_validity(memory: StoredMemory, *, now: int) -> TimeLine:
    """The time line of a memory. Equal moments have one mark."""
    said = memory.created_at if memory.said_at is None else memory.said_at
    given = {
        "said": memory.said_at,
        "stored": memory.created_at,
        "valid from": memory.valid_from,
        "changed": memory.changed_at,
        "valid until": memory.valid_until,
        "superseded": memory.superseded_at,
        "now": now,
    }
    by_time: dict[int, list[str]] = {}
    for name, at in given.items():
        if at is not None:
            by_time.setdefault(at, []).append(name)
    first, last = min(by_time), max(by_time)
    span = max(1, last - first)

    def place(at: int) -> int:
        return EDGE + round((at - first) / span * (WIDTH - 2 * EDGE))

    ends = [at for at in (memory.valid_until, memory.superseded_at) if at is not None]
    begin = said if memory.valid_from is None else memory.valid_from
    end = max(begin, min(ends)) if ends else last
    moments, rows = _labelled([(at, ", ".join(names), place(at)) for at, names in sorted(by_time.items())])
    axis = TOP + rows * ROW + AXIS
    return TimeLine(
        width=WIDTH, height=axis + 16, axis=axis, moments=moments, valid=(place(begin), place(end)), is_open=not ends
    )


def _labelled(marks: list[tuple[int, str, int]]) -> tuple[tuple[Moment, ...], int]:
    """Each label in the lowest row where it covers no other, and how many rows there are."""
    ends: list[int] = []  # by row, where its last label ends
    placed = []
    for at, name, x in marks:
        half = len(name) * LETTER // 2
        middle = min(max(x, half), WIDTH - half)
        row = next((number for number, end in enumerate(ends) if middle - half >= end + GAP), len(ends))
        ends[row:] = [middle + half, *ends[row + 1 :]]
        placed.append((at, name, x, middle, row))
    rows = len(ends)
    return tuple(
        Moment(name=name, at=at, x=x, label_x=middle, y=TOP + (rows - 1 - row) * ROW)
        for at, name, x, middle, row in placed
    ), rows
