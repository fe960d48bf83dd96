"""Loads named SQL queries and expands their fragments.

A query is named `<file>.<query>`. Its text is in `sql/common/<file>.sql`, or in `sql/<dialect>/<file>.sql` if the
dialects must differ. `fragments.sql` holds parts that several queries share: `{visible.memory}` expands to the
visibility conditions, `{chosen.memory}` to those of a selection, `{row.run}` to the columns of a run,
`{select.named_facts}` to a subquery, and `{list.ids refs}` to the values of the JSON list bound as `:refs`.
"""

from __future__ import annotations

import os

SQL = os.path.join(os.path.dirname(__file__), "sql")
HEADER = "-- name: "
FRAGMENTS = "{visible.", "{chosen.", "{list.", "{row.", "{brief.", "{summary.", "{note.", "{link.", "{select."

_texts: dict[tuple[str, str], dict[str, str]] = {}
_statements: dict[tuple[str, str], str] = {}


def statement(dialect: str, query: str) -> str:
    """The SQL text of a query. Files are read when first used, so that start-up reads only what it needs."""
    if (dialect, query) not in _statements:
        file, _, name = query.partition(".")
        _statements[dialect, query] = _expanded(dialect, queries(dialect, file)[name])
    return _statements[dialect, query]


def queries(dialect: str, file: str) -> dict[str, str]:
    """The texts of all queries of a file by their names, common ones included, before fragments are expanded."""
    if (dialect, file) not in _texts:
        _texts[dialect, file] = read_statements("common", file) | read_statements(dialect, file)
    return _texts[dialect, file]


def read_statements(folder: str, file: str) -> dict[str, str]:
    """The queries of `sql/<folder>/<file>.sql`; empty if the file does not exist."""
    path = os.path.join(SQL, folder, f"{file}.sql")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as opened:
        parts = opened.read().split(HEADER)[1:]
    named = (part.partition("\n") for part in parts)
    return {name.strip(): text.strip().removesuffix(";") for name, _, text in named}


def _expanded(dialect: str, text: str) -> str:
    for prefix in FRAGMENTS:
        head, *rest = text.split(prefix)
        pieces = [piece.partition("}") for piece in rest]
        text = head + "".join(_fragment(dialect, prefix[1:] + name) + after for name, _, after in pieces)
    return text


def _fragment(dialect: str, reference: str) -> str:
    name, _, parameter = reference.partition(" ")
    text = statement(dialect, f"fragments.{name}").replace(":list", f":{parameter}")
    return "\n".join(line for line in text.splitlines() if not line.startswith("--"))
