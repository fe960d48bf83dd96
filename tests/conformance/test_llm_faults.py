"""Faults of a model server: attempts, cost in the ledger, the state of the memory, and what a recovery changes."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from jotsam import Jotsam
from jotsam.models.fake_endpoint import FakeEndpoint
from jotsam.storage.costs import ledger
from jotsam.worker.enrichment.llm_extraction import MAX_WAIT_MS
from processes import PATIENCE

TEXT = "Marcus prefers Flask. The billing service uses PostgreSQL and Zylophon."
BY_MODEL = "llm:fake-model prompt/3 schema/2"
MINUTE_MS, DAY_MS = 60_000, ledger.DAY_MS
LONG_MS, SHORT_MS = PATIENCE * 1_000, 1_000


class Fault(NamedTuple):
    behaviour: str
    deliveries: int  # of the job until it ends; 0: it stays in the queue
    settled: int  # ledger entries whose cost the server reported
    estimated: int  # ledger entries that count as estimated
    waits: bool  # for the model; otherwise the memory is degraded until it is reprocessed


QUEUED = 0
FAULTS = [
    Fault("connection refused", QUEUED, 0, 0, waits=False),
    Fault("401", QUEUED, 0, 0, waits=False),
    Fault("429:7", QUEUED, 0, 0, waits=False),
    Fault("503:7", QUEUED, 0, 0, waits=False),
    Fault("408", 3, 0, 0, waits=True),
    Fault("500", 3, 0, 0, waits=True),
    Fault("hang", 3, 0, 0, waits=True),
    Fault("no-body", 3, 0, 0, waits=True),
    Fault("cut-body", 3, 0, 3, waits=True),
    Fault("html", 2, 0, 0, waits=True),
    Fault('raw:{"error": "overloaded"}', 2, 0, 0, waits=True),
    Fault('raw:{"choices": [', 2, 0, 2, waits=True),
    Fault("broken", 2, 2, 0, waits=True),
    Fault("strange", 2, 2, 0, waits=True),
    Fault("empty", 2, 2, 0, waits=True),
    Fault("refusal", 1, 1, 0, waits=False),
    Fault("huge", 1, 0, 1, waits=False),
    Fault("length:20", 2, 2, 0, waits=False),
    Fault("too-long", 1, 0, 0, waits=False),
    Fault("400", 1, 0, 0, waits=False),
]
# One of each way to end; all of them in the long suites.
IN_THE_CHECK = {"connection refused", "429:7", "500", "cut-body", 'raw:{"choices": [', "broken", "refusal", "huge"}
SOME = [fault for fault in FAULTS if fault.behaviour in IN_THE_CHECK]


@pytest.fixture
def jot(jot: Jotsam, fake_endpoint: FakeEndpoint) -> Jotsam:
    jot.settings = jot.settings.replace(
        llm_url=fake_endpoint.url, llm_model="fake-model", llm_timeout_ms=LONG_MS, concurrency=1, worker_idle_ms=0
    )
    return jot


def entries(jot: Jotsam) -> tuple[int, int]:
    """The settled and the estimated entries of the tenant in the ledger. Without any, nothing was spent."""
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        rows = ledger.by_model(tx, first=0, last=10**6)
    return sum(row["calls"] - row["open"] for row in rows), sum(row["open"] for row in rows)


def work(jot: Jotsam, clock, *, rounds: int) -> None:
    """Work until no job is left, at most `rounds` times."""
    for _ in range(rounds):
        jot.work()
        if not jot.status().depth.live:
            return
        clock.tick(MINUTE_MS)


def check_fault(jot: Jotsam, fake_endpoint: FakeEndpoint, clock, fault: Fault) -> None:
    url, behaviour = fake_endpoint.url, fault.behaviour
    before = jot.status().spent.tokens_of_all
    fake_endpoint.script([behaviour] * 50)
    failing = {"llm_url": "http://127.0.0.1:9/v1"} if behaviour == "connection refused" else {}
    failing |= {"llm_timeout_ms": SHORT_MS} if behaviour == "hang" else {}
    jot.settings = jot.settings.replace(**failing)
    id = jot.remember(TEXT).id
    work(jot, clock, rounds=4)
    status, story = jot.status(), jot.show(id)
    assert entries(jot) == (fault.settled, fault.estimated)
    assert (status.spent.tokens_of_all > before) == bool(fault.settled + fault.estimated)
    if fault.deliveries == QUEUED:
        (job,) = jot.admin.jobs()
        assert (job.failures, status.enriched, status.degraded, status.awaiting_model) == (0, 1, 1, 1)
    else:
        assert len(story.attempts) == fault.deliveries
        assert (status.enriched, status.degraded, status.awaiting_model) == (1, 1, int(fault.waits))
        assert story.memory.degraded

    fake_endpoint.script([])
    jot.settings = jot.settings.replace(llm_url=url, llm_timeout_ms=LONG_MS)
    clock.tick(MINUTE_MS)
    work(jot, clock, rounds=20)
    status = jot.status()
    recovers = fault.waits or fault.deliveries == QUEUED
    assert jot.show(id).memory.extractor.startswith(BY_MODEL if recovers else "rules/")
    assert (status.degraded, status.awaiting_model) == (int(not recovers), 0)


@pytest.mark.parametrize("faults", [SOME, pytest.param(FAULTS, marks=pytest.mark.long)], ids=["some", "all"])
def test_each_fault_has_its_attempts_cost_and_end_and_recovers(faults, jot, fake_endpoint, clock):
    wrong = []
    for number, fault in enumerate(faults):
        jot.settings = jot.settings.replace(tenant=f"t{number}")
        try:
            check_fault(jot, fake_endpoint, clock, fault)
        except AssertionError as error:
            wrong.append(f"{fault.behaviour}: {error}")
            jot.admin.forget_tenant()
            jot.settings = jot.settings.replace(llm_url=fake_endpoint.url, llm_timeout_ms=LONG_MS)
        clock.tick(DAY_MS)
    assert wrong == []


def test_after_an_outage_one_reply_brings_back_the_backlog_behind_what_is_new(jot, fake_endpoint, clock):
    jot.settings = jot.settings.replace(concurrency=4)
    fake_endpoint.script(["500"] * 200)
    ids = [jot.remember(f"{TEXT} Number {number}.").id for number in range(20)]
    work(jot, clock, rounds=10)
    assert jot.status().awaiting_model == 20
    fake_endpoint.script([])
    fake_endpoint.requests.clear()
    ids.append(jot.remember("We use Redis.").id)
    jot.work()
    status = jot.status()
    assert (status.degraded, status.awaiting_model, status.depth.live) == (0, 0, 0)
    assert {jot.show(id).memory.extractor for id in ids} == {BY_MODEL}
    assert "We use Redis." in fake_endpoint.requests[0]["messages"][-1]["content"]
    assert len(fake_endpoint.requests) == 21


@pytest.mark.parametrize(("behaviour", "requests"), [("500", 12), ("broken", 2)])
def test_a_text_that_fails_while_others_are_read_ends_degraded(jot, fake_endpoint, clock, behaviour, requests):
    fake_endpoint.failing = {"Quxbar": behaviour}
    bad = jot.remember("Marcus uses Quxbar.").id
    for number in range(6):
        jot.remember(f"{TEXT} Number {number}.")
    work(jot, clock, rounds=10)
    for number in range(4):
        jot.remember(f"We use Redis {number}.")
        work(jot, clock, rounds=10)
    status = jot.status()
    assert (status.degraded, status.awaiting_model, status.depth.live) == (1, 0, 0)
    assert jot.show(bad).memory.degraded
    asked = [request["messages"][-1]["content"].partition("<text>")[2] for request in fake_endpoint.requests]
    assert sum("Quxbar" in text for text in asked) == requests


def test_a_server_that_stays_down_is_asked_rarely_and_not_for_ever(jot, fake_endpoint, clock):
    fake_endpoint.failing = {"Zylophon": "500"}
    jot.remember(TEXT)
    began = clock.now
    work(jot, clock, rounds=4)
    while clock.now < began + 2 * MAX_WAIT_MS:
        clock.tick(DAY_MS)
        work(jot, clock, rounds=4)
    assert (jot.status().degraded, jot.status().awaiting_model) == (1, 0)
    assert len(fake_endpoint.requests) < 40


def test_reprocessing_and_clearing_a_memory_end_its_wait(jot, fake_endpoint, clock):
    fake_endpoint.script(["500"] * 3)
    id = jot.remember(TEXT).id
    work(jot, clock, rounds=4)
    jot.reprocess(jot.plan_reprocess([id]), clear=True)
    assert jot.status().awaiting_model == 0
    jot.work()
    assert jot.show(id).memory.extractor == BY_MODEL
