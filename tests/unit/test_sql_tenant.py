"""Every query of memory names `:tenant`, so that isolation does not depend on row-level security alone."""

from __future__ import annotations

import re
from pathlib import Path

from jotsam.storage.statements import SQL, queries, statement
from jotsam.storage.tables import TABLES

# Files of queries that work across tenants: a worker claims for all, one process holds the lease, and a copy takes all.
ACROSS_TENANTS = {"queue", "worker_lease", "table_copy", "table_catalogue", "fragments"}

# Queries without a tenant, by the reason for it.
EXCEPTIONS = {
    "the text index of SQLite has no tenant, and that of PostgreSQL takes it from the transaction": {
        "search.count_words",
        "search.index",
        "search.unmatched",
    },
    "describes that index, or reads one in memory with the texts of one tenant": {
        "text_index.definition",
        "text_index.set_totals",
        "text_index.term_scores",
        "text_index.totals",
    },
    "the token of a request tells the tenant, so it is found before the tenant is known": {"tokens.find"},
    "lists the tenants": {"tokens.tenants"},
    "checks, merges or removes the text index of SQLite, which holds the texts of all tenants": {
        "erasure.merge_index",
        "maintenance.merge",
        "maintenance.start_merge",
        "text_index.drop",
        "text_index.sample",
        "text_index.sizes",
    },
}


def memory_queries() -> dict[str, str]:
    """The queries of both dialects that read or write a table of memory, with fragments and without comments."""
    names = "|".join(name for name, table in TABLES.items() if table.is_of_tenant)
    touches = re.compile(rf"\b(?:from|join|into|update|table)\s+(?:{names})(?:_\w+)?\b")
    found = {}
    for dialect in ("sqlite", "postgres"):
        files = {path.stem for folder in ("common", dialect) for path in Path(SQL, folder).glob("*.sql")}
        for file in files - ACROSS_TENANTS:
            for name in queries(dialect, file):
                sql = re.sub(r"--.*", "", statement(dialect, f"{file}.{name}"))
                if touches.search(sql):
                    found[f"{dialect}: {file}.{name}"] = sql
    return found


def test_every_query_of_memory_has_the_tenant() -> None:
    without = {name.partition(" ")[2] for name, sql in memory_queries().items() if not re.search(r":tenant\b", sql)}
    excepted = set().union(*EXCEPTIONS.values())
    assert without - excepted == set()
    assert excepted - without == set(), "these have the tenant by now"
