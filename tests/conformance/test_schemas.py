"""Schemas of other versions: newer ones are refused, older ones are brought up to date, all or nothing."""

from __future__ import annotations

import pytest

from jotsam import DatabaseUnusable, Jotsam, SchemaTooNew
from jotsam.storage import QUEUE, connect, migrations

pytestmark = pytest.mark.needs_server

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


def made(kind: str) -> str:
    """What is said of a database that the next version has migrated. A server has had one migration more."""
    known = migrations.newest(kind, "queue")
    return rf"jotsam 9\.9 made its schema queue {known + 1}, .* which knows {known}: upgrade jotsam"


def test_a_newer_one_is_refused_and_says_what_to_do(filled, next_version, kind):
    assert next_version(opened(filled)).stderr == ""
    with pytest.raises(SchemaTooNew, match=made(kind)):
        Jotsam(filled, worker="off")


def test_a_program_that_was_running_when_a_newer_one_migrated_writes_nothing_more(filled, next_version, kind):
    with Jotsam(filled, worker="off") as old:
        old.add("Before the upgrade, about badgers.")
        assert next_version(opened(filled)).stdout == "2\n"
        writes = (
            lambda: old.add("After it, about zebras."),
            lambda: old.remember("After it, about zebras."),
            lambda: old.work(),
            lambda: old.blocks.set("rules", "zebras"),
        )
        for write in writes:
            with pytest.raises(SchemaTooNew, match=made(kind)):
                write()
    with_recall = f"{opened(filled)}\nwith Jotsam({filled!r}) as jot: print(jot.recall('zebras').coverage.total)"
    assert next_version(with_recall).stdout == "2\n0\n"


def test_a_running_program_goes_on_after_a_change_that_is_no_migration(filled):
    with Jotsam(filled, worker="off") as jot, Jotsam(filled, worker="off") as other:
        with other.database.transaction() as tx:
            tx.execute("create table of_another_program (id integer primary key)")
        jot.add("A document about badgers.")
        assert jot.recall("badgers").coverage.total == 1


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


def test_each_migration_is_written_down_once(url, clock, kind):
    for _ in range(2):
        database = connect(url, clock=clock)
        with database.snapshot() as tx:
            rows = tx.execute("select schema, version, name, applied_at from jotsam_migration order by schema, version")
        database.close()
    assert [(row["schema"], row["version"], row["applied_at"]) for row in rows] == [
        (schema, number, clock.now)
        for schema in ("memory", "queue")
        for number in range(1, migrations.newest(kind, schema) + 1)
    ]


@pytest.mark.parametrize("change", ["update jotsam_migration set fingerprint = 'x' where schema = 'memory'", "drop"])
def test_a_database_of_a_development_version_is_refused_and_says_what_to_do(filled, change, kind):
    """Also one whose `jotsam_migration` has no fingerprints yet, and by a program that does not migrate."""
    with Jotsam(filled, worker="off") as jot, jot.database.transaction() as tx:
        tx.execute("alter table jotsam_migration drop column fingerprint" if change == "drop" else change)
    way_out = "`jotsam db salvage .* NEW_FILE` copies" if kind == "sqlite" else "copy it with `jotsam db export"
    for attempt in (lambda: Jotsam(filled, worker="off"), lambda: connect(filled, migrate=False)):
        with pytest.raises(DatabaseUnusable, match=rf"made by a development version of jotsam.*{way_out}"):
            attempt()
