"""A damaged text index is detected, even if FTS5 reports no error, and rebuilt."""

from __future__ import annotations

from contextlib import closing

import apsw
import pytest

from jotsam.admin import text_index
from jotsam.admin.doctor import examine

DAMAGES = {
    "a block": (
        "update text_index_data set block = zeroblob(length(block)) where id = (select max(id) from text_index_data)"
    ),
    "the root": "update text_index_data set block = x'00' where id = 10",
    "the form": "delete from text_index_config",
    "the sizes": "delete from text_index_docsize",
    "the blocks": "drop table text_index_data",
    "the table": "drop table text_index",
    "the form's table": "drop table text_index_config",
    "all but the table": (
        "drop table text_index_data; drop table text_index_idx; drop table text_index_docsize;"
        " drop table text_index_config"
    ),
    "the table, but not its parts": "delete from sqlite_schema where name = 'text_index'",
}


@pytest.fixture
def whole(jot) -> str:
    for number in range(60):
        jot.remember(f"The kangaroo number{number} jumped over the fence of paddock{number * 7}.", tags=["zoo"])
    jot.remember("袋鼠跳过了围栏")
    jot.work()
    jot.add("A document about wombats that waits.", source="/x/wombats.md")
    with jot.database.snapshot() as tx:
        assert text_index.damage(tx) is None
    return str(jot.recall("kangaroo number7 paddock49").hits[0].text)


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_doctor_finds_the_damage_and_repairs_it(jot, open_jot, whole: str, damage: str) -> None:
    with jot.database.transaction() as tx:
        schema = tx.execute("select name, sql from sqlite_schema where name like 'text_index%' order by name")
        if "sqlite_schema" not in DAMAGES[damage]:
            tx.execute(DAMAGES[damage])
    jot.close()
    if "sqlite_schema" in DAMAGES[damage]:
        with closing(apsw.Connection(jot.settings.db)) as raw:
            raw.execute("pragma writable_schema = on")
            raw.execute(DAMAGES[damage])
    again = open_jot()
    levels = {finding.name: finding.level for finding in examine(again.settings)}
    assert levels["text index"] == "fail"
    findings = list(examine(again.settings, repair=True))
    assert (
        next(one.text for one in findings if one.name == "repaired") == "the full-text index was rebuilt from 62 texts"
    )
    assert {one.name: one.level for one in findings}["text index"] == "ok"
    assert again.recall("kangaroo number7 paddock49").hits[0].text == whole
    assert again.recall("袋鼠").coverage.total == 1
    assert again.recall("wombats").coverage.total == 1
    assert again.recall("zoo").coverage.total == 60
    with again.database.snapshot() as tx:
        assert schema == tx.execute("select name, sql from sqlite_schema where name like 'text_index%' order by name")
    assert "repaired" not in {finding.name for finding in examine(again.settings, repair=True)}


def test_a_missing_index_is_created_again(jot, open_jot) -> None:
    jot.remember("Ann lives in Berlin.")
    jot.work()
    with jot.database.transaction() as tx:
        indexes = tx.execute("select name, sql from sqlite_schema where type = 'index' and sql is not null")
        for row in indexes:
            tx.execute(f"drop index {row['name']}")
    jot.close()
    settings = open_jot().settings
    found = {one.name: one for one in examine(settings)}
    assert (found["schema"].level, found["schema"].repair) == ("fail", "jotsam doctor --repair")
    assert found["round trip"].text == "skipped: it would write to a damaged database"
    found = {one.name: one for one in examine(settings, repair=True)}
    assert (found["schema"].level, found["round trip"].level) == ("ok", "ok")
    again = open_jot()
    with again.database.snapshot() as tx:
        names = {row["name"] for row in tx.execute("select name from sqlite_schema where type = 'index'")}
    assert {row["name"] for row in indexes} <= names
    assert again.recall("Berlin").coverage.total == 1


@pytest.mark.parametrize("table", ["date_range", "memory", "document", "queue_job"])
def test_a_missing_table_is_reported_and_nothing_is_written(jot, open_jot, table: str) -> None:
    jot.remember("Ann lives in Berlin.")
    jot.work()
    jot.add("A document that waits.")
    jot.close()
    path = jot.settings.db
    with closing(apsw.Connection(path)) as raw:
        raw.execute("pragma foreign_keys = off")
        raw.execute(f"drop table {table}")
    with open(path, "rb") as file:
        before = file.read()
    settings = open_jot().settings
    for repair in (False, True):
        (failed,) = (one for one in examine(settings, repair=repair) if one.level != "ok")
        assert (failed.name, failed.text) == ("schema", f"{path}: missing: table {table}")
        assert failed.repair.startswith("there is no backup in")
    with open(path, "rb") as file:
        assert file.read() == before
