"""Properties of a database file: permissions, files of other programs, threads, forks, and the write-ahead log."""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jobs import kinds, send
from jotsam import DatabaseBusy, DatabaseReadOnly, DatabaseUnusable, Jotsam, JotsamError, NotADatabase
from jotsam.core.settings import Settings
from jotsam.ingest import spawn
from jotsam.storage import MEMORY, QUEUE, connect, migrations
from jotsam.storage.sqlite.sqlite import WAL_PAGES, SQLiteDatabase
from processes import PATIENCE, WAIT_MS, Connection, start, until

if TYPE_CHECKING:
    pass

CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER = 1, 2, 3
CAPABILITY_VERSION = 0x2008_0522
AT_ONCE = 20
MORE_THAN_THE_CACHE = 20_000_000
WAL_HEADER = struct.Struct(">4x8xI")
BURST = (4 * WAL_PAGES + 100) * 4_096


# Modes of files


def make_with_open_mask(pipe: Connection, url: str) -> None:
    os.umask(0)
    with Jotsam(settings=Settings(db=url, worker="off")) as jot:
        jot.add("A document.")
        jot.database.wait(0)
        pid = spawn.launch(url, token="token")
        os.waitpid(pid, 0)
        folder = Path(url).parent
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
        pipe.send(modes | {"": stat.S_IMODE(folder.stat().st_mode)})


def test_only_the_owner_can_read_anything_of_it(tmp_path):
    """Even where whoever starts it would let everybody in."""
    making = start(make_with_open_mask, str(tmp_path / "new" / "jotsam.db"))
    modes = making.says()
    assert modes.pop("") == 0o700
    assert modes == dict.fromkeys([f"jotsam.db{ending}" for ending in ("", "-wal", "-shm", ".log")], 0o600)
    assert making.ends() == 0


def without_privileges(pipe: Connection, role: Callable[..., Any], *arguments: Any) -> None:
    """Runs a role as somebody whom the modes of files bind, also where the tests are run by root."""
    if os.geteuid() == 0:
        dropped = sum(1 << number for number in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER))
        libc = ctypes.CDLL(None, use_errno=True)
        header = struct.pack("Ii", CAPABILITY_VERSION, 0)
        data = ctypes.create_string_buffer(24)
        assert libc.capget(header, data) == 0
        low, *rest = struct.unpack("6I", data.raw)
        assert libc.capset(header, struct.pack("6I", low & ~dropped, *rest)) == 0
    try:
        pipe.send(role(*arguments))
    except JotsamError as error:
        pipe.send(error)


@pytest.fixture
def bound():
    """Runs a role as an ordinary user. Returns what it returns, or the error it raises."""

    def run(role: Callable[..., Any], *arguments: Any) -> Any:
        running = start(without_privileges, role, *arguments)
        said = running.says()
        assert running.ends() == 0
        return said

    return run


def add_one(url: str) -> int:
    with Jotsam(settings=Settings(db=url, worker="off")) as jot:
        jot.add("A document about aardvarks.")
        return jot.status().documents


def remember_one(url: str) -> str:
    with Jotsam(settings=Settings(db=url, worker="off")) as jot:
        id = jot.remember("Aardvarks dig at night.").id
        jot.work()
        return id


def recall_one(url: str) -> list[str]:
    """What an answer shows, after the client was closed, which writes what it counted."""
    with Jotsam(settings=Settings(db=url, worker="off")) as jot:
        hits = jot.recall("aardvarks").hits
    return [hit.id for hit in hits]


def find_one(url: str) -> int:
    with Jotsam(settings=Settings(db=url, worker="off")) as jot:
        return jot.recall("aardvarks").coverage.total


def test_a_folder_that_may_not_be_written_is_told_by_its_name(bound, tmp_path):
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o500)
    error = bound(add_one, str(folder / "jotsam.db"))
    assert isinstance(error, DatabaseReadOnly)
    assert str(error) == f"cannot create {folder}/jotsam.db: Permission denied; choose another path with --db"


def test_a_file_that_may_not_be_written_can_be_asked_but_not_added_to(bound, url):
    assert bound(add_one, url) == 1
    os.chmod(url, 0o400)
    error = bound(add_one, url)
    assert isinstance(error, DatabaseReadOnly)
    assert "check the owner and the mode of the file and its folder" in str(error)
    assert bound(find_one, url) == 1


def test_an_answer_from_a_file_that_may_not_be_written_counts_nothing(bound, url):
    id = bound(remember_one, url)
    os.chmod(url, 0o400)
    assert bound(recall_one, url) == [id]
    os.chmod(url, 0o600)
    with Jotsam(settings=Settings(db=url, worker="off")) as jot:
        assert jot.show(id).recalls == 0
    assert bound(recall_one, url) == [id]
    with Jotsam(settings=Settings(db=url, worker="off")) as jot:
        assert jot.show(id).recalls == 1


def test_a_file_that_may_not_be_read_says_so(bound, url):
    assert bound(add_one, url) == 1
    os.chmod(url, 0o000)
    error = bound(find_one, url)
    assert isinstance(error, DatabaseUnusable)
    assert "is a file you may read" in str(error)


def test_a_file_in_a_folder_that_may_not_be_written_says_so(bound, tmp_path):
    """SQLite needs to make two files beside it, even for reading."""
    folder = tmp_path / "archive"
    assert add_one(str(folder / "jotsam.db")) == 1
    for ending in ("-wal", "-shm"):
        (folder / f"jotsam.db{ending}").unlink()
    folder.chmod(0o500)
    for role in (add_one, find_one):
        error = bound(role, str(folder / "jotsam.db"))
        assert isinstance(error, DatabaseUnusable)
        assert "folder" in str(error)


# Files that are something else


def test_a_file_that_is_something_else_is_refused_and_left_as_it_is(url):
    Path(url).write_text("Dear diary, " * 500)
    with pytest.raises(NotADatabase, match="not a SQLite database; choose another file with --db"):
        connect(url)
    assert Path(url).read_text() == "Dear diary, " * 500


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(DatabaseUnusable, match="check that it exists and is a file"):
        connect(str(tmp_path))


def test_a_damaged_file_says_that_it_is_damaged(url):
    database = connect(url)
    for number in range(50):
        send(database, payload=bytes(5_000), kind=str(number))
    database.maintain()
    database.close()
    with open(url, "r+b") as file:
        file.seek(4_096)
        file.write(b"\xff" * 200_000)
    with pytest.raises(NotADatabase, match="damaged; there is no backup in"):
        kinds(connect(url))


# Many at once


def open_and_send(pipe: Connection, url: str, kind: str) -> None:
    pipe.send("ready")
    pipe.recv()
    database = connect(url, wait_ms=WAIT_MS)
    send(database, kind=kind)
    database.close()
    pipe.send("done")


@pytest.mark.parametrize("times", [1, pytest.param(10, marks=pytest.mark.long)])
def test_many_processes_may_make_the_same_file_at_once(times, tmp_path):
    for attempt in range(times):
        url = str(tmp_path / f"{attempt}" / "jotsam.db")
        crowd = [start(open_and_send, url, f"{number:02}") for number in range(AT_ONCE)]
        assert [one.says() for one in crowd] == ["ready"] * AT_ONCE
        for one in crowd:
            one.tell("go")
        assert [one.ends() for one in crowd] == [0] * AT_ONCE
        database = connect(url)
        assert kinds(database) == [f"{number:02}" for number in range(AT_ONCE)]
        with database.snapshot() as tx:
            assert tx.execute("select count(*) as migrations from jotsam_migration") == [
                {"migrations": sum(migrations.newest("sqlite", schema) for schema in MEMORY)}
            ]
        database.close()


def test_a_thread_that_waits_too_long_for_another_says_so(url):
    database = SQLiteDatabase(url, schemas=QUEUE, wait_ms=20)
    errors: list[BaseException] = []

    def write() -> None:
        with pytest.raises(DatabaseBusy, match="another thread has held the write lock for more than 20 ms") as caught:
            send(database)
        errors.append(caught.value)

    with database.transaction():
        thread = threading.Thread(target=write)
        thread.start()
        thread.join(PATIENCE)
    assert errors
    assert send(database)
    database.close()


def test_closing_beside_a_thread_in_the_middle_of_a_call_leaves_that_thread_its_connection(url):
    database = SQLiteDatabase(url, schemas=QUEUE)
    begun, over = threading.Event(), threading.Event()
    ended: list[object] = []

    def write() -> None:
        database.connection().create_scalar_function("linger", lambda: begun.set() or over.wait(PATIENCE))
        with pytest.raises(JotsamError), database.transaction() as tx:
            tx.execute("select linger()")
            raise JotsamError("given up")
        ended.append("rolled back")

    thread = threading.Thread(target=write)
    thread.start()
    assert begun.wait(PATIENCE)
    database.close()
    over.set()
    thread.join(PATIENCE)
    assert ended == ["rolled back"]
    database = connect(url)
    assert send(database)
    database.close()


# Durability and the log


@pytest.mark.parametrize(("durable", "level"), [(True, 2), (False, 1)])
def test_a_durable_commit_is_synced_and_another_is_not(durable, level, database):
    with database.transaction(durable=durable) as tx:
        assert tx.execute("pragma synchronous") == [{"synchronous": level}]
        assert tx.execute("pragma journal_mode") == [{"journal_mode": "wal"}]
        assert tx.execute("pragma foreign_keys") == [{"foreign_keys": 1}]
        assert tx.execute("pragma fullfsync") == [{"fullfsync": 1}]


def test_the_log_stays_bounded_where_no_worker_tends_it(url):
    """Each burst is longer than the bound; once it is folded, the log is used again from its start."""
    database = connect(url, schemas=QUEUE)

    def rounds() -> int:
        with open(f"{url}-wal", "rb") as log:
            return int(WAL_HEADER.unpack(log.read(WAL_HEADER.size))[0])

    before = rounds()
    for burst in range(3):
        send(database, kind="burst", payload=bytes(BURST))
        until(lambda burst=burst: send(database) and rounds() > before + burst)
    assert Path(f"{url}-wal").stat().st_size < 1.5 * BURST
    assert Path(url).stat().st_size > 2 * BURST
    database.close()


def test_closing_leaves_the_log_to_the_next_and_it_is_found_there(url):
    database = connect(url, schemas=QUEUE)
    send(database, kind="kept")
    database.close()
    assert Path(f"{url}-wal").stat().st_size > 0
    again = connect(url, schemas=QUEUE)
    assert kinds(again) == ["kept"]
    again.maintain()
    assert Path(f"{url}-wal").stat().st_size == 0
    assert kinds(again) == ["kept"]
    again.close()
