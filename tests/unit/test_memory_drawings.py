"""The drawings of memories and entities: all is inside, nothing covers anything, the same input gives the same."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from jotsam.core.graph_records import Neighbourhood
from jotsam.core.records import Link, StoredMemory
from jotsam.retrieval.present.matches import question_stems
from jotsam.surfaces.web.drawings.graph_layout import HEIGHT, MAX_LINES, MAX_NODES, Edge, Node, place
from jotsam.surfaces.web.drawings.link_drawing import BOX_WIDTH, draw, groups
from jotsam.surfaces.web.drawings.validity_drawing import LETTER, draw_validity
from jotsam.surfaces.web.pages.found import marked_parts


def neighbourhood(count: int, pairs: list[tuple[int, int]]) -> Neighbourhood:
    memories = [StoredMemory(id=f"m{number}", text=f"Memory {number} \x00 " + "x" * number) for number in range(count)]
    links = tuple(Link(source=f"m{a}", target=f"m{b}", type="LEADS_TO") for a, b in pairs)
    return Neighbourhood(memory=memories[0], neighbours=tuple(memories[1:]), links=links, similar=(), is_complete=True)


def test_what_links_to_it_is_on_the_left_and_what_it_links_to_on_the_right() -> None:
    drawing = draw(neighbourhood(6, [(0, 1), (2, 0), (1, 3), (4, 2)]))
    x = {box.node.key: box.x for box in drawing.boxes}
    assert x["m4"] < x["m2"] < x["m0"] < x["m1"] < x["m3"]
    assert {box.node.key: box.node.column for box in drawing.boxes} == {"m0": 0, "m1": 1, "m2": -1, "m3": 2, "m4": -2}
    assert (len(drawing.lines), drawing.left_out, groups(drawing)) == (4, 1, (("other", "another link"),))


@settings(max_examples=30)
@given(st.integers(1, 60), st.lists(st.tuples(st.integers(0, 59), st.integers(0, 59)), max_size=150))
def test_boxes_are_inside_and_cover_no_other(count: int, pairs: list[tuple[int, int]]) -> None:
    found = neighbourhood(count, [(a % count, b % count) for a, b in pairs if a % count != b % count])
    drawing = draw(found)
    assert drawing == draw(found.replace(links=found.links[::-1]))
    for box in drawing.boxes:
        assert BOX_WIDTH / 2 <= box.x <= drawing.width - BOX_WIDTH / 2
        assert HEIGHT / 2 <= box.y <= drawing.height - HEIGHT / 2
    for one, other in combinations(drawing.boxes, 2):
        assert abs(one.x - other.x) >= BOX_WIDTH or abs(one.y - other.y) >= HEIGHT


@given(st.text(), st.text(), st.integers(100, 300))
def test_a_label_with_its_note_fits_its_box(label: str, note: str, width: int) -> None:
    (box,) = place([Node(key="a", label=label, note=note)], [], box_width=width).boxes
    assert (len(box.note) + len(box.label)) * LETTER <= width
    assert (box.note + box.label).isprintable()


def test_a_drawing_has_at_most_200_memories_and_600_lines() -> None:
    drawing = draw(neighbourhood(300, [(0, number) for number in range(1, 300)]))
    assert (len(drawing.boxes), drawing.left_out) == (MAX_NODES, 100)
    nodes = [Node(key=str(number), label="x", column=number % 3) for number in range(300)]
    drawing = place(nodes, [Edge(source=one.key, target="0") for one in nodes for _ in range(4)], box_width=100)
    assert (len(drawing.boxes), drawing.left_out, len(drawing.lines)) == (MAX_NODES, 100, MAX_LINES)


@given(st.text(), st.text())
def test_the_parts_of_a_text_are_the_text(text: str, question: str) -> None:
    assert "".join(part.text for part in marked_parts(text, question_stems(question))) == text


DAY_MS = 86_400_000
moments = st.none() | st.integers(0, 40 * 365 * DAY_MS)


@given(moments, moments, moments, moments, st.integers(0, 40 * 365 * DAY_MS))
def test_labels_of_a_time_line_are_inside_and_cover_no_other(said, start, until, superseded, now) -> None:  # type: ignore[no-untyped-def]
    memory = StoredMemory(
        text="x", created_at=1, said_at=said, valid_from=start, valid_until=until, superseded_at=superseded
    )
    line = draw_validity(memory, now=now)
    assert line.valid[0] <= line.valid[1]
    assert line.is_open == (until is None and superseded is None)
    names = ", ".join(one.name for one in line.moments).split(", ")
    assert len(names) == len(set(names)) == 2 + sum(at is not None for at in (said, start, until, superseded))
    spans = [
        (one.y, one.label_x - len(one.name) * LETTER // 2, one.label_x + len(one.name) * LETTER // 2)
        for one in line.moments
    ]
    assert all(0 <= left <= right <= line.width and 0 < y < line.axis for y, left, right in spans)
    assert all(a[0] != b[0] or a[2] <= b[1] or b[2] <= a[1] for a, b in combinations(spans, 2))
