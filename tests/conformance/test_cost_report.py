"""Costs by day, model, kind and job are those of the ledger, and the report says where it stopped reading."""

from __future__ import annotations

import pytest

from jotsam import Jotsam
from jotsam.memory.status import cost_report
from jotsam.memory.status.cost_report import CostReport
from jotsam.storage.costs.budget import Budget, ModelCall
from jotsam.storage.costs.ledger import DAY_MS, Cap, Spent


def read(jot: Jotsam, **options) -> CostReport:
    return cost_report.read_cost_report(jot.database, jot.settings, **options)


def spend(jot: Jotsam, tokens: int, *, job: int = 0, tenant="default", model="m", purpose="extraction") -> None:
    budget = Budget(jot.database, cap=Cap(), timeout_ms=45_000)
    call = ModelCall(tenant=tenant, model=model, purpose=purpose, job_id=job)
    spent = Spent(tokens_in=tokens, tokens_out=1, cost=tokens / 100)
    with budget.request(call, estimate=spent) as entry:
        budget.settle(call, entry, spent=spent)


def test_costs_by_day_model_kind_and_job(jot: Jotsam, clock):
    spend(jot, 1_000, job=1)
    clock.tick(29 * DAY_MS)
    spend(jot, 100, job=1)
    spend(jot, 20, job=2, model="v", purpose="embedding")
    clock.tick(DAY_MS)
    spend(jot, 3, job=1)
    spend(jot, 4, purpose="question")
    spend(jot, 7, tenant="other", job=9)
    jot.settings = jot.settings.replace(llm_daily_tokens=500)
    found = read(jot)
    assert len(found.days) == 30
    assert [day.use.tokens for day in found.days] == [0] * 28 + [122, 9]
    assert [day.tokens_of_all for day in found.days][-2:] == [122, 17]
    assert [(one.name, one.use.calls, one.use.tokens) for one in found.models] == [("m", 3, 110), ("v", 1, 21)]
    kinds = [("model", 105), ("embed", 21), ("recall", 5)]
    assert [(one.name, one.use.tokens) for one in found.kinds] == kinds
    days = [day.day for day in found.days][-2:]
    assert [(*row[:3], row[3].tokens) for row in found.rows] == [
        (days[1], "m", "model", 4),
        (days[1], "m", "recall", 5),
        (days[0], "m", "model", 101),
        (days[0], "v", "embed", 21),
    ]
    assert [(job.id, job.kind, job.calls, job.tokens) for job in found.jobs] == [
        (1, "model", 2, 105),
        (2, "embed", 1, 21),
    ]
    assert (found.total.calls, found.total.tokens, found.total.cost) == (4, 131, 1.27)
    assert (found.is_partial, found.since) == (False, found.days[0].day)
    assert (found.tokens_today, found.max_tokens, found.max_cost) == (17, 500, None)
    known = jot.admin.costs(days=30)
    assert sum(one.tokens for one in known) == found.total.tokens


def test_a_report_of_too_many_requests_says_from_which_day_it_counts(jot: Jotsam, clock, monkeypatch):
    monkeypatch.setattr(cost_report, "MAX_REQUESTS", 2)
    for tokens in (10, 20, 30):
        spend(jot, tokens, job=tokens)
        clock.tick(DAY_MS)
    found = read(jot)
    assert (found.is_partial, found.since, found.total.calls) == (True, found.days[-3].day, 2)
    assert [job.id for job in found.jobs] == [30, 20]


@pytest.mark.needs_server
def test_without_a_request_there_are_empty_days(jot: Jotsam):
    found = read(jot, days=2)
    assert ([day.use.calls for day in found.days], found.jobs, found.total.calls) == ([0, 0], (), 0)
