"""The storage for CrewAI, in its real memory with an embedder that counts words, and a model that is never asked."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from crewai import LLM, Memory
from crewai.memory.storage.backend import EmbeddingDimensionMismatchError, StorageBackend
from crewai.memory.types import MemoryRecord

from jotsam import Jotsam
from jotsam.integrations.crewai import JotsamStorage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORDS = ("celadon", "kiln", "clay")


class Silent(LLM):
    """A model that must not be asked."""

    def call(self, *args: Any, **options: Any) -> Any:
        raise AssertionError("the model was asked")


def embedder(texts: list[str]) -> list[list[float]]:
    return [[float(text.count(word)) for word in WORDS] for text in texts]


def record(content: str = "clay", **fields: Any) -> MemoryRecord:
    return MemoryRecord(content=content, **{"embedding": embedder([content])[0], **fields})


@pytest.fixture
def jot(tmp_path: Path) -> Iterator[Jotsam]:
    with Jotsam(tmp_path / "a.db", worker="off") as jot:
        yield jot


@pytest.fixture
def storage(jot: Jotsam) -> JotsamStorage:
    return JotsamStorage(jot)


def test_a_memory_recalls_what_an_earlier_one_stored_in_its_scope(tmp_path: Path) -> None:
    found = []
    for said in ("The glaze is celadon.", "The kiln is electric."):
        with Jotsam(tmp_path / "a.db", worker="off") as jot:
            memory = Memory(storage=JotsamStorage(jot), llm=Silent(model="stub"), embedder=embedder)
            memory.remember(said, scope=f"/{len(found)}", categories=["pottery"], importance=0.5)
            found.append([one.record.content for one in memory.recall("celadon?", depth="shallow")])
            assert memory.list_scopes("/") == [f"/{number}" for number in range(len(found))]
            assert [one.record.content for one in memory.recall("celadon?", scope="/1", depth="shallow")] == (
                ["The kiln is electric."] if len(found) == 2 else []
            )
            memory.close()
    assert found == [["The glaze is celadon."], ["The glaze is celadon.", "The kiln is electric."]]


def test_records_come_back_equal_with_their_embeddings(storage: JotsamStorage) -> None:
    given = record(
        "a\0b 🎉",
        embedding=[0.25, -1.5, 0.0],
        scope="/crew/sales",
        categories=["a", "b"],
        metadata={"token": "AKIAQ3EGRIZ7XT5NVLWB", "deep": {"n": [1, None]}},
        source="ann",
        private=True,
        created_at=datetime(2025, 1, 1, tzinfo=UTC),
    )
    storage.save([given])
    assert storage.get_record(given.id) == given
    ((found, score),) = storage.search([0.25, -1.5, 0.0])
    assert (found, found.embedding, score) == (given, given.embedding, pytest.approx(1))
    storage.update(found.model_copy(update={"content": "changed"}))
    assert storage.get_record(given.id).content == "changed"
    assert storage.count() == 1
    storage.touch_records([given.id])
    assert storage.get_record(given.id).last_accessed >= given.last_accessed
    assert storage.search([0.25, -1.5, 0.0])[0][0].id == given.id


def test_a_search_keeps_to_scope_categories_metadata_and_score(storage: JotsamStorage) -> None:
    deep = "/" + "d" * 250
    for number, scope in enumerate(("/crew", "/crew/sales", "/crewless", "/", f"{deep}/1", f"{deep}2", deep)):
        categories = ["even"] if number % 2 == 0 else ["odd", "other"]
        storage.save([record(f"{scope} clay", scope=scope, categories=categories, metadata={"n": number})])
    storage.save([record("celadon", scope="/crew")])

    def scopes(**options: Any) -> list[str]:
        return sorted(found.scope for found, _ in storage.search([0, 0, 1], min_score=0.5, **options))

    assert scopes(scope_prefix="/crew") == ["/crew", "/crew/sales"]
    assert scopes(scope_prefix="crew/") == ["/crew", "/crew/sales"]
    assert scopes(scope_prefix=deep) == [deep, f"{deep}/1"]
    assert len(scopes(scope_prefix="/")) == 7
    assert scopes(categories=["other", "none"]) == ["/", "/crew/sales", f"{deep}2"]
    assert scopes(metadata_filter={"n": 2}, categories=["even"]) == ["/crewless"]
    assert len(storage.search([0, 0, 1], limit=3)) == 3
    assert storage.search([0, 0, 1], limit=1, categories=["odd"])[0][0].scope in ("/", "/crew/sales", f"{deep}2")


def test_scopes_categories_and_dates_are_told(storage: JotsamStorage) -> None:
    begin = datetime(2025, 1, 1)
    placed = [("/a/b", ["x"]), ("/a/b/c", ["x", "y"]), ("/d", ["z"]), ("/a", [])]
    for day, (scope, categories) in enumerate(placed):
        storage.save([record(scope=scope, categories=categories, created_at=begin - timedelta(days=day))])
    assert (storage.list_scopes(), storage.list_scopes("/a"), storage.list_scopes("/d")) == (["/a", "/d"], ["/a/b"], [])
    info = storage.get_scope_info("/a/")
    assert (info.path, info.record_count, info.categories, info.child_scopes) == ("/a", 3, ["x", "y"], ["/a/b"])
    assert (info.newest_record, info.oldest_record) == (begin, begin - timedelta(days=3))
    assert storage.get_scope_info("/none").newest_record is None
    assert storage.list_categories("/a/b") == {"x": 2, "y": 1}
    assert [one.scope for one in storage.list_records(limit=2, offset=1)] == ["/a/b/c", "/d"]


def test_what_is_deleted_has_no_vector_and_others_stay(jot: Jotsam, storage: JotsamStorage) -> None:
    begin = datetime(2025, 1, 1)
    records = [record(scope=f"/{n % 2}", categories=[str(n)], created_at=begin + timedelta(days=n)) for n in range(6)]
    storage.save(records)
    other = JotsamStorage(jot, name="other")
    other.save(records[:1])
    assert storage.delete(scope_prefix="/0", older_than=datetime(2025, 1, 3, tzinfo=UTC)) == 1
    assert storage.delete(record_ids=[records[1].id, "none"], scope_prefix="/1") == 1
    assert storage.delete(categories=["2"], metadata_filter={"no": 1}) == 0
    assert storage.delete(categories=["2"]) == 1
    assert [found.id for found, _ in storage.search([0, 0, 1])] == [records[5].id, records[4].id, records[3].id]
    storage.reset("/1")
    assert [one.id for one in storage.list_records()] == [records[4].id]
    storage.reset()
    assert (storage.count(), other.count()) == (0, 1)
    assert sum(one.items for one in jot.store.namespaces(prefix=("crewai", "default"))) == 0


def test_an_embedder_of_another_dimension_is_told(storage: JotsamStorage) -> None:
    storage.save([record()])
    for call in (lambda: storage.search([1.0, 2.0]), lambda: storage.save([record(embedding=[1.0])])):
        with pytest.raises(EmbeddingDimensionMismatchError, match="3-dimensional"):
            call()
    storage.save([record("no vector", embedding=None), record("all zero", embedding=[0.0, 0.0, 0.0])])
    assert storage.count() == 3
    assert len(storage.search([0, 0, 1])) == 1


def test_it_is_a_backend_also_for_asyncio(storage: JotsamStorage) -> None:
    assert isinstance(storage, StorageBackend)

    async def scenario() -> int:
        await storage.asave([record()])
        assert len(await storage.asearch([0.0, 0.0, 1.0], limit=1)) == 1
        return await storage.adelete(scope_prefix="/")

    assert asyncio.run(scenario()) == 1
