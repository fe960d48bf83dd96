"""Query intent: kind of answer, times, actors, recency."""

from __future__ import annotations

import pytest

from jotsam.core.clock import parse_time
from jotsam.retrieval.question.intent import Intent, falls_into, may_answer, named_actor, read_intent, strip_recency

NOW = parse_time("2026-06-17T12:00", name="now")


def intent(question: str) -> Intent:
    return read_intent(question, content=strip_recency(question), now=NOW)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When did we deploy?", "when"),
        ("what year was that", "when"),
        ("How many users are there?", "number"),
        ("Where is the office?", "where"),
        ("Which European countries has Ann been to?", "where"),
        ("In which areas does it rain?", "where"),
        ("Who leads the team?", "who"),
        ("What are the names of the servers?", "who"),
        ("Which books did Bob read?", "who"),
        ("Whose idea was it?", "who"),
        ("why did we choose it", ""),
        ("什么时候发布", "when"),
    ],
)
def test_the_kind_of_answer_is_detected(question: str, kind: str) -> None:
    assert intent(question).kind == kind


@pytest.mark.parametrize(
    "question",
    ["what is the latest status?", "current owner", "what changed?", "the most recent decision", "最新的版本"],
)
def test_asking_for_the_latest_is_detected(question: str) -> None:
    """AM-19."""
    assert intent(question).latest


@pytest.mark.parametrize(
    "question", ["currency exchange", "lasting impact", "nowhere plans", "what did the meeting last for", "knowledge"]
)
def test_words_that_contain_words_for_the_latest_are_not(question: str) -> None:
    """AM-19."""
    assert not intent(question).latest


def test_as_of_selects_a_state_and_is_not_a_period() -> None:
    found = intent("the port as of 2026-02-01")
    assert found.as_of == parse_time("2026-02-02", name="day") - 1
    assert found.periods == ()


@pytest.mark.parametrize(
    ("question", "inside", "outside"),
    [
        ("what happened last week?", "2026-06-10", "2026-06-16"),
        ("what did we decide in March?", "2026-03-05", "2026-04-05"),
        ("what did we decide in March?", "2023-03-05", "2023-05-05"),
        ("what since May 2026?", "2026-06-01", "2026-04-30"),
        ("what before 2026?", "2025-12-31", "2026-01-01"),
    ],
)
def test_a_time_in_the_question_is_a_period(question: str, inside: str, outside: str) -> None:
    periods = intent(question).periods
    assert falls_into(parse_time(inside, name="day"), periods)
    assert not falls_into(parse_time(outside, name="day"), periods)


@pytest.mark.parametrize("question", ["Would Caroline's sister come?", "Would Caroline’s sister come?"])
def test_an_actor_is_named_with_any_apostrophe(question: str) -> None:
    """AM-23."""
    names = intent(question).names
    assert named_actor(names, {"Caroline", "Melanie"}) == "Caroline"


def test_two_named_actors_are_ambiguous() -> None:
    names = intent("what did Ann tell Bob?").names
    assert named_actor(names, {"Ann", "Bob"}) is None
    assert named_actor(names, {"Ann Lee"}) == "Ann Lee"
    assert named_actor(names, {"Carl", ""}) is None


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("when", "It was yesterday."),
        ("number", "There were three."),
        ("where", "He is in Porto."),
        ("who", "I met Ana."),
    ],
)
def test_a_text_may_answer_a_question_of_a_kind(kind: str, text: str) -> None:
    assert may_answer(kind, text)
    assert not may_answer(kind, "nothing of it")


def test_a_question_of_any_length_is_parsed() -> None:
    assert intent("when? " + "x " * 100_000).kind == "when"
