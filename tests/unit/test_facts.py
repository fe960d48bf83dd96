"""Facts by patterns: few and right."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.pipeline.facts import MOST_FACTS, facts
from jotsam.pipeline.predicates import FUNCTIONAL, KNOWN, normalise
from jotsam.pipeline.rules import RULES, findings

WEDNESDAY = 1_773_847_800_000  # 2026-03-18
DAY_MS = 86_400_000


def said(text: str, actor: str | None = None) -> list[tuple[str, str, str]]:
    return [(fact.subject, fact.predicate, fact.object) for fact in facts(text, said_at=WEDNESDAY, actor=actor)]


TOLD = [
    ("We decided to use PostgreSQL, because it scales.", [("we", "decided", "use PostgreSQL")]),
    ("We chose PostgreSQL over MongoDB.", [("we", "decided", "PostgreSQL")]),
    (
        "The importer depends on Redis and Kafka.",
        [("importer", "depends_on", "Redis"), ("importer", "depends_on", "Kafka")],
    ),
    ("Our team uses Slack, Jira and Notion.", [("team", "uses", thing) for thing in ("Slack", "Jira", "Notion")]),
    ("Redis was replaced by Valkey.", [("Redis", "replaced_by", "Valkey")]),
    ("Jotsam is written in Python.", [("Jotsam", "written_in", "Python")]),
    ("Acme Corp uses `pgbouncer` in production.", [("Acme Corp", "uses", "pgbouncer")]),
    ("Alice works at Google. Bob lives in Berlin.", [("Alice", "works_at", "Google"), ("Bob", "lives_in", "Berlin")]),
    ("Sarah owns the billing service.", [("Sarah", "owns", "billing service")]),
    ("Maria Lopez moved to Madrid last month.", [("Maria Lopez", "moved_to", "Madrid")]),
    ("We migrated from MySQL to PostgreSQL.", [("we", "migrated_from", "MySQL")]),
    ("I prefer dark mode over light mode.", [("I", "prefers", "dark mode")]),
    ("Carol is the CTO of Acme.", [("Carol", "is", "CTO of Acme")]),
    ("The port of Flask is open. Flask defaults to port 5000.", [("Flask", "defaults_to", "port 5000")]),
    ("我们使用PostgreSQL。", [("我们", "uses", "PostgreSQL")]),
    ("我喜欢深色模式", [("我", "prefers", "深色模式")]),
]


@pytest.mark.parametrize(("text", "expected"), TOLD)
def test_a_plain_sentence_gives_its_fact(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert said(text) == expected


NOTHING_TOLD = [
    "",
    "Does Alice use Docker?",
    "If we use Docker, it breaks.",
    "When Redis is replaced by Valkey, we win.",
    "We do not use Docker.",
    "The server may use Docker.",
    "It uses Docker, and they use Redis.",
    "You use Docker.",
    "the owner of the server uses Docker",
    "I love it. I love your idea.",
    "## We use Docker",
    "| we use Docker | yes |",
    "```\nWe use Docker.\n```",
    "    We use Docker.",
    "Use Docker.",
    "我们不使用Docker",
]


@pytest.mark.parametrize("text", NOTHING_TOLD)
def test_a_question_a_condition_a_negation_and_a_heading_tell_nothing(text: str) -> None:
    assert said(text) == []


def test_i_is_whoever_says_so() -> None:
    assert said("I work for Siemens.", actor="Maria") == [("Maria", "works_at", "Siemens")]


def test_a_fact_is_valid_from_the_day_that_its_sentence_names() -> None:
    (moved,) = facts("We met. Maria Lopez moved to Madrid yesterday. It rained.", said_at=WEDNESDAY)
    assert moved.valid_from == WEDNESDAY // DAY_MS * DAY_MS - DAY_MS
    (works,) = facts("Alice works at Google.", said_at=WEDNESDAY)
    assert works.valid_from is works.valid_until is None


def test_what_is_no_longer_used_is_a_fact_that_has_ended() -> None:
    (fact,) = facts("We no longer use Docker.", said_at=WEDNESDAY)
    assert (fact.subject, fact.predicate, fact.object, fact.valid_until) == ("we", "uses", "Docker", WEDNESDAY)


def test_the_rules_sign_what_they_find_and_speak_in_normal_predicates() -> None:
    found = findings(" ".join(text for text, _ in TOLD), said_at=WEDNESDAY).facts
    assert found
    assert {fact.extractor for fact in found} == {RULES}
    assert all(normalise(fact.predicate) == fact.predicate for fact in found)


def test_every_functional_predicate_is_one_that_is_known() -> None:
    assert set(KNOWN.values()) >= FUNCTIONAL


def test_a_text_gives_at_most_sixteen_facts() -> None:
    text = " ".join(f"Service{letter} uses Docker." for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    assert len(said(text)) == MOST_FACTS


PIECES = [text for text, _ in TOLD] + NOTHING_TOLD + ["We ", "use ", "is a ", "I'm a ", ", ", "\n", "no longer use "]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=8).map(" ".join))
def test_facts_are_said_in_the_text(text: str) -> None:
    for fact in facts(text, said_at=WEDNESDAY):
        assert fact.subject
        assert fact.object
        assert 0 < fact.confidence <= 1


@pytest.mark.parametrize(
    "piece", ["We use Docker, ", "is a ", "We use ", "The a ", "use ", "I'm a a ", "我喜欢", "A A "]
)
def test_a_hostile_text_is_read_in_linear_time(piece: str) -> None:
    assert len(said(piece * (100_000 // len(piece)))) <= MOST_FACTS
