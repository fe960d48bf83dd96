"""The bell wakes whoever waits, in any process; where there are no named pipes, looking at the database does."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from jotsam.core.job_records import JobSpec
from jotsam.storage import QUEUE, connect, queue
from jotsam.storage.sqlite_notify import Bell
from processes import PATIENCE, WAIT_MS, Connection, start, until

LONG_MS, SHORT_MS = PATIENCE * 1_000, 20


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "jotsam.db")


@pytest.fixture
def bell(path: str) -> Iterator[Callable[..., Bell]]:
    """Bells of the same database, as each process has its own."""
    bells: list[Bell] = []

    def make(version: Callable[[], int] = lambda: 0, *, pipes: bool = True) -> Bell:
        bells.append(Bell(path, version, pipes=pipes))
        return bells[-1]

    yield make
    for one in bells:
        one.close()


def commits_seen_at_each_third_look() -> Callable[[], int]:
    looks = count()
    return lambda: next(looks) // 3


def test_a_ring_wakes_whoever_waits(bell):
    listener, answers = bell(), []
    listener.listen()
    thread = threading.Thread(target=lambda: answers.append(listener.wait(LONG_MS)))
    thread.start()
    bell().ring()
    thread.join(PATIENCE)
    assert answers == [True]


def test_a_ring_between_two_waits_is_not_lost(bell):
    listener = bell()
    listener.listen()
    bell().ring()
    assert listener.wait(LONG_MS)


def test_many_rings_are_one_and_then_it_is_quiet(bell):
    listener, ringer = bell(), bell()
    listener.listen()
    for _ in range(10):
        ringer.ring()
    assert listener.wait(LONG_MS)
    assert not listener.wait(SHORT_MS)


def test_ringing_when_nobody_ever_listened_does_nothing(bell, path):
    bell().ring()
    assert not Path(f"{path}.bell").exists()


def test_ringing_after_the_listener_has_gone_does_nothing_and_wakes_no_later_one(bell):
    first = bell()
    first.listen()
    first.close()
    bell().ring()
    assert not bell().wait(SHORT_MS)


def test_a_full_pipe_blocks_nobody_and_its_listener_is_awake(bell):
    listener, ringer = bell(), bell()
    listener.listen()
    end = os.open(ringer._path, os.O_WRONLY | os.O_NONBLOCK)

    def fill() -> None:
        while True:
            os.write(end, bytes(4_096))

    with pytest.raises(BlockingIOError):
        fill()
    os.close(end)
    ringer.ring()
    assert listener.wait(LONG_MS)
    assert not listener.wait(SHORT_MS)


def test_the_pipe_belongs_to_its_owner_only(bell, path):
    bell().listen()
    mode = os.stat(f"{path}.bell").st_mode
    assert stat.S_ISFIFO(mode)
    assert stat.S_IMODE(mode) == 0o600


def test_something_else_under_the_name_of_the_pipe_is_left_alone_and_waiting_does_not_spin(bell, path):
    """As after copying a folder with a program that makes files out of pipes."""
    Path(f"{path}.bell").write_text("something else")
    assert not bell().wait(SHORT_MS)
    bell().ring()
    assert Path(f"{path}.bell").read_text() == "something else"
    assert bell(commits_seen_at_each_third_look()).wait(LONG_MS)


def test_without_pipes_a_commit_wakes_and_nothing_else_does(bell):
    assert not bell(pipes=False).wait(SHORT_MS)
    assert bell(commits_seen_at_each_third_look(), pipes=False).wait(LONG_MS)


def send_one(pipe: Connection, url: str) -> None:
    database = connect(url, schemas=QUEUE, wait_ms=WAIT_MS)
    pipe.recv()
    with database.transaction() as tx:
        queue.send(tx, JobSpec(queue="q", kind="k"))
    database.close()


@pytest.mark.parametrize("pipes", [True, False])
def test_a_commit_in_another_process_wakes(pipes, path):
    database = connect(path, schemas=QUEUE, wait_ms=WAIT_MS)
    looked = threading.Event()

    def version() -> int:
        number = database._version()
        looked.set()
        return number

    database._bell = Bell(database.url, version, pipes=pipes)
    database.wait(0)
    looked.clear()
    other = start(send_one, path)
    answers: list[bool] = []
    thread = threading.Thread(target=lambda: answers.append(database.wait(LONG_MS)))
    thread.start()
    assert pipes or looked.wait(PATIENCE)  # A pipe keeps the ring; without one it counts from the first look.
    other.tell("go")
    thread.join(PATIENCE)
    assert answers == [True]
    assert other.ends() == 0
    database.close()


def test_no_ring_is_lost_however_many_threads_send(path):
    database = connect(path, schemas=QUEUE, wait_ms=WAIT_MS)
    database.wait(0)

    def send() -> None:
        with database.transaction(durable=False) as tx:
            queue.send(tx, JobSpec(queue="q", kind="k"))

    received = 0
    threads = [threading.Thread(target=send) for _ in range(20)]
    for thread in threads:
        thread.start()
    while received < len(threads):
        assert database.wait(LONG_MS)
        with database.transaction(durable=False) as tx:
            received += len(queue.receive(tx, queue="q", owner="me", limit=100))
    for thread in threads:
        thread.join(PATIENCE)
    database.close()
    until(lambda: not any(thread.is_alive() for thread in threads))
