"""Wake-up of processes that wait for jobs, over a named pipe; without named pipes, by polling the database."""

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
from jotsam.storage.sqlite_notify import PipeNotifier
from processes import PATIENCE, WAIT_MS, Connection, start, until

LONG_MS, SHORT_MS = PATIENCE * 1_000, 20


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "jotsam.db")


@pytest.fixture
def notifier(path: str) -> Iterator[Callable[..., PipeNotifier]]:
    """Notifiers of one database, as each process has its own."""
    notifiers: list[PipeNotifier] = []

    def make(version: Callable[[], int] = lambda: 0, *, pipes: bool = True) -> PipeNotifier:
        notifiers.append(PipeNotifier(path, version, pipes=pipes))
        return notifiers[-1]

    yield make
    for one in notifiers:
        one.close()


def version_rising_at_each_third_call() -> Callable[[], int]:
    looks = count()
    return lambda: next(looks) // 3


def test_a_notification_wakes_a_waiting_process(notifier):
    listener, answers = notifier(), []
    listener.listen()
    thread = threading.Thread(target=lambda: answers.append(listener.wait(LONG_MS)))
    thread.start()
    notifier().notify()
    thread.join(PATIENCE)
    assert answers == [True]


def test_a_notification_between_two_waits_is_not_lost(notifier):
    listener = notifier()
    listener.listen()
    notifier().notify()
    assert listener.wait(LONG_MS)


def test_many_notifications_wake_once(notifier):
    listener, sender = notifier(), notifier()
    listener.listen()
    for _ in range(10):
        sender.notify()
    assert listener.wait(LONG_MS)
    assert not listener.wait(SHORT_MS)


def test_notifying_without_a_listener_does_nothing(notifier, path):
    notifier().notify()
    assert not Path(f"{path}.wake").exists()


def test_a_notification_after_the_listener_closed_wakes_no_later_listener(notifier):
    first = notifier()
    first.listen()
    first.close()
    notifier().notify()
    assert not notifier().wait(SHORT_MS)


def test_a_full_pipe_blocks_no_sender_and_wakes_its_listener(notifier):
    listener, sender = notifier(), notifier()
    listener.listen()
    end = os.open(sender._path, os.O_WRONLY | os.O_NONBLOCK)

    def fill() -> None:
        while True:
            os.write(end, bytes(4_096))

    with pytest.raises(BlockingIOError):
        fill()
    os.close(end)
    sender.notify()
    assert listener.wait(LONG_MS)
    assert not listener.wait(SHORT_MS)


def test_only_its_owner_can_use_the_pipe(notifier, path):
    notifier().listen()
    mode = os.stat(f"{path}.wake").st_mode
    assert stat.S_ISFIFO(mode)
    assert stat.S_IMODE(mode) == 0o600


def test_another_file_with_the_name_of_the_pipe_is_left_alone_and_waiting_polls(notifier, path):
    """Some programs copy a pipe as a plain file."""
    Path(f"{path}.wake").write_text("something else")
    assert not notifier().wait(SHORT_MS)
    notifier().notify()
    assert Path(f"{path}.wake").read_text() == "something else"
    assert notifier(version_rising_at_each_third_call()).wait(LONG_MS)


def test_without_pipes_only_a_commit_wakes(notifier):
    assert not notifier(pipes=False).wait(SHORT_MS)
    assert notifier(version_rising_at_each_third_call(), pipes=False).wait(LONG_MS)


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

    database._notifier = PipeNotifier(database.url, version, pipes=pipes)
    database.wait(0)
    looked.clear()
    other = start(send_one, path)
    answers: list[bool] = []
    thread = threading.Thread(target=lambda: answers.append(database.wait(LONG_MS)))
    thread.start()
    assert pipes or looked.wait(PATIENCE)  # A pipe keeps the notification; polling compares with the first version.
    other.tell("go")
    thread.join(PATIENCE)
    assert answers == [True]
    assert other.ends() == 0
    database.close()


def test_no_notification_is_lost_when_many_threads_send(path):
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
