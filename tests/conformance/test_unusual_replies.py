"""Unusual replies of model servers: unstorable characters, absurd counts, invalid items, concurrent requests."""

from __future__ import annotations

import json
import threading

import pytest

from jotsam import Jotsam
from jotsam.core.errors import RetryJob
from jotsam.core.names import MODEL
from jotsam.core.settings import LIMITS
from jotsam.ingest import accept
from jotsam.models import chat
from jotsam.models.fake_endpoint import FakeEndpoint, fake_extraction
from jotsam.queueing.held_jobs import LEASE_PARTS
from jotsam.queueing.options import LoopOptions
from jotsam.storage import queue
from jotsam.storage.costs import ledger
from jotsam.storage.memories import memories
from jotsam.worker.enrichment import llm_extraction
from processes import until

TEXT = "Marcus prefers Flask. The billing service uses PostgreSQL and Zylophon."
BY_MODEL = "llm:fake-model prompt/3 schema/2"


@pytest.fixture
def jot(jot: Jotsam, fake_endpoint: FakeEndpoint) -> Jotsam:
    jot.settings = jot.settings.replace(
        llm_url=fake_endpoint.url, llm_model="fake-model", concurrency=1, worker_idle_ms=0
    )
    return jot


def said(**changes: object) -> str:
    """The text of a valid reply with changes; `\\u` escapes are kept."""
    return json.dumps({**fake_extraction(TEXT), **changes})


def body(content: str, **usage: object) -> str:
    """A complete response body."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    return "raw:" + json.dumps({"choices": [choice], "usage": usage})


def fact(predicate: str) -> dict[str, object]:
    return {"subject": "Marcus", "predicate": predicate, "object": "Flask", "confidence": 0.9}


@pytest.mark.parametrize(
    "word",
    [
        "say:" + said(summary="a\ud800b"),
        "say:" + said(summary="a\0b"),
        "say:" + said(facts=[fact("pre\udfffers")]),
        "say:" + said(entities=[{"name": "Zylophon", "category": "tools", "confidence": 0.9, "no\ud800te": "\0"}]),
        body(said()[:-1] + ', "note": "\ud800"}'),
        body(said(), prompt_tokens=10**30, completion_tokens=10**30),
        body(said(), prompt_tokens=3, prompt_tokens_details={"cached_tokens": 9}),
    ],
)
def test_characters_and_numbers_that_no_database_can_store_are_replaced(jot, fake_endpoint, word):
    fake_endpoint.script([word])
    id = jot.remember(TEXT).id
    jot.work()
    story = jot.show(id)
    assert (story.done, story.jobs, story.memory.degraded, story.memory.extractor) == (True, (), None, BY_MODEL)
    assert "\0" not in story.memory.summary
    assert len(fake_endpoint.requests) == 1
    (paid,) = story.usage
    assert 0 < paid.tokens_in < 10_000
    assert paid.tokens_cached <= paid.tokens_in


def test_an_unstorable_character_is_replaced_alike_everywhere(jot, fake_endpoint):
    fake_endpoint.script(["say:" + said(summary="a\ud800b\0c")])
    id = jot.remember(TEXT).id
    jot.work()
    assert jot.show(id).memory.summary == "a\ufffdb\ufffdc"


def test_the_file_of_an_agent_is_cleaned_like_a_reply(jot):
    id = jot.remember(TEXT).id
    handed = json.dumps({"extractions": [{"memory": id, **fake_extraction(TEXT), "summary": "a\ud800b\0c"}]})
    jot.extract_apply("\ufeff" + handed)
    assert jot.show(id).memory.summary == "a\ufffdb\ufffdc"


@pytest.mark.needs_server
def test_an_error_with_unstorable_characters_is_stored_with_replacements(jot, fake_endpoint):
    fake_endpoint.script(["raw:" + json.dumps({"error": {"message": "no \ud800 \0 way"}})])
    jot.remember(TEXT)
    jot.work()
    (job,) = jot.admin.jobs()
    assert (job.queue, job.failures) == (MODEL, 1)
    assert "no \ufffd \ufffd way" in (job.error or "")


@pytest.mark.needs_server
def test_an_invalid_cached_reply_is_dropped_and_requested_again(jot, fake_endpoint):
    jot.remember(TEXT)
    jot.work()
    with jot.database.transaction(tenant="default") as tx:
        tx.execute("update llm_cache set body = 'no JSON at all' where tenant = 'default'")
    id = jot.remember(TEXT).id
    jot.work()
    assert (jot.show(id).memory.extractor, len(fake_endpoint.requests)) == (BY_MODEL, 2)


def test_rejected_items_are_stored_with_their_reasons_until_the_next_extraction(jot, fake_endpoint):
    fake_endpoint.script(["mixed"])
    id = jot.remember(TEXT).id
    jot.work()
    (rejected,) = jot.show(id).rejected
    assert "Nobody Anywhere" in rejected
    assert "is not in the text" in rejected
    jot.settings = jot.settings.replace(llm_model="another")
    jot.reprocess(jot.plan_reprocess([id]))
    jot.work()
    assert jot.show(id).rejected == ()


def test_rejected_items_of_an_agent_stay_with_its_extraction(jot, fake_endpoint):
    id = jot.remember(TEXT).id
    strange = [{"name": "Nobody Anywhere", "category": "people", "confidence": 1}, *fake_extraction(TEXT)["entities"]]
    jot.extract_apply(json.dumps({"extractions": [{"memory": id, **fake_extraction(TEXT), "entities": strange}]}))
    jot.work()
    (rejected,) = jot.show(id).rejected
    assert "Nobody Anywhere" in rejected


@pytest.mark.parametrize("word", ["405", "410", "moved"])
def test_a_wrong_url_pauses_the_queue_and_degrades_nothing(jot, fake_endpoint, clock, word):
    fake_endpoint.script([word])
    ids = [jot.remember(f"{TEXT} Number {number}.").id for number in range(3)]
    jot.work()
    (paused,) = jot.status().paused
    assert ("https://example.com/v1" if word == "moved" else word) in paused.reason
    assert (jot.status().awaiting_model, len(fake_endpoint.requests)) == (3, 1)
    while jot.status().depth.live:
        clock.tick(3_600_000)
        jot.work()
    assert {jot.show(id).memory.extractor for id in ids} == {BY_MODEL}


def test_every_success_status_is_accepted(jot, fake_endpoint):
    fake_endpoint.script(["created"])
    id = jot.remember(TEXT).id
    jot.work()
    assert jot.show(id).memory.extractor == BY_MODEL


def test_two_workers_with_the_same_text_pay_for_it_once(jot, fake_endpoint):
    """Two processes share no lock, so each has its own extractor."""
    receipts = [jot.remember(TEXT) for _ in range(2)]
    with jot.database.snapshot(tenant="default") as tx:
        given = [(queue.get(tx, one.job_id), memories.get(tx, uuid=one.id)) for one in receipts]
    extractors = [llm_extraction.open_extractor(jot.database, jot.settings) for _ in range(2)]
    fake_endpoint.hold()
    first = threading.Thread(target=extractors[0].extract, args=given[0])
    first.start()
    until(lambda: fake_endpoint.requests)
    with pytest.raises(RetryJob, match="another worker is sending the same request") as later:
        extractors[1].extract(*given[1])
    assert (later.value.spend, later.value.after_ms) == (False, llm_extraction.IN_FLIGHT_RETRY_MS)
    fake_endpoint.resume()
    first.join()
    assert extractors[1].extract(*given[1]).degraded is None
    assert len(fake_endpoint.requests) == 1
    for extractor in extractors:
        extractor.close()


@pytest.mark.needs_server
def test_the_claim_of_a_dead_worker_expires_with_its_deadline(jot, clock):
    jot.remember("What the request is about.")
    with jot.database.transaction(tenant="default") as tx:
        (row,) = tx.execute("select id from memory")
        begin = {"key": "k", "until": tx.now + 1_000}
        assert ledger.claim_reply(tx, asker="job 1", **begin)
        assert not ledger.claim_reply(tx, asker="job 2", **begin)
        assert ledger.claim_reply(tx, asker="job 1", **begin)
        assert ledger.cached_reply(tx, key="k") is None
    clock.tick(1_000)
    with jot.database.transaction(tenant="default") as tx:
        assert ledger.claim_reply(tx, asker="job 2", **begin)
        ledger.save_reply(tx, key="k", body="{}", extractor="llm:m", memory=row["id"])
        ledger.release_reply(tx, key="k")
        assert ledger.cached_reply(tx, key="k") == ("{}", False)


def test_a_text_in_parts_continues_in_the_next_delivery_after_the_deadline(jot, fake_endpoint, monkeypatch):
    jot.settings = jot.settings.replace(llm_timeout_ms=4_000)
    monkeypatch.setattr(chat, "LONGEST_MS", 4_000)
    fake_endpoint.latency_ms = 2_100
    part = "Some words about nothing much that is of any use here. " * 300
    text = f"# One\n\nThe importer uses Zylophon. {part}\n\n# Two\n\nThe exporter uses Quxbar. {part}\n"
    receipt = jot.remember(text)
    jot.work()
    story = jot.show(receipt.id)
    assert [(tried.outcome) for tried in story.attempts] == ["released", "done"]
    assert "deadline reached after 1 parts" in (story.attempts[0].error or "")
    assert (story.memory.extractor, len(story.usage), len(fake_endpoint.requests)) == (BY_MODEL, 2, 2)


def test_a_silence_ends_within_its_attempt_and_the_lease_is_extended_in_time():
    """An attempt may be longer than the lease, which its worker extends."""
    assert LIMITS["llm_timeout_ms"][1] < chat.LONGEST_MS
    assert LoopOptions().heartbeat_ms * LEASE_PARTS < accept.model_job("id", tenant="default").lease_ms
