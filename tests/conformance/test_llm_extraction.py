"""Extraction with a language model over real HTTP: results, cost, and the effect of every failure."""

from __future__ import annotations

import json
import threading

import pytest

from jotsam import Jotsam
from jotsam.core.job_records import JobSpec
from jotsam.models.fake_endpoint import FakeEndpoint
from jotsam.storage import queue
from jotsam.storage.costs import ledger
from processes import PATIENCE, until

TEXT = "Marcus prefers Flask. The billing service uses PostgreSQL and Zylophon."
DAY = ledger.DAY_MS
LONG_MS, SHORT_MS = PATIENCE * 1_000, 2_000


@pytest.fixture
def jot(jot: Jotsam, fake_endpoint: FakeEndpoint) -> Jotsam:
    """A client with a language model and one worker thread."""
    jot.settings = jot.settings.replace(
        llm_url=fake_endpoint.url,
        llm_model="fake-model",
        llm_api_key="sk-secret-key",
        llm_timeout_ms=LONG_MS,
        concurrency=1,
    )
    return jot


def degraded(jot: Jotsam, id: str) -> str | None:
    return jot.show(id).memory.degraded


def entities(jot: Jotsam, id: str) -> dict[str, str | None]:
    return {entity.name: entity.extractor for entity in jot.show(id).entities}


def until_done(jot: Jotsam, clock, *, tries: int = 10) -> int:
    """Work, and advance the clock to the next retry, until no job is left. Returns the number of rounds."""
    for turn in range(1, tries + 1):
        jot.work()
        if not jot.status().depth.live:
            return turn
        clock.tick(3_600_000)
    raise AssertionError("it is never done")


def spent(jot: Jotsam) -> tuple[int, float]:
    with jot.database.snapshot() as tx:
        return ledger.spent(tx)


def test_a_model_adds_to_the_rules_and_every_row_names_its_extractor(jot, fake_endpoint):
    id = jot.remember(TEXT).id
    jot.work()
    story = jot.show(id)
    by_model = "llm:fake-model prompt/3 schema/2"
    assert story.memory.extractor == by_model
    assert story.memory.degraded is None
    assert entities(jot, id)["Zylophon"] == by_model
    assert {(f.subject, f.predicate, f.object, f.extractor) for f in story.facts} >= {
        ("Marcus", "prefers", "Flask", by_model),
        ("The billing service", "uses", "PostgreSQL", by_model),
    }
    assert {fact.memory for fact in story.facts} == {id}
    assert "entity:tools:zylophon" in story.memory.tags


def test_the_same_text_is_never_paid_for_twice(jot, fake_endpoint):
    first, second = jot.remember(TEXT).id, jot.remember(TEXT).id
    jot.work()
    assert len(fake_endpoint.requests) == 1
    assert entities(jot, first) == entities(jot, second)


def test_concurrent_copies_of_a_text_are_paid_for_once(jot, fake_endpoint):
    jot.settings = jot.settings.replace(concurrency=8)
    fake_endpoint.latency_ms = 50
    ids = [jot.remember(TEXT).id for _ in range(8)]
    jot.work()
    assert len(fake_endpoint.requests) == 1
    assert all("Zylophon" in entities(jot, id) for id in ids)


def test_copies_of_a_text_whose_extraction_fails_are_each_attempted(jot, fake_endpoint, clock):
    jot.settings = jot.settings.replace(concurrency=4)
    fake_endpoint.latency_ms = 20
    fake_endpoint.script(["500"] * 3)
    ids = [jot.remember(TEXT).id for _ in range(4)]
    until_done(jot, clock)
    assert len(fake_endpoint.requests) == 4
    assert [degraded(jot, id) for id in ids] == [None] * 4


def test_another_context_or_model_is_a_cache_miss(jot, fake_endpoint):
    jot.remember(TEXT, actor="ana")
    jot.remember(TEXT, actor="eve")
    jot.work()
    jot.settings = jot.settings.replace(llm_model="other")
    jot.remember(TEXT, actor="eve")
    jot.work()
    assert [asked["model"] for asked in fake_endpoint.requests] == ["fake-model", "fake-model", "other"]


def test_the_prompt_begins_with_a_constant_part_and_contains_the_context(jot, fake_endpoint):
    jot.add(f"# Guide\n\n{TEXT}\n", source="guide.md", date="2026-03-02", actor="ana")
    jot.remember("We use Redis.")
    jot.work()
    (one, two) = (asked["messages"] for asked in fake_endpoint.requests)
    assert one[0] == two[0]
    assert len(one[0]["content"]) < 2_000 * 4
    asked = {message[1]["content"] for message in (one, two)}
    whole = next(text for text in asked if "Guide" in text)
    assert "Document: guide.md\nSection: Guide\nDate: 2026-03-02 (Monday)\nSaid by: ana\n<text>" in whole


def test_tokens_and_cost_are_recorded_by_job_day_tenant_and_model(jot, fake_endpoint):
    jot.settings = jot.settings.replace(llm_price_in=1.0, llm_price_out=10.0)
    id = jot.remember(TEXT).id
    jot.work()
    (usage,) = jot.show(id).usage
    with jot.database.snapshot(tenant="default") as tx:
        (entry,) = ledger.of_job(tx, job_id=usage.job_id)
        (day,) = ledger.by_day(tx, first=ledger.today(tx), last=ledger.today(tx))
        tx.set_tenant("eve")
        assert ledger.of_job(tx, job_id=usage.job_id) == []
    assert (entry["model"], entry["state"], entry["purpose"]) == ("fake-model", "done", "extraction")
    assert entry["tokens_in"] == sum(len(m["content"]) for m in fake_endpoint.requests[0]["messages"]) // 4
    assert entry["cost"] == pytest.approx((entry["tokens_in"] + 10 * entry["tokens_out"]) / 1e6)
    assert (day["tokens"], day["cost"]) == (entry["tokens_in"] + entry["tokens_out"], entry["cost"])
    assert spent(jot) == (day["tokens"], pytest.approx(day["cost"]))


@pytest.mark.parametrize(
    "faults",
    [
        ["429:5"],
        ["429:5", "503:5", "429:5", "429:5", "429:5", "429:5"],
        ["500"],
        ["500", "502"],
        ["503", "504"],
        ["hang"],
        ["cut-body", "no-body"],
        ["broken"],
        ["shape"],
        ["strange"],
        ["empty"],
        ["html"],
        ["broken", "500"],
    ],
)
def test_a_transient_error_is_retried_and_the_extraction_is_complete(jot, fake_endpoint, clock, faults):
    fake_endpoint.script(faults)
    if "hang" in faults:
        jot.settings = jot.settings.replace(llm_timeout_ms=SHORT_MS)
    id = jot.remember(TEXT).id
    assert until_done(jot, clock) > 1
    assert degraded(jot, id) is None
    assert "Zylophon" in entities(jot, id)


@pytest.mark.parametrize("word", ["fence", "think", "comma", "chatter", "mixed", "no-schema", "no-json"])
def test_a_reply_with_text_around_the_json_is_parsed(jot, fake_endpoint, word):
    fake_endpoint.script([word] * 3)
    id = jot.remember(TEXT).id
    jot.work()
    assert degraded(jot, id) is None
    assert "Zylophon" in entities(jot, id)
    assert "Nobody Anywhere" not in entities(jot, id)


@pytest.mark.needs_server
@pytest.mark.parametrize(
    ("faults", "reason"),
    [
        (["broken"] * 2, "Malformed: "),
        (["shape"] * 2, "Malformed: "),
        (["strange", "empty"], "Malformed: "),
        (["500"] * 3, "returned 500"),
        (["cut-body"] * 3, "was cut off"),
        (["400"] * 3, "Refused: "),
    ],
)
def test_a_persistent_error_degrades_the_memory_to_the_rules_with_its_reason(jot, fake_endpoint, clock, faults, reason):
    fake_endpoint.script(faults)
    id = jot.remember(TEXT).id
    until_done(jot, clock)
    assert reason in (degraded(jot, id) or "")
    assert {"Marcus", "PostgreSQL"} <= set(entities(jot, id))
    assert jot.show(id).memory.extractor.startswith("rules/")
    assert not any(extractor.startswith("llm:") for extractor in entities(jot, id).values())
    status = jot.status()
    assert (status.degraded, status.enriched, status.depth.dead) == (1, 1, 0)
    assert len(fake_endpoint.requests) == len(faults)


def test_the_last_attempt_that_the_settings_allow_falls_back_to_the_rules(jot, fake_endpoint, clock):
    jot.settings = jot.settings.replace(enrich_attempts=2)
    fake_endpoint.script(["500", "500"])
    id = jot.remember(TEXT).id
    assert until_done(jot, clock) == 2
    assert "returned 500" in (degraded(jot, id) or "")


def test_after_an_invalid_reply_the_prompt_includes_the_error(jot, fake_endpoint, clock):
    fake_endpoint.script(["broken"])
    jot.remember(TEXT)
    until_done(jot, clock)
    first, second = (asked["messages"] for asked in fake_endpoint.requests)
    assert first[0] == second[0]
    assert second[1]["content"].startswith(first[1]["content"])
    assert "could not be used" in second[1]["content"]


@pytest.mark.parametrize("word", ["401", "403", "404"])
def test_a_wrong_key_pauses_the_queue_once_and_spends_no_attempt(jot, fake_endpoint, clock, word):
    fake_endpoint.script([word])
    ids = [jot.remember(f"{TEXT} Number {number}.").id for number in range(5)]
    jot.work()
    assert len(fake_endpoint.requests) == 1
    (paused,) = jot.status().paused
    assert paused.queue == "model"
    assert word in paused.reason
    assert "sk-secret" not in paused.reason
    assert spent(jot) == (0, 0)
    until_done(jot, clock)
    assert [degraded(jot, id) for id in ids] == [None] * 5


def test_an_unreachable_server_pauses_the_queue_and_loses_nothing(jot, fake_endpoint, clock):
    url = fake_endpoint.url
    jot.settings = jot.settings.replace(llm_url="http://127.0.0.1:9/v1")
    id = jot.remember(TEXT).id
    jot.work()
    assert "cannot connect to" in jot.status().paused[0].reason
    jot.settings = jot.settings.replace(llm_url=url)
    until_done(jot, clock)
    assert "Zylophon" in entities(jot, id)


def test_what_the_rules_find_is_saved_before_the_model_replies_or_fails(jot, fake_endpoint, clock):
    """Also of memories that arrive while the queue of the model is paused, and only until the model has read them."""
    url = fake_endpoint.url
    jot.settings = jot.settings.replace(llm_url="http://127.0.0.1:9/v1")
    ids = []
    for number in range(3):
        ids.append(jot.remember(f"{TEXT} Number {number}.").id)
        jot.work()
    status = jot.status()
    assert (status.enriched, status.degraded, status.awaiting_model, status.depth.live) == (3, 3, 3, 3)
    assert [degraded(jot, id) for id in ids] == ["the language model has not read it yet"] * 3
    assert all({"Marcus", "PostgreSQL"} <= set(entities(jot, id)) for id in ids)
    assert jot.show(ids[0]).memory.extractor.startswith("rules/")
    assert ("waiting", "note") in {(one.name, one.level) for one in status.findings}
    jot.settings = jot.settings.replace(llm_url=url)
    until_done(jot, clock)
    assert all("Zylophon" in entities(jot, id) for id in ids)
    assert (jot.status().degraded, jot.status().awaiting_model) == (0, 0)


def test_a_request_that_takes_long_does_not_delay_the_rules(jot, fake_endpoint):
    jot.settings = jot.settings.replace(concurrency=2)
    fake_endpoint.hold()
    jot.remember("Zylophon is slow.")
    thread = threading.Thread(target=jot.work, daemon=True)
    thread.start()
    until(lambda: fake_endpoint.requests)
    ids = [jot.remember(f"{TEXT} Number {number}.").id for number in range(5)]
    until(lambda: all("PostgreSQL" in entities(jot, id) for id in ids))
    fake_endpoint.resume()
    thread.join(PATIENCE)
    assert jot.status().awaiting_model == 0


def test_a_rate_limit_spends_no_attempt(jot, fake_endpoint, clock):
    fake_endpoint.script(["429:5"] * 12)
    jot.remember(TEXT)
    jot.work()
    with jot.database.snapshot() as tx:
        (job,) = queue.jobs(tx, queue="model")
    assert (job.failures, job.state) == (0, "waiting")
    assert job.wake_at == clock.now + 5_000


@pytest.mark.parametrize("word", ["too-long", "length"])
def test_a_text_that_is_too_long_is_split_into_parts(jot, fake_endpoint, word):
    fake_endpoint.script([word])
    text = "\n\n".join(f"## Part {n}\n\n{'Some words here. ' * 30} Zylophon{n} uses Redis{n}." for n in range(4))
    id = jot.remember(text).id
    jot.work()
    assert degraded(jot, id) is None
    assert {f"Zylophon{number}" for number in range(4)} <= set(entities(jot, id))
    assert len(fake_endpoint.requests) > 2


def test_a_text_that_is_too_long_and_cannot_be_split_falls_back_to_the_rules(jot, fake_endpoint, clock):
    fake_endpoint.script(["too-long"] * 20)
    id = jot.remember(TEXT).id
    until_done(jot, clock)
    assert (degraded(jot, id) or "").startswith("TooLong: ")
    assert len(fake_endpoint.requests) == 2  # with the whole prompt, and with the short one


@pytest.mark.parametrize("tells", [True, False], ids=["told", "by the error"])
def test_a_model_with_a_small_context_gets_a_short_prompt_and_short_parts(jot, fake_endpoint, tells):
    fake_endpoint.context_tokens, fake_endpoint.tells_context = 2_048, tells
    text = "\n\n".join(f"## Part {n}\n\n{'Some words here. ' * 60} Zylophon{n} uses Redis{n}." for n in range(4))
    ids = [jot.remember(TEXT).id, jot.remember(text).id]
    jot.work()
    assert [degraded(jot, id) for id in ids] == [None, None]
    assert {f"Zylophon{number}" for number in range(4)} <= set(entities(jot, ids[1]))
    system = {asked["messages"][0]["content"] for asked in fake_endpoint.requests}
    assert (len(system), min(map(len, system)) < 250 * 4) == (1 if tells else 2, True)
    assert len(fake_endpoint.requests) >= 4


def test_of_a_reply_that_was_cut_off_the_whole_items_are_kept_if_the_text_cannot_be_split(jot, fake_endpoint):
    fake_endpoint.script(["length"])
    ids = [jot.remember(TEXT).id for _ in range(2)]
    jot.work()
    for id in ids:
        assert degraded(jot, id) is None
        assert "llm:fake-model prompt/3 schema/2" in entities(jot, id).values()
    assert len(fake_endpoint.requests) == 1  # The reply is cached as it was read.


def test_a_small_model_does_not_change_what_the_rules_found(jot, fake_endpoint):
    named = [{"name": name, "category": "tools"} for name in ("Marcus", "billing")]
    fake_endpoint.context_tokens, fake_endpoint.tells_context = 2_048, True
    fake_endpoint.script(["say:" + json.dumps({"entities": named, "facts": []})])
    id = jot.remember(TEXT).id
    jot.work()
    found = {one.name: one.category for one in jot.show(id).entities}
    assert (found["Marcus"], found["billing"]) == ("people", "tools")
    lists = fake_endpoint.requests[0]["response_format"]["json_schema"]["schema"]["properties"]
    assert {name: one["maxItems"] for name, one in lists.items()} == {"entities": 4, "facts": 4}


def test_a_reply_that_stops_counts_what_arrived_and_is_asked_for_again(jot, fake_endpoint, clock):
    fake_endpoint.script(["stop"])
    id = jot.remember(TEXT).id
    until_done(jot, clock)
    stopped, whole = jot.show(id).usage
    assert (stopped.state, whole.state) == ("done", "done")
    assert stopped.tokens_in == pytest.approx(whole.tokens_in, abs=1)
    assert 0 < stopped.tokens_out < whole.tokens_out
    assert "Zylophon" in entities(jot, id)


def test_cost_is_reserved_before_the_call_and_jobs_over_the_daily_cap_wait_until_tomorrow(jot, fake_endpoint, clock):
    clock.now = clock.now // DAY * DAY + DAY // 2
    jot.settings = jot.settings.replace(llm_daily_tokens=8_000)
    ids = [jot.remember(f"{TEXT} Number {number}.").id for number in range(20)]
    jot.work()
    read = len(fake_endpoint.requests)
    assert 0 < read < 20
    tokens, _ = spent(jot)
    assert tokens <= 8_000
    status = jot.status()
    assert status.capped == 20 - read
    assert (status.depth.dead, status.enriched, status.awaiting_model) == (0, 20, 20 - read)
    with jot.database.snapshot() as tx:
        waiting = [job for job in queue.jobs(tx, queue="model") if job.state == "waiting"]
    assert {job.wake_at for job in waiting} == {clock.now + DAY // 2}
    assert {job.failures for job in waiting} == {0}
    jot.work()
    assert len(fake_endpoint.requests) == read
    for _ in range(20):
        clock.tick(DAY)
        jot.work()
    assert len(fake_endpoint.requests) == 20
    assert [degraded(jot, id) for id in ids] == [None] * 20


def test_no_request_to_the_model_has_a_secret(jot, fake_endpoint):
    secret = "AKIA" + "Q3EGRIZ7XT5NVLWB"
    id = jot.remember(f"{TEXT} The key of the bucket is {secret}.").id
    jot.work()
    assert jot.get(id).text == f"{TEXT} The key of the bucket is [redacted:aws-key]."
    assert [TEXT in str(request) for request in fake_endpoint.requests] == [True]
    assert secret not in str(fake_endpoint.requests)


def test_a_cap_on_cost_is_enforced_too(jot, fake_endpoint, clock):
    jot.settings = jot.settings.replace(llm_daily_tokens=0, llm_daily_cost=0.01, llm_price_in=1.0, llm_price_out=1.0)
    for number in range(20):
        jot.remember(f"{TEXT} Number {number}.")
    jot.work()
    assert 0 < len(fake_endpoint.requests) < 20
    assert spent(jot)[1] <= 0.01


def test_concurrent_threads_do_not_exceed_the_cap(jot, fake_endpoint):
    jot.settings = jot.settings.replace(llm_daily_tokens=10_000, concurrency=8)
    for number in range(30):
        jot.remember(f"{TEXT} Number {number}.")
    jot.work()
    assert 0 < len(fake_endpoint.requests) < 30
    assert spent(jot)[0] <= 10_000


@pytest.mark.needs_server
def test_a_request_above_the_daily_cap_falls_back_to_the_rules(jot, fake_endpoint):
    jot.settings = jot.settings.replace(llm_daily_tokens=500)
    id = jot.remember(TEXT).id
    jot.work()
    assert "more than the cap of a day, 500 tokens" in (degraded(jot, id) or "")
    assert fake_endpoint.requests == []


def test_a_refused_request_costs_nothing_and_an_interrupted_one_may(jot, fake_endpoint, clock):
    fake_endpoint.script(["429:1", "500", "cut-body"])
    jot.remember(TEXT)
    until_done(jot, clock)
    with jot.database.snapshot(tenant="default") as tx:
        (row,) = ledger.by_model(tx, first=0, last=10**6)
    assert (row["calls"], row["open"]) == (2, 1)


def test_a_server_that_has_room_gets_more_requests_at_a_time_up_to_the_limit(jot, fake_endpoint):
    """It begins with one, so the second request is sent after the first reply."""
    jot.settings = jot.settings.replace(concurrency=4)
    jot.add("\n\n".join(f"## Part {number}\n\nThe Service{number} uses Redis." for number in range(40)))
    fake_endpoint.hold()
    thread = threading.Thread(target=jot.work, daemon=True)
    thread.start()
    until(lambda: jot.status().awaiting_model == 40 and fake_endpoint.requests)
    assert len(fake_endpoint.requests) == 1
    fake_endpoint.latency_ms = 200
    fake_endpoint.resume()
    thread.join(PATIENCE)
    assert len(fake_endpoint.requests) == 40
    assert 1 < fake_endpoint.peak_concurrency <= 4


def test_a_failing_chunk_does_not_affect_the_others(jot, fake_endpoint, clock):
    fake_endpoint.script(["ok", "broken", "ok"])
    receipt = jot.add("\n\n".join(f"## Part {number}\n\nThe Service{number} uses Redis." for number in range(6)))
    jot.work()
    stories = [jot.show(uuid) for uuid in jot.show(receipt.id).memories]
    assert sorted(story.done for story in stories) == [False] + [True] * 5
    until_done(jot, clock)
    assert len(fake_endpoint.requests) == 7


def test_tenants_share_neither_cached_replies_nor_ledger_entries(jot, fake_endpoint, clock):
    jot.remember(TEXT)
    with Jotsam(settings=jot.settings.replace(tenant="eve"), clock=clock) as eve:
        eve.remember(TEXT)
        jot.work()
        assert len(fake_endpoint.requests) == 2
        assert eve.status().spent.tokens == jot.status().spent.tokens > 0
        eve.admin.forget_tenant()
        assert eve.status().spent.tokens == 0
    assert jot.status().spent.tokens > 0
    assert jot.status().spent.tokens_of_all == spent(jot)[0]


def kept(jot: Jotsam, tenant: str = "default") -> int:
    with jot.database.snapshot(tenant=tenant) as tx:
        found = tx.execute("select count(*) as found from llm_cache where tenant = :tenant", {"tenant": tenant})
        return int(found[0]["found"])


@pytest.mark.needs_server
def test_a_cached_reply_is_removed_after_90_days_without_use(jot, fake_endpoint, clock):
    for _ in range(4):
        jot.remember(TEXT)
        jot.work()
        clock.tick(89 * DAY)
        jot.work()
    assert (len(fake_endpoint.requests), kept(jot)) == (1, 1)
    clock.tick(2 * DAY)
    jot.work()
    assert kept(jot) == 0
    jot.remember(TEXT)
    jot.work()
    assert len(fake_endpoint.requests) == 2


def test_cached_replies_of_every_tenant_are_removed_in_small_batches(jot, clock):
    counts = {"default": 250, "eve": 3, "ana": 120}
    for tenant in counts:
        view = jot.scoped(tenant=tenant)
        view.admin.discard(view.remember("What the requests are about.").job_id)
    with jot.database.transaction() as tx:
        for tenant, count in counts.items():
            tx.set_tenant(tenant)
            (row,) = tx.execute("select id from memory where tenant = :tenant", {"tenant": tenant})
            queue.send(tx, JobSpec(queue="enrich", kind="enrich", tenant=tenant, delay_ms=10**14))
            for number in range(count):
                ledger.save_reply(tx, key=f"k{number}", body="{}", extractor="llm:m", memory=row["id"])
    clock.tick(91 * DAY)
    jot.work()
    assert (kept(jot), kept(jot, "eve"), kept(jot, "ana")) == (150, 0, 20)
    jot.work()
    jot.work()
    assert (kept(jot), kept(jot, "eve"), kept(jot, "ana")) == (0, 0, 0)
