"""With pgvector the server compares vectors; without it each process does, and the status reports which."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jotsam import Jotsam
from jotsam.admin import embedders
from jotsam.admin.doctor import examine
from jotsam.core.settings import Settings
from servers import ROLE, Server

CAT = "The cat sat on the mat"
NEAR = "catsat sattle mattress"


@pytest.fixture
def bare(server: Server) -> Iterator[str]:
    """The address of a database without pgvector, on the same server."""
    server.execute("create database bare")
    server.execute(f"grant create on database bare to {ROLE}")
    yield server.url().replace("/postgres?", "/bare?")
    server.execute("drop database bare with (force)")


def settings(url: str) -> Settings:
    return Settings(db=url, worker="off", worker_idle_ms=0, embed_model="hashing")


def compares(jot: Jotsam) -> bool:
    with jot.database.snapshot() as tx:
        return tx.compares_vectors()


def indexed(jot: Jotsam) -> int:
    with jot.database.snapshot(tenant="default") as tx:
        return int(tx.execute("select count(*) as rows from embedding_index")[0]["rows"])


def test_with_pgvector_the_server_compares(url: str):
    with Jotsam(settings=settings(url)) as jot:
        jot.remember(CAT)
        jot.work()
        assert compares(jot)
        assert indexed(jot) == 1
        jot.admin.forget_tenant()
        assert indexed(jot) == 0


def test_without_pgvector_each_process_compares_and_the_doctor_says_so(bare: str):
    with Jotsam(settings=settings(bare)) as jot:
        jot.remember(CAT)
        jot.work()
        assert not compares(jot)
        answer = jot.recall(NEAR)
        assert [hit.text for hit in answer.hits] == [CAT]
        assert answer.coverage.unavailable == ()
    (finding,) = [finding for finding in examine(settings(bare)) if finding.name == "pgvector"]
    assert finding.level == "warn"
    assert "create extension vector" in finding.repair


def test_pgvector_that_comes_later_is_used_after_a_refresh(bare: str, server: Server):
    with Jotsam(settings=settings(bare)) as jot:
        jot.remember(CAT)
        jot.work()
        import psycopg

        with psycopg.connect(server.admin.replace("/postgres?", "/bare?"), autocommit=True) as connection:
            connection.execute("create extension vector with schema public")
        assert not compares(jot)
        embedders.refresh(jot, force=True)
        jot.work()
        assert compares(jot)
        assert indexed(jot) == 1
        assert [hit.text for hit in jot.recall(NEAR).hits] == [CAT]
    (finding,) = [finding for finding in examine(settings(bare)) if finding.name == "pgvector"]
    assert finding.level == "ok"
