"""Workers and the engine itself are killed while memories are written to it: none is missing there, none left over."""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing.connection import Connection

import pytest

from falkordb_server import FalkorDBServer
from jotsam import Jotsam
from jotsam.core.errors import JotsamError
from jotsam.core.settings import Settings
from jotsam.worker import mirror
from processes import WAIT_MS, Running, until

STORED = 24


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
def kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.fixture
def falkordb() -> Iterator[FalkorDBServer]:
    server = FalkorDBServer(keeps=True)
    yield server
    server.stop()


def opened(url: str) -> Jotsam:
    return Jotsam(settings=Settings(db=url, worker="off", concurrency=2, lock_timeout_ms=WAIT_MS, poll_interval_ms=100))


def work(pipe: Connection, url: str) -> None:
    """A worker that writes few memories at a time, so that it is killed between them."""
    mirror.BATCH = 5
    with opened(url) as jot:
        jot.work(forever=True)


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("rounds", [4, pytest.param(30, marks=pytest.mark.long)])
def test_after_kills_of_workers_and_of_the_engine_it_holds_exactly_what_is_stored(
    rounds: int, url: str, processes: list[Running], falkordb: FalkorDBServer, record_property
) -> None:
    """Every second time the engine is killed first, so that a worker is writing to it."""
    with opened(url) as jot:
        jot.admin.add_engine(falkordb.address)

        def counts() -> tuple[int | None, int]:
            try:
                (one,) = jot.admin.engines()
            except JotsamError:
                return None, 1
            return one.held, one.pending

        processes.append(Running(work, url))
        for number in range(rounds):
            ids = [jot.remember(f"Note {number} {each} of Ada Lovelace.").id for each in range(STORED)]
            before = counts()[0] or 0
            until(lambda before=before: (counts()[0] or 0) > before)  # type: ignore[misc]
            if number % 2:
                falkordb.kill()
            processes.pop().kill()
            jot.forget(jot.plan_forget(ids=ids[::3]))
            jot.update(ids[1], importance=0.1 + number / 100)
            processes.append(Running(work, url))
            if number % 2:
                until(lambda: jot.admin.engines()[0].paused is not None)
                falkordb.start()
                jot.admin.resume("mirror-falkordb")
        until(lambda: counts()[1] == 0 and not jot.admin.jobs(limit=1))
        (found,) = jot.admin.compare_engines()
        assert found.differences == ()
        assert [(of.memories, of.held) for of in found.tenants] == [(rounds * STORED * 2 // 3,) * 2]
        assert jot.admin.dead() == []
    record_property("tried", f"{rounds} kills of workers, {rounds // 2} of the engine, {rounds * STORED} memories")
