"""Other schema versions of a file: a backup is made first, and files of other programs are left alone.

What holds on every database stands in tests/conformance/test_schemas.py.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

import apsw
import pytest

import jotsam
from jotsam import Jotsam, SchemaTooOld
from jotsam.storage import QUEUE, connect, outstanding, script
from jotsam.storage.sqlite import backup_files


@pytest.fixture
def filled(url: str) -> str:
    """A file of this version, with a document whose commit still stands in the write-ahead log alone."""
    with Jotsam(url, worker="off") as jot:
        jot.add("A document about aardvarks.")
    return url


def test_an_older_file_is_brought_up_to_date_and_a_copy_is_made_before(filled, next_version):
    code = f"""from jotsam import Jotsam
with Jotsam({filled!r}, worker="off") as jot:
    jot.add("More.")
    print(jot.recall("aardvarks").coverage.total)
"""
    done = next_version(code)
    assert (done.stdout, done.stderr) == ("1\n", "")
    (copy,) = backup_files.listed(filled)
    assert copy.endswith("Z-before-queue-3.db")
    assert stat.S_IMODE(os.stat(copy).st_mode) == 0o600
    with Jotsam(copy, worker="off") as jot:
        assert jot.recall("aardvarks").coverage.total == 1
        assert jot.status().documents == 1


def test_without_space_for_the_copy_nothing_is_migrated_and_the_error_says_what_to_do(filled, next_version, tmp_path):
    code = f"""import resource
from jotsam import Jotsam, DatabaseFull
from jotsam.memory.transfer.backup import backup
unlimited = resource.RLIM_INFINITY
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, unlimited))
try:
    Jotsam({filled!r}, worker="off")
except DatabaseFull as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (unlimited, unlimited))
print(backup({filled!r}, {str(tmp_path / "elsewhere.db")!r}).documents)
"""
    done = next_version(code)
    error, elsewhere = done.stdout.splitlines()
    assert "there is no space for the backup that is made before" in error
    assert "run `jotsam db backup FILE` to copy the database to another disk" in error
    assert elsewhere == "1"
    assert os.listdir(tmp_path / "backups") == []
    for unchanged in (filled, str(tmp_path / "elsewhere.db")):
        with Jotsam(unchanged, worker="off") as jot:
            assert jot.recall("aardvarks").coverage.total == 1


def test_a_hook_makes_no_database_either(url):
    with pytest.raises(jotsam.DatabaseUnusable):
        connect(url, migrate=False)
    assert not Path(url).exists()
    Path(url).touch()
    with pytest.raises(SchemaTooOld, match="schema queue is 0, this version needs 2: run `jotsam status`"):
        connect(url, migrate=False)


def test_the_file_of_another_program_may_hold_a_queue_and_is_otherwise_left_alone(url):
    other = apsw.Connection(url)
    other.execute("create table theirs (x); insert into theirs values (1); pragma user_version = 7")
    other.close()
    before = Path(url).read_bytes()
    with pytest.raises(jotsam.DatabaseUnusable, match=r"belongs to another program .*'theirs'.*choose another file"):
        Jotsam(url, worker="off")
    assert Path(url).read_bytes() == before
    database = connect(url, schemas=QUEUE)
    with database.snapshot() as tx:
        assert tx.execute("select x from theirs") == [{"x": 1}]
        assert tx.execute("pragma user_version") == [{"user_version": 7}]
    database.close()


def test_the_printed_script_run_by_another_program_is_the_migration(url):
    other = apsw.Connection(url)
    for _ in other.execute(script(url)):
        pass
    other.close()
    assert outstanding(url) == []
    assert script(url) == ""
    with Jotsam(url, worker="off") as jot:
        assert jot.database.applied == ()
        jot.add("A document about aardvarks.")
        assert jot.recall("aardvarks").coverage.total == 1
