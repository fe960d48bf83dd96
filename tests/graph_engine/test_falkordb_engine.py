"""FalkorDB holds what it was given, and no more, tenant by tenant."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from falkordb_server import FalkorDBServer
from jotsam.core.errors import Refused
from jotsam.core.mirror_records import MirroredEntity, MirroredFact, MirroredLink, MirroredMemory
from jotsam.core.names import LINK_TYPES
from jotsam.engines import falkordb_queries
from jotsam.engines.falkordb import FalkorDBEngine
from mirrored import a_memory

Query = Callable[..., list[list[Any]]]

ANA = MirroredEntity(category="people", slug="ana", name="Ana", confidence=0.1 + 0.2)
POSTGRES = MirroredEntity(category="tools", slug="postgresql", name="PostgreSQL")
USES = MirroredFact(
    id="f1", subject="ana", predicate="uses", object="PostgreSQL", confidence=1 / 3, valid_from=-1, superseded_at=3
)
FULL = a_memory(
    "a",
    summary="short",
    type="Decision",
    tags=("b", "a", "with space", ""),
    importance=0.9,
    confidence=0.000_123_456_789_012_345,
    metadata='{"n": [1, {"deep": null}]}',
    project="p",
    actor="who",
    session="s",
    source="file.md",
    external_id="x:1",
    said_at=1_750_000_000_123,
    changed_at=1_750_000_000_999,
    enriched_at=1,
    valid_from=-62_135_596_800_000,
    valid_until=253_402_300_799_999,
    superseded_at=7,
    superseded_by="b",
    entities=(ANA, POSTGRES),
    facts=(USES,),
    links=(
        MirroredLink(target="b", type="PREFERS_OVER", weight=0.7, properties='{"reason": "fast", "context": [1]}'),
        MirroredLink(target="b", type="SIMILAR_TO", weight=0.87654321, extractor="vectors"),
    ),
)
HOSTILE = (
    *("", "'", '"', "\\", "\\\\'", "trailing \\", "`tick`", "$rows", "} return 1 //", "\r\n\t", "\x01\x7f\u2028"),
    *("😀𝔘\U0010ffff", "е\u0301 中文", "CYPHER a=1 match (n) detach delete n", "\\u0041 \\n", "null", "x" * 1_000),
)


def test_a_memory_is_read_back_as_it_was_given(engine: FalkorDBEngine) -> None:
    engine.upsert("t", [FULL, a_memory("b")], version=1)
    assert engine.read_memories("t", ["b", "a", "unknown", "a"]) == {"a": FULL, "b": a_memory("b")}
    assert engine.read_memories("another tenant", ["a"]) == {}


def test_any_text_and_number_is_read_back(engine: FalkorDBEngine) -> None:
    numbers = itertools.count()
    text = st.one_of(
        st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
    )
    share, time = st.floats(0, 1).filter(lambda x: x == 0 or x > 1e-15), st.integers(-(2**45), 2**47)

    @hypothesis.given(text, st.lists(text), share, time)
    @hypothesis.settings(max_examples=60)
    def check(text: str, tags: list[str], share: float, time: int) -> None:
        id = f"id{next(numbers)}"
        fact = MirroredFact(id=id, subject=text, predicate=text, object=text, confidence=share, valid_until=time)
        memory = a_memory(
            id,
            content=text,
            type=text,
            tags=tuple(tags),
            importance=share,
            said_at=time,
            entities=(MirroredEntity(category=text, slug=text, name=text, confidence=share),),
            facts=(fact,),
            links=(MirroredLink(target="other", type=text, weight=share, extractor=text),),
        )
        engine.upsert("t", [memory], version=1)
        assert engine.read_memories("t", [id]) == {id: memory}

    check()


def test_what_a_graph_cannot_hold_is_replaced_and_breaks_nothing(engine: FalkorDBEngine) -> None:
    engine.upsert("t", [a_memory("a", content="a\0b \ud800", said_at=2**60)], version=1)
    found = engine.read_memories("t", ["a"])["a"]
    assert (found.content, found.said_at) == ("a\ufffdb ?", 2**60)


def test_nothing_changes_when_a_batch_is_repeated(engine: FalkorDBEngine, query: Query) -> None:
    everything = "match (n) optional match (n)-[r]->(m) return labels(n), properties(n), type(r), properties(r), m.id"
    engine.upsert("t", [FULL], version=1)
    first = sorted(map(repr, query(everything)))
    engine.upsert("t", [FULL, FULL], version=1)
    assert sorted(map(repr, query(everything))) == first
    engine.delete("t", ["a"])
    engine.delete("t", ["a", "unknown"])
    assert query(everything) == []


def test_an_earlier_version_overwrites_nothing(engine: FalkorDBEngine) -> None:
    engine.upsert("t", [FULL], version=5)
    engine.upsert("t", [a_memory("a", content="old"), a_memory("c")], version=4)
    assert engine.read_memories("t", ["a", "c"]) == {"a": FULL, "c": a_memory("c")}
    engine.upsert("t", [a_memory("a", content="new")], version=6)
    assert engine.read_memories("t", ["a"]) == {"a": a_memory("a", content="new")}


def test_a_link_waits_for_its_target_and_returns_with_it(engine: FalkorDBEngine, query: Query) -> None:
    reached = "match (:Memory {id: 'a'})-[:PREFERS_OVER]->(m:Memory) return m.content"
    engine.upsert("t", [FULL], version=1)
    assert (engine.count("t"), query(reached)) == (1, [])
    for version in (2, 3):
        engine.upsert("t", [a_memory("b")], version=version)
        assert (engine.count("t"), query(reached)) == (2, [["text b"]])
        engine.delete("t", ["b"])
        assert (engine.count("t"), query(reached)) == (1, [])
        assert engine.read_memories("t", ["a", "b"]) == {"a": FULL}


def test_nothing_is_left_that_belonged_to_a_memory_alone(engine: FalkorDBEngine, query: Query) -> None:
    other = a_memory("c", entities=(ANA,))
    engine.upsert("t", [FULL, other], version=1)
    engine.upsert("t", [a_memory("a")], version=2)
    assert sorted(id for (id,) in query("match (n) return n.id")) == ["a", "c", "entity:people:ana"]
    engine.upsert("t", [FULL], version=3)
    engine.delete("t", ["a"])
    assert sorted(id for (id,) in query("match (n) return n.id")) == ["c", "entity:people:ana"]
    assert engine.read_memories("t", ["c"]) == {"c": other}
    engine.delete("t", ["c"])
    assert (query("match (n) return n"), engine.tenants(), engine.count("t")) == ([], [], 0)


def test_tenants_of_any_name_are_apart(engine: FalkorDBEngine, falkordb: FalkorDBServer) -> None:
    names = ["t", "T", "t:t", "*", "{t}", "a b", "q\"'`\\", "\n", "😀", "telemetry{t}", "é" * 250, "$x", "%41", "A"]
    other = FalkorDBEngine(falkordb.address, prefix="other")
    for number, name in enumerate(names):
        engine.upsert(name, [a_memory("a", content=name), *(a_memory(str(n)) for n in range(number))], version=1)
    assert engine.tenants() == sorted(names)
    assert [engine.count(name) for name in names] == list(range(1, len(names) + 1))
    assert [engine.read_memories(name, ["a"])["a"].content for name in names] == names
    assert other.tenants() == []
    engine.delete("t:t", ["a"])
    engine.forget_tenant("*")
    engine.forget_tenant("*")
    assert engine.tenants() == sorted(set(names) - {"*"})
    assert (engine.count("*"), engine.count("t"), engine.digests("*", after="", limit=5)) == (0, 1, [])


def test_asking_for_an_unknown_tenant_creates_nothing(engine: FalkorDBEngine) -> None:
    assert (engine.count("x"), engine.read_memories("x", ["a"]), engine.digests("x", after="", limit=1)) == (0, {}, [])
    engine.delete("x", ["a"])
    engine.upsert("x", [], version=1)
    assert engine._graphs() == []


def test_digests_come_in_pages_in_order_of_id(engine: FalkorDBEngine) -> None:
    ids = [f"{number:08x}-0000-4000-8000-000000000000" for number in (9, 3, 7, 1, 2**31, 15, 4, 16)]
    engine.upsert(
        "t", [a_memory(id, links=(MirroredLink(target="0", type="PART_OF", weight=1.0),)) for id in ids], version=1
    )
    found: list[tuple[str, str]] = []
    while page := engine.digests("t", after=found[-1][0] if found else "", limit=3):
        assert len(page) <= 3
        found += page
    assert found == [(id, f"of {id}") for id in sorted(ids)]


def test_an_interrupted_batch_has_no_digests(engine: FalkorDBEngine) -> None:
    """So a comparison finds it. What interrupts is a fact that the server refuses, after the memories were written."""
    engine.upsert("t", [FULL], version=1)
    with pytest.raises(Refused):
        engine.upsert("t", [FULL.replace(facts=(USES.replace(confidence=float("nan")),))], version=2)
    assert engine.digests("t", after="", limit=9) == [("a", "")]
    engine.upsert("t", [FULL], version=2)
    assert engine.digests("t", after="", limit=9) == [("a", "of a")]
    assert engine.read_memories("t", ["a"]) == {"a": FULL}


def test_what_an_interrupted_batch_left_without_a_memory_is_removed(engine: FalkorDBEngine, query: Query) -> None:
    engine.upsert("t", [FULL], version=1)
    query("match (:Memory {id: 'a'})-[r:PREFERS_OVER|SIMILAR_TO]->() delete r")  # as its second query leaves it
    query("match (:Entity {slug: 'ana'})-[r:REFERENCED_IN]->() delete r")
    engine.prepare()
    assert sorted(id for (id,) in query("match (n) return n.id")) == ["a", "entity:tools:postgresql", "f1"]


def test_a_server_that_cuts_its_answers_cuts_none_of_ours(new_server: Callable[..., FalkorDBServer]) -> None:
    """The image of FalkorDB is configured so, with larger numbers."""
    engine = FalkorDBEngine(new_server(configured="MAX_QUEUED_QUERIES 25 TIMEOUT 1000 RESULTSET_SIZE 15").address)
    links = tuple(MirroredLink(target=f"m{n}", type="LEADS_TO", weight=1.0) for n in range(10, 30))
    entities = tuple(MirroredEntity(category="tools", slug=f"t{n}", name="T") for n in range(10, 30))
    stored = {id: a_memory(id, links=links, entities=entities) for id in (f"m{n}" for n in range(10, 20))}
    engine.upsert("t", list(stored.values()), version=1)
    engine.upsert("t", list(stored.values()), version=2)
    assert (engine.read_memories("t", stored), engine.count("t")) == (stored, 10)
    assert engine.digests("t", after="m10", limit=50) == [(id, f"of {id}") for id in list(stored)[1:]]


def test_each_link_type_is_a_relation_with_the_properties_of_automem(engine: FalkorDBEngine, query: Query) -> None:
    said = '{"reason": "why", "confidence": 0.5, "observations": 3, "nested": {}, "strength": "no", "bad `key": 1}'
    links = [MirroredLink(target="b", type=type, weight=0.25, properties=said) for type in LINK_TYPES]
    engine.upsert("t", [a_memory("a", links=tuple(links)), a_memory("b")], version=1)
    rows = query(
        "match (:Memory)-[r]->(:Memory) return type(r), r.strength, r.reason, r.confidence, r.observations, r.nested"
    )
    assert sorted(rows) == [[type, 0.25, "why", 0.5, 3, None] for type in sorted(LINK_TYPES)]


def test_a_fact_points_at_the_entities_that_its_memory_mentions(engine: FalkorDBEngine, query: Query) -> None:
    engine.upsert("t", [FULL], version=1)
    path = "match (s:Entity)<-[:SUBJECT]-(f:Fact)-[:OBJECT]->(o:Entity) return s.name, f.predicate, o.name"
    assert query(path) == [["Ana", "uses", "PostgreSQL"]]
    assert query("match (e:Entity {slug: 'ana'})-[:REFERENCED_IN]->(m:Memory) return m.id, m.timestamp") == [
        ["a", "2025-06-15T15:06:40.123+00:00"]
    ]


def test_ids_are_indexed(engine: FalkorDBEngine, falkordb: FalkorDBServer) -> None:
    engine.upsert("t", [FULL], version=1)
    plan = str(
        falkordb.graph(engine._graph("t")).explain("match (m:Memory {id: 'a'})-[]->(f:Fact {id: 'f1'}) return m")
    )
    assert "Index Scan" in plan


def test_a_large_batch_is_split(engine: FalkorDBEngine) -> None:
    large = [a_memory(f"m{number}", content="é" * 1_500_000) for number in range(4)]
    engine.upsert("t", large, version=1)
    assert engine.read_memories("t", [memory.id for memory in large]) == {memory.id: memory for memory in large}


def test_merged_entities_are_renamed_by_the_latest_memory(engine: FalkorDBEngine) -> None:
    renamed = ANA.replace(name="Ana B.", confidence=None)
    engine.upsert("t", [a_memory("a", entities=(ANA,)), a_memory("b", entities=(renamed,))], version=1)
    names = {memory.entities[0].name for memory in engine.read_memories("t", ["a", "b"]).values()}
    assert names == {"Ana B."}


def test_any_history_leaves_what_the_latest_versions_say(engine: FalkorDBEngine, query: Query) -> None:
    ids = [f"m{number}" for number in range(5)]
    link = st.builds(
        MirroredLink, target=st.sampled_from(ids), type=st.sampled_from(LINK_TYPES[:3]), weight=st.just(0.5)
    )
    entity = st.sampled_from([ANA, POSTGRES])
    state = st.tuples(st.lists(link, max_size=4, unique_by=lambda one: (one.type, one.target)), st.sets(entity))
    step = st.tuples(st.dictionaries(st.sampled_from(ids), state), st.integers(-2, 2), st.sets(st.sampled_from(ids)))

    @hypothesis.given(st.lists(step, max_size=6))
    @hypothesis.settings(max_examples=25)
    def check(steps: list[Any]) -> None:
        engine.forget_tenant("t")
        held: dict[str, tuple[int, MirroredMemory]] = {}
        for number, (states, offset, gone) in enumerate(steps):
            batch = []
            for id, (links, entities) in states.items():
                ordered = sorted(links, key=lambda one: (one.type, one.target))
                mentions = sorted(entities, key=lambda one: one.category)
                fact = USES.replace(id=f"f {id}")
                batch.append(
                    a_memory(id, content=f"{number}", links=tuple(ordered), entities=tuple(mentions), facts=(fact,))
                )
            version = number * 2 + offset * 2
            engine.upsert("t", batch, version=version)
            held |= {one.id: (version, one) for one in batch if held.get(one.id, (version,))[0] <= version}
            engine.delete("t", gone)
            held = {id: one for id, one in held.items() if id not in gone}
            assert engine.read_memories("t", ids) == {id: memory for id, (_, memory) in held.items()}
        mentioned = {one.slug for _, memory in held.values() for one in memory.entities}
        targets = {one.target for _, memory in held.values() for one in memory.links}
        if engine._graphs():
            assert {slug for (slug,) in query("match (e:Entity) return e.slug")} == mentioned
            assert {id for (id,) in query("match (m:Missing) return m.id")} == targets - held.keys()
            assert {id for (id,) in query("match (f:Fact) return f.id")} == {f"f {id}" for id in held}

    check()


def test_each_query_of_an_overtaken_batch_changes_nothing(engine: FalkorDBEngine, query: Query) -> None:
    everything = "match (n) optional match (n)-[r]->(m) return labels(n), properties(n), type(r), properties(r), m.id"
    engine.upsert("t", [FULL, a_memory("b")], version=2)
    before = sorted(map(repr, query(everything)))
    rows = {
        "MENTIONS": {"memory": "a", "entity": "entity:tools:other", "confidence": 0.5},
        "FACTS": {"memory": "a", "fact": {"id": "other"}},
        "LINKS": {"memory": "a", "target": "b", "link": {"strength": 0.5}},
        "DIGESTS": {"id": "a", "digest": "other"},
        "MEMORIES": {"id": "a", "memory": {"id": "a", "version": 1}},
    }
    for name in ("CLEAR_FACTS", "CLEAR_MENTIONS", "CLEAR_LINKS"):
        query(getattr(falkordb_queries, name), ids=["a"], version=1)
    for name, row in rows.items():
        text = getattr(falkordb_queries, name)
        query(text.format(type="LEADS_TO") if name == "LINKS" else text, rows=[row], version=1)
        assert sorted(map(repr, query(everything))) == before, name


def test_writers_of_the_same_memories_leave_one_whole_state(falkordb: FalkorDBServer, engine: FalkorDBEngine) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def state(version: int) -> list[MirroredMemory]:
        links = tuple(
            MirroredLink(target=f"m{n}", type="LEADS_TO", weight=version / 10) for n in range(version, version + 2)
        )
        entity = MirroredEntity(category="tools", slug=f"v{version}", name=str(version))
        return [
            a_memory(
                f"m{n}",
                content=str(version),
                links=links,
                entities=(entity,),
                facts=(USES.replace(id=f"f{n} {version}"),),
            )
            for n in range(10)
        ]

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda version: engine.upsert("t", state(version), version=version), range(1, 9)))
    final = {memory.id: memory for memory in state(8)}
    assert engine.read_memories("t", list(final)) == final
