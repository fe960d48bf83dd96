"""Wake-up of processes that wait for jobs, over a named pipe; without named pipes, by polling the database."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from jotsam import Jotsam
from jotsam.admin import doctor
from jotsam.core.job_records import JobSpec
from jotsam.core.settings import Settings
from jotsam.storage import QUEUE, connect, queue
from jotsam.storage.sqlite.sqlite_notify import PipeNotifier
from processes import PATIENCE, WAIT_MS, Connection, start, until

LONG_MS, SHORT_MS = PATIENCE * 1_000, 20
NOBODY = 65_534


@pytest.fixture
def path(tmp_path: Path) -> str:
    (tmp_path / "jotsam.db").touch()
    return str(tmp_path / "jotsam.db")


@pytest.fixture
def notifier(path: str) -> Iterator[Callable[..., PipeNotifier]]:
    """Notifiers of one database, as each process has its own."""
    notifiers: list[PipeNotifier] = []

    def make(version: Callable[[], int] = lambda: 0, *, pipes: bool = True) -> PipeNotifier:
        notifiers.append(PipeNotifier(path, version, has_pipes=pipes))
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
    one = notifier()
    one.notify()
    assert [place for place in one.places() if os.path.exists(place)] == []


def test_a_notification_after_the_listener_closed_wakes_no_later_listener(notifier):
    first = notifier()
    first.listen()
    first.close()
    notifier().notify()
    assert not notifier().wait(SHORT_MS)


def test_a_full_pipe_blocks_no_sender_and_wakes_its_listener(notifier):
    listener, sender = notifier(), notifier()
    listener.listen()
    end = os.open(pipe_of(sender), os.O_WRONLY | os.O_NONBLOCK)

    def fill() -> None:
        while True:
            os.write(end, bytes(4_096))

    with pytest.raises(BlockingIOError):
        fill()
    os.close(end)
    sender.notify()
    assert listener.wait(LONG_MS)
    assert not listener.wait(SHORT_MS)


def pipe_of(one: PipeNotifier) -> str:
    (pipe,) = (place for place in one.places() if os.path.exists(place))
    return pipe


def test_only_its_owner_can_use_the_pipe(notifier):
    listener = notifier()
    listener.listen()
    pipe = pipe_of(listener)
    mode = os.stat(pipe).st_mode
    assert stat.S_ISFIFO(mode)
    assert stat.S_IMODE(mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(pipe)).st_mode) == 0o700


def test_nothing_that_blocks_a_copy_is_beside_the_database(path):
    """`cp jotsam.db* FOLDER` and `grep WORD jotsam.db*` read each of these files to its end."""
    with closing(connect(path, schemas=QUEUE, wait_ms=WAIT_MS)) as database:
        database.wait(0)
        assert [one.name for one in Path(path).parent.iterdir() if not one.is_file()] == []


def test_doctor_removes_the_pipe_that_an_earlier_version_made_and_no_other_file(tmp_path):
    settings = Settings(db=str(tmp_path / "jotsam.db"), worker="off")
    Jotsam(settings=settings).close()
    old = tmp_path / "jotsam.db.wake"
    os.mkfifo(old)
    told = [one.text for one in doctor.examine(settings) if one.name == "folder"]
    assert (len(told), old.exists()) == (2, False)
    assert told[1].startswith(f"removed {old}, ")
    old.write_text("mine")
    assert len([one for one in doctor.examine(settings) if one.name == "folder"]) == 1
    assert old.read_text() == "mine"


def test_processes_of_different_environments_and_paths_wake_each_other(notifier, path, tmp_path, monkeypatch):
    listener = notifier()
    listener.listen()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "link.db").symlink_to(path)
    PipeNotifier(str(tmp_path / "link.db"), lambda: 0).notify()
    assert listener.wait(LONG_MS)


def test_a_pipe_that_was_removed_is_made_again(notifier):
    listener = notifier()
    listener.listen()
    os.unlink(pipe_of(listener))
    assert not listener.wait(SHORT_MS)
    notifier().notify()
    assert listener.wait(LONG_MS)


def test_a_pipe_without_a_listener_is_removed_later(notifier, path, tmp_path):
    first, second = notifier(), notifier()
    first.listen()
    second.listen()
    (tmp_path / "other.db").touch()
    killed = PipeNotifier(str(tmp_path / "other.db"), lambda: 0)
    killed.listen()
    pipe, left = pipe_of(first), pipe_of(killed)
    killed.close()
    for one in (pipe, left):
        os.utime(one, (0, 0))
    notifier().listen()
    assert (os.path.exists(pipe), os.path.exists(left)) == (True, False)


@pytest.mark.parametrize("what", ["a file", "a link", "an open folder", "a folder of another user"])
def test_a_run_folder_that_others_can_use_is_not_used_and_waiting_polls(what, notifier, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    if what == "a file":
        folder.write_text("something else")
    elif what == "a link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        folder.symlink_to(tmp_path / "elsewhere")
    elif what == "a folder of another user":
        if os.geteuid() != 0:
            pytest.skip("only root can make folders of another user")
        folder.mkdir(mode=0o700)
        os.chown(folder, NOBODY, NOBODY)
    else:
        folder.mkdir()
        folder.chmod(0o777)
    monkeypatch.setattr("jotsam.storage.sqlite.sqlite_notify.RUN_FOLDERS", (str(folder),))
    assert not notifier().wait(SHORT_MS)
    notifier().notify()
    assert notifier(version_rising_at_each_third_call()).wait(LONG_MS)
    assert not folder.is_dir() or list(folder.iterdir()) == []


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

    database._notifier = PipeNotifier(database.url, version, has_pipes=pipes)
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
