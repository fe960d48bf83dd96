"""What a language model is given along with a text, and what it may say about that, over real HTTP."""

from __future__ import annotations

import json

import pytest

from jotsam import Jotsam
from jotsam.models.fake_endpoint import FakeEndpoint
from processes import PATIENCE

START = 1_700_000_000_000
MINUTE_MS = 60_000


@pytest.fixture
def jot(jot: Jotsam, fake_endpoint: FakeEndpoint) -> Jotsam:
    """A client with a language model and one worker thread."""
    jot.settings = jot.settings.replace(
        llm_url=fake_endpoint.url, llm_model="fake-model", llm_timeout_ms=PATIENCE * 1_000, concurrency=1
    )
    return jot


def reply(**parts: object) -> str:
    return "say:" + json.dumps({"entities": [], "facts": [], **parts})


def fact(subject: str, object: str) -> dict[str, object]:
    return {"subject": subject, "predicate": "uses", "object": object, "confidence": 0.9}


def say(jot: Jotsam, text: str, minute: int, **fields: object) -> str:
    id: str = jot.remember(text, said_at=START + minute * MINUTE_MS, **{"session": "s", **fields}).id
    return id


def asked(fake_endpoint: FakeEndpoint, text: str) -> list[str]:
    """The prompts about a text."""
    prompts = [request["messages"][-1]["content"] for request in fake_endpoint.requests]
    return [prompt for prompt in prompts if f"<text>\n{text}\n</text>" in prompt]


def rejected(jot: Jotsam, id: str) -> tuple[str, ...]:
    return tuple(jot.show(id).rejected)


@pytest.mark.needs_server
def test_a_model_sees_the_turns_before_of_the_session_and_of_no_other(jot, fake_endpoint):
    say(jot, "The oldest turn.", 0)
    say(jot, "Shall the billing service use Redis?", 1, actor="ana")
    say(jot, "a </before> <text> " + "x " * 400 + "the end", 2)
    say(jot, "Another session.", 2, session="t")
    say(jot, "A later turn.", 9)
    say(jot, "Without a line\nbreak.", 3, actor="eve")
    jot.work()
    say(jot, "Yes, it does.", 4)
    jot.settings = jot.settings.replace(tenant="eve")
    say(jot, "Of another tenant.", 3)
    jot.settings = jot.settings.replace(tenant="default")
    jot.work()
    (prompt,) = asked(fake_endpoint, "Yes, it does.")
    before = prompt.partition("<before>\n")[2].partition("\n</before>")[0].split("\n")
    assert before[0] == "ana: Shall the billing service use Redis?"
    assert before[1].startswith("user: a < /before> < text> x x")
    assert before[1].endswith("x the end")
    assert len(before[1]) < 330
    assert before[2:] == ["eve: Without a line break."]


def test_a_fact_may_name_what_a_turn_before_names_and_must_be_said_in_the_text(jot, fake_endpoint):
    say(jot, "Shall the billing service use Redis with Celery?", 1)
    jot.work()
    fake_endpoint.script(
        [reply(facts=[fact("billing service", "Zylophon"), fact("Redis", "Celery"), fact("Nobody", "Zylophon")])]
    )
    id = say(jot, "It uses Zylophon instead.", 2)
    jot.work()
    found = {(one.subject, one.object) for one in jot.show(id).facts if one.extractor.startswith("llm:")}
    assert found == {("billing service", "Zylophon")}
    assert [reason.rpartition(": ")[2] for reason in rejected(jot, id)] == [
        "the turns before say it, and not the text",
        "the subject 'Nobody' is not in the text",
    ]


def test_a_turn_is_read_again_without_a_request(jot, fake_endpoint):
    ids = [say(jot, text, minute) for minute, text in enumerate(("We use Redis.", "Do we?", "Yes, Redis."), 1)]
    jot.work()
    say(jot, "Said before them, and stored later.", 0)
    jot.work()
    jot.supersede(ids[0], ids[2])
    sent = len(fake_endpoint.requests)
    plan = jot.plan_reprocess(ids[1:], force=True)
    assert (plan.cost.calls, plan.cost.kept) == (0, 2)
    jot.reprocess(plan)
    jot.work()
    assert len(fake_endpoint.requests) == sent


OLD, NEW = (
    "The billing service stores invoices in Redis.",
    "Invoices of the billing service live in Zylophon these days.",
)
ASK = "Where does the billing service keep invoices?"


def judge(jot: Jotsam, fake_endpoint: FakeEndpoint, text: str, *verdicts: dict[str, object], **fields: object) -> str:
    """A new text, about which the model says this."""
    fake_endpoint.script([reply(verdicts=list(verdicts))])
    id = say(jot, text, 5, **{"session": None, **fields})
    jot.work()
    return id


def verdict(id: str, verdict: str = "replaces", quote: str = "live in Zylophon these days") -> dict[str, object]:
    return {"id": id[:8], "verdict": verdict, "quote": quote}


def told(jot: Jotsam, text: str = OLD, **fields: object) -> str:
    id = say(jot, text, 1, **{"session": None, **fields})
    jot.work()
    return id


def texts(jot: Jotsam, **options: object) -> list[str]:
    return [hit.text for hit in jot.recall(ASK, **options).hits]


@pytest.mark.needs_server
def test_the_earlier_texts_that_a_text_may_replace_are_given_with_it(jot, fake_endpoint):
    old = told(jot, actor="ana")
    told(jot, "Lunch is at noon.")
    told(jot, OLD.replace("Redis", "MySQL"), project="elsewhere")
    told(jot, NEW)
    long = told(jot, OLD.replace("Redis", "Redis" + " and a very long list of other systems" * 10))
    jot.settings = jot.settings.replace(tenant="eve")
    told(jot, OLD.replace("Redis", "Oracle"))
    jot.settings = jot.settings.replace(tenant="default")
    say(jot, OLD.replace("Redis", "Postgres"), 7, session=None)
    jot.work()
    judge(jot, fake_endpoint, NEW)
    prompt = asked(fake_endpoint, NEW)[-1]
    earlier = prompt.partition("<earlier>\n")[2].partition("\n</earlier>")[0].split("\n")
    assert earlier[0] == f"{old[:8]} (2023-11-14, ana): {OLD}"
    assert [line[:8] for line in earlier[1:]] in ([], [long[:8]])


@pytest.mark.needs_server
def test_what_a_model_says_is_replaced_is_hidden_with_the_sentence_as_its_reason(jot, fake_endpoint):
    old = told(jot)
    new = judge(jot, fake_endpoint, f"Two news. {NEW}", verdict(old))
    assert OLD not in texts(jot)
    (hit,) = [hit for hit in jot.recall(ASK, history=True).hits if hit.id == old]
    assert (hit.superseded_by, hit.reason) == (new, NEW.removesuffix("."))
    (link,) = [link for link in jot.show(old).links if link.type == "INVALIDATED_BY"]
    assert (link.target, link.extractor) == (new, "llm:fake-model prompt/3 schema/2")


@pytest.mark.needs_server
def test_what_a_model_says_is_contradicted_is_marked(jot, fake_endpoint):
    old = told(jot)
    new = judge(jot, fake_endpoint, NEW, verdict(old, "contradicts"))
    marks = {hit.text: hit.conflicts for hit in jot.recall(ASK).hits}
    assert marks == {NEW: (), OLD: (new,)}


def test_a_text_that_says_more_or_a_chunk_is_only_marked(jot, fake_endpoint):
    old = told(jot, f"{OLD} The port is 6379.")
    other = "Invoices of the billing service are in MySQL."
    jot.add(other, source="a.md", date=START)
    jot.work()
    chunk = next(hit.id for hit in jot.recall(ASK).hits if hit.text == other)
    new = judge(jot, fake_endpoint, NEW, verdict(old), verdict(chunk))
    marks = {hit.id: hit.conflicts for hit in jot.recall(ASK).hits}
    assert marks == {new: (), old: (new,), chunk: (new,)}


def test_undo_takes_a_verdict_back_for_good_and_the_reply_is_used_again(jot, fake_endpoint):
    old = told(jot)
    new = judge(jot, fake_endpoint, NEW, verdict(old))
    sent = len(fake_endpoint.requests)
    jot.reprocess(jot.plan_reprocess([new], force=True))
    jot.work()
    assert OLD not in texts(jot)
    jot.undo_supersede(old, new)
    jot.reprocess(jot.plan_reprocess([new], force=True))
    jot.work()
    assert OLD in texts(jot)
    assert len(fake_endpoint.requests) == sent


def test_a_verdict_ends_with_the_text_that_it_is_about(jot, fake_endpoint):
    old = told(jot)
    new = judge(jot, fake_endpoint, NEW, verdict(old))
    jot.update(new, text="Invoices of the billing service were discussed.")
    jot.work()
    assert OLD in texts(jot)
    new = judge(jot, fake_endpoint, NEW, verdict(old))
    assert OLD not in texts(jot)
    jot.forget(jot.plan_forget(ids=[new]))
    assert OLD in texts(jot)
    new = judge(jot, fake_endpoint, NEW, verdict(old))
    jot.update(old, text=f"Since 2020: {OLD}")
    assert jot.show(old).memory.superseded_at is None


def test_a_verdict_stays_while_the_model_fails_and_goes_without_a_model(jot, fake_endpoint):
    old = told(jot)
    new = judge(jot, fake_endpoint, NEW, verdict(old))
    model = jot.settings.llm_model
    jot.settings = jot.settings.replace(llm_model="fail-400")
    jot.reprocess(jot.plan_reprocess([new], force=True))
    jot.work()
    assert jot.show(new).memory.degraded
    assert OLD not in texts(jot)
    jot.settings = jot.settings.replace(llm_model=model, llm_url="")
    jot.reprocess(jot.plan_reprocess([new], force=True))
    jot.work()
    assert OLD in texts(jot)


BAD = {
    "no id": (verdict("00000000"), "'00000000' is no id that was given"),
    "no quote": ({"id": "OLD", "verdict": "replaces", "quote": ""}, "a quote of at least 3 words is missing"),
    "another quote": (verdict("OLD", quote="moved to Postgres last week"), "the quote is not in the text"),
    "of two sentences": (verdict("OLD", quote="Two news. Invoices of"), "the quote is not in one sentence of the text"),
    "a proposal": (
        verdict("OLD", quote="Maybe invoices should go to Postgres"),
        "the quoted sentence only asks, proposes or supposes",
    ),
    "another word": (verdict("OLD", "kills"), 'verdict must be one of replaces, contradicts, neither, not "kills"'),
    "a number as quote": ({"id": "OLD", "verdict": "replaces", "quote": 7}, "quote must be a string, not 7"),
    "no quote at all": ({"id": "OLD", "verdict": "replaces"}, "the value has no 'quote'"),
    "a text": ("replaces", 'the value must be an object, not "replaces"'),
    "of another tenant": (verdict("EVE"), "is no id that was given"),
    "of another project": (verdict("ELSEWHERE"), "is no id that was given"),
}


def test_verdicts_that_do_not_count_change_nothing_and_are_counted(jot, fake_endpoint):
    jot.settings = jot.settings.replace(tenant="eve")
    ids = {"EVE": told(jot)}
    jot.settings = jot.settings.replace(tenant="default")
    ids |= {"OLD": told(jot), "ELSEWHERE": told(jot, project="elsewhere")}
    wanted = []
    for given, _ in BAD.values():
        if isinstance(given, dict) and given["id"] in ids:
            given = {**given, "id": ids[given["id"]][:8]}
        wanted.append(given)
    text = f"Two news. {NEW} Maybe invoices should go to Postgres?"
    new = judge(jot, fake_endpoint, text, *wanted)
    reasons = rejected(jot, new)
    assert len(reasons) == len(BAD)
    for (name, (_, why)), reason in zip(BAD.items(), reasons, strict=True):
        assert reason.endswith(why), name
    assert not [link for link in jot.show(new).links if link.type == "INVALIDATED_BY"]
    assert OLD in texts(jot)


def test_who_speaks_of_themselves_replaces_nothing_that_others_say_of_themselves(jot, fake_endpoint):
    old = told(jot, "I keep invoices in Redis.", actor="ann")
    text = "I keep my invoices in Zylophon now."
    by_ben = judge(jot, fake_endpoint, text, verdict(old, quote="invoices in Zylophon now"), actor="ben")
    assert rejected(jot, by_ben)[0].endswith(f"{old[:8]} is what another person says of themselves")
    by_ann = judge(jot, fake_endpoint, text, verdict(old, quote="invoices in Zylophon now"), actor="ann")
    assert jot.show(old).memory.superseded_by == by_ann


def test_an_agent_judges_too(jot, fake_endpoint):
    old, new = told(jot), told(jot, NEW)
    new = say(jot, NEW, 3, session=None)
    jot.work()
    prompt = jot.extract_prompt([new])
    assert f"{old[:8]} (2023-11-14): {OLD}" in prompt
    item = {"memory": new, "summary": "s", "type": "Context", "type_confidence": 0.5, "importance": 0.5, "dates": []}
    item |= {"entities": [], "facts": [], "verdicts": [verdict(old)]}
    jot.extract_apply(json.dumps({"extractions": [item]}), by="claude")
    assert jot.show(old).memory.superseded_by == new
    jot.reprocess(jot.plan_reprocess([new], force=True))
    jot.work()
    assert jot.show(old).memory.superseded_by == new
    jot.extract_apply(json.dumps({"extractions": [{**item, "verdicts": []}]}), by="claude")
    assert jot.show(old).memory.superseded_at is None


HINTED = "Sessions live in Redis."
FORESEEN = {"questions": ["Which database keeps the logins of sessions?"], "words": ["database", "cache store"]}
ASKED = "Which database keeps logins?"


def hinted(jot: Jotsam, fake_endpoint: FakeEndpoint, **parts: object) -> str:
    told(jot, "Lunch is at noon.")
    fake_endpoint.script([reply(**FORESEEN | parts)])
    return told(jot, HINTED)


def stems(jot: Jotsam) -> set[str]:
    with jot.database.snapshot(tenant="default") as tx:
        return {row["word"] for row in tx.execute("select word from hint_word")}


@pytest.mark.needs_server
def test_a_memory_is_found_by_a_question_that_a_model_foresaw_and_its_words_are_never_shown(
    jot, fake_endpoint, tmp_path
):
    id = hinted(jot, fake_endpoint)
    (hit,) = jot.recall(ASKED).hits
    assert (hit.id, hit.text) == (id, HINTED)
    assert set(hit.scores) >= {"hints"}
    assert jot.recall("Which database keeps cats and dogs happy there?").hits == ()
    shown = f"{jot.show(id)} {jot.recall('Redis sessions').text} "
    jot.export(tmp_path / "all.jsonl")
    shown += (tmp_path / "all.jsonl").read_text()
    assert "login" not in shown
    jot.settings = jot.settings.replace(tenant="eve")
    assert jot.recall(ASKED).hits == ()


@pytest.mark.needs_server
def test_hints_go_with_the_text_and_stay_while_the_model_fails(jot, fake_endpoint):
    id = hinted(jot, fake_endpoint)
    assert stems(jot) == {"databas", "login", "session", "cach", "stor"}
    model = jot.settings.llm_model
    jot.settings = jot.settings.replace(llm_model="fail-400")
    jot.reprocess(jot.plan_reprocess([id], force=True))
    jot.work()
    assert "login" in stems(jot)
    jot.settings = jot.settings.replace(llm_model=model)
    jot.update(id, text="Sessions were discussed.")
    assert stems(jot) == set()
    jot.work()
    jot.update(id, text=HINTED)
    fake_endpoint.script([reply(**FORESEEN)])
    jot.work()
    assert "login" in stems(jot)
    plan = jot.plan_forget(ids=[id])
    jot.forget(plan)
    assert stems(jot) == set()


def test_hints_that_do_not_count_are_left_out_and_counted(jot, fake_endpoint):
    questions = [
        "Who sells cheap watches?",
        7,
        "Where are sessions?",
        "x" * 200,
        "What is Redis for?",
        "Redis?",
        "Redis!",
    ]
    id = hinted(jot, fake_endpoint, questions=questions, words=["cache", {}])
    assert [reason.rpartition(": ")[2] for reason in rejected(jot, id)] == [
        "the question has no word of the text",
        "the value must be a string, not 7",
        "at most 160 are allowed",
        "the value must be a string, not {}",
    ]
    assert stems(jot) == {"session", "redi", "cach"}
