"""Where the entities around one are drawn: forces move them apart from a fixed start. Pure: equal graphs look equal."""

from __future__ import annotations

import math

from jotsam.core.records import Record
from jotsam.surfaces.web.drawings.graph_layout import cut, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jotsam.memory.graph.surroundings import NearEdge, NearEntity, Surroundings

WIDTH, HEIGHT, EDGE = 900, 560, 40
TURN = 2.4  # radians, the golden angle: no two of those that start behind one node lie in one line
ROUNDS = 60
NEAR, FAR = 150.0, 250.0  # of the first and the later steps to the middle
LABEL = 22  # characters


class Place(Record):
    """An entity, with the middle of its circle."""

    node: NearEntity
    x: int
    y: int
    radius: int
    label: str


class Connection(Record):
    """An edge between two places."""

    edge: NearEdge
    x1: int
    y1: int
    x2: int
    y2: int


class Walk(Record):
    """Places and the lines between them. The entity in the middle is in the middle."""

    width: int
    height: int
    places: tuple[Place, ...]
    lines: tuple[Connection, ...]


def lay_out(found: Surroundings) -> Walk:
    """The drawing of the surroundings of an entity."""
    points = _start(found)
    for number in range(ROUNDS):
        _push_apart(points, strength=1 - number / ROUNDS)
        _pull(points, found.edges, {one.name: one.step for one in found.nodes})
    widest = max((math.hypot(*point) for point in points.values()), default=0.0) or FAR
    points = {name: [part / widest * FAR for part in point] for name, point in points.items()}
    places = {one.name: _place(one, points[one.name]) for one in found.nodes}
    lines = (
        Connection(
            edge=one,
            x1=places[one.source].x,
            y1=places[one.source].y,
            x2=places[one.target].x,
            y2=places[one.target].y,
        )
        for one in found.edges
    )
    return Walk(width=WIDTH, height=HEIGHT, places=tuple(places.values()), lines=tuple(lines))


def _start(found: Surroundings) -> dict[str, list[float]]:
    """The first step in a circle, the others behind what led to them."""
    points: dict[str, list[float]] = {}
    first = [one for one in found.nodes if one.step == 1]
    for one in found.nodes:
        if one.step == 0:
            points[one.name] = [0.0, 0.0]
        elif one.step == 1:
            angle = 2 * math.pi * first.index(one) / len(first)
            points[one.name] = [NEAR * math.cos(angle), NEAR * math.sin(angle)]
        else:
            near = next((points[end] for end in _ends(found.edges, one.name) if end in points), [1.0, 0.0])
            length = math.hypot(*near) or 1.0
            turn = TURN * len(points)
            beside = (40 * math.cos(turn), 40 * math.sin(turn))
            points[one.name] = [part / length * FAR + more for part, more in zip(near, beside, strict=True)]
    return points


def _ends(edges: Sequence[NearEdge], name: str) -> list[str]:
    return [one.target if one.source == name else one.source for one in edges if name in (one.source, one.target)]


def _push_apart(points: Mapping[str, list[float]], *, strength: float) -> None:
    """Labels are wider than high, so what is beside another is pushed further."""
    every = [*points.values()]
    for at, one in enumerate(every):
        for other in every[at + 1 :]:
            x, y = (one[0] - other[0]) / 1.9, one[1] - other[1]
            distance = math.hypot(x, y) or 0.1
            if distance < 70:
                push = (70 - distance) / distance / 2 * strength
                for point, sign in ((one, 1), (other, -1)):
                    if point is not every[0]:
                        point[0] += sign * x * push * 1.9
                        point[1] += sign * y * push


def _pull(points: Mapping[str, list[float]], edges: Sequence[NearEdge], steps: Mapping[str, int]) -> None:
    """What is connected attracts a little, and each step keeps its distance to the middle."""
    for edge in edges:
        one, other = points[edge.source], points[edge.target]
        for axis in (0, 1):
            pull = (other[axis] - one[axis]) * 0.01
            one[axis] += pull if steps[edge.source] else 0
            other[axis] -= pull if steps[edge.target] else 0
    for name, point in points.items():
        if steps[name]:
            length = math.hypot(*point) or 1.0
            wanted = NEAR if steps[name] == 1 else FAR
            factor = 1 + (wanted - length) / length * 0.2
            point[0], point[1] = point[0] * factor, point[1] * factor


def _place(node: NearEntity, point: Sequence[float]) -> Place:
    x = WIDTH / 2 + point[0] * (WIDTH / 2 - 2 * EDGE) / (FAR + 30)
    y = HEIGHT / 2 + point[1] * (HEIGHT / 2 - EDGE) / (FAR + 30)
    return Place(
        node=node,
        x=round(min(max(x, 2 * EDGE), WIDTH - 2 * EDGE)),
        y=round(min(max(y, EDGE), HEIGHT - EDGE)),
        radius=(16, 9, 6)[min(node.step, 2)],
        label=cut(plain(node.label), LABEL),
    )
