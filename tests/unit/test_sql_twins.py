"""The SQL of both dialects: same queries, no text in both that could be common, and a reason for each difference."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jotsam import storage
from jotsam.storage.statements import HEADER, SQL, queries, read_statements, statement

FILES = {path.stem for folder in ("common", "sqlite", "postgres") for path in Path(SQL, folder).glob("*.sql")}
ONE_DIALECT = {
    "worker_lease": "any number of workers run on a server",
    "text_index": "a server maintains its indexes",
    "tenant_isolation": "a file has one owner",
    "roles": "a file has one owner",
    "maintenance": "each database has its own statements",
    "tenant_moves": "a file is copied whole",
}
SHARED = sorted(FILES - ONE_DIALECT.keys())


def bare(sql: str) -> str:
    """The text without comments, and with single spaces."""
    return " ".join(re.sub(r"--.*", "", sql).split())


def test_both_dialects_have_the_same_queries() -> None:
    assert len(SHARED) > 10
    others = {
        f"{file}.{name}"
        for file in SHARED
        for name in queries("sqlite", file).keys() ^ queries("postgres", file).keys()
    }
    assert others == set()


def test_a_query_that_is_the_same_in_both_dialects_is_common() -> None:
    same = []
    for file in SHARED:
        sqlite, postgres = read_statements("sqlite", file), read_statements("postgres", file)
        same += [f"{file}.{name}" for name in sqlite if bare(sqlite[name]) == bare(postgres[name])]
        same += [
            f"{file}.{name}" for name in read_statements("common", file).keys() & (sqlite.keys() | postgres.keys())
        ]
    assert same == []


@pytest.mark.parametrize(("dialect", "other"), [("sqlite", "PostgreSQL"), ("postgres", "SQLite")])
def test_every_difference_has_its_reason(dialect: str, other: str) -> None:
    without = []
    for path in Path(SQL, dialect).glob("*.sql"):
        parts = path.read_text(encoding="utf-8").split(HEADER)[1:]
        without += [(path.stem, text.split("\n")[0]) for text in parts if f"\n-- Unlike {other}, " not in text]
    assert without == []


def test_lists_are_expanded_by_a_fragment_alone() -> None:
    """Except where the position in the list or its JSON values matter."""
    functions = re.compile(
        r"json_each\((:\w+)|json_array_elements(?:_text)?\(cast\((:\w+) as json\)\)(?! with ordinality)"
    )
    allowed = {":list", ":shares", ":terms", ":grams", ":words", ":jobs"}
    found = []
    for file in SHARED:
        for dialect in ("sqlite", "postgres"):
            for name, sql in read_statements(dialect, file).items():
                lists = {one or two for one, two in functions.findall(sql)}
                found += [f"{dialect}: {file}.{name} {one}" for one in lists - allowed]
    assert found == []


def test_visibility_is_defined_in_one_place() -> None:
    """Every query that takes a scope uses the fragment, and none has one of its conditions of its own."""
    texts = {
        f"{file}.{name}": sql
        for dialect in ("sqlite", "postgres")
        for file in SHARED
        if file != "fragments"
        for name, sql in queries(dialect, file).items()
    }
    alone = [name for name, sql in texts.items() if re.search(r":narrowed\b|:past\b|m\.superseded_at > :at", sql)]
    assert alone == []
    code = "".join(path.read_text(encoding="utf-8") for path in Path(storage.__file__).parent.rglob("*.py"))
    scoped = re.findall(r'"(\w+\.\w+)", .*\*\*(?:scope|within)\b', code)
    assert len(scoped) >= 7
    assert [name for name in scoped if "{visible.memory}" not in texts[name]] == []


def test_no_fragment_is_left_unexpanded() -> None:
    names = [
        (dialect, f"{file}.{name}")
        for dialect in ("sqlite", "postgres")
        for file in SHARED
        for name in queries(dialect, file)
    ]
    assert [
        name
        for dialect, name in names
        if re.search(r"\{[a-z]+\.|:list\b", statement(dialect, name)) and not name.startswith("fragments.list")
    ] == []


@pytest.mark.parametrize("schema", ["queue", "memory", "copying"])
def test_the_tables_have_the_same_columns(schema: str) -> None:
    """Except those explained in the migrations: the text index, the copy of vectors, the lease, moves, `requeued`."""
    tables = {}
    for dialect in ("sqlite", "postgres"):
        (path,) = Path(SQL, dialect, "migrations").glob(f"{schema}_0001_*")
        script = "".join(
            part.read_text(encoding="utf-8") for part in ([path] if path.is_file() else sorted(path.iterdir()))
        )
        found = re.findall(r"create table (\w+) \((.*?)\n\)", script, re.DOTALL)
        tables[dialect] = {name: set(re.findall(r"^  ([a-z_]+) ", body, re.MULTILINE)) for name, body in found}
    only = {"text_index", "text_count", "worker_lease", "embedding_index", "tenant_move", "held_job"}
    aside = {"requeued", "primary", "foreign", "unique"}
    assert tables["sqlite"].keys() - only == tables["postgres"].keys() - only
    assert tables["sqlite"]
    for name in tables["sqlite"].keys() - only:
        assert tables["postgres"][name] - aside == tables["sqlite"][name] - aside, name


def test_the_code_names_every_query_and_no_other() -> None:
    files = FILES - {"fragments"}
    stored = {
        f"{file}.{name}" for file in files for dialect in ("sqlite", "postgres") for name in queries(dialect, file)
    }
    code = "".join(path.read_text(encoding="utf-8") for path in Path(storage.__file__).parents[1].rglob("*.py"))
    named = set(re.findall(rf'"((?:{"|".join(sorted(files))})\.(?!html")\w+)"', code))
    tables = {"jobs", "attempts", "counts", "keys", "places"}
    assert 'f"queue.forget_tenant_{table}"' in code
    assert stored - named - {f"queue.forget_tenant_{table}" for table in tables} == set()
    assert named - stored == set()
