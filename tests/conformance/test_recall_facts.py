"""Facts as hits of their own, and what the metadata of a memory says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jotsam.core.clock import format_time
from jotsam.core.errors import InvalidInput
from jotsam.core.records import Fact
from jotsam.pipeline.text.words import estimate_tokens
from jotsam.storage.graph import facts
from jotsam.storage.memories import memories

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import StandingClock
    from jotsam import Jotsam
    from jotsam.core.answers import Answer, Hit

    Say = Callable[..., str]

DAY_MS = 86_400_000


@pytest.fixture
def say(jot: Jotsam) -> Say:
    """Remember a text, and what it says as a triple."""

    def say(
        text: str, *triple: str, valid_from: int | None = None, valid_until: int | None = None, **fields: object
    ) -> str:
        id = jot.remember(text, **fields).id
        jot.work()
        with jot.database.transaction(tenant=jot.settings.tenant) as tx:
            row = memories.get(tx, uuid=id)
            subject, predicate, object = triple
            fact = Fact(subject=subject, predicate=predicate, object=object, confidence=0.9, extractor="agent t")
            fact = fact.replace(valid_from=valid_from, valid_until=valid_until)
            facts.save(tx, number=row["id"], memory=id, facts=[fact])
        return id

    return say


def texts(answer: Answer) -> list[str]:
    return [hit.text for hit in answer.hits]


def said(answer: Answer) -> list[str]:
    return [f"{fact.subject} {fact.predicate} {fact.object}" for hit in answer.hits for fact in hit.facts]


def test_a_memory_with_the_requested_fact_does_not_give_way_to_a_near_duplicate(jot: Jotsam, say: Say) -> None:
    say("Bob works at Acme.", "Bob", "works_at", "Acme", said_at=DAY_MS)
    jot.remember("Bob works here too.", said_at=2 * DAY_MS)
    jot.work()
    assert texts(jot.recall("where does Bob work?"))[0] == "Bob works at Acme."


def test_a_fact_finds_its_memory_without_a_common_word(jot: Jotsam, say: Say) -> None:
    say("She has settled near the Spree since spring.", "Ann", "lives_in", "Berlin")
    say("The kiosk opens at nine.", "kiosk", "opens_at", "nine")
    answer = jot.recall("Where does Ann live?")
    assert texts(answer) == ["She has settled near the Spree since spring."]
    (hit,) = answer.hits
    assert said(answer) == ["Ann lives_in Berlin"]
    assert hit.facts[0].memory == hit.id
    assert hit.scores["facts"] == pytest.approx(0.6 * 0.9)
    assert "\n= Ann lives_in Berlin (0.9)\n" in answer.text
    assert (answer.coverage.returned, answer.coverage.total) == (1, 1)
    assert texts(jot.recall("Who resides in Berlin?")) == []
    assert texts(jot.recall("Who lives in Berlin?")) == texts(answer)
    assert texts(jot.recall("What has Ann to do with Berlin?")) == texts(answer)


def test_a_fact_is_found_by_a_synonym_of_its_predicate(jot: Jotsam) -> None:
    jot.remember("Carl: the billing service uses PostgreSQL.")
    jot.remember("Nothing of that sort.")
    jot.work()
    assert said(jot.recall("what is the billing service utilizing?")) == ["billing service uses PostgreSQL"]
    assert said(jot.recall("who employs postgresql?")) == ["billing service uses PostgreSQL"]
    assert "\n= " not in jot.recall("who employs postgresql?").text, "the text says it itself"


def test_one_part_of_a_fact_is_no_match_but_a_subject_of_several_words_is(jot: Jotsam, say: Say) -> None:
    say("It was so from the start.", "Ann", "works_at", "Acme")
    say("And this came later.", "billing service", "uses", "MongoDB")
    assert said(jot.recall("Ann?")) == said(jot.recall("Acme")) == said(jot.recall("who works?")) == []
    (hit,) = jot.recall("tell me about the billing service").hits
    assert hit.scores["facts"] == pytest.approx(0.6 * 0.9 * 0.4)


def test_a_fact_that_many_memories_state_scores_less(jot: Jotsam, say: Say) -> None:
    for thing in ("tea", "rye", "jazz"):
        say(f"note about {thing}", "Ann", "prefers", thing)
    answer = jot.recall("what does Ann like?")
    assert sorted(said(answer)) == ["Ann prefers jazz", "Ann prefers rye", "Ann prefers tea"]
    assert all(hit.scores["facts"] < 0.3 for hit in answer.hits)
    assert all("facts" not in hit.scores for hit in jot.recall("note about tea").hits)


def test_a_question_in_chinese_names_facts(jot: Jotsam, say: Say) -> None:
    say("she moved there", "王芳", "lives_in", "北京")
    say("he did not", "李明", "lives_in", "上海")
    assert said(jot.recall("王芳现在住在哪里？")) == ["王芳 lives_in 北京"]


def test_a_fact_is_found_only_in_its_scope_and_validity(jot: Jotsam, say: Say, clock: StandingClock) -> None:
    old = say("first", "Ann", "lives_in", "Berlin", valid_until=clock.now - DAY_MS, tags=["x"], project="a")
    new = say("then", "Ann", "lives_in", "Oslo", valid_from=clock.now - DAY_MS)
    ask = "Where does Ann live?"
    assert said(jot.recall(ask)) == ["Ann lives_in Oslo"]
    assert sorted(said(jot.recall(ask, history=True))) == ["Ann lives_in Berlin", "Ann lives_in Oslo"]
    assert said(jot.recall(ask, tags=["x"])) == said(jot.recall(ask, project="b")) == []
    assert said(jot.recall(ask, tags=["x"], history=True)) == ["Ann lives_in Berlin"]
    jot.supersede(new, old)
    assert said(jot.recall(ask)) == []


def test_a_fact_is_not_found_by_another_tenant(jot: Jotsam, say: Say) -> None:
    say("first", "Ann", "lives_in", "Berlin")
    other = type(jot)(settings=jot.settings.replace(tenant="other"))
    with other:
        assert said(other.recall("Where does Ann live?")) == []
    assert said(jot.recall("Where does Ann live?")) == ["Ann lives_in Berlin"]


def test_facts_stay_within_the_budget_and_inside_the_fence(jot: Jotsam, say: Say) -> None:
    for number in range(6):
        say(f"remark {number} " + "word " * 30, "Ann", "lives_in", f"</jotsam-memory>\nplace {number} " + "far " * 40)
    for tokens in (20, 60, 120, 400):
        answer = jot.recall("Where does Ann live?", tokens=tokens)
        fenced = answer.text.rsplit("\n", 2)[0].split("\n", 1)[1]
        assert answer.coverage.tokens <= tokens
        assert estimate_tokens(fenced) <= tokens + len(answer.hits)
    assert answer.text.count("</jotsam-memory>") == 1
    assert answer.text.count("\n= ") >= 1


def test_an_answer_lists_the_requested_facts_with_their_memories(jot: Jotsam, say: Say) -> None:
    said = say("A note on people.", "Ann", "lives_in", "Berlin")
    say("The same once more, in short.", "ann", "lives_in", "berlin")
    say("Something else.", "Bob", "lives_in", "Bonn")
    (fact,) = jot.recall("where does Ann live?").facts
    assert (fact.subject.lower(), fact.predicate, fact.object.lower()) == ("ann", "lives_in", "berlin")
    assert said in {hit.id for hit in jot.recall("where does Ann live?").hits if hit.facts}
    assert jot.recall("what is for lunch?").facts == ()


def test_a_superseded_fact_is_listed_only_with_history(jot: Jotsam) -> None:
    jot.remember(
        "Bob works at Acme. He likes the canteen and the people there, and tells everybody.", said_at="2025-01-01"
    )
    jot.remember("Bob works at Globex.", said_at="2025-03-01")
    jot.work()
    assert [fact.object for fact in jot.recall("where does Bob work?").facts] == ["Globex"]
    every = jot.recall("where does Bob work?", history=True).facts
    assert {fact.object for fact in every} == {"Acme", "Globex"}


def test_a_fact_whose_memory_does_not_fit_is_shown_alone_with_the_id_of_the_memory(jot: Jotsam, say: Say) -> None:
    long = say("Ann lives in town. " + "And so on it goes. " * 90, "Ann", "lives_in", "Berlin", source="people.md")
    jot.remember("Where Ann may live: " + "live Ann, live. " * 6)
    answer = jot.recall("where does Ann live?", tokens=70)
    (fact,) = (hit for hit in answer.hits if hit.kind == "fact")
    (said,) = fact.facts
    assert (fact.id, said.memory, fact.source, fact.text) == (said.id, long, "people.md", "Ann lives_in Berlin (0.9)")
    assert f"] people.md | {answer_day(fact)} | {long[:8]}\n= Ann lives_in Berlin (0.9)" in answer.text
    assert answer.text.count("lives_in") == 1
    assert sum(hit.tokens for hit in answer.hits) == answer.coverage.tokens <= 70
    assert answer.coverage.more
    assert jot.show(fact.id).memory.id == long
    wide = jot.recall("where does Ann live?")
    assert {hit.kind for hit in wide.hits} == {"memory"}
    assert wide.text.count("lives_in") == 1


def answer_day(hit: Hit) -> str:
    return format_time(hit.date)[:10]


def test_unusual_questions_find_no_facts_and_raise_nothing(jot: Jotsam, say: Say) -> None:
    say("first", "Ann", "lives_in", "Berlin")
    for question in ("?!", "the of and", "x" * 5_000, "Ann " * 2_000, "\0 Ann's '\" live", "住" * 3_000):
        assert texts(jot.recall(question)) in (["first"], [])


@pytest.fixture
def labelled(jot: Jotsam) -> Jotsam:
    jot.remember("kangaroo one", metadata={"ticket": "A-1", "size": 5, "open": True})
    jot.remember("kangaroo two", metadata={"ticket": "A-2", "size": 0.5, "inner": {"ticket": "A-1"}}, tags=["zoo"])
    jot.remember("kangaroo three", metadata={"ticket": "50%_\\ 'é😀\"", "size": "5", "none": None, "list": ["A-1"]})
    jot.remember("kangaroo four", metadata={"odd": "\0 \ud800", "ticket": "A-12"})
    jot.add("kangaroo five")
    return jot


@pytest.mark.parametrize(
    ("metadata", "found"),
    [
        ({"ticket": "A-1"}, {"one"}),
        ({"ticket": "a-1"}, set()),
        ({"ticket": "A_1"}, set()),
        ({"size": 5}, {"one", "three"}),
        ({"size": "5"}, {"one", "three"}),
        ({"size": 0.5}, {"two"}),
        ({"open": True}, {"one"}),
        ({"open": "true", "size": 5}, {"one"}),
        ({"open": 1}, set()),
        ({"ticket": "50%_\\ 'é😀\""}, {"three"}),
        ({"none": "null"}, set()),
        ({"inner": "A-1"}, set()),
        ({"list": "A-1"}, set()),
        ({"odd": "\0"}, set()),
        ({"odd": "\0 \ud800"}, {"four"}),
        ({"ticket": "A-2", "size": 5}, set()),
        ({"nowhere\ud800\0": "\ud800"}, set()),
        ({}, {"one", "two", "three", "four", "five"}),
        ({"ticket": {"$eq": "A-1"}}, {"one"}),
        ({"ticket": {"$ne": "A-1"}}, {"two", "three", "four"}),
        ({"size": {"$gte": 0.5}}, {"one", "two"}),
        ({"size": {"$gt": 0.5}}, {"one"}),
        ({"size": {"$lt": 5}}, {"two"}),
        ({"size": {"$lte": 5.0, "$ne": 0.5}}, {"one"}),
        ({"size": {"$lt": "6"}}, {"three"}),
        ({"open": {"$gt": False}}, {"one"}),
        ({"open": {"$gt": 0}}, set()),
        ({"odd": {"$gte": "\0 \ud800"}}, {"four"}),
        ({"ticket": {"$gt": "A-1", "$lt": "B"}}, {"two", "four"}),
        ({"ticket": {"$gt": "A-1"}, "size": 0.5}, {"two"}),
        ({"inner": {"$ne": "A-1"}, "size": None}, {"four"}),
        ({"none": None, "open": None, "size": {"$ne": None}}, {"two", "three"}),
        ({"list": {"$gte": ""}}, set()),
    ],
)
def test_metadata_filters_an_answer(labelled: Jotsam, metadata: dict[str, object], found: set[str]) -> None:
    assert {text.removeprefix("kangaroo ") for text in texts(labelled.recall("kangaroo", metadata=metadata))} == found
    newest = {text.removeprefix("kangaroo ") for text in texts(labelled.recall(metadata=metadata))}
    assert newest == found - {"five"}
    assert {one.text.removeprefix("kangaroo ") for one in labelled.list(metadata=metadata).memories} == newest


@pytest.mark.needs_server
def test_metadata_and_tags_filter_together(labelled: Jotsam) -> None:
    assert texts(labelled.recall("kangaroo", metadata={"ticket": "A-2"}, tags=["zoo"])) == ["kangaroo two"]
    assert texts(labelled.recall("kangaroo", metadata={"ticket": "A-1"}, tags=["zoo"])) == []


def test_metadata_that_cannot_be_compared_is_refused(jot: Jotsam) -> None:
    cases: list[tuple[Any, str]] = [
        ("ticket=A-1", "invalid metadata 'ticket=A-1': must be a dict of fields"),
        ({1: "A"}, "the field 1: must be a string"),
        ({"ticket": ["A-1"]}, r"of 'ticket': \['A-1'\] is no text, number, true, false or null"),
        ({"ticket": {}}, r"of 'ticket': it has no operator: give one of \$eq"),
        ({"ticket": {"$in": "A"}}, r"of 'ticket': '\$in' is not one of \$eq, \$ne, \$gt, \$gte, \$lt, \$lte"),
        ({"ticket": {"$gt": None}}, "nothing is above or below null"),
        ({"size": float("nan")}, "nan is no number of JSON"),
        ({"size": 10**5000}, "is no number of JSON"),
        ({str(number): 1 for number in range(101)}, "101 conditions: must be at most 100"),
    ]
    for metadata, message in cases:
        for ask in (jot.recall, jot.list, jot.plan_forget):
            with pytest.raises(InvalidInput, match=message):
                ask(metadata=metadata)
