"""The daily cap: reservations delay jobs only briefly, and raising the cap releases waiting jobs."""

from __future__ import annotations

import threading

import pytest

from jotsam import Jotsam
from jotsam.core.errors import CapReached, InvalidInput, NoAnswer, RetryJob
from jotsam.models import request_limit
from jotsam.models.fake_endpoint import FakeEndpoint
from jotsam.storage import queue
from jotsam.storage.costs import ledger
from jotsam.storage.costs.budget import Budget, ModelCall
from jotsam.storage.costs.ledger import Cap, Spent

TEXT = "Marcus prefers Flask. The billing service uses PostgreSQL and Zylophon."
DAY = ledger.DAY_MS
TIMEOUT_MS = 45_000
CALL = ModelCall(tenant="default", model="m", purpose="extraction", job_id=1)


def tokens(count: int) -> Spent:
    return Spent(tokens_in=count, tokens_out=0, cost=count / 100)


@pytest.fixture
def jot(jot: Jotsam, fake_endpoint: FakeEndpoint, clock) -> Jotsam:
    """A client with a model and a daily cap, at noon."""
    clock.now = clock.now // DAY * DAY + DAY // 2
    jot.settings = jot.settings.replace(
        llm_url=fake_endpoint.url, llm_model="fake-model", concurrency=16, llm_daily_tokens=20_000, worker_idle_ms=0
    )
    return jot


def waiting(jot: Jotsam) -> list[int]:
    return [job.wake_at or 0 for job in jot.admin.jobs(state="waiting")]


@pytest.mark.parametrize("cap", [Cap(tokens=100), Cap(cost=1.0)])
def test_a_reserved_budget_delays_briefly_and_a_spent_one_until_tomorrow(jot, clock, cap):
    budget = Budget(jot.database, cap=cap, timeout_ms=TIMEOUT_MS)
    with budget.request(CALL, estimate=tokens(80)) as entry:
        with pytest.raises(RetryJob) as soon, budget.request(CALL, estimate=tokens(30)):
            pass
        budget.settle(CALL, entry, spent=tokens(10))
    assert not isinstance(soon.value, CapReached)
    assert (soon.value.spend, soon.value.after_ms) == (False, 5_000)
    with budget.request(CALL, estimate=tokens(80)) as entry:
        budget.settle(CALL, entry, spent=tokens(80))
    with pytest.raises(CapReached) as tomorrow, budget.request(CALL, estimate=tokens(30)):
        pass
    assert tomorrow.value.after_ms == DAY // 2


def test_interrupted_requests_and_reservations_of_dead_processes_count_as_spent(jot, clock):
    budget = Budget(jot.database, cap=Cap(tokens=100), timeout_ms=TIMEOUT_MS)
    with pytest.raises(NoAnswer), budget.request(CALL, estimate=tokens(80)):
        raise NoAnswer("cut off")
    with pytest.raises(CapReached), budget.request(CALL, estimate=tokens(30)):
        pass
    clock.tick(DAY)
    with jot.database.transaction(tenant="default") as tx:
        about = {"job_id": 1, "model": CALL.model, "purpose": CALL.purpose}
        ledger.reserve(tx, about, estimate=tokens(80), cap=Cap(tokens=100), until=tx.now + TIMEOUT_MS)
    clock.tick(TIMEOUT_MS - 1)
    with pytest.raises(RetryJob, match="is reserved by requests that run"), budget.request(CALL, estimate=tokens(30)):
        pass
    clock.tick(1)
    with pytest.raises(CapReached), budget.request(CALL, estimate=tokens(30)):
        pass


def test_a_cost_that_was_given_back_is_never_negative(jot):
    budget = Budget(jot.database, cap=Cap(), timeout_ms=TIMEOUT_MS)
    for cost in (0.1, 0.2, 0.3):
        with budget.request(CALL, estimate=Spent(tokens_in=1, tokens_out=0, cost=cost)) as entry:
            pass
        budget.settle(CALL, entry, spent=Spent(tokens_in=1, tokens_out=0, cost=0.0))
    with jot.database.transaction() as tx:
        tx.execute("update daily_spend set cost = -1e-17")
    assert f"{jot.status().spent.cost_of_all:.4f}" == "0.0000"


def test_more_memories_than_the_cap_can_reserve_at_once_are_all_extracted_today(jot, fake_endpoint, clock, monkeypatch):
    monkeypatch.setattr(request_limit, "FIRST", 16)
    jot.settings = jot.settings.replace(llm_daily_tokens=24_000)
    ids = [jot.remember(f"{TEXT} Number {number}.").id for number in range(16)]
    fake_endpoint.hold()
    worker = threading.Thread(target=jot.work)
    worker.start()
    while len(waiting(jot)) < 10:
        assert worker.is_alive()
    assert max(waiting(jot)) == clock.now + 5_000
    assert jot.status().capped == 0
    fake_endpoint.resume()
    worker.join()
    while jot.status().depth.live:
        clock.tick(5_000)
        jot.work()
    assert clock.now % DAY < DAY // 2 + 600_000
    assert {jot.show(id).memory.degraded for id in ids} == {None}
    assert {job.outcome for id in ids for job in jot.show(id).attempts} == {"released", "done"}


def exhausted(jot: Jotsam) -> int:
    """Extract memories until the cap is reached. Returns how many wait until tomorrow."""
    jot.settings = jot.settings.replace(concurrency=1, llm_daily_tokens=5_000)
    for number in range(12):
        jot.remember(f"{TEXT} Number {number}.")
    jot.work()
    status = jot.status()
    assert 0 < status.capped == status.depth.live
    assert status.freed == 0
    return status.capped


@pytest.mark.parametrize("cap", [1_000_000, 0])
def test_raising_or_removing_the_cap_releases_the_waiting_jobs(jot, cap):
    count = exhausted(jot)
    jot.settings = jot.settings.replace(llm_daily_tokens=cap)
    status = jot.status()
    assert (status.capped, status.freed) == (0, count)
    jot.work()
    assert jot.status().depth.live == 0


def test_waiting_after_the_cap_was_raised_makes_the_jobs_due(jot, clock):
    """A worker is only started for jobs that are due. Under the same cap they keep waiting."""
    count = exhausted(jot)
    assert jot.wait(timeout_ms=0) is False
    assert (jot.status().capped, min(waiting(jot)) > clock.now) == (count, True)
    jot.settings = jot.settings.replace(llm_daily_tokens=1_000_000)
    assert jot.wait(timeout_ms=0) is False
    assert (jot.status().freed, max(waiting(jot)) <= clock.now) == (0, True)


def test_a_new_worker_under_the_same_cap_releases_no_job(jot, fake_endpoint):
    count, asked = exhausted(jot), len(fake_endpoint.requests)
    tries = [len(jot.show(str(job.id)).attempts) for job in jot.admin.jobs()]
    jot.work()
    assert (jot.status().capped, len(fake_endpoint.requests)) == (count, asked)
    assert [len(jot.show(str(job.id)).attempts) for job in jot.admin.jobs()] == tries


def test_a_capped_job_can_be_retried_at_once(jot):
    count = exhausted(jot)
    (job, *_) = jot.admin.jobs()
    tries = len(jot.show(str(job.id)).attempts)
    jot.admin.retry(job.id)
    jot.work()
    again = next(one for one in jot.admin.jobs() if one.id == job.id)
    assert len(jot.show(str(job.id)).attempts) == tries + 1
    assert (again.failures, jot.status().capped) == (0, count)


def test_a_ready_job_cannot_be_retried(jot):
    receipt = jot.remember(TEXT)
    with pytest.raises(InvalidInput, match="is ready: only dead and waiting jobs"):
        jot.admin.retry(receipt.job_id)


def test_jobs_whose_day_has_come_are_not_counted_as_capped(jot, clock):
    exhausted(jot)
    clock.tick(DAY)
    with jot.database.snapshot() as tx:
        assert queue.count_waiting(tx, "model", tenant="default", error="CapReached") == 0
