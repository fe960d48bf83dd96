"""The numbers of a database over all tenants agree with its jobs, and the counters never fall."""

from __future__ import annotations

from collections import Counter

import pytest

from jotsam import Jotsam
from jotsam.core.job_records import JobSpec
from jotsam.memory.status import metrics
from jotsam.memory.status.metrics import JobMetrics, Metrics
from jotsam.storage import queue
from jotsam.storage.costs.budget import Budget, ModelCall
from jotsam.storage.costs.ledger import Cap, Spent
from jotsam.storage.transfer import table_copy

HOUR_MS = 3_600_000
COUNTERS = ("accepted", "done", "retried", "buried", "redriven", "discarded", "busy_ms")


def of_kind(found: Metrics, kind: str) -> JobMetrics:
    (one,) = [job for job in found.jobs if job.kind == kind]
    return one


def send(database, count: int, **fields) -> None:
    with database.transaction() as tx:
        for _ in range(count):
            queue.send(tx, JobSpec(**{"queue": "q", "kind": "k", **fields}))


def test_states_counters_and_durations_of_all_tenants(database, clock):
    send(database, 5, tenant="ana")
    send(database, 3, tenant="bo", lane="l", parallel=False)
    send(database, 1, delay_ms=60_000)
    clock.tick(1_000)
    with database.transaction() as tx:
        jobs = queue.receive(tx, queue="q", owner="me", limit=6)
    assert len(jobs) == 6
    clock.tick(500)
    with database.transaction() as tx:
        done, cancelled, failed, dead, redriven, _ = jobs
        assert queue.delete(tx, done)
        assert queue.delete(tx, cancelled, outcome="cancelled", error="unwanted")
        assert queue.release(tx, failed, error="x", delay_ms=10_000) == "waiting"
        assert queue.bury(tx, dead, error="x")
        assert queue.bury(tx, redriven, error="x")
        assert queue.redrive(tx, redriven.id)
        queue.pause(tx, "q", reason="a test")
    found = metrics.read_metrics(database)
    assert of_kind(found, "k") == JobMetrics(
        queue="q",
        kind="k",
        ready=3,  # the redriven one, and two that the lane blocks
        leased=1,
        waiting=2,
        dead=1,
        accepted=9,
        done=1,
        retried=1,
        buried=2,
        redriven=1,
        discarded=1,
        busy_ms=2_500,
    )
    assert (found.oldest_ms, found.paused) == ({"q": 1_500}, ("q",))
    assert found.bytes > 10_000


def test_the_states_are_those_that_counting_every_job_finds(jot: Jotsam, database):
    jot.add_many([f"Note {number}" for number in range(7)])
    jot.remember("Our jobs live in a table now.")
    jot.work()
    jot.add("One more")
    with database.snapshot() as tx:
        rows = tx.execute("select kind, state, count(*) as jobs from queue_job group by kind, state")
    counted = Counter({(row["kind"], row["state"]): row["jobs"] for row in rows})
    found = metrics.read_metrics(database)
    assert counted
    for job in found.jobs:
        for state in ("ready", "leased", "waiting", "dead"):
            assert getattr(job, state) == counted[job.kind, state], (job.kind, state)
    assert of_kind(found, "ingest").done == 7
    assert (found.oldest_ms.keys(), found.workers) == ({"ingest"}, 0)


def test_counters_do_not_fall_when_a_tenant_is_forgotten_or_the_past_is_merged(jot: Jotsam, open_jot, database, clock):
    jot.add("Note")
    jot.work()
    other = open_jot(tenant="other")
    other.remember("Marcus prefers Flask.")
    other.work()
    other.add("Not done")
    before = metrics.read_metrics(database)
    other.admin.forget_tenant()
    after = metrics.read_metrics(database)
    for old in before.jobs:
        new = of_kind(after, old.kind)
        for name in COUNTERS:
            assert getattr(new, name) >= getattr(old, name), (old.kind, name)
        assert new.accepted == new.done + new.discarded, old.kind
    clock.tick(48 * HOUR_MS)
    jot.add("Later")
    jot.work()  # An idle worker deletes old history once a day.
    with database.snapshot() as tx:
        hours = {row["hour"] for row in tx.execute("select hour from queue_count")}
        assert queue.tenants(tx, queue="ingest") == ["default"]
    assert hours == {0, clock.now // HOUR_MS}
    merged = metrics.read_metrics(database)
    assert of_kind(merged, "ingest").accepted == of_kind(after, "ingest").accepted + 1
    assert of_kind(merged, "enrich").busy_ms >= of_kind(after, "enrich").busy_ms


@pytest.mark.needs_server
def test_the_use_of_models_is_that_of_all_tenants_and_stays_when_they_are_forgotten(jot: Jotsam, database):
    budget = Budget(database, cap=Cap(), timeout_ms=45_000)
    for tenant in ("ana", "bo"):
        call = ModelCall(tenant=tenant, model="m", purpose="extraction", job_id=1)
        estimate = Spent(tokens_in=100, tokens_out=100, cost=1.0)
        with budget.request(call, estimate=estimate) as entry:
            assert metrics.read_metrics(database).models == () or tenant == "bo", "a running request is not counted yet"
            budget.settle(call, entry, spent=Spent(tokens_in=7, tokens_out=2, cost=0.25))
    with database.transaction(tenant="ana") as tx:
        table_copy.remove_tenant(tx)
    (used,) = metrics.read_metrics(database).models
    assert (used.model, used.purpose, used.calls, used.tokens_in, used.tokens_out) == ("m", "extraction", 2, 14, 4)
    assert used.cost == 0.5
