"""Every query of memory names `:tenant`, so that isolation does not depend on row-level security alone."""

from __future__ import annotations

import re
from pathlib import Path

from jotsam.storage.statements import SQL, queries, statement

# Files of queries that work across tenants: a worker claims for all, one process holds the lease, and a copy takes all.
ACROSS_TENANTS = {"queue", "worker_lease", "table_copy", "fragments"}

SHARED_TABLES = {
    "embedder": "describes a model, not what was embedded",
    "daily_spend": "the cap of a day is one for all tenants",
    "model_use": "the sums of all tenants, which do not fall when one is forgotten",
    "worker_lease": "one worker process serves all tenants",
    "engine": "an engine holds the memories of all tenants",
    "recording": "a server records the events of all tenants",
}

# Queries without a tenant, by the reason for it.
EXCEPTIONS = {
    "the text index of SQLite has no tenant, and that of PostgreSQL takes it from the transaction": {
        "search.count_words",
        "search.index",
        "search.unindex",
        "search.unmatched",
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


def tables() -> set[str]:
    """The tables of the schema `memory`, from its migrations."""
    scripts = Path(SQL).glob("*/migrations/memory_*/*.sql")
    found = {name for path in scripts for name in re.findall(r"create (?:virtual )?table (\w+)", path.read_text())}
    assert {"memory", "link", "text_index", "embedding_index"} <= found
    return found - SHARED_TABLES.keys()


def memory_queries() -> dict[str, str]:
    """The queries of both dialects that read or write a table of memory, with fragments and without comments."""
    touches = re.compile(rf"\b(?:from|join|into|update|table)\s+(?:{'|'.join(tables())})(?:_\w+)?\b")
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
