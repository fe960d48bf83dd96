"""Engines hold what SQL holds: every kind of change reaches them, and nothing that was forgotten stays there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine_in_memory import EngineInMemory, engine_in_memory
from jotsam import Jotsam
from jotsam.storage import mirror

ADDRESS = "falkordb://127.0.0.1:6379"


@pytest.fixture
def engine() -> Iterator[EngineInMemory]:
    with engine_in_memory() as engine:
        yield engine


def stored(jot: Jotsam, tenant: str = "default") -> dict[str, object]:
    with jot.database.snapshot(tenant=tenant) as tx:
        return dict(mirror.read(tx, mirror.uuids(tx)))


def test_what_was_stored_before_an_engine_is_added_is_written_to_it(jot: Jotsam, engine: EngineInMemory) -> None:
    jot.remember("Ada chose PostgreSQL for the ledger.", tags=["db"], metadata={"a": 1})
    jot.add("# Plan\n\nGrace Hopper reviews the compiler on Monday.\n\n# Risk\n\nThe deadline is close.")
    jot.work()
    added = jot.admin.add_engine(ADDRESS)
    assert (added.held, added.pending) == (0, 3)
    jot.work()
    assert engine.memories() == stored(jot)
    (status,) = jot.admin.engines()
    assert (status.memories, status.held, status.pending, status.problem) == (3, 3, 0, None)


def test_each_change_reaches_the_engine(jot: Jotsam, engine: EngineInMemory) -> None:
    jot.admin.add_engine(ADDRESS)
    first = jot.remember("Ada chose PostgreSQL for the ledger.", tags=["db"]).id
    second = jot.remember("Ada chose SQLite for the ledger.", tags=["db"]).id
    jot.work()
    assert engine.memories() == stored(jot)
    assert len(engine.memories()) == 2
    jot.update(first, text="Ada chose MariaDB.", tags=["mariadb"], importance=0.9)
    jot.work()
    assert engine.memories()[first].content == "Ada chose MariaDB."
    jot.supersede(first, second)
    jot.work()
    assert engine.memories()[first].superseded_by == second
    jot.knowledge.link(first, "RELATES_TO", second)
    jot.work()
    assert [link.target for link in engine.memories()[first].links if link.type == "RELATES_TO"] == [second]
    jot.forget(jot.plan_forget(ids=[second]))
    jot.work()
    assert [*engine.memories()] == [first]
    assert engine.memories() == stored(jot)
