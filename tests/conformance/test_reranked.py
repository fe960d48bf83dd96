"""Recall with a reranking server, over real HTTP: its order, its costs, and answers without it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from jotsam import Jotsam
from jotsam.core.answers import Answer
from jotsam.core.clock import monotonic_ms
from jotsam.memory.reading import question_reranker
from jotsam.models.fake_endpoint import FakeEndpoint
from processes import WAIT_MS

TEXTS = ["lease lease lease", "the lease is renewed every minute", "a lease"]
QUESTION = "renewed lease"
LAST_FIRST = 'raw:{"results": [{"index": 2, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]}'


@pytest.fixture
def open_jot(open_jot: Callable[..., Jotsam], fake_endpoint: FakeEndpoint) -> Callable[..., Jotsam]:
    """Clients that use a reranking server."""
    by_server = {"rerank_url": fake_endpoint.url, "rerank_model": "ranker", "rerank_price": 2.0}
    return partial(open_jot, **by_server, hook_lock_timeout_ms=WAIT_MS)


@pytest.fixture
def jot(open_jot: Callable[..., Jotsam]) -> Jotsam:
    jot = open_jot()
    for text in TEXTS:
        jot.remember(text)
    return jot


def texts(answer: Answer) -> list[str]:
    return [hit.text for hit in answer.hits]


@pytest.mark.needs_server
def test_the_order_of_the_server_is_that_of_the_answer(jot: Jotsam, fake_endpoint: FakeEndpoint):
    jot.recall(QUESTION)
    sent = fake_endpoint.requests[-1]["documents"]
    fake_endpoint.script([LAST_FIRST])
    answer = jot.recall(QUESTION)
    assert sorted(sent) == sorted(TEXTS)
    assert texts(answer) == [sent[2], sent[0], sent[1]]
    assert answer.coverage.reranked == len(TEXTS)
    assert "best 3 reranked" in answer.text
    assert answer.hits[0].scores["rerank"] > 0


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [("500", "returned 500"), ("401", "the API key was rejected"), ("raw:{}", "returned no scores"), ("hang", "timed")],
)
def test_without_a_reply_the_answer_has_the_order_without_it_and_says_why(
    open_jot, jot: Jotsam, fake_endpoint: FakeEndpoint, behaviour: str, reason: str
):
    plain = texts(open_jot(rerank_url="").recall(QUESTION))
    fake_endpoint.script([behaviour])
    answer = open_jot(rerank_timeout_ms=200).recall(QUESTION)
    assert texts(answer) == plain
    assert answer.coverage.reranked == 0
    (why,) = answer.coverage.unavailable
    assert why.startswith("reranker (")
    assert reason in why


def test_a_server_that_is_away_is_not_asked_again_for_a_while(
    jot: Jotsam, fake_endpoint: FakeEndpoint, monkeypatch: pytest.MonkeyPatch
):
    fake_endpoint.script(["no-body", "ok"])
    first, second = jot.recall(QUESTION), jot.recall(QUESTION)
    assert first.coverage.unavailable == second.coverage.unavailable
    assert len(fake_endpoint.requests) == 1
    later = monotonic_ms() + question_reranker.AWAY_MS
    monkeypatch.setattr(question_reranker, "monotonic_ms", lambda: later)
    assert jot.recall(QUESTION).coverage.reranked == len(TEXTS)


def test_a_question_is_sent_without_its_secrets(jot: Jotsam, fake_endpoint: FakeEndpoint):
    key = "sk-proj-" + "a1B2c3D4e5F6g7H8" * 3
    jot.recall(f"renewed lease of {key}")
    assert key not in str(fake_endpoint.requests)
    assert "renewed lease" in fake_endpoint.requests[-1]["query"]


def test_nothing_is_sent_if_there_is_nothing_to_put_in_order(jot: Jotsam, fake_endpoint: FakeEndpoint):
    for question in ("", "latest", "minute"):
        assert jot.recall(question).coverage.reranked == 0
    assert fake_endpoint.requests == []


def test_its_cost_counts_against_the_daily_cap(open_jot, jot: Jotsam, fake_endpoint: FakeEndpoint):
    jot.recall(QUESTION)
    (day,) = jot.admin.costs()
    tokens = sum(map(len, TEXTS)) // 4
    assert (day.model, day.calls, day.tokens) == ("ranker", 1, tokens)
    assert day.cost == pytest.approx(tokens * 2.0 / 1e6)
    capped = open_jot(llm_daily_tokens=5).recall(QUESTION)
    assert len(capped.hits) == len(TEXTS)
    assert "reranker (" in capped.coverage.unavailable[0]
    assert len(fake_endpoint.requests) == 1


def test_a_newer_statement_still_goes_before_the_one_that_it_replaces(open_jot, fake_endpoint: FakeEndpoint, clock):
    jot = open_jot()
    old = jot.remember("The lease is five minutes").id
    clock.tick(86_400_000)
    new = jot.remember("The lease is ten minutes").id
    jot.supersede(old, new)
    question = "how long is the lease?"
    jot.recall(question, history=True)
    place = fake_endpoint.requests[-1]["documents"].index("The lease is five minutes")
    fake_endpoint.script([f'raw:{{"results": [{{"index": {place}, "relevance_score": 1}}]}}'])
    answer = jot.recall(question, history=True)
    assert [hit.id for hit in answer.hits] == [new, old]
    assert answer.coverage.reranked == 2
