"""The SQL of the two databases: the same names, nothing said twice, nothing common said anew, and a reason for each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jotsam import storage
from jotsam.storage.database import SQL, _read

ROOMS = ("queue", "documents", "memories", "graph", "search", "facts", "ledger", "vectors", "patterns", "tables")
ROOMS += ("allowed", "redactions", "shown")
OF_A_FILE = ("lease",)
"""A room that only a file needs: on a server any number of workers run, and none holds a lease."""


def named(dialect: str, room: str) -> dict[str, str]:
    """The statements without their comments, and with every run of spaces as one."""
    return {name: " ".join(re.sub(r"--.*", "", sql).split()) for name, sql in _read(dialect, room).items()}


def texts(dialect: str, room: str) -> list[str]:
    path = f"{SQL}/{dialect}/{room}.sql"
    with open(path, encoding="utf-8") as file:
        return file.read().split("-- name: ")[1:]


@pytest.mark.parametrize("room", ROOMS)
def test_both_databases_answer_the_same_queries(room: str) -> None:
    assert set(named("sqlite", room)) == set(named("postgres", room))
    assert named("common", room) | named("sqlite", room), "there is such a room"


@pytest.mark.parametrize("room", ROOMS)
def test_a_dialect_holds_only_what_differs(room: str) -> None:
    sqlite, postgres = named("sqlite", room), named("postgres", room)
    assert [name for name in sqlite if sqlite[name] == postgres[name]] == []


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_a_dialect_never_shadows_a_common_query(dialect: str, room: str) -> None:
    assert set(named("common", room)) & set(named(dialect, room)) == set()


@pytest.mark.parametrize(("dialect", "other"), [("sqlite", "PostgreSQL"), ("postgres", "SQLite")])
@pytest.mark.parametrize("room", ["queue", "search", "facts", "vectors", "tables", "shown"])
def test_every_difference_has_its_reason(dialect: str, other: str, room: str) -> None:
    without = [text.split("\n")[0] for text in texts(dialect, room) if f"\n-- Unlike {other}, " not in text]
    assert without == []


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_what_may_be_shown_is_said_in_one_place(dialect: str) -> None:
    """Every query that is handed a scope names the fragment, and none says one of its conditions for itself."""
    rooms = [room for room in ROOMS if room != "shown"]
    queries = {
        f"{room}.{name}": sql for room in rooms for name, sql in (named("common", room) | named(dialect, room)).items()
    }
    alone = [name for name, sql in queries.items() if re.search(r":narrowed\b|:past\b|m\.superseded_at > :at", sql)]
    assert alone == []
    code = "".join(path.read_text() for path in Path(storage.__file__).parent.glob("*.py"))
    scoped = re.findall(r'"(\w+\.\w+)", .*\*\*(?:scope|within)\b', code)
    assert len(scoped) >= 7
    assert [name for name in scoped if "{shown.memory}" not in queries[name]] == []


@pytest.mark.parametrize("schema", ["queue", "memory", "moving"])
def test_the_tables_have_the_same_columns(schema: str) -> None:
    """But for what a comment in the migration explains: the indexes of words and vectors, the lease, and what is ready
    again; keys are no columns.
    """
    tables = {}
    for dialect in ("sqlite", "postgres"):
        with open(f"{SQL}/{dialect}/migrations/{schema}_0001_start.sql", encoding="utf-8") as file:
            found = re.findall(r"create table (\w+) \((.*?)\n\)", file.read(), re.DOTALL)
        tables[dialect] = {name: set(re.findall(r"^  ([a-z_]+) ", body, re.MULTILINE)) for name, body in found}
    only, aside = {"words", "worker_lease", "embedding_index"}, {"again", "primary"}
    assert tables["sqlite"].keys() - only == tables["postgres"].keys() - only
    for name in tables["sqlite"].keys() - only:
        assert tables["postgres"][name] - aside == tables["sqlite"][name] - aside, name
