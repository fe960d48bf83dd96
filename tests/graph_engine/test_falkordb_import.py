"""The graph of AutoMem is imported from its server. It is made here by the statements of AutoMem, and not by ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from falkordb_server import FalkorDBServer
from jotsam import InvalidInput, Jotsam
from jotsam.core.errors import ProviderUnavailable
from jotsam.engines.falkordb import FalkorDBEngine
from mirrored import a_memory

DAY = "2026-03-01T14:00:00.123456+00:00"
AT = 1_772_373_600_123

# As AutoMem 0.16.1 writes them: automem/api/memory.py, automem/enrichment/runtime_helpers.py, consolidation.py,
# automem/consolidation/runtime_helpers.py and scripts/migrate_entity_nodes.py.
STORE = """
MERGE (m:Memory {id: $id})
ON CREATE SET
    m.content = $content,
    m.timestamp = $timestamp,
    m.importance = $importance,
    m.tags = $tags,
    m.tag_prefixes = $tag_prefixes,
    m.type = $type,
    m.confidence = $confidence,
    m.t_valid = $t_valid,
    m.t_invalid = $t_invalid,
    m.updated_at = $updated_at,
    m.last_accessed = $last_accessed,
    m.metadata = $metadata,
    m.processed = false
RETURN m
"""
ENRICH = """
MATCH (m:Memory {id: $id})
SET m.metadata = $metadata,
    m.tags = $tags,
    m.tag_prefixes = $tag_prefixes,
    m.summary = $summary,
    m.enriched = true,
    m.enriched_at = $enriched_at,
    m.processed = true
"""
PATTERN = """
MERGE (p:Pattern {type: $type})
ON CREATE SET
    p.id = $pattern_id,
    p.content = $description,
    p.confidence = $initial_confidence,
    p.observations = 1,
    p.key_terms = $key_terms,
    p.created_at = $timestamp
"""
EXEMPLIFIES = """
MATCH (m:Memory {id: $memory_id})
MATCH (p:Pattern {type: $type})
MERGE (m)-[r:EXEMPLIFIES]->(p)
SET r.confidence = $confidence,
    r.updated_at = $timestamp
"""
META = """
CREATE (m:Memory:MetaMemory {
    id: $id,
    content: $content,
    type: 'MetaPattern',
    confidence: 0.8,
    cluster_size: $size,
    timestamp: $timestamp,
    relevance_score: 0.9
})
"""
ARCHIVE = """
MATCH (m:Memory {id: $id})
SET m.archived = true,
    m.archived_at = $archived_at,
    m.relevance_score = $score
"""
ENTITY = """
MERGE (e:Entity {id: $id})
ON CREATE SET
    e.slug = $slug,
    e.category = $category,
    e.name = $name,
    e.aliases = [],
    e.identity = null
"""
CONTROL = (
    "MERGE (c:ConsolidationControl {id: 'global'}) SET c.decay_last_run = coalesce(c.decay_last_run, $now) RETURN c"
)


def relation(type: str, *properties: str) -> str:
    said = ", ".join(f"r.{name} = ${name}" for name in properties)
    return (
        "MATCH (m1:Memory {id: $id1})\nMATCH (m2:Memory {id: $id2})\n"
        f"MERGE (m1)-[r:{type}]->(m2)\nSET {said}\nRETURN r"
    )


class AutoMem:
    """A graph as AutoMem makes it."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self.run(CONTROL, now=DAY)

    def run(self, query: str, **values: Any) -> None:
        self.graph.query(query, values)

    def store(self, number: int, content: str, **fields: Any) -> str:
        id = f"00000000-0000-4000-8000-{number:012}"
        said = {
            "content": content,
            "timestamp": DAY,
            "importance": 0.7,
            "tags": ["db", "entity:tools:redis"],
            "tag_prefixes": ["db", "entity", "entity:tools", "entity:tools:redis"],
            "type": "Decision",
            "confidence": 0.9,
            "t_valid": DAY,
            "t_invalid": None,
            "updated_at": DAY,
            "last_accessed": DAY,
            "metadata": json.dumps({"ticket": "A-1", "entities": {"tools": ["redis"]}, "enrichment": {}}),
        }
        self.run(STORE, id=id, **said | fields)
        return id

    def associate(self, one: str, type: str, other: str, **properties: Any) -> None:
        self.run(relation(type, *properties), id1=one, id2=other, **properties)


@pytest.fixture
def automem(falkordb: FalkorDBServer) -> Any:
    graph = falkordb.graph("memories")
    yield AutoMem(graph)
    graph.delete()


@pytest.fixture
def small(automem: AutoMem) -> AutoMem:
    a, b, c = (automem.store(number, f"We chose {name}.") for number, name in enumerate(("Redis", "Kafka", "NATS")))
    hidden = automem.store(3, "We chose nothing.", t_invalid="2027-01-01T00:00:00+00:00")
    automem.run(ARCHIVE, id=automem.store(4, "We chose fax."), archived_at="2025-01-02T00:00:00+00:00", score=0.1)
    automem.run(META, id="cluster-1", content="Meta-pattern: of decisions", size=5, timestamp=DAY)
    automem.associate(a, "INVALIDATED_BY", b, strength=0.9, reason='it\'s "faster"', timestamp=DAY, updated_at=DAY)
    automem.associate(b, "PREFERS_OVER", c, strength=0.25, context="queue", reason="known", updated_at=DAY)
    automem.associate(c, "LEADS_TO", hidden, strength=0.5, updated_at=DAY)
    automem.associate(a, "SIMILAR_TO", c, score=0.9, updated_at=DAY)
    automem.associate(c, "PRECEDED_BY", a, count=2, updated_at=DAY)
    automem.associate(a, "DISCOVERED", c, origin="consolidation", kind="explains", confidence=0.7, updated_at=DAY)
    automem.run(
        PATTERN,
        type="Decision",
        pattern_id="p",
        description="d",
        initial_confidence=0.35,
        key_terms=["x"],
        timestamp=DAY,
    )
    automem.run(EXEMPLIFIES, memory_id=a, type="Decision", confidence=0.6, timestamp=DAY)
    automem.run(ENTITY, id="entity:tools:redis", slug="redis", category="tools", name="Redis")
    automem.run("MATCH (e:Entity), (m:Memory {id: $id}) MERGE (e)-[:REFERENCED_IN]->(m)", id=a)
    automem.run(
        ENRICH, id=a, metadata='{"ticket": "A-1"}', tags=["db"], tag_prefixes=["db"], summary="Redis", enriched_at=DAY
    )
    return automem


def test_memories_and_relations_of_automem_are_kept(small: AutoMem, falkordb: FalkorDBServer, jot: Jotsam) -> None:
    tried = jot.import_memories(falkordb.address, dry_run=True)
    assert (tried.format, tried.added, jot.list().memories) == ("falkordb", {"memory": 5}, ())
    done = jot.import_memories(f"{falkordb.address}/memories")
    assert (done.added, done.invalid) == ({"memory": 5, "link": 3}, 0)
    found = {memory.text: jot.show(memory.id) for memory in jot.list(history=True).memories}
    assert set(found) == {"We chose Redis.", "We chose Kafka.", "We chose NATS.", "We chose nothing.", "We chose fax."}
    redis, kafka, nats = (found[f"We chose {name}."] for name in ("Redis", "Kafka", "NATS"))
    one = nats.memory
    assert (one.said_at, one.type, one.importance, one.confidence) == (AT, "Decision", 0.7, 0.9)
    assert (one.tags, one.metadata, one.source) == (("db",), {"ticket": "A-1"}, "automem")
    assert one.external_id == "00000000-0000-4000-8000-000000000002"
    assert redis.memory.superseded_by == kafka.memory.id
    said = {(link.type, link.weight, json.dumps(link.properties)) for link in (*redis.links, *kafka.links, *nats.links)}
    assert said == {
        ("INVALIDATED_BY", 0.9, json.dumps({"reason": 'it\'s "faster"', "timestamp": DAY})),
        ("PREFERS_OVER", 0.25, '{"context": "queue", "reason": "known"}'),
        ("LEADS_TO", 0.5, "null"),
    }
    jot.work()
    assert {hit.text for hit in jot.recall().hits} == {"We chose Kafka.", "We chose NATS.", "We chose nothing."}


def test_an_import_is_repeated_without_doubling_and_continues(
    small: AutoMem, falkordb: FalkorDBServer, jot: Jotsam, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jotsam.ingest.memory_formats import falkordb_graph

    monkeypatch.setattr(falkordb_graph, "PAGE", 2)
    told: list[tuple[str, int, int]] = []
    first = jot.import_memories(falkordb.address, tell=lambda *said: told.append(said))
    assert told == [(falkordb.address, done, 6) for done in (2, 4, 6)]
    small.associate(small.store(9, "We chose tea."), "RELATES_TO", small.store(0, "We chose Redis."), strength=0.5)
    again = jot.import_memories(falkordb.address)
    assert (again.duplicates, again.added) == (first.added, {"memory": 1, "link": 1})


def test_an_import_that_is_killed_is_continued(automem: AutoMem, falkordb: FalkorDBServer, url: str) -> None:
    ids = [automem.store(number, f"Memory {number}.") for number in range(600)]
    for one, other in pairwise(ids):
        automem.associate(one, "LEADS_TO", other, strength=0.5)
    killed = (
        "import os, sys; from jotsam import Jotsam\n"
        "def tell(name, done, total): os._exit(9) if done >= 500 else None\n"
        "from jotsam.ingest.memory_formats import falkordb_graph; falkordb_graph.PAGE = 50\n"
        "Jotsam(sys.argv[1], worker='off').import_memories(sys.argv[2], tell=tell)"
    )
    ended = subprocess.run([sys.executable, "-c", killed, url, falkordb.address], capture_output=True, text=True)
    assert ended.returncode == 9, ended.stderr
    with Jotsam(url, worker="off") as jot:
        done = jot.import_memories(falkordb.address)
        assert 0 < done.duplicates["memory"] < 600
        assert done.duplicates["memory"] + done.added["memory"] == 600
        assert done.added["link"] == 599


def test_a_server_that_cuts_its_answers_is_read_whole(new_server: Callable[..., FalkorDBServer], jot: Jotsam) -> None:
    server = new_server(configured="RESULTSET_SIZE 30")
    automem = AutoMem(server.graph("memories"))
    ids = [automem.store(number, f"Memory {number}.") for number in range(50)]
    for one, other in pairwise(ids):
        automem.associate(one, "LEADS_TO", other, strength=0.5)
    assert jot.import_memories(server.address).added == {"memory": 50, "link": 49}


def test_the_same_memories_in_a_backup_are_not_imported_twice(
    small: AutoMem, falkordb: FalkorDBServer, jot: Jotsam, tmp_path: Any
) -> None:
    nodes = small.graph.query("MATCH (n) RETURN id(n), labels(n), properties(n)").result_set
    relations = small.graph.query("MATCH (a)-[r]->(b) RETURN id(a), type(r), id(b), properties(r)").result_set
    names = ("source_id", "type", "target_id", "properties")
    path = tmp_path / "falkordb.json"
    whole = {
        "timestamp": "20260301_140000",
        "graph_name": "memories",
        "nodes": [{"id": id, "labels": labels, "properties": said} for id, labels, said in nodes],
        "relationships": [dict(zip(names, one, strict=True)) for one in relations],
    }
    path.write_text(json.dumps(whole, default=str))
    first = jot.import_memories(falkordb.address)
    again = jot.import_memories(path)
    assert (again.format, again.duplicates, again.added) == ("automem", first.added, {})


def test_broken_nodes_are_counted_and_the_others_imported(
    automem: AutoMem, falkordb: FalkorDBServer, jot: Jotsam
) -> None:
    broken = ("", None, 5, ["x"], True)
    for number, content in enumerate(broken):
        automem.run("CREATE (:Memory {id: $id, content: $content})", id=str(number), content=content)
    for number, at in enumerate(("yesterday", 10**18, "9999999-01-01")):
        automem.store(100 + number, f"Said at {number}.", timestamp=at)
    automem.run("CREATE (:Memory)")
    automem.run("CREATE (:Memory {id: 7, content: 'A number as id.'})-[:LEADS_TO]->(:Memory {content: 'No id.'})")
    automem.store(200, "Whole.", metadata="not JSON", tags="[", importance=7, confidence="x", type=["y"])
    done = jot.import_memories(falkordb.address)
    assert (done.added, done.invalid) == ({"memory": 1}, len(broken) + 6)
    (memory,) = jot.list().memories
    assert (memory.text, memory.tags, memory.importance, memory.type) == ("Whole.", (), None, None)


def test_what_is_no_graph_of_automem_is_refused(
    falkordb: FalkorDBServer, small: AutoMem, engine: FalkorDBEngine, jot: Jotsam
) -> None:
    with pytest.raises(InvalidInput, match=r"has no graph 'other': write .*/GRAPH; its graphs are: memories"):
        jot.import_memories(f"{falkordb.address}/other")
    engine.upsert("t", [a_memory("a")], version=1)
    with pytest.raises(InvalidInput, match="is made by Jotsam from a database of its own"):
        jot.import_memories(f"{falkordb.address}/{engine._graph('t')}")
    with pytest.raises(InvalidInput, match="must not contain a password"):
        jot.import_memories("falkordb://me:secret@127.0.0.1:1/memories")
    with pytest.raises(ProviderUnavailable, match="cannot be reached"):
        jot.import_memories("falkordb://127.0.0.1:1/memories")


def test_the_command_imports_with_the_password_of_automem(
    new_server: Callable[..., FalkorDBServer], tmp_path: Any
) -> None:
    server = new_server("--requirepass", "se cret")
    AutoMem(server.graph("memories", password="se cret")).store(1, "We chose Redis.")
    command = [sys.executable, "-m", "jotsam", "--db", str(tmp_path / "a.db"), "import", server.address]

    def run(password: str) -> subprocess.CompletedProcess[str]:
        environ = {**os.environ, "JOTSAM_WORKER": "off", "FALKORDB_PASSWORD": password}
        return subprocess.run(command, capture_output=True, text=True, env=environ)

    done = run("se cret")
    assert (done.returncode, done.stdout) == (0, f"added     1 memory of {server.address}\n"), done.stderr
    wrong = run("other")
    server.kill()
    gone = run("se cret")
    assert (wrong.returncode, gone.returncode) == (1, 1)
    assert f"FalkorDB at {server.address} cannot be used: it refuses the password" in wrong.stderr
    assert f"FalkorDB at {server.address} cannot be reached" in gone.stderr
    assert "Traceback" not in wrong.stderr + gone.stderr
