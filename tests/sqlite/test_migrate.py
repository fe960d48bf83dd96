"""Schemas of other versions: newer ones are refused, older ones are brought up to date, with a copy made before.

The next version is made honestly: a copy of the package with one more migration, run as a process of its own.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

import jotsam
from jotsam import Jotsam, SchemaTooNew, SchemaTooOld
from jotsam.storage import QUEUE, connect, documents

MIGRATIONS = "jotsam/storage/sql/sqlite/migrations"
MORE = "alter table queue_job add column colour text;\ncreate table queue_more (id integer primary key) strict;\n"
BROKEN = "create table queue_half (id integer primary key) strict;\ninsert into nowhere values (1);\n"


@pytest.fixture
def next_version(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs Python code with the next version of the package, whose queue has one migration more."""

    def run(code: str, *, migration: str = MORE) -> subprocess.CompletedProcess[str]:
        package = tmp_path / "next" / "jotsam"
        shutil.copytree(Path(jotsam.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
        (tmp_path / "next" / MIGRATIONS / "queue_0002_more.sql").write_text(migration)
        environment = os.environ | {"PYTHONPATH": f"{package.parent}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
        return subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
        )

    return run


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
    copy = f"{filled}.before-queue-2"
    assert stat.S_IMODE(os.stat(copy).st_mode) == 0o600
    with Jotsam(copy, worker="off") as jot:
        assert jot.recall("aardvarks").coverage.total == 1
        assert jot.status().documents == 1


def test_a_newer_file_is_refused_and_says_what_to_do(filled, next_version):
    assert next_version(f"from jotsam import Jotsam\nJotsam({filled!r}, worker='off')").stderr == ""
    with pytest.raises(SchemaTooNew, match="schema queue is 2, this version knows 1: upgrade jotsam"):
        Jotsam(filled, worker="off")


def test_a_migration_that_fails_leaves_the_file_as_it_was(filled, next_version):
    done = next_version(f"from jotsam import Jotsam\nJotsam({filled!r}, worker='off')", migration=BROKEN)
    assert "no such table: nowhere" in done.stderr
    with Jotsam(filled, worker="off") as jot, jot.database.snapshot() as tx:
        assert tx.execute("select name from sqlite_schema where name = 'queue_half'") == []
        assert documents.count(tx, tenant="default") == 1


def test_a_hook_does_not_migrate(filled, next_version):
    code = f"from jotsam.storage import connect\nconnect({filled!r}, migrate=False)"
    assert "SchemaTooOld" in next_version(code).stderr


def test_a_hook_makes_no_database_either(url):
    with pytest.raises(jotsam.DatabaseUnusable):
        connect(url, migrate=False)
    assert not Path(url).exists()
    Path(url).touch()
    with pytest.raises(SchemaTooOld, match="schema queue is 0, this version needs 1: run `jotsam status`"):
        connect(url, migrate=False)


def test_the_queue_alone_becomes_a_memory_when_it_is_asked_to(url):
    connect(url, schemas=QUEUE).close()
    with Jotsam(url, worker="off") as jot:
        jot.add("A document about aardvarks.")
        assert jot.recall("aardvarks").coverage.total == 1


def test_each_migration_is_written_down_once(url, clock):
    for _ in range(2):
        database = connect(url, clock=clock)
        with database.snapshot() as tx:
            rows = tx.execute("select schema, version, name, applied_at from jotsam_migration order by schema")
        database.close()
    assert [(row["schema"], row["version"], row["applied_at"]) for row in rows] == [
        ("memory", 1, clock.now),
        ("queue", 1, clock.now),
    ]


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
