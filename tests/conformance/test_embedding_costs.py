"""Cost of embedding on a server, over real HTTP: reserved first, recorded, and within the daily cap."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from jotsam import Jotsam
from jotsam.core.names import EMBED
from jotsam.models.fake_endpoint import FakeEndpoint
from jotsam.storage import queue
from jotsam.storage.costs import ledger
from processes import WAIT_MS

TEXT = "The cat sat on the mat"
DAY = ledger.DAY_MS


@pytest.fixture
def open_jot(open_jot: Callable[..., Jotsam], fake_endpoint: FakeEndpoint) -> Callable[..., Jotsam]:
    """Clients that use an embedding server."""
    by_server = {"embed_url": fake_endpoint.url, "embed_model": "m", "embed_price": 2.0, "similar_limit": 0}
    return partial(open_jot, **by_server, hook_lock_timeout_ms=WAIT_MS)


def entries(jot: Jotsam) -> list[dict]:
    """Ledger entries of all days by model and purpose."""
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        return ledger.by_model(tx, first=0, last=10**6)


def embedded(jot: Jotsam) -> int:
    return jot.recall("cat").coverage.embedded


def embed_jobs(jot: Jotsam) -> list:
    return jot.admin.jobs(kind=EMBED)


def test_tokens_and_cost_are_recorded_by_job_day_tenant_and_model(jot: Jotsam, fake_endpoint: FakeEndpoint):
    jot.remember(TEXT)
    jot.admin.pause(EMBED)
    jot.work()
    (job,) = embed_jobs(jot)
    jot.admin.resume(EMBED)
    jot.work()
    with jot.database.snapshot(tenant="default") as tx:
        (entry,) = ledger.of_job(tx, job_id=job.id)
        whole = ledger.spent(tx)
        tx.set_tenant("eve")
        assert ledger.of_job(tx, job_id=job.id) == []
    tokens = len(TEXT) // 4  # as counted by the server
    assert (entry["model"], entry["purpose"], entry["state"]) == ("m", "embedding", "done")
    assert (entry["tokens_in"], entry["tokens_out"]) == (tokens, 0)
    assert entry["cost"] == pytest.approx(tokens * 2.0 / 1e6)
    assert whole == (tokens, pytest.approx(entry["cost"]))
    (day,) = jot.admin.costs()
    assert (day.model, day.calls, day.tokens, day.cost) == ("m", 1, tokens, pytest.approx(entry["cost"]))


def test_a_local_embedder_costs_nothing(open_jot):
    jot = open_jot(embed_url="", embed_model="hashing")
    jot.remember(TEXT)
    jot.work()
    assert embedded(jot) == 1
    assert entries(jot) == []


def test_cost_is_reserved_before_the_call_and_the_rest_waits_until_tomorrow(
    open_jot, fake_endpoint: FakeEndpoint, clock
):
    clock.now = clock.now // DAY * DAY + DAY // 2
    jot = open_jot(llm_daily_tokens=600)
    for number in range(100):
        jot.remember(f"{TEXT} {number}")
    jot.work()
    assert 0 < len(asked_texts(fake_endpoint)) < 100
    with jot.database.snapshot() as tx:
        assert ledger.spent(tx)[0] <= 600
    (job,) = embed_jobs(jot)
    assert (job.state, job.failures, job.wake_at) == ("waiting", 0, clock.now + DAY // 2)
    status = jot.status()
    assert (status.capped, status.depth.dead) == (1, 0)
    for _ in range(10):
        clock.tick(DAY)
        jot.work()
    assert len(asked_texts(fake_endpoint)) == 100
    assert embed_jobs(jot) == []


def asked_texts(fake_endpoint: FakeEndpoint) -> list[str]:
    return [text for asked in fake_endpoint.requests for text in asked["input"] if text.startswith("The cat")]


def test_a_batch_above_the_daily_cap_is_embedded_one_by_one(open_jot, fake_endpoint: FakeEndpoint, clock):
    jot = open_jot(llm_daily_tokens=100)
    for number in range(30):
        jot.remember(f"{TEXT} {number}")
    long = jot.remember("mat " * 1_000).id
    for _ in range(20):
        jot.work()
        clock.tick(DAY)
    assert len(asked_texts(fake_endpoint)) == 30
    assert max(len(asked["input"]) for asked in fake_endpoint.requests) == 1
    status = jot.status()
    assert {one.name: one.degraded for one in status.stages}["embed"] == 1
    assert jot.show(long).done


def test_a_refused_request_costs_nothing_and_an_interrupted_one_may(jot: Jotsam, fake_endpoint: FakeEndpoint, clock):
    fake_endpoint.script(["429:1", "500", "cut-body"])
    jot.remember(TEXT)
    for _ in range(5):
        jot.work()
        clock.tick(3_600_000)
    (row,) = entries(jot)
    assert (row["calls"], row["open"]) == (2, 1)


def test_each_request_of_a_batch_that_is_split_is_paid_for(jot: Jotsam, fake_endpoint: FakeEndpoint):
    fake_endpoint.script(["too-long", "ok"])
    jot.remember(TEXT)
    jot.remember(TEXT + " too")
    jot.admin.pause(EMBED)
    jot.work()
    jot.admin.resume(EMBED)
    jot.work()
    (row,) = entries(jot)
    assert (row["calls"], row["open"], row["tokens_in"]) == (2, 0, len(TEXT) // 4 + len(TEXT + " too") // 4)


def test_embedding_a_question_is_recorded_too(jot: Jotsam, fake_endpoint: FakeEndpoint):
    jot.remember(TEXT)
    jot.work()
    jot.recall("where is the cat?")
    (row,) = [row for row in entries(jot) if row["purpose"] == "question"]
    assert (row["calls"], row["open"], row["tokens_in"]) == (1, 0, len("where is the cat?") // 4)


def test_over_the_cap_a_question_is_answered_by_text_and_the_footer_names_vectors(
    jot: Jotsam, open_jot, fake_endpoint: FakeEndpoint
):
    jot.remember(TEXT)
    jot.work()
    spent = len(fake_endpoint.requests)
    poor = open_jot(llm_daily_tokens=6)
    answer = poor.recall("where is the cat?")
    assert [hit.text for hit in answer.hits] == [TEXT]
    assert "unavailable: vectors (the cap of a day, 6 tokens, is reached; it goes on at 00:00 UTC)" in answer.text
    assert len(fake_endpoint.requests) == spent


def test_a_question_does_not_wait_for_a_writer(jot: Jotsam, open_jot, fake_endpoint: FakeEndpoint, database):
    """The lock is held while the question runs, so waiting for it would never end."""
    jot.remember(TEXT)
    jot.work()
    asking = open_jot(hook_lock_timeout_ms=20, lock_timeout_ms=3_600_000)
    with database.transaction() as tx:
        tx.execute("update daily_spend set tokens = tokens")
        answer = asking.recall("where is the cat?")
    assert [hit.text for hit in answer.hits] == [TEXT]
    assert "unavailable: vectors (" in answer.text


def test_the_price_of_embedding_counts_towards_the_cap_on_cost(open_jot, fake_endpoint: FakeEndpoint):
    jot = open_jot(llm_daily_tokens=0, llm_daily_cost=0.001, embed_price=10.0)
    for number in range(70):
        jot.remember(f"{TEXT} {number}")
    jot.work()
    assert jot.status().capped == 1
    with jot.database.snapshot() as tx:
        assert 0 < ledger.spent(tx)[1] <= 0.001
        assert queue.totals(tx, queue=EMBED)["buried"] == 0
