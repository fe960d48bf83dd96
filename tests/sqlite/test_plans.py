"""The statements of every claim and every send use their index.

A plan that scans works as well with ten jobs, and is hundreds of times slower with a backlog of a hundred thousand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from jotsam.storage.statements import statement

if TYPE_CHECKING:
    from jotsam.storage.database import Transaction

BY_ID = "queue_job USING INTEGER PRIMARY KEY (rowid=?)"
BY_LANE = "queue_job USING INDEX queue_lane (queue=? AND tenant=? AND lane=? AND state=?)"

HOT = {
    "find_key": "queue_key USING PRIMARY KEY (queue=? AND tenant=? AND key=?)",
    "lane_active": BY_LANE,
    "lane_blocked": BY_LANE,
    "lane_barrier": BY_LANE,
    "lane_open_batch": BY_LANE,
    "shift_clock": "queue_job USING INDEX queue_wake (wake_at>?)",
    "due": "queue_job USING INDEX queue_wake (wake_at<?)",
    "leased_by": "queue_job USING INDEX queue_wake (wake_at>?)",
    "any_leased_by": "queue_job USING INDEX queue_wake (wake_at>?)",
    "wake": BY_ID,
    "control": "queue_control USING PRIMARY KEY (queue=?)",
    "receive": "queue_job USING COVERING INDEX queue_ready (queue=?)",
    "receive_one": "queue_job USING COVERING INDEX queue_ready (queue=?)",
    "extend": BY_ID,
    "delete": "j USING INTEGER PRIMARY KEY (rowid=?)",
    "delete_one": BY_ID,
    "delete_payload": "queue_payload USING INTEGER PRIMARY KEY (rowid=?)",
    "lock_leased": BY_ID,
    "put_back": BY_ID,
    "any_ready": "queue_job USING COVERING INDEX queue_ready (queue=?)",
    "next_wake": "queue_job USING COVERING INDEX queue_wake (wake_at>?)",
    "count_live": "queue_job USING INDEX queue_live (queue=? AND tenant=?)",
    "oldest_live": "j USING INDEX queue_live (queue=? AND tenant=?)",
    "oldest_undelivered": "queue_job USING INDEX queue_live (queue=? AND tenant=?)",
    "live": "queue_job USING INDEX queue_live (queue=? AND tenant=?)",
    "dead": "queue_job USING COVERING INDEX queue_dead (queue=? AND tenant=?)",
}

DERIVED = ("live", "next", "asked", "json_each VIRTUAL TABLE INDEX 1:", "given VIRTUAL TABLE INDEX 1:")
"""Names of subqueries, whose few rows are walked."""


def plan(tx: Transaction, sql: str) -> list[str]:
    names = re.findall(r":(\w+)", re.sub(r"--.*", "", sql))
    return [row["detail"] for row in tx.execute(f"explain query plan {sql}", dict.fromkeys(names))]


def scans(steps: list[str]) -> list[str]:
    walked = [f"SCAN {name}" for name in DERIVED]
    return [step for step in steps if step not in walked and re.match("SCAN|USE TEMP B-TREE", step)]


@pytest.mark.parametrize("name", HOT)
def test_a_hot_statement_of_the_queue_uses_its_index_and_scans_nothing(name, tx):
    steps = plan(tx, statement("sqlite", f"queue.{name}"))
    assert f"SEARCH {HOT[name]}" in steps
    assert scans(steps) == []


def test_what_status_tells_of_the_history_walks_none_of_it(tx):
    """Done within the hour is bounded by ids; how long the latest took, by a limit, in the order of the key."""
    assert "SEARCH queue_attempt USING PRIMARY KEY (job_id>?)" in plan(tx, statement("sqlite", "queue.done_since"))
    steps = plan(tx, statement("sqlite", "queue.latest_done"))
    assert "USE TEMP B-TREE FOR ORDER BY" not in steps[: steps.index("SCAN queue_attempt") + 2]


@pytest.mark.parametrize("name", ["documents.by_key", "memories.by_key", "memories.by_external_id", "memories.chunk"])
def test_what_adding_looks_up_uses_an_index(name, tx):
    steps = plan(tx, statement("sqlite", name))
    assert steps
    assert scans(steps) == []


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("search.with_metadata", "metadata_index USING PRIMARY KEY (tenant=? AND hash=?)"),
        ("search.said_between", "m USING INDEX memory_said (tenant=? AND <expr>>? AND <expr><?)"),
        ("search.mentioning_dates", "p USING COVERING INDEX date_range_first (tenant=? AND first>? AND first<?)"),
        ("search.mentioning_dates", "p USING COVERING INDEX date_range_long (tenant=? AND first>? AND first<?)"),
        ("search.match_text", "m USING COVERING INDEX memory_tenant (tenant=? AND id=?)"),
        ("search.ranking_fields", "m USING INTEGER PRIMARY KEY (rowid=?)"),
        ("search.newest_of_types", "m USING INDEX memory_type (tenant=? AND <expr>=?)"),
        ("search.typed", "m USING INDEX memory_typed (tenant=? AND project=?)"),
        ("search.typed_without_project", "m USING INDEX memory_typed (tenant=? AND project=?)"),
        ("search.latest_said", "m USING INDEX memory_project (tenant=? AND project=?)"),
        ("search.latest_said_without_project", "m USING INDEX memory_said (tenant=?)"),
        ("search.by_title", "t USING PRIMARY KEY (tenant=? AND slug=? AND memory_id<?)"),
        ("selection.memories", "m USING INDEX memory_tenant (tenant=? AND id>?)"),
        ("selection.newest", "m USING INDEX memory_said (tenant=? AND <expr>>? AND <expr><?)"),
        ("selection.most_important", "m USING INDEX memory_importance (tenant=? AND <expr>>? AND <expr><?)"),
        ("selection.newest_of", "m USING INTEGER PRIMARY KEY (rowid=?)"),
        ("selection.most_important_of", "m USING INTEGER PRIMARY KEY (rowid=?)"),
        ("selection.rows", "m USING INTEGER PRIMARY KEY (rowid=?)"),
        ("selection.tags", "memory_tag USING PRIMARY KEY (memory_id=?)"),
        ("selection.by_document", "memory USING INDEX memory_document (document_id=?)"),
        ("selection.by_session", "memory USING COVERING INDEX memory_session (tenant=? AND session=?)"),
        ("selection.by_types", "memory USING INDEX memory_type (tenant=? AND <expr>=?)"),
        ("selection.by_tags", "memory_tag USING COVERING INDEX memory_tag_lower (tenant=? AND <expr>=?)"),
        ("selection.by_source", "memory USING COVERING INDEX memory_source (tenant=? AND source=?)"),
        ("selection.by_project", "memory USING COVERING INDEX memory_project (tenant=? AND project=?)"),
        ("selection.by_actor", "memory USING COVERING INDEX memory_actor (tenant=? AND actor=?)"),
        ("selection.by_time", "memory USING COVERING INDEX memory_said (tenant=? AND <expr>>? AND <expr><?)"),
        ("selection.by_importance", "memory USING COVERING INDEX memory_importance (tenant=? AND <expr>>?)"),
        ("selection.count_unchunked", "d USING INDEX document_waiting (tenant=?)"),
        ("graph_view.latest", "memory USING INDEX memory_tenant (tenant=?)"),
        ("graph_view.count_memories", "memory USING COVERING INDEX memory_tenant (tenant=?)"),
        ("graph_view.count_links", "l USING PRIMARY KEY (source_id=?)"),
        ("graph_view.links_at", "link USING INDEX link_target (target_id=?)"),
        ("graph_view.vector", "v USING INDEX sqlite_autoindex_embedding_1 (memory_id=?)"),
        ("graph.shared_mentions", "mention USING PRIMARY KEY (entity_id=?)"),
        ("memories.previous_in_session", "memory USING INDEX memory_session (tenant=? AND session=? AND <expr><?)"),
        ("memories.next_in_session", "memory USING INDEX memory_session (tenant=? AND session=? AND <expr>>?)"),
        ("memories.not_enriched", "memory USING INDEX memory_not_enriched (tenant=?)"),
        ("memories.by_prefix", "memory USING INDEX sqlite_autoindex_memory_1 (uuid>? AND uuid<?)"),
        ("facts.by_prefix", "fact USING INDEX sqlite_autoindex_fact_1 (uuid>? AND uuid<?)"),
    ],
)
def test_what_an_answer_looks_up_goes_through_its_index(name, index, tx):
    steps = plan(tx, statement("sqlite", name))
    assert f"SEARCH {index}" in steps
    assert [step for step in steps if re.match(r"SCAN (?:m|d|p|t|f|memory\w*|fact|date_range|title)\b", step)] == []


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("unfinished", "queue_job USING INDEX queue_live (queue=? AND tenant=? AND id<?)"),
        ("unfinished_end", "queue_job USING INDEX queue_live (queue=? AND tenant=? AND id<?)"),
        ("dead", "queue_job USING INDEX queue_dead (queue=? AND tenant=? AND id<?)"),
        ("dead_end", "queue_job USING COVERING INDEX queue_dead (queue=? AND tenant=? AND id<?)"),
        ("leased", "queue_job USING INDEX queue_wake (wake_at>?)"),
        ("ended", "queue_attempt USING PRIMARY KEY (job_id<?)"),
        ("ended_end", "queue_attempt USING PRIMARY KEY (job_id<?)"),
        ("failures", "queue_job USING INDEX queue_live (queue=? AND tenant=? AND id<?)"),
        ("count_dead", "queue_job USING COVERING INDEX queue_dead (queue=? AND tenant=?)"),
        ("documents", "document USING INDEX document_job (job_id=?)"),
        ("memories", "m USING INDEX memory_job (job_id=?)"),
        ("made_of_document", "m USING INDEX memory_document (document_id=?)"),
    ],
)
def test_a_list_of_jobs_reads_no_more_than_its_window(name, index, tx):
    """In the order of an index, so that the limit ends it; what a job is about is looked up by its number."""
    steps = plan(tx, statement("sqlite", f"job_lists.{name}"))
    assert f"SEARCH {index}" in steps
    first = steps.index(f"SEARCH {index}")
    assert not re.search("TEMP B-TREE", " ".join(steps[: first + 1]))
    assert [step for step in steps if re.match(r"SCAN (?:d|m|q|a|queue_\w+|document|memory)\b", step)] == []


def test_a_statement_without_an_index_would_be_noticed(tx):
    steps = plan(tx, "select id from queue_job where owner = :owner order by error")
    assert len(scans(steps)) == 2


@pytest.mark.parametrize("name", ["facts.by_terms", "facts.competing", "facts.keys_of_memory"])
def test_facts_are_looked_up_by_their_indexes(name, tx):
    steps = plan(tx, statement("sqlite", name))
    assert [step for step in steps if re.match(r"(?:SCAN|SEARCH) (?:f|fact|m|memory)\b", step)]
    assert [step for step in steps if re.match(r"SCAN (?:f|fact|m|memory|successor)\b", step)] == []
    assert [step for step in steps if re.search(r"\bf USING .*\(tenant=\?\)$", step)] == []
