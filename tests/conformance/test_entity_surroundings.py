"""The entities around one: two steps, more where they are opened, by kind and date; and how they are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam.core.errors import InvalidInput
from jotsam.memory.graph.surroundings import Surroundings, surroundings
from jotsam.surfaces.web.drawings.walk_layout import HEIGHT, WIDTH, lay_out

if TYPE_CHECKING:
    from jotsam import Jotsam

ANA = "people:ana-lima"


def around(jot: Jotsam, **more: object) -> Surroundings:
    return surroundings(jot.database, tenant="default", name=ANA, **more)  # type: ignore[arg-type]


def steps(found: Surroundings) -> dict[str, int]:
    return {one.name.partition(":")[2]: one.step for one in found.nodes}


def fill(jot: Jotsam) -> None:
    for text, day in (
        ("Ana Lima uses PostgreSQL.", "2025-01-01"),
        ("Ben Okafor uses PostgreSQL.", "2025-02-01"),
        ("Ben Okafor met Clara Sommer.", "2025-03-01"),
    ):
        jot.remember(text, said_at=day, actor="assistant")
    jot.work()


@pytest.mark.needs_server
def test_two_steps_are_shown_and_a_third_one_when_it_is_opened(jot: Jotsam) -> None:
    fill(jot)
    found = around(jot)
    assert steps(found) == {"ana-lima": 0, "postgresql": 1, "ben-okafor": 2}
    assert [one.says for one in found.edges if ANA in (one.source, one.target)] == ["uses"]
    opened = around(jot, opened=["people:ben-okafor"])
    assert steps(opened) == {"ana-lima": 0, "postgresql": 1, "ben-okafor": 2, "clara-sommer": 3}
    assert [one.is_open for one in opened.nodes if one.name == "people:ben-okafor"] == [True]


def test_a_kind_and_dates_filter_what_is_shown(jot: Jotsam) -> None:
    fill(jot)
    assert set(steps(around(jot, category="people"))) == {"ana-lima"}
    assert set(steps(around(jot, since="2025-01-02"))) == {"ana-lima"}
    assert set(steps(around(jot, until="2025-01-15"))) == {"ana-lima", "postgresql"}
    with pytest.raises(InvalidInput, match="invalid category"):
        around(jot, category="dogs")


def test_the_same_graph_is_drawn_the_same_with_its_subject_in_the_middle(jot: Jotsam) -> None:
    for number in range(30):
        jot.remember(f"Ana Lima uses PostgreSQL, Redis and Kafka with Ben{number} Okafor.")
    jot.work()
    found = around(jot)
    walk = lay_out(found)
    assert walk == lay_out(found)
    assert len(walk.places) == len(found.nodes) > 4
    middle = walk.places[0]
    assert (middle.node.name, middle.x, middle.y) == (ANA, WIDTH // 2, HEIGHT // 2)
    assert all(0 < one.x < WIDTH and 0 < one.y < HEIGHT for one in walk.places)
    assert len({(one.x, one.y) for one in walk.places}) == len(walk.places)
