"""The store: vectors that a caller gives with items, and the items with the nearest ones."""

from __future__ import annotations

import json
import math

import pytest

from jotsam import InvalidInput
from jotsam.memory.reading import near_items

ANA, BOB = ("users", "ana"), ("users", "bob")


def keys(found) -> list[str]:
    return [one.key for one in found]


def put_all(jot, **vectors) -> None:
    """An item of each name, with its vectors; the first letter is the field `kind`."""
    jot.store.put_many(
        [
            {"namespace": ANA, "key": key, "value": {"kind": key[0]}, "vectors": given, "text": ""}
            for key, given in vectors.items()
        ]
    )


@pytest.mark.needs_server
def test_the_nearest_come_first_with_the_cosine_of_their_nearest_vector(jot):
    put_all(jot, east=[[10, 0]], north=[[0, 0.5]], both=[[-1, 0], [1, 1]], west=[[-1, 0]], none=[], other=[[1, 0, 0]])
    found = jot.store.search(ANA, vector=(3, 0))
    assert keys(found) == ["east", "both", "north", "west"]
    assert [one.score for one in found] == pytest.approx([1, math.sqrt(0.5), 0, -1], abs=1e-6)
    assert keys(jot.store.search(vector=[1, 0, 1])) == ["other"]
    assert jot.store.search(vector=[1]) == ()


@pytest.mark.needs_server
def test_it_looks_below_a_namespace_at_what_a_filter_lets_through_a_page_at_a_time(jot, monkeypatch):
    monkeypatch.setattr(near_items, "AT_ONCE", 2)
    put_all(jot, **{f"{'ab'[number % 2]}{number}": [[10 - number, number]] for number in range(9)})
    jot.store.put(BOB, "crowds", 1, vectors=[[1, 0]])
    jot.store.put((*ANA, "below"), "b9", {"kind": "b"}, vectors=[[0, 1]])
    near = {"vector": [1, 0]}
    assert keys(jot.store.search(ANA, **near)) == ["a0", "b1", "a2", "b3", "a4", "b5", "a6", "b7", "a8", "b9"]
    assert keys(jot.store.search(ANA, **near, filter={"kind": "b"}, limit=2, offset=2)) == ["b5", "b7"]
    assert keys(jot.store.search(ANA, **near, filter={"kind": {"$ne": "b"}}, offset=4)) == ["a8"]
    assert keys(jot.store.search(vector=[1, 0], limit=2)) == ["crowds", "a0"]


@pytest.mark.needs_server
def test_a_put_replaces_the_vectors_and_what_is_gone_is_not_found(jot, clock):
    put_all(jot, a=[[1, 0], [0, 1]], b=[[1, 0]], c=[[1, 0]])
    jot.store.put(ANA, "late", 1, vectors=[[1, 0]], ttl_ms=1_000)
    put_all(jot, a=[[-1, 0]], b=[])
    jot.store.delete(ANA, "c")
    (found, scored) = jot.store.search(vector=[1, 0], refresh=False)
    assert ([found.key, scored.key], scored.score) == (["late", "a"], -1)
    clock.tick(2_000)
    assert keys(jot.store.search(vector=[1, 0])) == ["a"]
    jot.store.clear(ANA)
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        assert tx.execute("select count(*) as n from item_vector") == [{"n": 0}]


@pytest.mark.needs_server
def test_vectors_are_committed_with_the_transaction(jot):
    with pytest.raises(ZeroDivisionError), jot.database.transaction() as tx:
        jot.store.put(ANA, "k", 1, vectors=[[1, 0]], tx=tx)
        assert keys(jot.store.search(vector=[1, 0], tx=tx)) == ["k"]
        raise ZeroDivisionError
    assert jot.store.search(vector=[1, 0]) == ()


def test_what_is_no_vector_is_refused_with_the_reason(jot):
    for vector, reason in (
        ([], r"of 0 numbers: must be 1 to 16,000"),
        ([0.0] * 16_001, "of 16,001 numbers"),
        ([0, 0.0], "no direction"),
        ([float("nan"), 1], "no direction|no NaN"),
        ([float("inf")], "no direction|no infinity"),
        ([1e300, 1], "no direction"),
        ([True, 1], "must be a list of int and float|expected float"),
        (["1"], "must be a list of int and float|expected float"),
        ("12", "vector"),
    ):
        for call in (
            lambda vector=vector: jot.store.search(vector=vector),
            lambda vector=vector: jot.store.put(ANA, "k", 1, vectors=[[1], vector]),
        ):
            with pytest.raises(InvalidInput, match=reason):
                call()
    with pytest.raises(InvalidInput, match="not both"):
        jot.store.search(query="celadon", vector=[1])
    with pytest.raises(InvalidInput, match="at most 1,000"):
        jot.store.put(ANA, "k", 1, vectors=[[1]] * 1_001)
    with pytest.raises(InvalidInput, match=r"640,000 numbers of vectors, each of which counts 20"):
        jot.store.put(ANA, "k", 1, vectors=[[1] * 16_000] * 40)
    assert jot.store.search() == ()


@pytest.mark.needs_server
def test_an_export_has_the_vectors_and_an_import_keeps_their_bytes(jot, tmp_path):
    put_all(jot, a=[[0.1, 0.7], [3, -1e-30]], b=[])
    assert jot.export(tmp_path / "all.jsonl").counts["item"] == 2
    before = stored(jot)
    jot.store.clear(ANA)
    assert jot.import_memories(tmp_path / "all.jsonl").added["item"] == 2
    assert stored(jot) == before
    jot.store.clear(ANA)
    for line in (tmp_path / "all.jsonl").read_text().splitlines():
        item = json.loads(line)
        if item.get("vectors"):
            for wrong in ("AAAA", "AAAAAA==", "AACAPwAAgD8="):  # three bytes, four that are zero, a length of 1.4
                changed = (tmp_path / "all.jsonl").read_text().replace(item["vectors"][0], wrong)
                (tmp_path / "changed.jsonl").write_text(changed)
                (problem,) = jot.import_memories(tmp_path / "changed.jsonl").problems
                assert "list of float32 numbers of length 1" in problem.reason


def stored(jot) -> list[bytes]:
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        return [bytes(row["bytes"]) for row in tx.execute("select bytes from item_vector order by item_id, number")]
