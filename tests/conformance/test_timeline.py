"""What was known at a time and what has changed since, and the details of one entity."""

from __future__ import annotations

import pytest

from jotsam import InvalidInput, NotFound
from jotsam.memory.graph.entity_details import entity_details, latest_entities
from jotsam.memory.graph.timeline import compare, known_at

JANUARY, FEBRUARY, MARCH, APRIL = (1_735_689_600_000 + days * 86_400_000 for days in (0, 31, 59, 90))


def moved(jot) -> tuple[str, str]:
    """Two memories: where Ana lives in January, and from March on."""
    old = jot.remember("Ana lives in Bonn.", said_at=JANUARY).id
    new = jot.remember("Ana lives in Berlin.", said_at=MARCH).id
    jot.work()
    return old, new


def at(jot, time: int | str, **more):
    return known_at(jot.database, tenant="default", at=time, **more)


def objects(view) -> list[str]:
    return [fact.object for fact in view.facts]


def test_a_fact_is_known_from_the_time_it_was_said_until_another_supersedes_it(jot):
    old, new = moved(jot)
    assert objects(at(jot, JANUARY - 1)) == []
    assert objects(at(jot, JANUARY)) == objects(at(jot, "2025-02-01")) == ["Bonn"]
    assert objects(at(jot, MARCH)) == objects(at(jot, APRIL)) == ["Berlin"]
    assert [fact.memory for fact in at(jot, FEBRUARY).facts] == [old]
    assert [fact.superseded_by for fact in at(jot, FEBRUARY).facts] == [new]


def test_what_has_changed_since_a_time_is_told_with_what_holds_now(jot):
    old, _ = moved(jot)
    view = at(jot, FEBRUARY)
    assert [(change.fact.object, change.now) for change in view.changes] == [("Bonn", "Berlin")]
    assert [memory.id for memory in view.superseded] == [old]
    assert (view.first, view.last, view.later, view.has_more) == (JANUARY, MARCH, 1, False)
    after = at(jot, APRIL)
    assert (after.changes, after.superseded, after.later) == ((), (), 0)
    before = at(jot, JANUARY - 1)
    assert (before.changes, before.superseded, before.later) == ((), (), 2)


def test_the_first_changes_after_a_time_come_first(jot):
    """Later ones are mostly of what was not known yet: of many, these are the ones that are read."""
    for city, time in (("Bonn", JANUARY), ("Berlin", FEBRUARY), ("Bremen", MARCH), ("Ulm", APRIL)):
        jot.remember(f"Ana lives in {city}.", said_at=time)
        jot.remember(f"Bob lives in {city}.", said_at=time + 1)
    jot.work()

    def changes(time: int) -> list[tuple[str, str, str | None]]:
        return [(one.fact.subject, one.fact.object, one.now) for one in at(jot, time).changes]

    assert changes(JANUARY) == [("Ana", "Bonn", "Berlin")]
    assert changes(FEBRUARY + 1) == [("Ana", "Berlin", "Bremen"), ("Bob", "Berlin", "Bremen")]
    assert [one.text for one in at(jot, MARCH + 1, limit=1).superseded] == ["Ana lives in Bremen."]


@pytest.mark.needs_server
def test_facts_of_one_entity_are_those_with_its_name_as_a_whole(jot):
    moved(jot)
    jot.remember("Anabel lives in Ulm.", said_at=JANUARY)
    jot.work()
    assert set(objects(at(jot, FEBRUARY))) == {"Bonn", "Ulm"}
    assert objects(at(jot, FEBRUARY, entity="people:ana")) == ["Bonn"]
    assert [change.now for change in at(jot, FEBRUARY, entity="ana").changes] == ["Berlin"]
    assert at(jot, FEBRUARY, entity="anabel").changes == ()
    with pytest.raises(NotFound):
        at(jot, FEBRUARY, entity="nobody")


def test_a_view_of_a_time_has_limits_and_says_so(jot):
    for number in range(4):
        jot.remember(f"Server{number} runs on Debian.", said_at=JANUARY + number)
    jot.work()
    view = at(jot, FEBRUARY, limit=2)
    assert [fact.subject for fact in view.facts] == ["Server3", "Server2"]
    assert view.has_more
    with pytest.raises(InvalidInput, match="limit"):
        at(jot, FEBRUARY, limit=0)
    with pytest.raises(InvalidInput, match="invalid at"):
        at(jot, "soon")


def test_another_tenant_and_an_empty_memory_know_nothing(jot):
    moved(jot)
    view = known_at(jot.database, tenant="other", at=FEBRUARY)
    assert (view.facts, view.superseded, view.changes, view.later) == ((), (), (), 0)
    assert (view.first, view.last) == (None, None)
    listed = latest_entities(jot.database, tenant="other", limit=10)
    assert (listed.entities, listed.examined, listed.is_complete) == ((), 0, True)
    with pytest.raises(NotFound):
        entity_details(jot.database, tenant="other", name="ana")


def test_entities_of_the_latest_memories_are_listed_by_mentions(jot):
    jot.remember("Alice uses Redis.")
    jot.remember("Redis is fast, says Alice Miller to Bob.")
    jot.remember("Redis needs memory.")
    jot.work()

    def listed(**more):
        found = latest_entities(jot.database, tenant="default", **{"limit": 50, **more})
        return [(entity.slug, entity.memories) for entity in found.entities]

    assert listed(limit=1) == [("redis", 3)]
    assert ("redis", 3) not in listed(skip=1)
    assert listed(words="EDI") == listed(category="tools") == [("redis", 3)]
    assert latest_entities(jot.database, tenant="default", limit=1).has_more
    jot.knowledge.merge("people:bob", into="tools:redis")
    assert "bob" not in [slug for slug, _ in listed()]


@pytest.mark.needs_server
def test_an_entity_has_its_facts_its_neighbours_and_what_was_merged_into_it(jot):
    for text in ("PostgreSQL is used by Zoe Maurer.", "Zoe and Zoe Maurer met.", "Zoe works for Acme GmbH."):
        jot.remember(text)
    jot.work()

    def details(name: str):
        return entity_details(jot.database, tenant="default", name=name)

    def related(found) -> dict[str, int]:
        return {one.slug: one.memories for one in found.related}

    before = details("Zoe Maurer")
    assert (before.merged, before.examined, related(before)) == ((), 2, {"postgresql": 1, "zoe": 1})
    assert [(fact.predicate, fact.object) for fact in before.facts] == [("uses", "PostgreSQL")]
    assert [one.name for one in before.candidates] == ["entity:people:zoe"]
    assert details("postgresql").facts == before.facts
    jot.knowledge.merge("people:zoe", into="people:zoe-maurer")
    after = details("zoe")
    assert (after.entity.slug, after.merged, after.candidates) == ("zoe-maurer", ("people:zoe",), ())
    assert related(after) == {"acme-gmbh": 1, "postgresql": 1}
    assert {(fact.subject, fact.predicate) for fact in after.facts} == {("Zoe Maurer", "uses"), ("Zoe", "works_at")}
    jot.knowledge.split("people:zoe")
    assert related(details("Zoe Maurer")) == related(before)


@pytest.mark.needs_server
def test_two_times_are_compared_by_what_began_ended_and_changed(jot):
    moved(jot)
    jot.remember("Ana uses Redis.", said_at=JANUARY)
    jot.remember("Ana uses Kafka.", said_at=FEBRUARY + 1)
    jot.work()
    for at_, to in ((FEBRUARY, MARCH), (MARCH, FEBRUARY)):
        found = compare(jot.database, tenant="default", at=at_, to=to)
        shown = {(one.predicate, *(end and end.object for end in (one.before, one.after))) for one in found.changes}
        assert shown == {("lives_in", "Bonn", "Berlin"), ("uses", None, "Kafka")}
        assert (found.same, found.has_more) == (1, False)
    before = compare(jot.database, tenant="default", at=JANUARY - 1, to=JANUARY)
    assert {(one.before, one.after.object) for one in before.changes} == {(None, "Bonn"), (None, "Redis")}
    assert compare(jot.database, tenant="default", at=FEBRUARY, to=FEBRUARY).changes == ()
    assert compare(jot.database, tenant="default", at=FEBRUARY, to=MARCH, entity="ana", limit=1).has_more
