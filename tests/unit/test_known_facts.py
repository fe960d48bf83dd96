"""The fact that answers a question, above the results for people."""

from __future__ import annotations

from jotsam.core.answers import Answer, Coverage
from jotsam.core.records import Fact
from jotsam.retrieval.present.known_facts import known_fact

MARCH = 1_772_323_200_000


def known(question: str, *facts: Fact, nothing: bool = False) -> str | None:
    coverage = Coverage(returned=1, total=1, tokens=1, budget=1, nothing=nothing)
    found = known_fact(Answer(question=question, hits=(), facts=facts, coverage=coverage, text=""))
    return found.text if found else None


def fact(subject: str, predicate: str, object: str, confidence: float = 0.8, **more: int) -> Fact:
    return Fact(subject=subject, predicate=predicate, object=object, confidence=confidence, memory="m", **more)


LIVES = fact("Ana Lindqvist", "lives_in", "Lisbon")


def test_a_fact_answers_if_its_subject_and_its_predicate_are_in_the_question() -> None:
    assert known("where does Ana Lindqvist live?", LIVES) == "Ana Lindqvist lives in Lisbon"
    assert known("where does Bob live?", LIVES) is None
    assert known("Ana Lindqvist", LIVES) is None
    assert known("who lives in Lisbon?", LIVES) is None
    assert known("where does Ana Lindqvist live?", LIVES, nothing=True) is None
    assert known("what is the staging port?", fact("staging", "port", "5432")) == "staging port: 5432"


def test_only_a_certain_fact_that_holds_is_an_answer() -> None:
    question = "where does Ana Lindqvist live?"
    assert known(question, LIVES.replace(superseded_at=MARCH)) is None
    assert known(question, LIVES.replace(confidence=0.5)) is None
    described = fact("cache", "uses", "Redis", 0.6)
    assert known("what does the cache use?", described) is None
    assert known("what does the billing cache use?", described.replace(subject="billing cache")) is not None


def test_a_predicate_with_one_value_that_has_two_is_no_answer_and_others_give_all() -> None:
    question = "where does Ana Lindqvist live?"
    assert known(question, LIVES, LIVES.replace(object="Kyoto")) is None
    assert known(question, LIVES, fact("Bob", "lives_in", "Kyoto")) == "Ana Lindqvist lives in Lisbon"
    uses = [fact("Billing", "uses", name) for name in ("Redis", "Kafka", "nginx", "PostgreSQL", "Vault")]
    assert known("what does billing use?", *uses[:2]) == "Billing uses Redis, Kafka"
    assert known("what does billing use?", *uses) == "Billing uses Redis, Kafka, nginx, PostgreSQL, ..."
