"""Workers killed during LLM extraction: a saved reply is never requested or paid for again."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import roles
from jotsam.models.fake_endpoint import FakeEndpoint
from processes import Running, start, until

AN_HOUR = 3_600_000
LAST_STEP = 150  # The whole run has more than three times as many, so several workers are killed in any case.
SAVED = "select body from llm_cache where body <> ''"  # An empty body is a claim.
TEXT = "Marcus uses Zylophon. We chose Redis."


def rows(url: str, sql: str) -> list[dict[str, Any]]:
    with roles.memory(url) as jot, jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        return tx.execute(sql)


def found(url: str) -> list[dict[str, Any]]:
    return rows(url, "select object from fact where extractor like 'llm:%' order by subject, object")


def asked(fake_endpoint: FakeEndpoint, key: str) -> list[str]:
    """Requests with this key; a request of an earlier, killed worker may arrive late."""
    ours = [request for request in fake_endpoint.requests if request["authorization"] == f"Bearer {key}"]
    return [request["messages"][1]["content"] for request in ours]


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.long)])
def test_a_worker_killed_at_any_step_pays_again_only_for_unsaved_replies(
    every: int, new_url: Callable[[], str], fake_endpoint: FakeEndpoint
):
    step, was_killed, paid_again = 0, True, 0
    while was_killed:
        step += every
        url = new_url()
        with roles.memory(url) as jot:
            id = jot.remember(TEXT).id
        fake_endpoint.requests.clear()
        was_killed = start(roles.read, url, fake_endpoint.url, 0, 1, step).ends() == -9
        before, saved = len(fake_endpoint.requests), len(rows(url, SAVED))
        assert start(roles.read, url, fake_endpoint.url, AN_HOUR, 1, 0).ends() == 0
        assert len(fake_endpoint.requests) - before == (0 if saved else 1), f"killed at step {step}"
        paid_again += len(fake_endpoint.requests) - 1
        with roles.memory(url) as jot:
            assert jot.show(id).memory.extractor == "llm:m prompt/3 schema/2"
        assert [fact["object"] for fact in found(url)] == ["Zylophon", "Redis"]
        ledger = rows(url, "select state, tokens_in + tokens_out as tokens from ledger")
        assert Counter(entry["state"] for entry in ledger)["done"] == 1
        spent = rows(url, "select tokens from daily_spend")  # of two days, if the hour passes midnight
        assert sum(entry["tokens"] for entry in ledger) == sum(day["tokens"] for day in spent)
    assert step > 10
    if every == 1:
        # Killed between the reply and the commit that saves it: before its start and before its end.
        assert paid_again == 2


@pytest.mark.parametrize("count", [20, pytest.param(60, marks=pytest.mark.long)])
def test_repeatedly_killed_workers_send_no_request_twice(
    count: int, new_url: Callable[[], str], fake_endpoint: FakeEndpoint, processes: list[Running]
):
    url = new_url()
    texts = [f"Number{number} uses Zylophon{number}." for number in range(count)]
    fake_endpoint.latency_ms = 20
    with roles.memory(url) as jot:
        for text in texts:
            jot.remember(text)
        dice, ahead_ms, kills = random.Random(7), 0, 0
        while jot.status().depth.live:
            saved = {row["body"].partition(" uses")[0].rpartition('"')[2] for row in rows(url, SAVED)}
            key = f"sk-{ahead_ms}"
            worker = start(roles.read, url, fake_endpoint.url, ahead_ms, 4, dice.randint(60, LAST_STEP), key)
            processes.append(worker)
            goal = jot.status().done + dice.randint(5, 20)
            until(lambda goal=goal, worker=worker: jot.status().done >= goal or not worker.alive)
            worker.kill()
            kills += worker.ends() == -9
            again = {text.partition(">\n")[2].partition(" uses")[0] for text in asked(fake_endpoint, key)}
            assert again & saved == set()
            ahead_ms += AN_HOUR
        assert (jot.status().depth.dead, jot.status().degraded, jot.status().enriched) == (0, 0, len(texts))
    assert kills > count // 30
    assert len(found(url)) == len(texts)
