"""No query of a recall walks over all rows of a tenant, except those named here with a reason.

A walk takes no time in a small file, and most of the time of an answer among a million memories.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import jotsam
from jotsam.storage.statements import queries, statement

if TYPE_CHECKING:
    from pathlib import Path

    from jotsam.storage.database import Transaction

WALKS = {
    # The counts of a tenant are read in a small file only.
    "search.match_text": {
        "SEARCH memory USING COVERING INDEX memory_tenant (tenant=?)",
        "SEARCH m USING INDEX memory_bounded (tenant=?)",
        "SEARCH document USING INDEX document_waiting (tenant=?)",
        "SEARCH d USING INDEX document_waiting (tenant=?)",
    },
    # A filter without words lists what it matches, and is counted.
    "search.matching_filters": {
        "SEARCH m USING INDEX memory_tenant (tenant=?)",
        "SEARCH d USING INDEX document_waiting (tenant=?)",
    },
    "search.newest": {"SEARCH m USING COVERING INDEX memory_tenant (tenant=?)"},
    "search.tags_with_prefix": {"SEARCH memory_tag USING COVERING INDEX memory_tag_lower (tenant=?)"},
    # In the order of the index, up to the limit.
    "search.latest_said_without_project": {"SEARCH m USING INDEX memory_said (tenant=?)"},
    # Partial indexes of what waits.
    "memories.not_enriched": {"SEARCH memory USING INDEX memory_not_enriched (tenant=?)"},
    "memories.degraded": {"SEARCH memory USING INDEX memory_degraded (tenant=?)"},
    # The footer counts what is embedded, and what is not yet.
    "vectors.count_wanted": {"SEARCH embedding USING COVERING INDEX embedding_wanted (tenant=?)"},
    "vectors.count": {"SEARCH embedding USING INDEX embedding_version (tenant=?)"},
}
COUNTED = {"search.count_words": "text_index_docsize", "search.match_text": "text_index_docsize"}
"""Tables whose rows are counted."""

OTHERS = {"facts.by_terms", "facts.superseded", "facts.valid_at", "documents.newer"}
WITHOUT_ROWS = {"search.index", "search.unindex", "search.expression"}

QUESTIONS = (
    "what did Ana say about the harbour in March 2026?",
    "who works at the billing service before the migration?",
    'the phrase "blue boat" and foo_bar.py',
    "数据库迁移的时间",
    "",
    "the latest decisions",
)


def plan(tx: Transaction, name: str) -> list[str]:
    sql = statement("sqlite", name)
    names = re.findall(r":(\w+)", re.sub(r"--.*", "", sql))
    return [row["detail"] for row in tx.execute(f"explain query plan {sql}", dict.fromkeys(names))]


def walks(tx: Transaction, sql: str, steps: list[str]) -> set[str]:
    """The steps that read a whole table, or all of a tenant's rows in it."""
    tables = {row["name"] for row in tx.execute("select name from sqlite_schema where type = 'table'")}
    used = re.findall(r"\b(?:from|join)\s+(\w+)(?:[ ]+(?:as[ ]+)?(?!cross|join|left|where|on|indexed)(\w+))?", sql)
    aliases = {alias or table for table, alias in used if table in tables} | {table for table, _ in used} & tables
    scanned = {step for step in steps if re.match(r"SCAN (\w+)", step) and step.split()[1] in aliases}
    matched = {step for step in scanned if re.search(r"VIRTUAL TABLE INDEX \d+:.*[M=]", step)}
    return (scanned - matched) | {step for step in steps if step.endswith("(tenant=?)")}


def checked() -> set[str]:
    return {f"search.{name}" for name in queries("sqlite", "search")} | OTHERS | WALKS.keys()


def test_no_query_of_a_recall_walks_over_a_tenant(tx):
    found = {}
    for name in sorted(checked() - WITHOUT_ROWS):
        walked = walks(tx, statement("sqlite", name), plan(tx, name)) - WALKS.get(name, set())
        unexpected = {step for step in walked if step.split()[1] != COUNTED.get(name)}
        if unexpected:
            found[name] = unexpected
    assert found == {}


def test_each_exception_is_still_needed(tx):
    assert {name: steps - {*plan(tx, name)} for name, steps in WALKS.items() if steps - {*plan(tx, name)}} == {}


@pytest.mark.parametrize(
    "sql",
    [
        "select count(*) from memory where tenant = :tenant",
        "select e.id from mention n join entity e on e.name = n.extractor where n.memory_id = 1",
        "select m.id from memory m where m.body = 'x'",
    ],
)
def test_a_walk_would_be_noticed(sql, tx):
    steps = [row["detail"] for row in tx.execute(f"explain query plan {sql}", {"tenant": "default"})]
    assert walks(tx, sql, steps)


def test_every_query_that_a_recall_runs_is_checked(tmp_path: Path) -> None:
    ran = set()
    with jotsam.Jotsam(str(tmp_path / "j.db"), worker="off") as jot:
        jot.remember("Ana said that the blue boat is in the harbour since March 2026.", actor="Ana", session="s")
        jot.remember("The billing service uses PostgreSQL.")
        with jot.database.snapshot() as tx:
            connection = tx._connection  # type: ignore[attr-defined]
        connection.set_exec_trace(lambda _, sql, __: ran.add(sql) or True)
        for question in QUESTIONS:
            jot.recall(question, expand=("entities", "relations"))
        connection.set_exec_trace(None)
    files = ("search", "facts", "documents", "memories", "vectors")
    named = {f"{file}.{name}" for file in files for name in queries("sqlite", file)}
    names = {name for name in named if statement("sqlite", name) in ran}
    assert len(names) > 15
    by_id = {"memories.by_external_id", "memories.by_prefix", "documents.by_prefix", "documents.by_number"}
    assert names - checked() - by_id == set()
