"""`Record`: construction, immutability, plain dictionaries, and short representations."""

from __future__ import annotations

import json
import pickle

import pytest

from jotsam.core.answers import Answer, Coverage, Hit
from jotsam.core.records import COMPILE_AFTER, Record


class Point(Record):
    x: int
    y: int = 2


class Point3(Point):
    z: int


class Holder(Record):
    points: tuple[Point, ...]
    names: dict[str, object]
    data: bytes = b""


@pytest.mark.parametrize("constructions", [0, COMPILE_AFTER + 1])
def test_construction_is_the_same_before_and_after_it_is_compiled(constructions: int) -> None:
    class Fresh(Record):
        x: int
        y: int = 2

    for _ in range(constructions):
        Fresh(x=0)
    assert (Fresh(x=1).x, Fresh(x=1).y, Fresh(y=3, x=1).y) == (1, 2, 3)
    with pytest.raises(TypeError, match=r"^Fresh has the fields \['x', 'y'\]; missing: \['x'\]$"):
        Fresh()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^Fresh has the fields \['x', 'y'\]; unknown: \['z'\]$"):
        Fresh(x=1, z=1)  # type: ignore[call-arg]


def test_a_subclass_has_the_fields_of_its_base_also_after_that_was_compiled() -> None:
    for number in range(COMPILE_AFTER + 1):
        Point(x=number)
    assert Point3(x=1, z=3).as_dict() == {"x": 1, "y": 2, "z": 3}
    assert Point3(x=1, z=3) != Point(x=1)


def test_a_copy_has_the_changes_and_every_other_field_also_of_a_subclass() -> None:
    for number in range(COMPILE_AFTER + 1):
        assert Point(x=number).replace(y=3).as_dict() == {"x": number, "y": 3}
        assert Point3(x=1, z=number).replace(x=2) == Point3(x=2, y=2, z=number)
    assert Holder(points=(), names={}).replace() == Holder(points=(), names={})
    with pytest.raises(TypeError, match=r"^Point has the fields \['x', 'y'\]; unknown: \['z'\]$"):
        Point(x=1).replace(z=1)


def test_a_record_is_frozen_equal_by_value_hashable_and_can_be_pickled() -> None:
    point = Point(x=1)
    with pytest.raises(AttributeError, match="frozen"):
        point.x = 3  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        del point.x
    assert point == Point(x=1, y=2) == pickle.loads(pickle.dumps(point))
    assert len({point, Point(x=1), Point(x=2)}) == 2
    assert point.replace(y=5) == Point(x=1, y=5)
    with pytest.raises(TypeError, match="unknown"):
        point.replace(z=5)


def test_as_dict_is_plain_all_the_way_down() -> None:
    names = {"inner": Point(x=1), "several": ({"deep": (Point(x=2),)}, {3})}
    plain = Holder(points=(Point(x=1), Point(x=2)), names=names, data=b"\xff").as_dict()
    assert plain == {
        "points": [{"x": 1, "y": 2}, {"x": 2, "y": 2}],
        "names": {"inner": {"x": 1, "y": 2}, "several": [{"deep": [{"x": 2, "y": 2}]}, [3]]},
        "data": "/w==",
    }
    assert json.loads(json.dumps(plain)) == plain


def test_repr_leaves_out_defaults_and_truncates_long_values() -> None:
    assert repr(Point(x=1)) == "Point(x=1)"
    many = repr(Holder(points=tuple(Point(x=x) for x in range(1_000)), names={"text": "long " * 1_000}, data=b"x" * 99))
    assert "Point(x=2), ... 997 more)" in many
    assert "... 99 characters" in many
    assert len(many) < 400
    assert repr(Holder(points=(Point(x=1),), names={})) == "Holder(points=(Point(x=1),), names={})"


def test_an_answer_is_shown_in_a_notebook_with_everything_escaped() -> None:
    evil = "<script>alert(1)</script>"
    hit = Hit(kind="memory", id=evil, text=evil, whole=True, score=1.0, scores={}, source=evil, section=evil, type=evil)
    coverage = Coverage(returned=1, total=1, tokens=1, budget=1)
    answer = Answer(question=evil, hits=(hit,), facts=(), coverage=coverage, text=f"x\n({evil})")
    html = answer._repr_html_()
    assert evil not in html
    assert "<script" not in html + hit._repr_html_()
    assert html.count("alert(1)") == 6
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in hit._repr_html_()
