"""A file of an earlier development version: no command opens it, each says the way out, and that loses nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from jotsam import DatabaseUnusable, Jotsam, SchemaTooNew
from jotsam.admin.restore import salvage
from jotsam.core.settings import Settings
from jotsam.memory.transfer.backup import backup
from jotsam.storage.sqlite import sqlite_salvage

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

pytestmark = pytest.mark.no_database

EARLIER = sorted((Path(__file__).parent.parent / "earlier").glob("*.sql"))
NEWER_NAMES = {old: new for new, old in sqlite_salvage.EARLIER_TABLES.items()}
# Words of types and patterns, which are found again when memories are enriched, and the index of metadata.
DERIVED = ("jotsam_migration", "theme", "theme_type", "theme_term", "memory_mark", "metadata_index")


@pytest.fixture(params=EARLIER, ids=lambda path: path.stem)
def earlier(request: pytest.FixtureRequest, jotsam: Shell) -> Path:
    """A file that such a version wrote, without its full-text index, as the database of `jotsam`."""
    jotsam.db.parent.mkdir()
    connection = apsw.Connection(str(jotsam.db))
    for _ in connection.execute(request.param.read_text()):
        pass
    connection.execute("pragma journal_mode = wal")
    connection.close()
    return jotsam.db


def counts(path: str | Path) -> dict[str, int]:
    """The number of rows of each table that has any, by the name that the table has today."""
    connection = apsw.Connection(str(path))
    names = [str(name) for (name,) in connection.execute("select name from sqlite_schema where type = 'table'")]
    found = {
        NEWER_NAMES.get(name, name): int(str(connection.execute(f"select count(*) from {name}").get))
        for name in names
        if name not in DERIVED and not name.startswith(("text_index", "sqlite_"))
    }
    connection.close()
    return {name: number for name, number in found.items() if number}


def texts(path: str | Path) -> list[list[tuple[Any, ...]]]:
    connection = apsw.Connection(str(path))
    queries = (
        "select id, uuid, tenant, source, body from document",
        "select id, uuid, tenant, body, type, metadata, created_at, job_id from memory",
        "select memory_id, tag, tenant from memory_tag",
        "select subject, predicate, object, memory_id from fact",
        "select job_id, json from queue_payload",
    )
    found = [sorted(connection.execute(query), key=repr) for query in queries]
    connection.close()
    return found


def test_it_is_refused_with_the_way_out(earlier, jotsam):
    before = earlier.read_bytes()
    for command in (["status"], ["recall", "Ericsson"], ["export", "all.jsonl"], ["migrate"], ["remember", "More."]):
        done = jotsam(*command)
        assert done.returncode == 1, command
        assert f"`jotsam db salvage {earlier} NEW_FILE` copies everything in it to a new database" in done.stderr
    assert earlier.read_bytes() == before


def test_a_backup_of_it_can_be_made(earlier, tmp_path):
    made = backup(str(earlier), str(tmp_path / "copy.db"))
    assert (made.documents, made.memories) == (2, counts(earlier)["memory"])
    assert counts(made.path) == counts(earlier)


def test_salvage_loses_nothing_of_it(earlier, tmp_path):
    found = salvage(str(earlier), str(tmp_path / "new.db"))
    assert found.lost == ()
    new = counts(found.path)
    assert {name: new.get(name) for name in counts(earlier)} == counts(earlier)
    assert texts(found.path) == texts(earlier)
    with Jotsam(settings=Settings(db=found.path, worker="off", worker_idle_ms=0)) as jot:
        assert jot.recall("Zanzibar").coverage.total == 1  # a document that waited
        assert jot.recall("Ericsson").coverage.total == 1
        assert jot.recall("Globex3").hits[0].text.startswith("Ana works at Globex3.")
        assert jot.recall("Globex2", metadata={"ticket": "T-2"}).coverage.total == 1
        assert jot.work() >= 1
        assert jot.recall("Zanzibar").coverage.dead == 0


def test_a_row_that_cannot_be_read_is_told(earlier, tmp_path):
    connection = apsw.Connection(str(earlier))
    connection.execute("update memory set body = body || char(0) where id = 2")
    connection.close()
    found = salvage(str(earlier), str(tmp_path / "new.db"))
    assert [(one.table, one.first, one.last) for one in found.lost] == [("memory", 2, 2)]


def test_a_turn_of_a_hook_is_spooled_and_stored_after_the_way_out(earlier, jotsam):
    jotsam.hook("UserPromptSubmit", prompt="Use aardvarks.")
    assert jotsam("salvage", earlier, "new.db").returncode == 0
    assert jotsam("restore", "new.db").returncode == 0
    assert jotsam("work").returncode == 0
    assert jotsam("recall", "aardvarks").stdout.count("Use aardvarks.") == 1


def test_a_file_of_a_newer_version_is_not_salvaged_in_part(url, tmp_path, next_version):
    Jotsam(url, worker="off").close()
    assert next_version(f"from jotsam import Jotsam; Jotsam({url!r}, worker='off').close()").stderr == ""
    with pytest.raises(SchemaTooNew, match=r"jotsam 9\.9 made its schema queue 3"):
        salvage(url, str(tmp_path / "new.db"))
    assert not os.path.exists(tmp_path / "new.db")
    assert backup(url, str(tmp_path / "copy.db")).documents == 0


def test_a_turn_of_a_hook_is_spooled_when_a_newer_version_has_migrated_the_file(jotsam, next_version):
    assert jotsam("remember", "Use zebras.").returncode == 0
    assert next_version(f"from jotsam import Jotsam; Jotsam({jotsam.url!r}, worker='off').close()").stderr == ""
    done = jotsam.hook("UserPromptSubmit", prompt="Use aardvarks.")
    assert (done.returncode, len(os.listdir(f"{jotsam.db}.spool"))) == (0, 1)
    assert "jotsam 9.9 made its schema queue 3" in jotsam("status").stderr


def test_a_file_of_another_program_is_still_refused(tmp_path):
    path = tmp_path / "other.db"
    connection = apsw.Connection(str(path))
    connection.execute("create table memory (id integer primary key); pragma journal_mode = wal")
    connection.close()
    with pytest.raises(DatabaseUnusable, match="is not a database of jotsam"):
        backup(str(path), str(tmp_path / "copy.db"))
