"""On a server, forgotten rows are gone at once, and their bytes after a full vacuum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import pytest

import dropped_texts
from jotsam import Jotsam
from jotsam.core.settings import Settings
from servers import Server

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import StandingClock

WORDS = (b"zebulon", b"quixotic", b"kryptolite", b"secretproject", b"actrix", b"sourcename", b"chartreuse")


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server without the tables of other tests, because all its files are read."""
    server = Server()
    yield server
    server.stop()


def found(server: Server, words: Iterable[bytes] = WORDS) -> set[bytes]:
    """The words whose bytes are in a file of a table or an index. The log of the server is left out."""
    server.execute("checkpoint")
    data = [content(path).lower() for path in (server.folder / "data" / "base").rglob("*") if path.is_file()]
    return {word for word in words if any(word in one for one in data)}


def content(path: Path) -> bytes:
    """The bytes of a file; none if the server has deleted it since, as it does with caches and dropped tables."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def test_a_full_vacuum_removes_the_bytes(own_server: Server) -> None:
    with Jotsam(own_server.url(), worker="off") as jot:
        forget_and_vacuum(jot, own_server)


def forget_and_vacuum(jot: Jotsam, server: Server) -> None:
    for number in range(20):
        text = f"Zebulon Quixotic decided to use Kryptolite, {number}."
        jot.remember(
            text, tags=["secretproject"], actor="Wanda Actrix", source="sourcename.md", metadata={"a": "chartreuse"}
        )
        jot.remember(f"Note {number}: the river Elbe flows past Dresden.")
    jot.work()
    assert found(server) == set(WORDS)
    receipt = jot.forget(jot.plan_forget(source="sourcename.md"))
    assert (receipt.memories, receipt.erased) == (20, False)
    vacuum(jot, server)
    assert found(server) == set()


def vacuum(jot: Jotsam, server: Server) -> None:
    schema = jot.database.url.rpartition("schema=")[2]
    for (table,) in server.execute(f"select tablename from pg_tables where schemaname = '{schema}'"):
        server.execute(f"vacuum (full, analyze) {schema}.{table}")
    server.execute("vacuum full pg_catalog.pg_statistic")  # It has samples of the columns.


@pytest.mark.long
def test_a_full_vacuum_leaves_no_byte_on_any_path(own_server: Server, clock: StandingClock) -> None:
    settings = Settings(db=own_server.url(), worker="off", worker_idle_ms=0, **dropped_texts.KEEPS)
    with Jotsam(settings=settings, clock=clock) as jot:
        paths = {one.word.encode(): one.name for one in dropped_texts.PATHS}
        dropped_texts.walk(
            jot, clock, words_left=lambda: {word.decode() for word in found(own_server, paths)}, at_once=False
        )
        vacuum(jot, own_server)
    assert {paths[word] for word in found(own_server, paths)} == set()
