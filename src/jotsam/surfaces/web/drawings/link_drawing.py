"""The memories around one as a drawing. What links to it is on its left, what it links to on its right.

What is one step further is in the outer columns, beside what it is linked to.
"""

from __future__ import annotations

from jotsam.surfaces.web.drawings.graph_layout import MAX_NODES, Drawing, Edge, Node, cut, place, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from jotsam.core.graph_records import Neighbourhood
    from jotsam.core.records import Link, StoredMemory

BOX_WIDTH = 176
STEPS = 2

# Each group of link types has a class of its own, which gives its lines their look.
GROUPS = {
    "PRECEDED_BY": "order",
    "OCCURRED_BEFORE": "order",
    "SIMILAR_TO": "similar",
    "DISCOVERED": "found",
    "CONTRASTS_WITH": "found",
    "CONTRADICTS": "against",
    "INVALIDATED_BY": "against",
    "EVOLVED_INTO": "against",
}
WORDS = {
    "order": "follows in time",
    "similar": "similar meaning",
    "found": "found by Jotsam",
    "against": "replaces or contradicts",
    "other": "another link",
}


def draw(found: Neighbourhood) -> Drawing:
    """The drawing of a memory and of what is at most two steps away."""
    memories = {one.id: one for one in (found.memory, *found.neighbours)}
    links = sorted(found.links, key=lambda link: (-link.weight, link.type, link.source, link.target))
    columns = _columns(found.memory.id, links, memories)
    drawing = place(
        [_node(memories[id], column) for id, column in columns.items()], _edges(links, memories), box_width=BOX_WIDTH
    )
    return drawing.replace(left_out=len(memories) - len(drawing.boxes))


def groups(drawing: Drawing) -> tuple[tuple[str, str], ...]:
    """Each group of the lines with its words in a legend."""
    return tuple((look, WORDS[look]) for look in dict.fromkeys(line.edge.look for line in drawing.lines))


def _columns(centre: str, links: Sequence[Link], memories: Mapping[str, StoredMemory]) -> dict[str, int]:
    """By id, the column of a memory, those of the inner columns first."""
    columns = {centre: 0}
    for step in range(1, STEPS + 1):
        for id in [one for one, column in columns.items() if abs(column) == step - 1]:
            for link in links:
                other = link.target if link.source == id else link.source if link.target == id else ""
                if other in memories and other not in columns and len(columns) < MAX_NODES:
                    side = columns[id] or (1 if link.source == id else -1)
                    columns[other] = step if side > 0 else -step
    return columns


def _node(memory: StoredMemory, column: int) -> Node:
    text = plain((memory.summary or memory.text)[:400])
    href = f"/ui/memories/{memory.id}" if column else ""
    return Node(key=memory.id, label=text, title=cut(text, 240), href=href, look=f"step-{abs(column)}", column=column)


def _edges(links: Iterable[Link], memories: Mapping[str, StoredMemory]) -> Iterator[Edge]:
    for link in links:
        if link.source in memories and link.target in memories:
            ends = (cut(plain(memories[id].text[:200]), 60) for id in (link.source, link.target))
            title = f"{link.type} {link.weight:.2f}: {' → '.join(ends)}"
            yield Edge(source=link.source, target=link.target, look=GROUPS.get(link.type, "other"), title=title)
