"""Real engines are kept up through the public calls: a FalkorDB server, and Qdrant in a folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from falkordb_server import FalkorDBServer
from jotsam import Jotsam
from jotsam.engines.qdrant import open_engine
from jotsam.engines.qdrant_points import Where

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect")


@pytest.fixture
def falkordb() -> Iterator[FalkorDBServer]:
    server = FalkorDBServer()
    yield server
    server.stop()


def test_both_engines_hold_what_the_database_holds_after_every_kind_of_change(
    open_jot: Callable[..., Jotsam], falkordb: FalkorDBServer, tmp_path: Path
) -> None:
    jot, other = open_jot(embed_model="hashing"), open_jot(embed_model="hashing", tenant="bob's")
    first = jot.remember("Ada Lovelace chose PostgreSQL for the ledger.", tags=["db"], metadata={"a": 1}).id
    jot.work()
    jot.admin.add_engine(falkordb.address)
    jot.admin.add_engine(f"qdrant://{tmp_path / 'qdrant'}")
    second = jot.remember("Ada Lovelace chose SQLite for the ledger.", importance=0.3, valid_until="2027-01-01").id
    other.remember("Bob's port is 9090.")
    jot.add("# Plan\n\nGrace Hopper reviews the compiler on Monday.\n\n# Risk\n\nThe deadline is close.")
    jot.work()
    jot.update(first, text="Ada Lovelace chose MariaDB.", tags=["x"])
    jot.supersede(first, second)
    forgotten = jot.remember("Forgotten.").id
    jot.work()
    jot.forget(jot.plan_forget(ids=[forgotten]))
    jot.work()
    assert [(one.name, one.held, one.pending, one.problem, one.error) for one in jot.admin.engines()] == [
        ("falkordb", 5, 0, None, None),
        ("qdrant", 5, 0, None, None),
    ]
    for one in jot.admin.compare_engines():
        assert (one.name, one.differences, one.sampled > 0) == (one.name, (), True)
        assert [(of.tenant, of.memories, of.held) for of in one.tenants] == [("bob's", 1, 1), ("default", 4, 4)]

    other.admin.forget_tenant()
    falkordb.graph("jotsam:default").query("match (m:Memory {id: $id}) detach delete m", {"id": second})
    jot.work()
    found = {one.name: [(each.kind, each.id) for each in one.differences] for one in jot.admin.compare_engines()}
    assert found == {"falkordb": [("missing", second)], "qdrant": []}
    jot.admin.compare_engines(repair=True)
    jot.work()
    assert all(one.is_equal for one in jot.admin.compare_engines())
    assert [one.held for one in jot.admin.engines()] == [4, 4]


def test_repair_ends_loose_entities_and_those_that_are_lacking(
    open_jot: Callable[..., Jotsam], falkordb: FalkorDBServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "jotsam.memory.engines.engine_compare.SAMPLE", 0
    )  # What is read back by chance would find it too.
    jot = open_jot(embed_model="hashing")
    id = jot.remember("Ada Lovelace chose PostgreSQL for the ledger.").id
    jot.remember("The ledger is closed on Friday.")
    jot.admin.add_engine(falkordb.address)
    jot.admin.add_engine(f"qdrant://{tmp_path / 'qdrant'}")
    jot.work()
    assert all(one.is_equal for one in jot.admin.compare_engines())
    graph = falkordb.graph("jotsam:default")
    count = "match (n) return labels(n)[0], count(n) order by 1"
    before = graph.query(count).result_set
    graph.query("match (e:Entity {slug: 'ada-lovelace'}) detach delete e")
    graph.query("create (:Entity {id: 'entity:people:eve', slug: 'eve'}), (:Fact {id: 'f'}), (:Missing {id: 'm'})")
    found = {one.name: [(each.id, each.kind) for each in one.differences] for one in jot.admin.compare_engines()}
    assert found == {"falkordb": [(id, "differs")], "qdrant": []}
    jot.admin.compare_engines(repair=True)
    jot.work()
    assert all(one.is_equal for one in jot.admin.compare_engines())
    assert graph.query(count).result_set == before


def test_an_engine_that_is_killed_and_starts_empty_is_written_again(
    open_jot: Callable[..., Jotsam], falkordb: FalkorDBServer
) -> None:
    jot = open_jot()
    jot.admin.add_engine(falkordb.address)
    jot.remember("Ada chose PostgreSQL.")
    jot.work()
    falkordb.kill()
    jot.remember("Ada chose SQLite.")
    jot.work()
    (status,) = jot.admin.engines()
    assert (status.held, status.pending, status.problem is None) == (None, 1, False)
    falkordb.start()
    jot.admin.rebuild_engines()
    jot.work()
    assert [one.held for one in jot.admin.engines()] == [2]
    assert all(one.is_equal for one in jot.admin.compare_engines())


def test_what_was_dropped_is_in_no_engine_and_a_folder_made_again_has_no_byte_of_it(
    open_jot: Callable[..., Jotsam], falkordb: FalkorDBServer, tmp_path: Path
) -> None:
    folder = tmp_path / "qdrant"
    jot = open_jot(embed_model="hashing")
    jot.admin.add_engine(falkordb.address)
    jot.admin.add_engine(f"qdrant://{folder}")
    forgotten = jot.remember("The password of Quentin Zebulon is zebulonx.", tags=["zebulon"]).id
    changed = jot.remember("Quentin Zebulon lives in Zebulonia.", metadata={"a": "zebulon"}).id
    jot.remember("The harbour of Oslo is deep.")
    jot.work()

    def held() -> str:
        graph = falkordb.graph("jotsam:default").query("match (n) return n").result_set
        engine = open_engine(f"qdrant://{folder}")
        points = engine._points.scroll(Where(tenant="default"), after="", limit=100, only=None)
        engine.close()
        return f"{[node[0].properties for node in graph]} {[dict(one.payload) for one in points]}".lower()

    assert held().count("zebulonx") >= 2
    jot.forget(jot.plan_forget(ids=[forgotten]))
    jot.update(changed, text="It is another text.", metadata=None, forget_history=True)
    jot.work()
    assert "zebulon" not in held()
    assert held().count("harbour of oslo") >= 2
    jot.close()
    shutil.rmtree(folder)
    again = open_jot(embed_model="hashing")
    again.admin.rebuild_engines()
    again.work()
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert any(b"harbour" in path.read_bytes() for path in files)
    assert [path.name for path in files if b"zebulon" in path.read_bytes().lower()] == []
    assert [
        path.name for path in falkordb.folder.rglob("*") if path.is_file() and b"zebulon" in path.read_bytes()
    ] == []
