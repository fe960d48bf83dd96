"""Which entities may be the same, and which are none: roles, given names, and one name in two categories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam.core.records import Entity
from jotsam.memory.graph.entity_details import entity_details, latest_entities
from jotsam.storage.graph import graph
from jotsam.storage.memories import memories

if TYPE_CHECKING:
    from jotsam import Jotsam


def listed(jot: Jotsam) -> list[str]:
    found = latest_entities(jot.database, tenant="default", limit=50).entities
    return [f"{one.category}:{one.slug}" for one in found]


def mention(jot: Jotsam, id: str, category: str, slug: str, name: str) -> None:
    """As an earlier release or a model has found it."""
    with jot.database.transaction(tenant="default") as tx:
        row = memories.get(tx, uuid=id)
        assert row is not None
        graph.mention(
            tx, number=row["id"], entities=[Entity(category=category, slug=slug, name=name, extractor="rules/1")]
        )


def candidates(jot: Jotsam, name: str) -> list[tuple[str, str]]:
    found = entity_details(jot.database, tenant="default", name=name).candidates
    return [(one.name.removeprefix("entity:"), one.into.removeprefix("entity:")) for one in found]


def test_roles_and_agents_that_say_something_are_no_people(jot: Jotsam) -> None:
    for actor in ("assistant", "user", "claude", "agent explore", "ana"):
        jot.remember("Redis was restarted.", actor=actor)
    jot.work()
    assert [one for one in listed(jot) if one.startswith("people")] == ["people:ana"]
    assert [one.slug for one in jot.knowledge.entities(category="people")] == ["ana"]


def test_roles_that_an_earlier_release_took_for_people_are_not_listed(jot: Jotsam) -> None:
    id = jot.remember("Ana Lima uses Redis.").id
    jot.work()
    mention(jot, id, "people", "assistant", "assistant")
    assert "people:assistant" not in listed(jot)
    related = entity_details(jot.database, tenant="default", name="ana-lima").related
    assert "assistant" not in [one.slug for one in related]
    pairs = jot.knowledge.merge_candidates()
    assert not [one for one in pairs if "assistant" in one.name + one.into]


@pytest.mark.needs_server
def test_one_name_in_two_categories_is_offered_with_the_one_that_more_memories_mention(jot: Jotsam) -> None:
    ids = [jot.remember(f"it was restarted at {number} o'clock").id for number in range(2)]
    jot.work()
    for id in ids:
        mention(jot, id, "tools", "kafka", "Kafka")
    mention(jot, ids[0], "concepts", "kafka", "Kafka")
    assert candidates(jot, "tools:kafka") == candidates(jot, "concepts:kafka") == [("concepts:kafka", "tools:kafka")]
    (pair,) = [one for one in jot.knowledge.merge_candidates() if "kafka" in one.name]
    assert (pair.name, pair.into, pair.shared) == ("entity:concepts:kafka", "entity:tools:kafka", 1.0)
    jot.knowledge.merge("concepts:kafka", into="tools:kafka")
    assert candidates(jot, "tools:kafka") == []


def test_a_given_name_is_offered_although_few_memories_have_both_unless_two_people_have_it(jot: Jotsam) -> None:
    for number in range(9):
        jot.remember(f"Deploy {number} is done.", actor="ana")
        jot.remember(f"Ana Lindqvist looked at deploy {number}.", actor="ana" if number < 2 else "ben")
    jot.work()
    assert candidates(jot, "ana") == [("people:ana", "people:ana-lindqvist")]
    jot.remember("Ana Lima was there.")
    jot.work()
    assert candidates(jot, "ana") == []
