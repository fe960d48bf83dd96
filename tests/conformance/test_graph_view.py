"""Overviews of the graph: many memories with their links, the surroundings of one, statistics, entities to review."""

from __future__ import annotations

import pytest

from jotsam import InvalidInput, NotFound
from jotsam.storage.graph import graph_view as stored_graph

DAY_MS = 86_400_000


def remembered(jot, *texts: str, **more) -> list[str]:
    ids = [jot.remember(text, **more).id for text in texts]
    jot.work()
    return ids


def linked(jot, *pairs: tuple[str, str, str]) -> None:
    for source, type, target in pairs:
        jot.knowledge.link(source, type, target, weight=0.5)


def triples(links) -> set[tuple[str, str, str]]:
    return {(link.source, link.type, link.target) for link in links if link.extractor is None}


def test_an_overview_has_the_most_important_memories_and_the_links_between_them(jot):
    low, high, middle = (jot.remember(f"Note {n}.", importance=n).id for n in (0.1, 0.9, 0.5))
    jot.work()
    linked(jot, (high, "LEADS_TO", middle), (high, "LEADS_TO", low))
    view = jot.knowledge.overview(limit=2)
    assert [one.id for one in view.memories] == [high, middle]
    assert triples(view.links) == {(high, "LEADS_TO", middle)}
    assert (view.total_memories, view.is_exact, view.is_sample) == (3, True, True)
    assert view.total_links == len(jot.knowledge.overview().links) >= 2
    assert not jot.knowledge.overview().is_sample


@pytest.mark.needs_server
def test_an_overview_takes_the_options_of_a_list(jot):
    jot.remember("One.", type="Decision", project="p", importance=0.4, said_at=1_000)
    jot.remember("Two.", type="Insight", project="q", importance=0.6, said_at=2_000)
    old = jot.remember("Three.", valid_until=1_000).id

    def texts(**options) -> list[str]:
        return [one.text for one in jot.knowledge.overview(**options).memories]

    assert texts(types=["decision"]) == texts(project="p") == ["One."]
    assert texts(min_importance=0.5) == texts(since=2_000, until=3_000) == ["Two."]
    assert old not in [one.id for one in jot.knowledge.overview().memories]
    assert texts(history=True, ids=[old]) == ["Three."]


def test_an_overview_of_an_empty_memory_is_empty(jot):
    view = jot.knowledge.overview()
    assert (view.memories, view.links, view.total_memories, view.total_links) == ((), (), 0, 0)
    assert view.is_exact
    assert not view.is_sample
    assert jot.knowledge.statistics().types == ()


@pytest.mark.needs_server
def test_a_neighbourhood_follows_links_in_both_directions_as_far_as_asked(jot):
    a, b, c, d, e = (jot.remember(f"Memory {letter}.", project=letter).id for letter in "abcde")
    linked(jot, (a, "LEADS_TO", b), (c, "PART_OF", a), (c, "LEADS_TO", d), (e, "LEADS_TO", d))

    def around(**options) -> list[str]:
        return [one.id for one in jot.knowledge.neighbourhood(a, **options).neighbours]

    assert set(around()) == {b, c}
    assert set(around(depth=2)) == {b, c, d}
    assert set(around(depth=3)) == {b, c, d, e}
    assert around(depth=3, types=["leads_to"]) == [b]
    view = jot.knowledge.neighbourhood(a, depth=2)
    assert (view.memory.id, view.is_complete, view.similar) == (a, True, ())
    assert triples(view.links) == {(a, "LEADS_TO", b), (c, "PART_OF", a), (c, "LEADS_TO", d)}


@pytest.mark.needs_server
def test_a_neighbourhood_says_that_its_limit_left_some_out(jot):
    hub, *others = (jot.remember(f"Memory {n}.", project=str(n)).id for n in range(6))
    linked(jot, *((other, "PART_OF", hub) for other in others))
    view = jot.knowledge.neighbourhood(hub, limit=3)
    assert (len(view.neighbours), view.is_complete) == (3, False)
    assert len(view.links) == 3
    assert jot.knowledge.neighbourhood(hub, limit=5).is_complete


def test_a_neighbourhood_has_memories_of_similar_meaning_that_are_no_neighbours(open_jot):
    jot = open_jot(embed_model="hashing", similar_limit=0)
    same = "The garden wall is painted green"
    a, b, c = (jot.remember(f"{same} {n}.", project=str(n)).id for n in range(3))
    far = jot.remember("Redis evicts keys.", project="x").id
    linked(jot, (a, "LEADS_TO", b))
    jot.work()
    view = jot.knowledge.neighbourhood(a)
    assert view.similar[0].memory.id == c
    assert b not in [one.memory.id for one in view.similar]
    assert view.similar[0].similarity > 0.5
    assert far not in [one.memory.id for one in jot.knowledge.neighbourhood(a, similar=1).similar]
    assert jot.knowledge.neighbourhood(a, similar=0).similar == ()


def test_statistics_count_types_links_days_hours_and_shares(jot, clock):
    day = clock.now // DAY_MS * DAY_MS
    first, second = (
        jot.remember(f"Note {n}.", type="Decision", confidence=0.9, importance=0.8, said_at=day + n * 3_600_000).id
        for n in (3, 4)
    )
    jot.remember("Old.", type="Insight", confidence=0.3, importance=0.2, said_at=day - 30 * DAY_MS + 3 * 3_600_000)
    linked(jot, (first, "LEADS_TO", second))
    found = jot.knowledge.statistics()
    assert (found.memories, found.links, found.examined, found.is_exact) == (3, 1, 3, True)
    assert [(one.type, one.memories, one.confidence) for one in found.types] == [
        ("Decision", 2, 0.9),
        ("Insight", 1, 0.3),
    ]
    assert [(one.type, one.links) for one in found.link_types] == [("LEADS_TO", 1)]
    assert found.importance.as_dict() == found.confidence.as_dict() == {"low": 1, "medium": 0, "high": 2}
    assert [(one.memories, one.importance) for one in found.days] == [(2, 0.8)]
    assert [(one.period, one.memories, one.importance) for one in found.hours] == [("03", 2, 0.5), ("04", 1, 0.8)]


def test_only_the_latest_memories_are_examined(jot, monkeypatch):
    for n in range(4):
        jot.remember(f"Note {n}.", type=f"t{n}", project=str(n))
    monkeypatch.setattr("jotsam.memory.graph.graph_view.EXAMINED", 2)
    found = jot.knowledge.statistics()
    assert ({one.type for one in found.types}, found.examined, found.memories) == ({"t2", "t3"}, 2, 4)
    assert not found.is_exact
    monkeypatch.setattr(stored_graph, "MAX_COUNTED", 3)
    assert jot.knowledge.statistics().memories == 3


def test_preferences_are_links_with_both_texts(jot):
    tea, coffee = (jot.remember(text).id for text in ("Tea.", "Coffee."))
    linked(jot, (coffee, "LEADS_TO", tea))
    jot.knowledge.link(tea, "PREFERS_OVER", coffee, weight=0.5, properties={"context": "mornings"})
    (found,) = jot.knowledge.preferences()
    assert found.link.properties == {"context": "mornings"}
    assert found.link in jot.knowledge.overview().links
    assert (found.preferred, found.over, found.link.weight) == ("Tea.", "Coffee.", 0.5)
    assert (found.link.source, found.link.target) == (tea, coffee)
    ana, bob = ([jot.remember(f"{name} {word}.", actor=name).id for word in "xy"] for name in ("ana", "bob"))
    for one, other in (ana, bob, (ana[0], bob[0]), (ana[0], tea)):
        jot.knowledge.link(one, "PREFERS_OVER", other)
    assert [(one.link.source, one.link.target) for one in jot.knowledge.preferences(actor="ana")] == [tuple(ana)]


def test_an_entity_is_found_by_its_names_and_has_its_times(jot):
    remembered(jot, "We use Redis and PostgreSQL.", said_at=1_000)
    remembered(jot, "Redis was restarted.", said_at=5_000)
    jot.knowledge.merge("postgresql", into="redis")
    for name in ("redis", "Redis", "tools:redis", "entity:tools:redis", "PostgreSQL"):
        found = jot.knowledge.entity(name)
        assert (found.slug, found.category, found.memories) == ("redis", "tools", 2)
        assert (found.first_at, found.last_at) == (1_000, 5_000)
        assert found.aliases == ("PostgreSQL",)
    assert jot.knowledge.entities() == (jot.knowledge.entity("redis"),)
    with pytest.raises(NotFound, match="nothing"):
        jot.knowledge.entity("nothing")


def mentioning(jot, *names: str, category: str = "people") -> None:
    """A memory that mentions entities, as an agent would say."""
    id = jot.remember(f"About {' and '.join(names)}.").id
    rows = [(category, name.lower().replace(" ", "-"), name) for name in names]
    from jotsam.core.records import Entity
    from jotsam.storage.graph import graph
    from jotsam.storage.memories import memories

    with jot.database.transaction(tenant="default") as tx:
        row = memories.get(tx, uuid=id)
        assert row
        graph.mention(tx, number=row["id"], entities=[Entity(category=c, slug=s, name=n) for c, s, n in rows])


def test_merge_candidates_are_alike_by_name_and_by_memories(jot):
    for _ in range(3):
        mentioning(jot, "Alice", "Alice Smith")
    mentioning(jot, "Kubernetes", category="tools")
    mentioning(jot, "Kubernets", category="tools")
    mentioning(jot, "Bob")
    mentioning(jot, "Robert")
    found = {(one.name, one.into): one for one in jot.knowledge.merge_candidates()}
    assert set(found) == {
        ("entity:people:alice", "entity:people:alice-smith"),
        ("entity:tools:kubernets", "entity:tools:kubernetes"),
    }
    alice, kubernetes = found.values()
    assert (alice.shared, alice.is_likely, alice.is_ambiguous) == (1.0, True, False)
    assert (kubernetes.shared, kubernetes.is_likely) == (0.0, False)
    assert kubernetes.likeness > 0.85


def test_a_given_name_of_several_people_is_ambiguous(jot):
    for _ in range(2):
        mentioning(jot, "Alice", "Alice Smith")
    mentioning(jot, "Alice Jones")
    (found,) = jot.knowledge.merge_candidates()
    assert (found.is_ambiguous, found.is_likely) == (True, False)


def test_a_review_names_what_speaks_against_an_entity(jot):
    mentioning(jot, "Alice", "2048")
    mentioning(jot, "Alice", category="tools")
    mentioning(jot, "Redis", category="tools")
    mentioning(jot, "Overview", category="concepts")
    found = {(one.category, one.slug): one.doubt for one in jot.knowledge.review_entities()}
    assert found == {
        ("people", "alice"): "several-categories",
        ("tools", "alice"): "several-categories",
        ("people", "2048"): "number",
        ("tools", "redis"): None,
        ("concepts", "overview"): "common-word",
    }
    newest = jot.list(limit=1).memories[0].id
    assert [one.latest for one in jot.knowledge.review_entities() if one.slug == "overview"] == [newest]


def test_wrong_limits_are_refused(jot):
    id = jot.remember("One.").id
    know = jot.knowledge
    for call in (
        lambda: know.overview(limit=0),
        lambda: know.overview(limit=50_001),
        lambda: know.overview(colour="red"),
        lambda: know.neighbourhood(id, depth=4),
        lambda: know.neighbourhood(id, limit=0),
        lambda: know.neighbourhood(id, similar=21),
        lambda: know.neighbourhood(id, types="LEADS_TO"),
        lambda: know.preferences(limit=0),
        lambda: know.merge_candidates(limit=0),
        lambda: know.review_entities(limit=2_001),
        lambda: know.entity(7),
    ):
        with pytest.raises(InvalidInput):
            call()
    with pytest.raises(NotFound):
        know.neighbourhood("0000000000")
