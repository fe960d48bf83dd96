"""Behind a real pgbouncer everything works as without it, and no other client of its pool notices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from jotsam import Jotsam
from jotsam.admin import doctor
from jotsam.core.settings import Settings
from jotsam.storage import connect
from poolers import Pooler
from processes import PATIENCE

CONNECTIONS = 3  # of pgbouncer to the server: fewer than the threads, so that they share them
THREADS = 4

# The name of the application is set by pgbouncer, for each client.
LEFT_BEHIND = """
select name from pg_settings where source = 'session' and name <> 'application_name'
union all select statement from pg_prepared_statements
union all select pg_listening_channels()
"""


@pytest.fixture
def pooler(server) -> Iterator[Callable[..., Pooler]]:
    opened: list[Pooler] = []

    def start(mode: str, size: int = CONNECTIONS) -> Pooler:
        opened.append(Pooler(server, mode, size))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def open_jot(url: str) -> Jotsam:
    return Jotsam(settings=Settings(db=url, worker="off", worker_idle_ms=0, concurrency=2, poll_interval_ms=20))


def left_behind(pooler: Pooler) -> list[object]:
    """What another client finds on the connections to the server that it does not expect there."""
    clients = [pooler.connect() for _ in range(CONNECTIONS)]
    found = [row[0] for client in clients for row in client.execute(LEFT_BEHIND).fetchall()]
    assert len({client.execute("select pg_backend_pid()").fetchone() for client in clients}) == CONNECTIONS
    for client in clients:
        client.close()
    return found


def test_threads_share_the_connections_of_a_transaction_pool(url, pooler):
    pool = pooler("transaction")

    def add_and_recall(number: int) -> str:
        jot.remember(f"Parcel {number} is for Ana{number}.")
        (hit,) = jot.recall(f"Ana{number}", limit=1).hits
        return hit.text

    with open_jot(pool.url(url.rpartition("schema=")[2])) as jot:
        with ThreadPoolExecutor(THREADS) as threads:
            found = list(threads.map(add_and_recall, range(96)))
        assert jot.work() == 96
        assert jot.status().depth.live == 0
    assert found == [f"Parcel {number} is for Ana{number}." for number in range(96)]
    assert left_behind(pool) == []


def test_a_session_pool_works_and_doctor_reports_it(url, pooler):
    with open_jot(pooler("session", 10).url(url.rpartition("schema=")[2])) as jot:
        for number in range(8):
            jot.remember(f"Parcel {number}.")
        assert jot.work() == 8
        assert len(jot.recall("parcel").hits) == 8
        checks = {check.name: check for check in doctor.examine(jot.settings)}
    assert checks["pooler"].level == checks["round trip"].level == "ok"
    assert "workers ask for jobs every 20 ms" in checks["pooler"].text


def test_without_a_pooler_doctor_does_not_mention_one(jot):
    assert "pooler" not in [check.name for check in doctor.examine(jot.settings)]


def test_a_worker_that_cannot_listen_is_woken_in_its_own_process_and_polls_for_others(url, pooler):
    """Without the first, stopping a worker would take until its next poll."""
    pool = pooler("transaction")
    database = connect(pool.url(url.rpartition("schema=")[2]))
    assert database.wait(0) is False
    database.notify()
    assert database.wait(PATIENCE * 1_000) is True
    assert database.wait(0) is False
    database.close()
