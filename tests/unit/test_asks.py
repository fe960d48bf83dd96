"""What a question asks for beyond its words."""

from __future__ import annotations

import pytest

from jotsam.core.clock import parse_time
from jotsam.retrieval.question.intent import asks, falls_into, holds, named_actor

NOW = parse_time("2026-06-17T12:00", name="now")


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When did we deploy?", "when"),
        ("what year was that", "when"),
        ("How many users are there?", "number"),
        ("Where is the office?", "where"),
        ("Who leads the team?", "who"),
        ("Whose idea was it?", "who"),
        ("why did we choose it", ""),
        ("什么时候发布", "when"),
    ],
)
def test_the_kind_of_a_question(question: str, kind: str) -> None:
    assert asks(question, now=NOW).kind == kind


@pytest.mark.parametrize(
    "question",
    ["what is the latest status?", "current owner", "what changed?", "the most recent decision", "最新的版本"],
)
def test_a_question_for_the_latest(question: str) -> None:
    """AM-19."""
    assert asks(question, now=NOW).latest


@pytest.mark.parametrize(
    "question", ["currency exchange", "lasting impact", "nowhere plans", "what did the meeting last for", "knowledge"]
)
def test_a_question_that_only_sounds_like_it(question: str) -> None:
    """AM-19."""
    assert not asks(question, now=NOW).latest


def test_as_of_is_another_state_of_affairs_and_no_time_of_saying() -> None:
    asked = asks("the port as of 2026-02-01", now=NOW)
    assert asked.as_of == parse_time("2026-02-02", name="day") - 1
    assert asked.periods == ()


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
def test_a_time_in_the_question(question: str, inside: str, outside: str) -> None:
    periods = asks(question, now=NOW).periods
    assert falls_into(parse_time(inside, name="day"), periods)
    assert not falls_into(parse_time(outside, name="day"), periods)


@pytest.mark.parametrize("question", ["Would Caroline's sister come?", "Would Caroline’s sister come?"])
def test_an_actor_is_named_with_any_apostrophe(question: str) -> None:
    """AM-23."""
    names = asks(question, now=NOW).names
    assert named_actor(names, {"Caroline", "Melanie"}) == "Caroline"


def test_two_named_actors_are_nobody() -> None:
    names = asks("what did Ann tell Bob?", now=NOW).names
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
def test_what_holds_an_answer_of_a_kind(kind: str, text: str) -> None:
    assert holds(kind, text)
    assert not holds(kind, "nothing of it")


def test_a_question_of_any_length_is_read() -> None:
    assert asks("when? " + "x " * 100_000, now=NOW).kind == "when"
