"""What the dashboard reads does not grow with what is stored, counted in steps of SQLite's virtual machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from jotsam.core.job_records import JobSpec
from jotsam.memory.status import cost_report, overview
from jotsam.storage import queue
from jotsam.storage.costs.budget import Budget, ModelCall
from jotsam.storage.costs.ledger import Cap, Spent

if TYPE_CHECKING:
    from jotsam import Jotsam

LIMIT = 20
READS = {"overview": overview.read_overview, "cost_report": cost_report.read_cost_report}


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overview, "MAX_JOBS", LIMIT)
    monkeypatch.setattr(overview, "MAX_COUNTED", LIMIT)
    monkeypatch.setattr(cost_report, "MAX_REQUESTS", LIMIT)
    monkeypatch.setattr(queue.history, "TIMED_DELIVERIES", LIMIT)


def steps(jot: Jotsam, name: str) -> dict[str, int]:
    """The steps of each statement of a read."""
    found: dict[str, int] = {}

    def profile(event: dict) -> None:
        sql = event["sql"]
        found[sql] = found.get(sql, 0) + event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"]

    connection = jot.database.connection()
    connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, profile)
    READS[name](jot.database, jot.settings)
    connection.trace_v2(0)
    return found


def fill(jot: Jotsam, times: int) -> None:
    """Documents, memories with facts, done, waiting, dead, leased and ready jobs, and requests to a model."""
    jot.add_many([f"Marcus prefers Flask {number}." for number in range(times)])
    jot.remember_many([f"Ana uses Zylophon {number}." for number in range(times)])
    jot.work()
    with jot.database.transaction() as tx:
        for _ in range(4 * times):
            queue.send(tx, JobSpec(queue="enrich", kind="enrich"))
        leased = queue.receive(tx, queue="enrich", owner="me", limit=3 * times)
        for job in leased[:times]:
            queue.release(tx, job, error="CapReached: x", delay_ms=60_000)
        for job in leased[times : 2 * times]:
            queue.bury(tx, job, error="x")
    budget = Budget(jot.database, cap=Cap(), timeout_ms=45_000)
    for number in range(times):
        call = ModelCall(tenant="default", model="m", purpose="extraction", job_id=number + 1)
        with budget.request(call, estimate=Spent(tokens_in=1, tokens_out=1, cost=0.0)):
            pass


def test_a_page_reads_as_much_of_a_large_database_as_of_a_small_one(jot: Jotsam):
    fill(jot, 2 * LIMIT)
    small = {name: steps(jot, name) for name in READS}
    fill(jot, 4 * LIMIT)
    large = {name: steps(jot, name) for name in READS}
    for name in READS:
        assert len(small[name]) > 4, "the statements were seen"
        grown = {sql for sql in large[name] if large[name][sql] > 1.2 * small[name].get(sql, 0) + 50}
        assert grown == set(), name
