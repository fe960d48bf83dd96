"""Predicates of a language model's facts: of the closed set, or kept as they are and marked as free."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import StandingClock
    from jotsam import Jotsam
    from jotsam.models.fake_endpoint import FakeEndpoint

Told = tuple[str, str, str]


@pytest.fixture
def jot(jot: Jotsam, fake_endpoint: FakeEndpoint) -> Jotsam:
    jot.settings = jot.settings.replace(llm_url=fake_endpoint.url, llm_model="fake-model", concurrency=1)
    return jot


def tell(jot: Jotsam, clock: StandingClock, endpoint: FakeEndpoint, text: str, *facts: Told) -> str:
    """Store a text of which the model states these facts."""
    clock.tick(86_400_000)
    stated = [dict(zip(("subject", "predicate", "object"), fact, strict=True)) for fact in facts]
    endpoint.script(["say:" + json.dumps({"entities": [], "facts": stated})])
    id = jot.remember(text).id
    jot.work()
    return id


def valid(jot: Jotsam, **wanted: Any) -> list[tuple[str, str, bool]]:
    return sorted((one.predicate, one.object, one.free) for one in jot.knowledge.facts(**wanted))


def test_words_for_one_predicate_become_it_and_a_single_value_replaces_the_one_before(
    jot: Jotsam, clock: StandingClock, fake_endpoint: FakeEndpoint
) -> None:
    tell(jot, clock, fake_endpoint, "Ana, she: works at Initech then.", ("Ana", "works at", "Initech"))
    tell(jot, clock, fake_endpoint, "Ana, she: employed by Globex then.", ("Ana", "isEmployedBy", "Globex"))
    tell(jot, clock, fake_endpoint, "Ana, she: employer Hooli.", ("Hooli", "EMPLOYS", "Ana"))
    assert valid(jot, subject="Ana") == [("works_at", "Hooli", False)]
    tell(jot, clock, fake_endpoint, "Gateway on port 8080, so.", ("Gateway", "listens on", "port 8080"))
    tell(jot, clock, fake_endpoint, "Gateway on port 8443, so.", ("Gateway", "port number", "8443"))
    assert valid(jot, subject="Gateway") == [("port", "8443", False)]
    assert len(jot.knowledge.facts(subject="Gateway", predicate="port", history=True)) == 2


def test_another_predicate_is_kept_marked_as_free_and_ends_nothing(
    jot: Jotsam, clock: StandingClock, fake_endpoint: FakeEndpoint, tmp_path: Path
) -> None:
    tell(jot, clock, fake_endpoint, "Ana, mentor: of Bo.", ("Ana", "isMentorOf", "Bo"))
    id = tell(jot, clock, fake_endpoint, "Ana, mentor: of Cy.", ("Ana", "isMentorOf", "Cy"))
    assert valid(jot, subject="Ana") == [("is_mentor_of", "Bo", True), ("is_mentor_of", "Cy", True)]
    assert [fact.free for fact in jot.show(id).facts] == [True]
    jot.export(tmp_path / "all.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    told = [fact for line in lines for fact in line.get("facts", ())]
    assert [(fact["predicate"], fact.get("free")) for fact in told] == [("is_mentor_of", True)] * 2


def test_a_question_about_an_attribute_finds_the_fact_in_other_words(
    jot: Jotsam, clock: StandingClock, fake_endpoint: FakeEndpoint
) -> None:
    for number in range(5):
        jot.remember(f"Ana read book {number}.")
    jot.work()
    id = tell(jot, clock, fake_endpoint, "Ana, these days: Initech.", ("Ana", "works for", "Initech"))
    hits = jot.recall("Who is the employer of Ana?").hits
    assert hits[0].id == id
    assert [fact.predicate for fact in hits[0].facts] == ["works_at"]
