"""Where the nodes and edges of a drawing are: one thing in the middle, what surrounds it on both sides.

Pure. The nodes of a side have equal distances, so that no two labels touch however many there are.
"""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_NODES = 200
WIDTH = 880
ROW, MARGIN = 26, 24  # of a node on its side; at the top and the bottom
REACH = 250  # how far from the middle the first nodes are
LEVEL = 40  # how much farther those of the next level are
BOW = 60  # how much nearer to the middle the first and the last node of a side are
GAP = 12  # between a node and its label
LABEL_CHARACTERS = 26


class Node(Record):
    """What is drawn as a point with a label."""

    key: str
    label: str
    note: str = ""  # before the label, such as the predicate of a fact
    href: str = ""
    look: str = ""  # a class of the style sheet
    level: int = 1  # steps from the middle


class Edge(Record):
    """A line between two nodes, by their keys."""

    source: str
    target: str
    look: str = ""


class PlacedNode(Record):
    """A node with its place, and that of its label."""

    node: Node
    x: int
    y: int
    radius: int
    text_x: int
    text_y: int
    anchor: str  # start, middle or end

    @property
    def text(self) -> str:
        """The label, cut to what fits."""
        label = " ".join(self.node.label.split())
        room = LABEL_CHARACTERS - min(len(self.node.note), 12)
        return label if len(label) <= room else label[: room - 1] + "…"


class PlacedEdge(Record):
    """A line as the path of an SVG."""

    path: str
    look: str


class Drawing(Record):
    """What a template draws."""

    width: int
    height: int
    nodes: tuple[PlacedNode, ...]  # the middle first
    edges: tuple[PlacedEdge, ...]
    left_out: int  # nodes that are not drawn


def surroundings(centre: Node, left: Sequence[Node], right: Sequence[Node], edges: Iterable[Edge]) -> Drawing:
    """A node with others to its left and to its right. Edges of nodes that are not drawn are left out."""
    most = (MAX_NODES - 1) // 2
    sides = left[:most], right[:most]
    height = max(*map(len, sides), 5) * ROW + 2 * MARGIN
    middle = PlacedNode(
        node=centre, x=WIDTH // 2, y=height // 2, radius=9, text_x=WIDTH // 2, text_y=height // 2 + 26, anchor="middle"
    )
    nodes = (middle, *_side(sides[0], -1, height), *_side(sides[1], 1, height))
    places = {one.node.key: one for one in nodes}
    return Drawing(
        width=WIDTH,
        height=height,
        nodes=nodes,
        edges=tuple(_edge(places, one) for one in edges if one.source in places and one.target in places),
        left_out=len(left) + len(right) + 1 - len(nodes),
    )


def halves(nodes: Sequence[Node]) -> tuple[Sequence[Node], Sequence[Node]]:
    """The nodes for both sides, the first ones of each on top."""
    return nodes[1::2], nodes[::2]


def _side(nodes: Sequence[Node], direction: int, height: int) -> Iterable[PlacedNode]:
    for place, node in enumerate(nodes):
        offset = place - (len(nodes) - 1) / 2
        bow = (2 * offset / len(nodes)) ** 2 * BOW
        x = round(WIDTH / 2 + direction * (REACH - bow + LEVEL * (node.level - 1)))
        y = round(height / 2 + offset * ROW)
        anchor = "start" if direction > 0 else "end"
        yield PlacedNode(node=node, x=x, y=y, radius=6, text_x=x + direction * GAP, text_y=y + 4, anchor=anchor)


def _edge(places: dict[str, PlacedNode], edge: Edge) -> PlacedEdge:
    start, end = places[edge.source], places[edge.target]
    half = (start.x + end.x) // 2
    path = f"M{start.x} {start.y}C{half} {start.y} {half} {end.y} {end.x} {end.y}"
    return PlacedEdge(path=path, look=edge.look)
