"""Where the nodes of a small graph are drawn, and the lines between them. Pure: the same nodes give the same drawing.

Nodes are boxes in columns around the one in the middle, each column centred, so that no box covers another.
"""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

HEIGHT, GAP, ROW, EDGE = 26, 56, 32, 8
LETTER = 7  # pixels of a character, about
MAX_NODES, MAX_LINES = 200, 600


class Node(Record):
    """What is drawn as a box with a label."""

    key: str
    label: str
    note: str = ""  # before the label, such as the predicate of a fact
    title: str = ""  # what a pointer on it shows; the label if it is empty
    href: str = ""
    look: str = ""  # a class of the style sheet
    column: int = 0  # 0 is the middle, negative ones are to its left


class Edge(Record):
    """A line between two nodes, by their keys."""

    source: str
    target: str
    look: str = ""
    title: str = ""


class Box(Record):
    """A node with the middle of its box, and the texts cut to its width."""

    node: Node
    x: int
    y: int
    note: str
    label: str


class Line(Record):
    """An edge as the path of its line."""

    edge: Edge
    path: str


class Drawing(Record):
    """Boxes and lines, and the size of all."""

    width: int
    height: int
    box_width: int
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    left_out: int  # nodes that have no place


def place(nodes: Sequence[Node], edges: Iterable[Edge], *, box_width: int) -> Drawing:
    """The drawing of at most `MAX_NODES` nodes, and of the first `MAX_LINES` edges between them."""
    columns: dict[int, list[Node]] = {}
    for node in nodes[:MAX_NODES]:
        columns.setdefault(node.column, []).append(node)
    tallest = max(3, *map(len, columns.values()))
    boxes = {
        node.key: _box(node, number, row, above=(tallest - len(columns[column])) * ROW // 2, width=box_width)
        for number, column in enumerate(sorted(columns))
        for row, node in enumerate(columns[column])
    }
    drawn = [one for one in edges if one.source in boxes and one.target in boxes][:MAX_LINES]
    return Drawing(
        width=len(columns) * (box_width + GAP) - GAP + 2 * EDGE,
        height=tallest * ROW + 2 * EDGE,
        box_width=box_width,
        boxes=tuple(boxes.values()),
        lines=tuple(Line(edge=one, path=_path(one, boxes, box_width)) for one in drawn),
        left_out=len(nodes) - len(boxes),
    )


def _box(node: Node, column: int, row: int, *, above: int, width: int) -> Box:
    letters = width // LETTER - 1
    note = cut(plain(node.note), letters * 2 // 3)
    label = cut(plain(node.label), letters - len(note) - bool(note))
    x, y = EDGE + column * (width + GAP) + width // 2, EDGE + above + row * ROW + ROW // 2
    return Box(node=node, x=x, y=y, note=note, label=label)


def _path(edge: Edge, boxes: Mapping[str, Box], width: int) -> str:
    start, end = boxes[edge.source], boxes[edge.target]
    x1, y1, x2, y2, half = start.x, start.y, end.x, end.y, width // 2
    if x1 == x2:  # In one column: around its right side.
        x1 += half
        x2 += half
        bend = x1 + min(GAP - 12, 12 + abs(y2 - y1) // 8)
        return f"M{x1} {y1} C{bend} {y1} {bend} {y2} {x2} {y2}"
    side = 1 if x2 > x1 else -1
    x1 += side * half
    x2 -= side * half
    middle = (x1 + x2) // 2
    return f"M{x1} {y1} C{middle} {y1} {middle} {y2} {x2} {y2}"


def plain(text: str) -> str:
    """The text on one line, without characters that cannot be seen."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
