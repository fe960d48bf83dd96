"""`jotsam import qdrant://...`: the collection of AutoMem, here in a folder, becomes memories with their vectors."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable
from pathlib import Path

import pytest
import qdrant_edge as edge

from jotsam import Jotsam
from jotsam.core.errors import InvalidInput
from jotsam.core.mirror_records import MirroredMemory
from jotsam.core.settings import Settings
from jotsam.engines.qdrant import open_engine
from jotsam.models.hashing_embedder import HashingEmbedder
from jotsam.storage.recall import vectors

DAY = "2026-03-01T14:00:00+00:00"
AT = 1_772_373_600_000
CAT, LEDGER = "The cat sat on the mat.", "The ledger is stored in PostgreSQL."


def uuid(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000000"


def payload(content: object, **fields: object) -> dict[str, object]:
    """As AutoMem 0.16.1 writes it: automem/api/memory.py."""
    return {
        "content": content,
        "tags": ["db", "entity:tools:postgresql"],
        "tag_prefixes": ["db", "entity", "entity:tools", "entity:tools:postgresql"],
        "importance": 0.7,
        "timestamp": DAY,
        "type": "Decision",
        "confidence": 0.9,
        "t_valid": DAY,
        "t_invalid": None,
        "updated_at": DAY,
        "last_accessed": DAY,
        "metadata": {"source": "chat", "entities": {"tools": ["PostgreSQL"]}},
        **fields,
    }


def embedded(text: str, *, longer: float = 1.0) -> list[float]:
    (vector,) = HashingEmbedder().embed([text])
    return [number * longer for number in array("f", vector)]


@pytest.fixture
def collection(tmp_path: Path) -> Callable[..., str]:
    """Writes the points of AutoMem into a folder, and returns its address."""

    def write(*points: tuple[int, list[float], dict[str, object]]) -> str:
        folder = tmp_path / "qdrant"
        folder.mkdir()
        shape = edge.EdgeConfig(vectors=edge.EdgeVectorParams(len(points[0][1]), edge.Distance.Cosine))
        shard = edge.EdgeShard.create(str(folder), shape)
        rows = [edge.Point(uuid(number), vector, values) for number, vector, values in points]
        shard.update(edge.UpdateOperation.upsert_points(rows))
        shard.close()
        return f"qdrant://{folder}"

    return write


@pytest.fixture
def jot(tmp_path: Path):
    with Jotsam(settings=Settings(db=str(tmp_path / "jotsam.db"), embed_model="hashing", worker="off")) as jot:
        yield jot


def stored_vectors(jot: Jotsam) -> dict[str, bytes]:
    """By text, of the memories that are listed."""
    found: dict[str, bytes] = {}
    listed = jot.list().memories
    with jot.database.snapshot(tenant="default") as tx:
        for memory in listed:
            for maker in vectors.embedders(tx):
                for _, vector in vectors.some(tx, maker=maker, refs=json.dumps(vectors.refs(tx, [memory.id]))):
                    found[memory.text] = vector
    return found


def test_points_become_memories_with_their_vectors(jot: Jotsam, collection: Callable[..., str]) -> None:
    address = collection(
        (1, embedded(CAT, longer=3.0), payload(CAT)),
        (2, embedded(LEDGER), payload(LEDGER, type="Memory", t_invalid="2026-04-01T00:00:00Z", importance=None)),
    )
    result = jot.import_memories(address)
    assert (result.added, result.invalid, result.skipped) == ({"memory": 2}, 0, {})
    cat = jot.get(uuid(1))
    assert (cat.text, cat.type, cat.tags, cat.importance, cat.confidence) == (CAT, "Decision", ("db",), 0.7, 0.9)
    assert (cat.external_id, cat.said_at, cat.source, cat.metadata) == (uuid(1), AT, "automem", {"source": "chat"})
    assert jot.get(uuid(2)).valid_until == 1_775_001_600_000
    before = stored_vectors(jot)
    assert before.keys() == {CAT}, "the other is not valid any more, and not listed"
    assert list(array("f", before[CAT])) == pytest.approx(embedded(CAT), abs=1e-6)
    assert jot.recall("catsat mattress").hits[0].text == CAT  # Before a worker has done anything.
    jot.work()
    assert stored_vectors(jot) == before, "what was imported is not embedded again"


def test_importing_again_adds_nothing(jot: Jotsam, collection: Callable[..., str]) -> None:
    address = collection((1, embedded(CAT), payload(CAT)))
    jot.import_memories(address)
    jot.update(jot.get(uuid(1)).id, text="The dog sat.")
    jot.work()
    kept = stored_vectors(jot)
    again = jot.import_memories(address)
    assert (again.added, again.duplicates) == ({}, {"memory": 1})
    assert stored_vectors(jot) == kept
    assert kept.keys() == {"The dog sat."}


def test_vectors_of_another_model_are_left_out_and_made_again(jot: Jotsam, collection: Callable[..., str]) -> None:
    wrong = embedded("something else")
    result = jot.import_memories(collection((1, wrong, payload(CAT)), (2, wrong, payload(LEDGER))))
    assert result.skipped == {"vectors that the configured embedder did not make": 2}
    assert stored_vectors(jot) == {}
    jot.work()
    assert list(array("f", stored_vectors(jot)[CAT])) == pytest.approx(embedded(CAT), abs=1e-6)


def test_vectors_of_another_dimension_are_left_out(jot: Jotsam, collection: Callable[..., str]) -> None:
    result = jot.import_memories(collection((1, [1.0, 0.0, 0.0], payload(CAT))))
    assert result.skipped == {"vectors that the configured embedder did not make": 1}
    assert result.added == {"memory": 1}


def test_a_vector_of_a_text_with_a_secret_is_left_out(jot: Jotsam, collection: Callable[..., str]) -> None:
    secret = "The key is AKIAQ3EGPDM4W7HZ2XYT for the bucket."
    result = jot.import_memories(collection((1, embedded(CAT), payload(CAT)), (2, embedded(secret), payload(secret))))
    assert result.added == {"memory": 2}
    assert result.skipped == {"vectors that the configured embedder did not make": 1}
    assert "AKIA" not in jot.get(uuid(2)).text
    assert stored_vectors(jot).keys() == {CAT}


def test_a_memory_of_both_databases_of_automem_is_one_with_vector_and_relation(
    jot: Jotsam, collection: Callable[..., str], tmp_path: Path
) -> None:
    nodes = [
        {"id": n, "labels": ["Memory"], "properties": {"id": uuid(n), **payload(t)}} for n, t in [(1, CAT), (2, LEDGER)]
    ]
    relation = {"source_id": 1, "type": "LEADS_TO", "target_id": 2, "properties": {"strength": 0.8}}
    graph = tmp_path / "falkordb.json"
    graph.write_text(json.dumps({"nodes": nodes, "relationships": [relation]}))
    address = collection((1, embedded(CAT), payload(CAT)), (2, embedded(LEDGER), payload(LEDGER)))
    assert jot.import_memories(graph, format="automem").added == {"memory": 2, "link": 1}
    second = jot.import_memories(address)
    assert (second.added, second.duplicates, second.skipped) == ({}, {"memory": 2}, {})
    assert stored_vectors(jot).keys() == {CAT, LEDGER}
    assert [link.type for link in jot.show(uuid(1)).links] == ["LEADS_TO"]


def test_points_that_are_no_memories_are_named(jot: Jotsam, collection: Callable[..., str]) -> None:
    address = collection(
        (1, embedded(CAT), {}),
        (2, embedded(CAT), payload(7)),
        (3, embedded(CAT), payload(CAT, timestamp="tomorrow")),
        (4, embedded(CAT), payload(CAT)),
    )
    result = jot.import_memories(address)
    assert result.added == {"memory": 1}
    assert [one.reason.partition(":")[0] for one in result.problems] == [f"point {uuid(n)}" for n in (1, 2, 3)]


def test_a_dry_run_stores_nothing(jot: Jotsam, collection: Callable[..., str]) -> None:
    result = jot.import_memories(collection((1, embedded(CAT), payload(CAT))), dry_run=True)
    assert result.added == {"memory": 1}
    assert jot.list().memories == ()


def test_the_collection_of_an_engine_and_a_missing_one_are_refused(jot: Jotsam, tmp_path: Path) -> None:
    engine = open_engine(f"qdrant://{tmp_path}/own")
    engine.prepare()
    empty = dict.fromkeys(name for name in MirroredMemory._fields if name not in MirroredMemory._defaults)
    one = MirroredMemory(**{**empty, "id": uuid(1), "digest": "x", "content": "x", "tags": (), "created_at": 0})
    engine.upsert("t", [one], version=1)
    with pytest.raises(InvalidInput, match="made by Jotsam"):
        jot.import_memories(f"qdrant://{tmp_path}/own")
    engine.close()
    with pytest.raises(InvalidInput, match="no such collection"):
        jot.import_memories(f"qdrant://{tmp_path}/none")
