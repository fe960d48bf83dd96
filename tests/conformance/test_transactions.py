"""What a transaction promises, and whom it wakes: whole or not at all, of one moment, one at a time in a thread."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from jobs import kinds, send
from jotsam import Jotsam, JotsamError
from jotsam.core.job_records import JobSpec
from jotsam.core.settings import Settings
from jotsam.storage import QUEUE, connect, queue
from processes import PATIENCE, WAIT_MS, until

if TYPE_CHECKING:
    pass

pytestmark = pytest.mark.needs_server

SHORT_MS = 20


def test_threads_write_one_after_the_other_and_lose_nothing(database):
    threads = [threading.Thread(target=lambda: [send(database) for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(kinds(database)) == 200


def test_a_snapshot_is_of_one_moment_whatever_other_threads_write_meanwhile(database):
    send(database)
    with database.snapshot() as tx:
        before = queue.jobs(tx, queue="q")
        thread = threading.Thread(target=send, args=(database,))
        thread.start()
        thread.join(PATIENCE)
        assert queue.jobs(tx, queue="q") == before
    assert len(kinds(database)) == 2


@pytest.mark.parametrize("outer", ["transaction", "snapshot"])
@pytest.mark.parametrize("inner", ["transaction", "snapshot"])
def test_a_transaction_within_another_of_the_same_thread_is_refused_and_the_outer_goes_on(outer, inner, database):
    with getattr(database, outer)() as tx:
        nested = getattr(database, inner)()
        with pytest.raises(JotsamError, match=r"this thread has an open (transaction|snapshot)"):
            nested.__enter__()
        assert tx.execute("select 1 as one") == [{"one": 1}]
        if outer == "transaction":
            queue.send(tx, JobSpec(queue="q", kind="k"))
    assert kinds(database) == ["k"] * (outer == "transaction")
    assert send(database)


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_whatever_ends_a_transaction_undoes_it_and_the_next_one_works(error, database):
    def write_and_fail() -> None:
        with database.transaction() as tx:
            queue.send(tx, JobSpec(queue="q", kind="undone"))
            raise error

    with pytest.raises(error):
        write_and_fail()
    send(database, kind="next")
    assert kinds(database) == ["next"]


def test_a_transaction_that_is_rolled_back_rings_nobody(url):
    database = connect(url, schemas=QUEUE)
    database.wait(0)

    def send_and_fail() -> None:
        with database.transaction() as tx:
            queue.send(tx, JobSpec(queue="q", kind="k"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        send_and_fail()
    assert not database.wait(SHORT_MS)
    send(database)
    until(lambda: database.wait(SHORT_MS))
    database.close()


def test_in_a_snapshot_nothing_may_be_written(database):
    with pytest.raises(JotsamError), database.snapshot() as tx:
        queue.send(tx, JobSpec(queue="q", kind="k"))
    assert kinds(database) == []


SAME = {
    "a key": lambda jot: jot.add("The same.", key="k"),
    "a source": lambda jot: jot.add("The same.", source="s"),
    "the key of a memory": lambda jot: jot.remember("The same.", key="k"),
    "an id of one's own": lambda jot: jot.remember("The same.", external_id="n-1"),
}


@pytest.mark.parametrize("say", SAME.values(), ids=SAME)
def test_of_many_that_say_the_same_at_once_one_is_kept_and_the_others_are_duplicates(say, url):
    begin = threading.Barrier(4, timeout=PATIENCE)

    def one(_: int) -> bool:
        with Jotsam(settings=Settings(db=url, worker="off", lock_timeout_ms=WAIT_MS)) as jot:
            begin.wait()
            return bool(say(jot).duplicate)

    with Jotsam(settings=Settings(db=url, worker="off", lock_timeout_ms=WAIT_MS)) as jot, ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(one, range(4))) == [False, True, True, True]
        assert jot.status().documents + jot.status().memories == 1
        assert jot.status().depth.live == 1
