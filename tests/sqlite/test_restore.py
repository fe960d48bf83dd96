"""Restoring a backup: the old database or the restored one, whole, whenever the process is killed."""

from __future__ import annotations

import os
from pathlib import Path

import apsw
import pytest

import roles
from jotsam import DatabaseBusy, DatabaseReplaced, DatabaseUnusable, InvalidInput, Jotsam, NotADatabase, SchemaTooNew
from jotsam.admin.doctor import examine
from jotsam.admin.restore import restore
from jotsam.core.names import ENRICH
from jotsam.core.settings import Settings
from jotsam.storage import queue
from jotsam.storage.sqlite import worker_lease
from processes import killed_at, start


@pytest.fixture
def old(jot) -> tuple[str, str]:
    """A database and a backup of it, after which something was added; that is in the write-ahead log alone."""
    jot.remember("Ana lives in Bonn.", external_id="ana")
    made = jot.admin.backup()
    jot.remember("Ben lives in Rome.", external_id="ben")
    jot.close()
    return jot.database.url, made.path


def places(path: str | Path) -> int:
    with Jotsam(settings=Settings(db=str(path), worker="off")) as jot:
        return sum(bool(jot.recall(name).hits) << bit for bit, name in enumerate(("Bonn", "Rome")))


ANA, BOTH = 1, 3


def test_the_old_log_is_not_applied_to_the_restored_file_and_the_old_database_is_kept(old, tmp_path):
    url, made = old
    assert os.path.getsize(url + "-wal") > 0
    found = restore(url, made)
    assert (found.memories, found.documents, found.jobs) == (1, 0, 1)
    assert places(url) == ANA
    assert found.kept is not None
    assert places(found.kept) == BOTH
    again = restore(url, found.kept)  # back to what was there
    assert places(url) == BOTH
    with Jotsam(settings=Settings(db=url, worker="off")) as jot:
        jot.remember("Cem lives in Rome.")
    Path(url).unlink()
    assert os.path.getsize(url + "-wal") > 0
    assert again.kept is not None
    assert restore(url, made).kept is None
    assert places(url) == ANA


def test_leases_in_a_backup_are_void_and_all_jobs_run_again(url):
    settings = Settings(db=url, worker="off", worker_idle_ms=0)
    with Jotsam(settings=settings) as jot:
        memory = jot.remember("Ana lives in Bonn.")
        with jot.database.transaction() as tx:
            assert queue.receive(tx, queue=ENRICH, owner="worker 1")
            who = worker_lease.Holder(owner="worker 1", pid=os.getpid(), host="elsewhere")
            worker_lease.take(tx, who, lease_ms=60_000)
        made = jot.admin.backup()
    with pytest.raises(DatabaseBusy, match="on elsewhere uses it"):
        restore(url, made.path)
    Path(url).unlink()
    restore(url, made.path)
    with Jotsam(settings=settings) as jot:
        assert jot.status().worker == "none"
        assert jot.work() == 1
        assert jot.wait([memory.id], timeout_ms=0)
    levels = {check.name: check.level for check in examine(settings)}
    assert set(levels.values()) == {"ok"}, levels


def test_a_file_that_is_in_use_is_not_replaced(old, processes):
    url, made = old
    with (
        Jotsam(settings=Settings(db=url, worker="off")),
        pytest.raises(DatabaseBusy, match="this process has it open"),
    ):
        restore(url, made)
    processes.append(start(roles.hold, url, ("select 1 from memory where id < 0",)))
    processes[0].says()
    with pytest.raises(DatabaseBusy, match="other processes use it; stop the programs"):
        restore(url, made)
    processes[0].kill()
    assert places(url) == BOTH
    restore(url, made)
    assert places(url) == ANA


def test_a_program_that_had_the_replaced_file_open_is_told(old):
    """A lock of the file is void where locks of other machines are not seen."""
    url, made = old
    with Jotsam(settings=Settings(db=url, worker="off")) as jot:
        os.replace(made, url)
        with pytest.raises(DatabaseReplaced):
            jot.remember("Lost.")


def test_what_is_no_sound_backup_is_refused_and_nothing_changes(old, tmp_path):
    url, made = old
    newer = tmp_path / "newer.db"
    newer.write_bytes(Path(made).read_bytes())
    connection = apsw.Connection(str(newer))
    connection.execute("update jotsam_migration set version = 99 where schema = 'queue' and version = 1")
    connection.close()
    damaged = tmp_path / "damaged.db"
    whole = Path(made).read_bytes()
    damaged.write_bytes(whole[:40_960] + b"\xff" * 200_000 + whole[240_960:])
    text = tmp_path / "export.jsonl"
    text.write_text("{}\n" * 2_000)
    foreign = tmp_path / "foreign.db"
    connection = apsw.Connection(str(foreign))
    connection.execute("create table theirs (x)")
    connection.close()
    for backup, error, message in (
        (newer, SchemaTooNew, "newer.db: jotsam 0.* made its schema queue 99"),
        (damaged, NotADatabase, "damaged.db: damaged"),
        (text, NotADatabase, "file is not a database"),
        (foreign, DatabaseUnusable, "is not a database of jotsam"),
        (tmp_path / "none.db", DatabaseUnusable, "does not exist"),
        (url, DatabaseUnusable, "is the database itself"),
    ):
        with pytest.raises(error, match=message):
            restore(url, str(backup))
    with pytest.raises(InvalidInput, match="is a server: restore a dump"):
        restore("postgresql://ana:secret@db/app", made)
    assert not [name for name in os.listdir(tmp_path) if "partial" in name or "before-restore" in name]
    assert places(url) == BOTH


def test_messages_about_damage_name_the_newest_backup_and_the_command(old):
    url, made = old
    settings = Settings(db=url, worker="off")
    named = f"restore the newest backup: jotsam db restore {made} --db {url}"
    found = {check.name: check for check in examine(settings)}
    assert found["backup"].text == f"the newest is less than a day old: {made}"
    with Jotsam(settings=settings) as jot, jot.database.transaction() as tx:
        tx.execute("drop table date_range")
    found = {check.name: check for check in examine(settings)}
    assert found["schema"].repair == named
    with Jotsam(settings=settings) as jot:
        jot.database.maintain()
    with open(url, "r+b") as file:
        file.seek(4_096)
        file.write(b"\xff" * 40_960)
    with pytest.raises(NotADatabase, match="damaged") as caught, Jotsam(settings=settings) as jot:
        jot.remember("More.")
    assert named in str(caught.value)


def test_a_damaged_database_is_replaced_and_kept_with_its_log(old):
    url, made = old
    log = Path(url + "-wal").read_bytes()
    Path(url).write_bytes(b"\xff" * 4_096)
    Path(url + "-wal").write_bytes(log[:100])
    kept = restore(url, made).kept
    assert kept is not None
    assert Path(kept).read_bytes() == b"\xff" * 4_096
    assert places(url) == ANA


def test_a_killed_restore_leaves_the_old_database_or_the_restored_one(old, tmp_path):
    url, made = old
    states = []
    while killed_at(len(states) + 1, lambda: restore(url, made), folder=str(tmp_path)):
        states.append(places(url))
    assert places(url) == ANA
    assert len(states) >= 8
    assert states == sorted(states, reverse=True)
    assert set(states) == {BOTH, ANA}
    assert not [name for name in os.listdir(tmp_path) if "partial" in name]
