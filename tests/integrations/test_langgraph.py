"""The store for LangGraph: beside what its own tests ask for, what memory would change, and a real graph."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from langchain_core.embeddings import Embeddings
from langgraph.store.base import GetOp, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from jotsam import Jotsam
from jotsam.integrations.langgraph import JotsamStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ANN, BOB = ("users", "ann"), ("users", "bob")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[JotsamStore]:
    with Jotsam(tmp_path / "a.db", worker="off") as memory:
        yield JotsamStore(memory)


@pytest.mark.parametrize("value", [{"token": "AKIAQ3EGRIZ7XT5NVLWB"}, {"text": "a\0b 🎉"}, {"n": 1.5, "l": [None, {}]}])
def test_a_value_comes_back_equal(store: JotsamStore, value: dict[str, Any]) -> None:
    store.put(ANN, "k" * 1_000, value)
    found = store.get(ANN, "k" * 1_000)
    assert found
    assert (found.value, found.namespace) == (value, ANN)
    assert found.created_at.tzinfo


def test_equal_values_are_all_found_and_those_of_another_namespace_crowd_out_none(store: JotsamStore) -> None:
    for number in range(60):
        store.put(BOB, str(number), {"text": "likes celadon"})
    store.put(ANN, "1", {"text": "likes celadon"})
    store.put(ANN, "2", {"text": "likes celadon"})
    assert {item.key for item in store.search(ANN, query="celadon")} == {"1", "2"}
    assert len(store.search(("users",), query="celadon", limit=100, offset=60)) == 2


def test_what_has_a_word_of_the_query_comes_first_and_the_rest_after_it(store: JotsamStore) -> None:
    for key, text in (("old", "The glaze is celadon."), ("new", "The kiln is electric.")):
        store.put(ANN, key, {"text": text})
    first, second = store.search(ANN, query="which celadon glaze?")
    assert (first.key, second.key, second.score) == ("old", "new", None)
    assert first.score
    assert [item.key for item in store.search(ANN, query="celadon", offset=1)] == ["new"]


def test_an_index_names_what_is_searched(store: JotsamStore) -> None:
    store.put(ANN, "a", {"title": "celadon", "body": "tenmoku"}, index=["title"])
    store.put(ANN, "b", {"title": "celadon"}, index=False)
    scored = [item.key for item in store.search(ANN, query="celadon") if item.score]
    assert scored == ["a"]
    assert not [item for item in store.search(ANN, query="tenmoku") if item.score]


class Colours(Embeddings):
    """The numbers of red and blue words. A text with neither is near nothing."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return [float(text.count("red")), float(text.count("blue"))]


@pytest.mark.parametrize("is_async", [False, True])
def test_with_an_index_the_nearest_come_first_and_those_without_a_vector_last(tmp_path: Path, is_async: bool) -> None:
    with Jotsam(tmp_path / "a.db", worker="off") as memory:
        store = JotsamStore(memory, index={"dims": 2, "embed": Colours(), "fields": ["text", "notes[*].text"]})
        ops = [
            PutOp(ANN, "red", {"text": "red", "title": "blue"}),
            PutOp(ANN, "both", {"text": "red blue"}),
            PutOp(ANN, "noted", {"notes": [{"text": "blue"}, {"text": "red blue blue"}]}),
            PutOp(ANN, "neither", {"text": "blue"}, index=False),
            PutOp(ANN, "title", {"text": "red", "title": "blue blue red"}, index=["title"]),
            PutOp(ANN, "whole", {"other": "blue"}, index=["$"]),
        ]
        search = SearchOp(ANN, query="blue", limit=5)
        for listed in (ops, [search]):
            results = asyncio.run(store.abatch(listed)) if is_async else store.batch(listed)
        assert [item.key for item in results[0]] == ["whole", "noted", "title", "both", "red"]
        assert results[0][1].score == pytest.approx(1)
        assert [item.key for item in store.search(ANN, query="blue", offset=4)] == ["red", "neither"]
        assert store.search(ANN, query="no colour")[0].score is None
        store.put(ANN, "red", {"text": "blue"})
        assert {item.key for item in store.search(ANN, query="blue", limit=3)} == {"whole", "noted", "red"}


def test_many_large_vectors_are_stored_in_several_calls(tmp_path: Path) -> None:
    def embed(texts: list[str]) -> list[list[float]]:
        return [[1.0] * 3_000 for _ in texts]

    with Jotsam(tmp_path / "a.db", worker="off") as memory:
        store = JotsamStore(memory, index={"dims": 3_000, "embed": embed})
        store.batch([PutOp(ANN, str(number), {"text": f"text {number}"}) for number in range(200)])
        assert len(store.search(ANN, query="text", limit=500)) == 200


@pytest.mark.parametrize(
    "filter",
    [
        {"size": 3},
        {"size": {"$gte": 2, "$lt": 4}},
        {"size": {"$ne": 3}},
        {"tags": ["a", "b"]},
        {"place": {"room": "kiln"}},
        {"place": {"room": {"$eq": "kiln"}}},
        {"size": 1, "tags": ["a"]},
    ],
)
def test_filters_find_what_langgraphs_own_store_finds(store: JotsamStore, filter: dict[str, Any]) -> None:
    own = InMemoryStore()
    for number in range(5):
        value = {"size": number, "tags": ["a", "b"][:number], "place": {"room": ["kiln", "shop"][number % 2]}}
        for one in (store, own):
            one.put(ANN, str(number), value)
    assert {item.key for item in store.search(ANN, filter=filter)} == {
        item.key for item in own.search(ANN, filter=filter)
    }


def test_a_range_of_numbers_leaves_out_items_without_the_field(store: JotsamStore) -> None:
    for key, value in (("a", {"size": 3}), ("b", {}), ("c", {"size": "large"})):
        store.put(ANN, key, value)
    assert [item.key for item in store.search(ANN, filter={"size": {"$gte": 2}})] == ["a"]


def test_a_batch_reads_before_it_writes_and_its_last_value_of_a_key_counts(store: JotsamStore) -> None:
    store.put(ANN, "k", {"n": 1})
    ops = [PutOp(ANN, "k", {"n": 2}), GetOp(ANN, "k"), PutOp(ANN, "k", {"n": 3}), SearchOp(ANN)]
    none, before, _, found = asyncio.run(store.abatch(ops))
    assert none is None
    assert before.value == {"n": 1}
    assert [item.value for item in found] == [{"n": 1}]
    assert store.get(ANN, "k").value == {"n": 3}
    store.delete(ANN, "k")
    assert store.get(ANN, "k") is None


def test_an_item_expires(tmp_path: Path) -> None:
    now = [1_790_000_000_000]
    with Jotsam(tmp_path / "a.db", worker="off", clock=lambda: now[0]) as memory:
        store = JotsamStore(memory, ttl={"default_ttl": 10, "refresh_on_read": True})
        store.put(ANN, "k", {"n": 1})
        now[0] += 9 * 60_000
        assert store.get(ANN, "k")
        now[0] += 9 * 60_000
        assert store.search(ANN, refresh_ttl=False)
        now[0] += 2 * 60_000
        assert store.get(ANN, "k") is None
