"""Schemas of other versions: newer ones are refused, older ones are brought up to date, all or nothing."""

from __future__ import annotations

import pytest

from jotsam import DatabaseUnusable, Jotsam, SchemaTooNew
from jotsam.storage import QUEUE, connect

BROKEN = "create table queue_half (id integer primary key); insert into nowhere values (1);"
WHOLE = "create table queue_half (id integer primary key);"


@pytest.fixture
def filled(url: str) -> str:
    """A database of this version with a document."""
    with Jotsam(url, worker="off") as jot:
        jot.add("A document about aardvarks.")
    return url


def opened(url: str) -> str:
    return f"from jotsam import Jotsam\nwith Jotsam({url!r}, worker='off') as jot: print(jot.status().documents)"


def test_an_older_one_is_brought_up_to_date(filled, next_version):
    done = next_version(opened(filled))
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_a_newer_one_is_refused_and_says_what_to_do(filled, next_version):
    assert next_version(opened(filled)).stderr == ""
    with pytest.raises(SchemaTooNew, match="schema queue is 2, this version knows 1: upgrade jotsam"):
        Jotsam(filled, worker="off")


def test_a_migration_that_fails_leaves_everything_as_it_was(filled, next_version):
    """What it had made before it failed is not there, or the next try could not make it."""
    assert "nowhere" in next_version(opened(filled), migration=BROKEN).stderr
    with Jotsam(filled, worker="off") as jot:
        assert jot.status().documents == 1
    assert next_version(opened(filled), migration=WHOLE).stdout == "1\n"


def test_a_hook_does_not_migrate(filled, next_version):
    code = f"from jotsam.storage import connect\nconnect({filled!r}, migrate=False)"
    assert "SchemaTooOld" in next_version(code).stderr


def test_the_queue_alone_becomes_a_memory_when_it_is_asked_to(url):
    connect(url, schemas=QUEUE).close()
    with Jotsam(url, worker="off") as jot:
        jot.add("A document about aardvarks.")
        assert jot.recall("aardvarks").coverage.total == 1


def test_each_migration_is_written_down_once(url, clock):
    for _ in range(2):
        database = connect(url, clock=clock)
        with database.snapshot() as tx:
            rows = tx.execute("select schema, version, name, applied_at from jotsam_migration order by schema, version")
        database.close()
    assert [(row["schema"], row["version"], row["applied_at"]) for row in rows] == [
        ("memory", 1, clock.now),
        ("memory", 2, clock.now),
        ("queue", 1, clock.now),
    ]


@pytest.mark.parametrize("change", ["update jotsam_migration set fingerprint = 'x' where schema = 'memory'", "drop"])
def test_a_database_of_an_unreleased_version_is_refused_and_says_what_to_do(filled, change):
    """Also one whose `jotsam_migration` has no fingerprints yet, and by a program that does not migrate."""
    with Jotsam(filled, worker="off") as jot, jot.database.transaction() as tx:
        tx.execute("alter table jotsam_migration drop column fingerprint" if change == "drop" else change)
    for attempt in (lambda: Jotsam(filled, worker="off"), lambda: connect(filled, migrate=False)):
        with pytest.raises(DatabaseUnusable, match=r"made by an unreleased version of jotsam.* create a new database"):
            attempt()
