"""What the dashboard reads is found by an index on PostgreSQL too: no large table is read from end to end."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from jotsam.storage.statements import queries, statement

if TYPE_CHECKING:
    from jotsam.storage.database import Database, Transaction

OF_QUEUE = ("queue_counts.live_states", "queue_counts.count_dead", "queue_counts.held_states")
VALUES = {"first": 1, "limit": 10, "jobs": 5, "queue": "enrich", "error": "x%"}
# Statements that may read a table or an index without a condition, and why that is little.
BOUNDED = {
    "queue_counts.held_states": "the first ones in the order of the index queue_wake",
}


def walked(tx: Transaction, sql: str) -> set[str]:
    """The tables that are read without a condition on an index, although the planner avoids to scan tables."""
    named = re.findall(r"(?<!:):(\w+)", re.sub(r"--.*", "", sql))
    rows = tx.execute(f"explain (format json) {sql}", {name: VALUES[name] for name in named if name in VALUES})
    plan = rows[0]["QUERY PLAN"]
    steps = [(json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]]
    for step in steps:
        steps += step.get("Plans", ())
    by_index = {"Index Cond", "Recheck Cond"}
    return {step["Relation Name"] for step in steps if "Relation Name" in step and not by_index & step.keys()}


def test_no_statement_of_the_overview_walks_a_large_table(database: Database) -> None:
    asked = (*(f"overview.{name}" for name in queries("postgres", "overview")), *OF_QUEUE)
    assert len(asked) > 6
    with database.transaction(tenant="default") as tx:
        tx.execute("set local enable_seqscan = off")
        found = {query: walked(tx, statement("postgres", query)) for query in asked}
        assert {query for query, tables in found.items() if tables} == BOUNDED.keys()
        assert walked(tx, "select id from queue_job where kind = 'x'") == {"queue_job"}
