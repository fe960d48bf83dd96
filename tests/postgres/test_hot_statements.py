"""The statements of every claim use their index and read nothing twice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import psycopg
import pytest

from jotsam.core.job_records import JobSpec
from jotsam.storage import connect, queue
from jotsam.storage.statements import statement

if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.storage.database import Transaction

JOBS = 2_000
CLAIM = {"queue": "q", "owner": "me", "lease_ms": None, "after_priority": 0, "after_place": 0}
CLAIM |= {"looked": 0, "since": -1, "tolerance": 1_000}
HOT = {
    "claim_state": ({"queue": "q", "since": -1}, {"queue_wake"}),
    "receive_one": ({"queue": "q", "owner": "me", "lease_ms": None}, {"queue_ready"}),
    "receive": ({**CLAIM, "after_id": 7, "limit": 10}, {"queue_ready", "queue_requeued", "queue_wake"}),
    "delete_one": ({"id": 1, "received": 1, "outcome": "done", "error": None, "hour": 1}, {"queue_job_pkey"}),
    "delete": ({"jobs": "[[1, 1]]", "outcome": "done", "error": None, "hour": 1}, {"queue_job_pkey"}),
    "extend": ({"jobs": "[[1, 1, 60000]]"}, {"queue_job_pkey"}),
    "due": ({}, {"queue_wake"}),
    "oldest_live": ({"queues": '["q"]', "tenant": "t"}, {"queue_live"}),
    "any_ready": ({"queue": "q"}, {"queue_ready"}),
    "latest_done": ({"tenant": None, "window": 1_000}, {"queue_attempt_pkey"}),
    "merge_counts": ({"hour": 5}, {"queue_count_hour"}),
}


@pytest.fixture
def database(new_url: Callable[[], str]):
    database = connect(new_url(), schemas=("queue",))
    yield database
    database.close()


def explained(tx: Transaction, name: str, params: dict[str, object], how: str = "format json") -> list[dict]:
    """Every step of the plan."""
    found = tx.execute(f"explain ({how}) {statement('postgres', f'queue.{name}')}", params)
    plan = found[0]["QUERY PLAN"]
    steps = [(json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]]
    for step in steps:
        steps += step.get("Plans", ())
    return steps


@pytest.mark.parametrize("name", HOT)
def test_a_hot_statement_uses_its_index_from_the_first_day_on(name, database):
    """Also while the tables are empty and the planner has been told nothing, for the plan is kept."""
    params, wanted = HOT[name]
    with database.transaction() as tx:
        steps = explained(tx, name, params)
    scanned = [step["Relation Name"] for step in steps if step["Node Type"] == "Seq Scan"]
    assert set(scanned) <= {"queue_clock", "queue_control"}
    assert {step.get("Index Name") for step in steps} >= wanted


def test_a_claim_begins_where_the_last_one_ended(database):
    params, _ = HOT["receive"]
    with database.transaction() as tx:
        conditions = [step.get("Index Cond", "") for step in explained(tx, "receive", params)]
    assert any("ROW(place, id) > ROW(" in condition and "priority" in condition for condition in conditions)


def test_a_forgotten_transaction_makes_no_claim_longer_for_who_remembers_how_far_it_came(database, server):
    """In pages of the index and the table that a claim touches, which no other load on the machine changes."""
    with database.transaction() as tx:
        for _ in range(JOBS):
            queue.send(tx, JobSpec(queue="q", kind="k"))
    with psycopg.connect(server.admin, autocommit=True) as forgotten:
        forgotten.execute("begin isolation level repeatable read")
        forgotten.execute("select count(*) from pg_class")
        watermark = queue.Watermark()
        for _ in range(JOBS // 100 - 1):
            with database.transaction() as tx:
                jobs = queue.receive(tx, queue="q", owner="me", limit=100, watermark=watermark)
                queue.delete_many(tx, jobs)
        with database.transaction() as tx:
            above = dict(zip(("after_priority", "after_place", "after_id"), watermark.position, strict=True))
            above["since"] = watermark.since
            touched = [_touched(tx, {**CLAIM, "limit": 1, **where}) for where in (above, {**above, "after_id": 0})]
    assert touched[0] < 60
    assert touched[1] > 2 * touched[0]


def _touched(tx: Transaction, params: dict[str, object]) -> int:
    root = explained(tx, "receive", params, "analyze, buffers, format json")[0]
    return root["Shared Hit Blocks"] + root["Shared Read Blocks"]
