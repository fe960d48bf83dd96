"""Where the memories around one are drawn, and the lines between them. Pure: the same memories give the same drawing.

The memory is in the middle. What links to it is on the left, what it links to on the right, and what is one step
further is in the outer columns, beside what it is linked to.
"""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jotsam.core.graph_records import Neighbourhood
    from jotsam.core.records import Link, StoredMemory

BOX, HEIGHT, GAP, ROW, EDGE = 176, 26, 56, 32, 8
LABEL = 25  # characters
MAX_NODES, MAX_LINES = 200, 600
STEPS = 2

# Each group of link types has a class of its own, which gives its lines their look.
GROUPS = {
    "PRECEDED_BY": "order",
    "OCCURRED_BEFORE": "order",
    "SIMILAR_TO": "similar",
    "CONTRADICTS": "against",
    "INVALIDATED_BY": "against",
    "EVOLVED_INTO": "against",
}


class Node(Record):
    """A memory in the drawing: its box."""

    id: str
    label: str
    title: str
    x: int
    y: int
    step: int  # 0 is the memory in the middle


class Line(Record):
    """A link in the drawing, as the path of its line."""

    path: str
    group: str
    title: str


class Drawing(Record):
    """Boxes and lines, and the size of all."""

    width: int
    height: int
    nodes: tuple[Node, ...]
    lines: tuple[Line, ...]
    groups: tuple[str, ...]  # of the lines, for a legend
    left_out: int  # memories that have no place


def draw(found: Neighbourhood) -> Drawing:
    """The drawing of a memory and of what is at most two steps away."""
    memories = {one.id: one for one in (found.memory, *found.neighbours)}
    links = sorted(found.links, key=lambda link: (-link.weight, link.type, link.source, link.target))
    columns = _columns(found.memory.id, links, memories)
    places = _places(columns)
    steps = {id: abs(column) for column, ids in columns.items() for id in ids}
    lines = [link for link in links if link.source in places and link.target in places][:MAX_LINES]
    height = max(len(ids) for ids in columns.values()) * ROW + 2 * EDGE
    return Drawing(
        width=len(columns) * BOX + (len(columns) - 1) * GAP + 2 * EDGE,
        height=max(height, 3 * ROW),
        nodes=tuple(_node(memories[id], *place, steps[id]) for id, place in places.items()),
        lines=tuple(_line(link, places, memories) for link in lines),
        groups=tuple(dict.fromkeys(_group(link.type) for link in lines)),
        left_out=len(memories) - len(places),
    )


def _columns(centre: str, links: Sequence[Link], memories: Mapping[str, StoredMemory]) -> dict[int, list[str]]:
    """By column, from left to right, the ids in it; 0 is the middle, what links to it is in -1."""
    columns: dict[int, list[str]] = {0: [centre]}
    sides = {centre: 0}
    for step in range(1, STEPS + 1):
        inner = [id for column in (1 - step, step - 1) for id in columns.get(column, ())]
        for id in dict.fromkeys(inner):
            for link in links:
                other = link.target if link.source == id else link.source if link.target == id else ""
                if other not in memories or other in sides or len(sides) >= MAX_NODES:
                    continue
                side = sides[id] or (1 if link.source == id else -1)
                sides[other] = side
                columns.setdefault(side * step, []).append(other)
    return dict(sorted(columns.items()))


def _places(columns: Mapping[int, Sequence[str]]) -> dict[str, tuple[int, int]]:
    """By id, the middle of its box. Each column is centred."""
    tallest = max(3, *(len(ids) for ids in columns.values()))
    places = {}
    for number, ids in enumerate(columns.values()):
        x = EDGE + number * (BOX + GAP) + BOX // 2
        above = (tallest - len(ids)) * ROW // 2
        for row, id in enumerate(ids):
            places[id] = x, EDGE + above + row * ROW + ROW // 2
    return places


def _node(memory: StoredMemory, x: int, y: int, step: int) -> Node:
    text = _plain((memory.summary or memory.text)[:400])
    return Node(id=memory.id, label=_cut(text, LABEL), title=_cut(text, 240), x=x, y=y, step=step)


def _line(link: Link, places: Mapping[str, tuple[int, int]], memories: Mapping[str, StoredMemory]) -> Line:
    (x1, y1), (x2, y2) = places[link.source], places[link.target]
    half = BOX // 2
    if x1 == x2:  # In one column: around its right side.
        x1 += half
        x2 += half
        bend = min(GAP - 12, 12 + abs(y2 - y1) // 8)
        path = f"M{x1} {y1} C{x1 + bend} {y1} {x2 + bend} {y2} {x2} {y2}"
    else:
        side = 1 if x2 > x1 else -1
        x1 += side * half
        x2 -= side * half
        middle = (x1 + x2) // 2
        path = f"M{x1} {y1} C{middle} {y1} {middle} {y2} {x2} {y2}"
    ends = (_cut(_plain(memories[id].text[:200]), 60) for id in (link.source, link.target))
    return Line(path=path, group=_group(link.type), title=f"{link.type} {link.weight:.2f}: {' → '.join(ends)}")


def _group(type: str) -> str:
    return GROUPS.get(type, "other")


def _plain(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def group_names(groups: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Each group with its words in a legend."""
    words = {
        "order": "follows in time",
        "similar": "similar meaning",
        "against": "replaces or contradicts",
        "other": "another link",
    }
    return tuple((group, words[group]) for group in groups)
