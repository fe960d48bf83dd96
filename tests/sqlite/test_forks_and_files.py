"""A database file that is used across a fork, after it was closed, after it was deleted, and with many open files."""

from __future__ import annotations

import os
import resource
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jobs import kinds, send
from jotsam import DatabaseBusy, DatabaseReplaced, DatabaseUnusable, Jotsam, JotsamError
from jotsam.core.job_records import JobSpec
from jotsam.core.settings import Settings
from jotsam.storage import QUEUE, connect, queue
from jotsam.storage.sqlite.sqlite import SQLiteDatabase
from processes import PATIENCE, WAIT_MS, Connection, start

if TYPE_CHECKING:
    pass

MORE_THAN_THE_CACHE = 20_000_000
MANY_FILES = 1_100


# Forks


def fork(pipe: Connection, url: str) -> None:
    """A process with a database in use forks, and both go on with it."""
    database = connect(url)
    send(database, kind="parent before")
    child = os.fork()
    if child == 0:
        send(database, kind="child")
        database.close()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    send(database, kind="parent after")
    pipe.send((status, kinds(database)))
    database.close()


def test_the_child_of_a_fork_has_connections_and_locks_of_its_own(url):
    forking = start(fork, url)
    assert forking.says() == (0, ["child", "parent after", "parent before"])
    assert forking.ends() == 0
    database = connect(url)
    with database.snapshot() as tx:
        assert tx.execute("pragma integrity_check") == [{"integrity_check": "ok"}]
    assert len(kinds(database)) == 3
    database.close()


def fork_within(pipe: Connection, url: str) -> None:
    """The child closes what it inherited while its parent holds the write lock."""
    database = connect(url)
    with database.transaction() as tx:
        queue.send(tx, JobSpec(queue="q", kind="parent", payload=bytes(MORE_THAN_THE_CACHE)))
        child = os.fork()
        if child == 0:
            database.close()
            os._exit(0)
        os.waitpid(child, 0)
        pipe.send("the child has ended")
        pipe.recv()
    database.close()


def test_a_child_that_ends_does_not_take_the_lock_of_its_parent_with_it(url):
    holding = start(fork_within, url)
    assert holding.says() == "the child has ended"
    database = SQLiteDatabase(url, schemas=QUEUE, wait_ms=0)
    with pytest.raises(DatabaseBusy):
        send(database, kind="other")
    holding.tell("go on")
    assert holding.ends() == 0
    send(database, kind="other")
    assert kinds(database) == ["other", "parent"]
    database.close()


def fork_beside(pipe: Connection, url: str, size: int) -> None:
    """Forks while another thread holds the write lock. The child writes when the thread is done."""
    database = SQLiteDatabase(url, schemas=QUEUE, wait_ms=WAIT_MS)
    written, over = threading.Event(), threading.Event()

    def write() -> None:
        with database.transaction() as tx:
            queue.send(tx, JobSpec(queue="q", kind="thread", payload=bytes(size)))
            written.set()
            over.wait(PATIENCE)

    thread = threading.Thread(target=write)
    thread.start()
    written.wait(PATIENCE)
    (ready, go), (said, say) = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.read(ready, 1)
        try:
            send(database, kind="child")
        except DatabaseUnusable as error:
            os.write(say, str(error).encode())
        os.write(say, b".")
        os._exit(0)
    over.set()
    thread.join(PATIENCE)
    os.write(go, b"g")
    os.waitpid(child, 0)
    with database.snapshot() as tx:
        (check,) = tx.execute("pragma integrity_check")
    pipe.send((os.read(said, 1_000).decode(), kinds(database), check))
    database.close()


def test_the_child_of_a_fork_can_write_although_a_thread_was_writing(url):
    forking = start(fork_beside, url, 10)
    assert forking.says() == (".", ["child", "thread"], {"integrity_check": "ok"})
    assert forking.ends() == 0


def test_a_child_that_cannot_give_up_a_long_transaction_of_its_parent_says_what_to_do(url):
    """Its pages are in the log already; undoing them in the child would change what the parent reads."""
    forking = start(fork_beside, url, MORE_THAN_THE_CACHE)
    message, found, check = forking.says()
    assert "forked in the middle of a transaction" in message
    assert "fork outside of transactions" in message
    assert (found, check) == (["thread"], {"integrity_check": "ok"})
    assert forking.ends() == 0


def fork_inside(pipe: Connection, url: str) -> None:
    """The child leaves the transaction that its parent has open."""
    database = connect(url, schemas=QUEUE)
    said, say = os.pipe()
    child = 1
    try:
        with database.transaction() as tx:
            queue.send(tx, JobSpec(queue="q", kind="parent"))
            child = os.fork()
            if child:
                os.waitpid(child, 0)
    except JotsamError as error:
        os.write(say, str(error).encode())
    finally:
        if child == 0:
            os._exit(0)
    pipe.send((kinds(database), os.read(said, 1_000).decode()))
    database.close()


def test_only_the_parent_can_commit_a_transaction_that_was_open_at_the_fork(url):
    forking = start(fork_inside, url)
    found, message = forking.says()
    assert found == ["parent"]
    assert message == "this transaction was opened before the fork: only the parent process can commit it"
    assert forking.ends() == 0


# Files


def work_with_many_files(pipe: Connection, url: str) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (MANY_FILES + 200, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(MANY_FILES)]
    with Jotsam(settings=Settings(db=url, worker="off", worker_idle_ms=0)) as jot:
        jot.remember("Ann lives in Berlin.")
        pipe.send((min(held[1_030:]) > 1_023, jot.work()))


def test_a_process_with_many_open_files_can_work(url):
    working = start(work_with_many_files, url)
    assert working.says() == (True, 1)
    assert working.ends() == 0


def replace(url: str) -> None:
    os.rename(url, f"{url}.old")
    connect(f"{url}.new").close()
    os.rename(f"{url}.new", url)


@pytest.mark.parametrize("remove", [os.unlink, replace])
def test_nothing_is_accepted_into_a_file_that_was_deleted_or_replaced(url, remove: Callable[[str], None]):
    with Jotsam(url, worker="off") as jot:
        jot.add("A document about aardvarks.")
        remove(url)
        for call in (lambda: jot.add("More."), lambda: jot.recall("aardvarks"), jot.status):
            with pytest.raises(DatabaseReplaced, match="was deleted or replaced while it was open; open it again"):
                call()
    for ending in ("-wal", "-shm"):
        Path(f"{url}{ending}").unlink(missing_ok=True)
    with Jotsam(url, worker="off") as jot:
        jot.add("A document about zebras.")
        assert jot.status().documents == 1
