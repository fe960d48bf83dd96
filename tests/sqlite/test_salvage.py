"""What can be read of a damaged file is saved, it is true, and what is lost is named."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import apsw
import pytest

from jotsam import Jotsam, JotsamError, NotADatabase
from jotsam.admin.doctor import examine
from jotsam.admin.restore import Salvaged, salvage
from jotsam.core.settings import Settings

PAGE = 4_096
TEXTS = 90
DAMAGES = 25
COMPARED = (
    "select uuid, body, tenant, created_at from document",
    "select uuid, body, summary, type, tenant, said_at, external_id from memory",
    "select uuid, subject, predicate, object from fact",
    "select job_id, json from queue_payload",
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """A sound file without a log, with texts, facts and jobs."""
    folder = tmp_path_factory.mktemp("whole")
    with Jotsam(settings=Settings(db=str(folder / "jotsam.db"), worker="off", worker_idle_ms=0)) as jot:
        jot.add_many([f"# Plan {number}\n\nThe launch of Kafka{number} is on Friday." for number in range(5)])
        jot.remember_many([text(number) for number in range(TEXTS // 3)])
        jot.work()
        jot.remember_many([text(number) for number in range(TEXTS // 3, TEXTS)])
        return Path(jot.admin.backup(folder / "whole.db").path)


def text(number: int) -> str:
    return f"Ana{number} works at Ericsson{number}. " + f"Number {number} is a long remark. " * (number % 40) * 5


def rows(path: str | Path) -> list[set[tuple[Any, ...]]]:
    connection = apsw.Connection(str(path))
    try:
        return [set(connection.execute(sql)) for sql in COMPARED]
    finally:
        connection.close()


def saved(damaged: Path, new: Path) -> tuple[Salvaged, list[set[tuple[Any, ...]]]]:
    """Salvage to a file that is removed again. The damaged file stays as it is."""
    before = damaged.read_bytes(), sorted(os.listdir(damaged.parent))
    try:
        found = salvage(str(damaged), str(new))
        return found, rows(new)
    finally:
        for ending in ("", "-wal", "-shm"):
            Path(f"{new}{ending}").unlink(missing_ok=True)
        assert (damaged.read_bytes(), sorted(os.listdir(damaged.parent))) == before


def test_a_sound_file_is_saved_whole(whole, tmp_path):
    found = salvage(str(whole), str(tmp_path / "new.db"))
    assert found.lost == ()
    assert rows(found.path) == rows(whole)
    settings = Settings(db=found.path, worker="off", worker_idle_ms=0)
    with Jotsam(settings=settings) as jot:
        assert jot.recall("Ericsson7").hits
        assert jot.work() > 30
    levels = {check.name: check.level for check in examine(settings)}
    assert set(levels.values()) == {"ok"}, levels


def test_whatever_page_is_damaged_what_is_saved_is_true_and_the_loss_is_named(whole, tmp_path):
    chance = random.Random(7)
    sound, pages = whole.read_bytes(), whole.stat().st_size // PAGE
    expected = rows(whole)
    leaves = set()
    for table in ("document", "memory", "fact"):
        connection = apsw.Connection(str(whole))
        sql = "select pageno from dbstat where name = ? and pagetype <> 'internal'"
        leaves |= {page for (page,) in connection.execute(sql, (table,))}
        connection.close()
    damaged = tmp_path / "damaged" / "damaged.db"
    damaged.parent.mkdir()
    chosen = [1, 2, *chance.sample(sorted(leaves), 10), *chance.sample(range(1, pages + 1), DAMAGES - 12)]
    for page in chosen:
        rubbish = chance.choice([bytes(PAGE), b"\xff" * PAGE, chance.randbytes(PAGE)])
        damaged.write_bytes(sound[: (page - 1) * PAGE] + rubbish + sound[page * PAGE :])
        try:
            found, there = saved(damaged, tmp_path / "new.db")
        except JotsamError as error:
            pytest.fail(f"page {page}: {error}")
        for real, kept in zip(expected, there, strict=True):
            assert kept <= real, f"page {page}"
        lost = sum(len(real - kept) for real, kept in zip(expected, there, strict=True))
        assert found.lost or not lost, f"page {page}"
        if page in leaves:
            assert lost < 60, f"page {page}"


def test_a_table_whose_inner_page_is_damaged_is_saved_from_its_leaves(tmp_path):
    url = str(tmp_path / "jotsam.db")
    with Jotsam(settings=Settings(db=url, worker="off")) as jot:
        for start in range(0, 1_500, 500):
            jot.remember_many([f"Number {number} is a remark. " * 20 for number in range(start, start + 500)])
        whole = Path(jot.admin.backup(tmp_path / "whole.db").path)
    connection = apsw.Connection(str(whole))
    sql = "select pageno from dbstat where name = 'memory' and pagetype = 'internal'"
    inner = [page for (page,) in connection.execute(sql)]
    connection.close()
    sound, damaged = whole.read_bytes(), tmp_path / "damaged" / "damaged.db"
    damaged.parent.mkdir()
    for page in inner:
        damaged.write_bytes(sound[: (page - 1) * PAGE] + b"\xff" * PAGE + sound[page * PAGE :])
        found, there = saved(damaged, tmp_path / "new.db")
        assert there == rows(whole), found.lost
        assert found.lost == ()


def test_many_damaged_pages_never_end_in_another_exception(whole, tmp_path):
    chance = random.Random(8)
    expected = rows(whole)
    damaged = tmp_path / "damaged" / "damaged.db"
    damaged.parent.mkdir()
    for number in range(10):
        data = bytearray(whole.read_bytes())
        for _ in range(8):
            at = chance.randrange(len(data) // PAGE) * PAGE + chance.randrange(PAGE)
            length = chance.randrange(1, PAGE - at % PAGE + 1)
            data[at : at + length] = bytes(length)
        damaged.write_bytes(data[: -PAGE if number % 2 else len(data)])
        try:
            _, there = saved(damaged, tmp_path / "new.db")
        except NotADatabase:  # All of the schema is damaged.
            continue
        assert {row[0] for row in there[1]} <= {row[0] for row in expected[1]}


def test_what_is_in_the_log_alone_is_saved_too(jot, tmp_path):
    jot.remember("Ana lives in Bonn.")
    jot.close()
    url = jot.database.url
    assert os.path.getsize(url) == PAGE
    before = Path(url).read_bytes(), Path(url + "-wal").read_bytes()
    assert salvage(url, str(tmp_path / "new.db")).memories == 1
    assert (Path(url).read_bytes(), Path(url + "-wal").read_bytes()) == before
    (tmp_path / "text.db").write_text("no database" * 1_000)
    with pytest.raises(JotsamError, match="nothing can be read"):
        salvage(str(tmp_path / "text.db"), str(tmp_path / "other.db"))
    assert not [name for name in os.listdir(tmp_path) if "partial" in name or name == "other.db"]
