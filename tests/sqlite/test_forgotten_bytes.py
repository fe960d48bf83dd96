"""After forgetting, no byte of the text is left in any file of the database."""

from __future__ import annotations

import random
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jotsam.core.errors import JotsamError
from jotsam.memory.forgetting import forget
from jotsam.storage.sqlite import sqlite_connection, sqlite_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam import Jotsam

WORDS = ("zebulon", "quixotic", "kryptolite", "secretproject", "actrix", "sourcename", "chartreuse", "sessionmark")


def found(jot: Jotsam) -> dict[str, list[str]]:
    """By file, the words whose bytes are in it."""
    folder = Path(jot.database.url).parent
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    data = {path.name: path.read_bytes().lower() for path in files}
    return {name: words for name, text in data.items() if (words := [w for w in WORDS if w.encode() in text])}


def fill(jot: Jotsam) -> None:
    """Enough texts that pages are split and merged, with those to forget among them."""
    for number in range(60):
        jot.remember(f"Note {number}: the river Elbe flows past Dresden and Hamburg. " * 5, tags=["note"])
        if number % 6 == 0:
            jot.remember(
                f"Zebulon Quixotic decided to use Kryptolite, {number}. " * (number + 1),
                tags=["secretproject"],
                actor="Wanda Actrix",
                source="sourcename.md",
                metadata={"colour": "chartreuse"},
                session="sessionmark",
            )
    jot.add("# Zebulon\n\n" + "The quixotic kryptolite of chartreuse colour. " * 2000, source="sourcename.md")
    jot.work()


def test_no_byte_of_a_forgotten_text_is_left(open_jot: Callable[..., Jotsam]) -> None:
    jot = open_jot()
    fill(jot)
    assert found(jot)
    receipt = jot.forget(jot.plan_forget(source="sourcename.md"))
    assert receipt.erased
    assert receipt.memories > 10
    assert found(jot) == {}
    assert len(jot.recall("Elbe").hits) > 10
    fill(jot)
    assert jot.admin.forget_tenant()
    assert found(jot) == {}
    assert b"elbe" not in Path(jot.database.url).read_bytes().lower()


def test_a_reader_keeps_the_log_and_the_receipt_says_so(open_jot: Callable[..., Jotsam]) -> None:
    jot, reader = open_jot(), open_jot()
    jot.remember("Zebulon Quixotic.")
    with reader.database.snapshot() as tx:
        tx.execute("select count(*) from memory")
        assert not jot.forget(jot.plan_forget(query="Zebulon")).erased
        assert found(jot)
    assert jot.database.maintain()
    assert found(jot) == {}


def test_a_reader_that_ends_soon_keeps_nothing(
    open_jot: Callable[..., Jotsam], monkeypatch: pytest.MonkeyPatch
) -> None:
    jot, reader = open_jot(), open_jot()
    jot.remember("Zebulon Quixotic.")
    with ExitStack() as reading:
        reading.enter_context(reader.database.snapshot()).execute("select count(*) from memory")
        monkeypatch.setattr(sqlite_connection, "sleep", lambda _: reading.close())
        assert jot.forget(jot.plan_forget(query="Zebulon")).erased
    assert found(jot) == {}


def test_an_interrupted_removal_leaves_nothing_half_forgotten(
    open_jot: Callable[..., Jotsam], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A trigger of the database ends the second of three commits, after other rows of it were deleted."""
    monkeypatch.setattr(forget, "PAGE", 4)
    jot = open_jot()
    for number in range(10):
        jot.remember(f"Number {number} of the zebulon list.", tags=["list"], session="s")
    jot.work()
    plan = jot.plan_forget(session="s")
    with jot.database.transaction() as tx:
        tx.execute(
            "create trigger stop before delete on memory when old.body like 'Number 6%'"
            " begin select raise(abort, 'stopped'); end"
        )
    with pytest.raises(JotsamError, match="stopped"):
        jot.forget(plan)
    left = jot.recall("zebulon list").hits
    assert len(left) == 6, "the first four are gone"
    assert all(jot.plan_forget(ids=[hit.id], tags=["list"]).memories for hit in left), "the others are complete"
    with jot.database.transaction() as tx:
        tx.execute("drop trigger stop")
    assert jot.forget(plan).memories == 6
    assert found(jot) == {}


def leave_copies(jot: Jotsam) -> None:
    """Rows that grow move to other pages. The copies in the old pages are not zeroed when a row is deleted."""
    for seed in range(50):
        dice = random.Random(seed)
        with jot.database.transaction() as tx:
            tx.execute("create table if not exists part (id integer primary key, body text)")
            for number in range(200):
                word = "kryptolite " if number % 2 else "river "
                row = {"id": number + 1_000 * seed, "body": word * dice.randint(1, 20)}
                tx.execute("insert into part values (:id, :body)", row)
        with jot.database.transaction() as tx:
            for number in range(0, 200, 2):
                row = {"id": number + 1_000 * seed, "body": "river " * dice.randint(40, 400)}
                tx.execute("update part set body = :body where id = :id", row)
        with jot.database.transaction() as tx:
            tx.execute("delete from part where body like 'krypt%'")
        jot.database.maintain()
        if found(jot):
            return
    pytest.fail("nothing is tried")


def test_copies_that_moved_rows_have_left_go_too(open_jot: Callable[..., Jotsam]) -> None:
    jot = open_jot()
    leave_copies(jot)
    assert jot.database.erase()
    assert found(jot) == {}


def test_a_file_that_is_not_rewritten_is_said_to_have_bytes_left(open_jot: Callable[..., Jotsam], monkeypatch) -> None:
    jot = open_jot()
    fill(jot)
    monkeypatch.setattr(sqlite_file, "LARGE", 1 << 12)
    assert not jot.forget(jot.plan_forget(source="sourcename.md")).erased
