"""Backups of a file: consistent while processes write, checked, complete or absent under their name."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import roles
from jotsam import Backup, DatabaseFull, DatabaseUnusable, InvalidInput, Jotsam, NotADatabase
from jotsam.memory.transfer.backup import backup
from jotsam.storage.sqlite import backup_files, sqlite_backup
from processes import Connection, killed_at, start

ADDERS, BACKUPS, TEXTS = 2, 4, 100


def names(folder: str | Path) -> list[str]:
    return sorted(os.listdir(folder))


def overwrite(path: str, offset: int, data: bytes) -> None:
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(data)


def test_a_backup_is_consistent_while_workers_and_adders_write(jot, processes, monkeypatch):
    monkeypatch.setattr(sqlite_backup, "STEP_PAGES", 1)  # so that others commit between the steps
    url = jot.database.url
    jot.remember_many([f"A remark about Kafka, number {number}." for number in range(300)])
    for number in range(ADDERS):
        texts = [f"# Note {number}-{n}\n\nAna likes Kafka." for n in range(TEXTS)]
        processes.append(start(roles.add, url, texts))
    for process in processes:
        process.says()
    processes.append(start(roles.work, url, 0, 2, 0))
    made = []
    for _ in range(BACKUPS):
        before = jot.status().documents
        one = jot.admin.backup()
        assert before <= one.documents <= jot.status().documents
        made.append(one)
    for one in made:
        before = Path(one.path).read_bytes()
        with Jotsam(one.path, worker="off") as copy:
            status = copy.status()
            assert (status.documents, status.memories) == (one.documents, one.memories)
            with copy.database.snapshot() as tx:
                assert tx.execute("pragma integrity_check") == [{"integrity_check": "ok"}]
                assert tx.execute("pragma journal_mode") == [{"journal_mode": "wal"}]
        assert Path(one.path).read_bytes() == before  # Reading a backup does not change it.
    assert names(backup_files.folder_of(url))[0].startswith("jotsam-20")


def test_named_backups_are_private_and_only_the_newest_are_kept(jot, tmp_path):
    jot.remember("Ana lives in Bonn.")
    folder = tmp_path / "backups"
    folder.mkdir()
    others = ["jotsam-20200101T000000Z-before-queue-2.db", "jotsam-x-20200101T000000Z.db", "notes.db", "jotsam-1.db"]
    for name in (*others, "jotsam-20200101T000000Z.db", "jotsam-20200101T000001Z.db"):
        (folder / name).touch()
    made = jot.admin.backup(keep=2)
    assert isinstance(made, Backup)
    assert (made.checked, made.memories, made.documents, made.jobs) == (True, 1, 0, 1)
    assert made.removed == (str(folder / "jotsam-20200101T000000Z.db"),)
    assert names(folder) == sorted([*others, "jotsam-20200101T000001Z.db", os.path.basename(made.path)])
    assert stat.S_IMODE(os.stat(made.path).st_mode) == 0o600
    again = jot.admin.backup(str(folder), keep=1)
    assert len(again.removed) == 2
    assert jot.admin.backup(tmp_path / "mine.db").path == str(tmp_path / "mine.db")
    with pytest.raises(DatabaseUnusable, match=r"mine\.db exists: choose another name"):
        jot.admin.backup(tmp_path / "mine.db")
    with pytest.raises(InvalidInput, match="invalid keep 3 for the file"):
        jot.admin.backup(tmp_path / "more.db", keep=3)
    with pytest.raises(InvalidInput, match="pg_dump -n SCHEMA"):
        backup("postgresql://ana:secret@db/app")


def test_a_damaged_database_gets_no_backup_and_older_ones_are_kept(jot, tmp_path):
    for number in range(50):
        jot.remember(f"Ana has {number} cats.")
    first = jot.admin.backup().path
    jot.database.maintain()
    with jot.database.snapshot() as tx:
        (root,) = tx.execute("select rootpage from sqlite_schema where name = 'memory'")
    jot.close()
    overwrite(jot.database.url, (root["rootpage"] - 1) * 4096, bytes(4096))
    with pytest.raises(NotADatabase, match=f"it is damaged .*; restore the newest backup: jotsam db restore {first}"):
        backup(jot.database.url, keep=1)
    assert names(tmp_path / "backups") == [os.path.basename(first)]


def test_a_copy_that_was_damaged_on_its_way_is_found(jot, tmp_path):
    for number in range(50):
        jot.remember(f"Ana has {number} cats.")
    content = sqlite_backup.copy_pages(jot.database.url, str(tmp_path / "copy.db"))
    assert sqlite_backup.checked(str(tmp_path / "copy.db"), content) == content
    jot.remember("One more.")
    with pytest.raises(NotADatabase, match="incomplete"):
        sqlite_backup.checked(jot.database.url, content)
    size = (tmp_path / "copy.db").stat().st_size
    for page in range(1, size // 4096):
        overwrite(str(tmp_path / "copy.db"), page * 4096, b"\xff" * 4096)
    with pytest.raises(NotADatabase, match="damaged"):
        sqlite_backup.checked(str(tmp_path / "copy.db"), content)


def test_a_killed_backup_leaves_none_or_a_whole_one_and_the_next_removes_the_rest(jot, tmp_path):
    jot.remember("Ana lives in Bonn.")
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    killed = 0
    url = jot.database.url
    jot.close()
    while killed_at(killed + 1, lambda: backup(url, folder, keep=1), folder=str(folder)):
        killed += 1
        for path in folder.iterdir():
            if path.suffix == ".db":
                assert sqlite_backup.checked(str(path)).memories == 1
    assert killed >= 4
    assert [path.suffix for path in folder.iterdir()] == [".db"]


def test_a_full_disk_leaves_nothing(jot, tmp_path):
    jot.remember("Ana lives in Bonn.")
    full = start(back_up_without_space, jot.database.url, str(tmp_path / "elsewhere")).says()
    assert "no space left" in full or "check the disk" in full
    assert names(tmp_path / "elsewhere") == []


def back_up_without_space(pipe: Connection, url: str, folder: str) -> None:
    import resource

    os.mkdir(folder)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
    try:
        backup(url, folder)
    except DatabaseFull as error:
        pipe.send(str(error))
