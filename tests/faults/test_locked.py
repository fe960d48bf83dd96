"""Other programs hold locks, snapshots and leases: whoever adds waits a while and says why, and reading goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import roles
from jotsam import DatabaseBusy, Jotsam
from jotsam.core.platform import process_identity
from jotsam.core.settings import Settings
from jotsam.memory.jobs.worker_session import run_worker
from jotsam.queueing.loop import Loop
from jotsam.storage.sqlite import worker_lease
from processes import PATIENCE, WAIT_MS, Running, start, until

if TYPE_CHECKING:
    pass

LEASE_MS = 60_000


def short_wait(url: str, wait_ms: int = 30) -> Jotsam:
    return Jotsam(settings=Settings(db=url, worker="off", worker_idle_ms=0, lock_timeout_ms=wait_ms))


@pytest.fixture
def holder(url: str) -> Iterator[Callable[..., Running]]:
    """Another process that has run these statements on the database, and stays in that state until it is told."""
    holders: list[Running] = []
    roles.memory(url).close()

    def hold(*statements: str) -> Running:
        holders.append(start(roles.hold, url, statements))
        assert holders[-1].says() == "holding"
        return holders[-1]

    yield hold
    for running in holders:
        running.kill()


LOCKS = {
    "write lock": ("begin immediate",),
    "exclusive lock": ("pragma locking_mode = exclusive", "begin immediate", "delete from queue_attempt", "commit"),
}


@pytest.mark.parametrize("statements", LOCKS.values(), ids=LOCKS)
def test_add_waits_for_another_program_and_succeeds_once_it_is_done(statements, url, holder):
    running, answers, about_to = holder(*statements), [], threading.Event()

    def add() -> None:
        with short_wait(url, wait_ms=PATIENCE * 1_000) as jot:
            about_to.set()
            answers.append(jot.add("A document about aardvarks."))

    thread = threading.Thread(target=add)
    thread.start()
    about_to.wait(0.2)  # Under an exclusive lock it waits already while it opens.
    assert not answers
    running.tell("go")
    thread.join(PATIENCE)
    assert answers
    with short_wait(url) as jot:
        assert jot.recall("aardvarks").coverage.total == 1


def test_add_says_who_is_in_the_way_when_it_never_ends_and_nothing_is_written(url, holder):
    with short_wait(url) as jot:
        running = holder("begin immediate")
        with pytest.raises(DatabaseBusy, match="another program holds the write lock; try again when it is done"):
            jot.add("A document about aardvarks.")
        assert jot.status().documents == 0
        running.tell("go")
        assert running.ends() == 0
        jot.add("A document about aardvarks.")
        assert (jot.status().documents, jot.status().depth.live) == (1, 1)


def test_reading_goes_on_while_another_program_writes(url, holder):
    with short_wait(url) as jot:
        jot.add("A document about aardvarks.")
        assert jot.recall("aardvarks").coverage.total == 1
        jot.add("Another one about aardvarks.")
        holder("begin immediate", "insert into queue_control (queue) values ('other')")
        answer = jot.recall("aardvarks")
        assert (answer.coverage.total, answer.coverage.pending) == (2, 2)
        assert jot.status().documents == 2


def test_a_reader_that_was_kept_out_can_read_afterwards(url, holder):
    with short_wait(url) as jot:
        jot.add("A document about aardvarks.")
    running = holder(*LOCKS["exclusive lock"])
    with pytest.raises(DatabaseBusy):
        short_wait(url)
    running.tell("go")
    assert running.ends() == 0
    with short_wait(url) as jot:
        assert jot.recall("aardvarks").coverage.total == 1


def test_a_forgotten_reader_stops_nobody_and_the_log_is_folded_once_it_is_gone(url, jot, holder):
    jot.add("A document about aardvarks.")
    running = holder("begin", "select * from document")
    with jot.database.transaction() as tx:
        tx.execute("create table large as select zeroblob(2000000)")
    assert jot.work() == 2
    log = Path(f"{url}-wal")
    assert log.stat().st_size > 1_000_000
    running.tell("go")
    assert running.ends() == 0
    jot.add("A document about zebras.")
    assert jot.work() == 2
    assert log.stat().st_size == 0
    assert jot.recall("aardvarks").coverage.total == 1


def test_two_workers_at_once_are_one_worker(url, clock):
    """The second says that there is one, and does nothing."""
    settings = Settings(db=url, worker="off", worker_idle_ms=0, lock_timeout_ms=WAIT_MS)
    with Jotsam(settings=settings, clock=clock) as first, Jotsam(settings=settings, clock=clock) as second:
        loops: list[Loop] = []
        thread = threading.Thread(target=lambda: run_worker(first, forever=True, started=loops.append), daemon=True)
        thread.start()
        until(lambda: loops)
        second.add("A document.")
        assert second.work() is None
        until(lambda: second.status().done == 2)
        loops[0].stop()
        thread.join(PATIENCE)
        assert second.work() == 0


@contextmanager
def a_worker(url: str) -> Iterator[int]:
    """A worker of the command line, for ever. Yields its process id."""
    command = [sys.executable, "-m", "jotsam", "work", "--forever", "--db", url]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        try:
            yield process.pid
        finally:
            process.kill()


def test_a_killed_worker_is_replaced_by_the_next_who_adds(url, monkeypatch):
    monkeypatch.setenv("JOTSAM_WORKER_IDLE_MS", "0")  # of the worker that `add` starts
    with Jotsam(settings=Settings(db=url, worker_idle_ms=0, lock_timeout_ms=WAIT_MS)) as jot:
        with a_worker(url) as pid:
            until(lambda: jot.status().worker_pid == pid)
            os.kill(pid, signal.SIGKILL)
        assert jot.status().worker == "none"
        receipt = jot.add("A document about aardvarks.")
        assert jot.wait([receipt.id], timeout_ms=PATIENCE * 1_000)
        assert jot.status().done == 2
        until(lambda: jot.status().worker == "none")


@pytest.mark.parametrize("state", ["zombie", "gone"])
def test_the_lease_of_a_dead_worker_of_this_host_is_void_at_once(state, jot, clock):
    """A worker whose parent lives on without asking for it stays behind as a zombie."""
    dead = subprocess.Popen([sys.executable, "-c", "pass"])
    until(lambda: not process_identity.is_alive(dead.pid))
    if state == "gone":
        dead.wait()
    with jot.database.transaction() as tx:
        worker_lease.take(
            tx, worker_lease.Holder(owner="dead", pid=dead.pid, host=process_identity.host()), lease_ms=LEASE_MS
        )
    jot.add("A document.")
    assert jot.work() == 2
    dead.wait()


def test_the_lease_of_a_worker_of_another_host_is_void_only_when_it_has_run_out(jot, clock):
    with jot.database.transaction() as tx:
        worker_lease.take(tx, worker_lease.Holder(owner="there", pid=1, host="elsewhere"), lease_ms=LEASE_MS)
    jot.add("A document.")
    clock.tick(LEASE_MS - 1)
    assert jot.work() is None
    clock.tick(1)
    assert jot.work() == 2
