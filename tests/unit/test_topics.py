"""Tags by topic."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jotsam.pipeline.extraction.extract import extract
from jotsam.pipeline.extraction.topics import MAX_TOPICS, topic_tags

TEXTS = [
    ("The pytest fixtures are flaky.", ("testing",)),
    ("We deployed the app to Kubernetes.", ("deployment",)),
    ("My sister has a new puppy.", ("family", "pets")),
    ("The flight to Oslo leaves at six.", ("travel",)),
    ("The room has four windows.", ()),
    ("```\npytest\n```\nHello there.", ()),
    ("[![Test Coverage][badge]][link]\n\n[license-url]: https://acme.test/MIT license\n\nHello there.", ()),
    ("The worker takes a lease of the job.", ("queue",)),
    ("The lease of the landlord ends.", ("housing",)),
    ("", ()),
]


def test_a_text_has_the_topics_it_speaks_of() -> None:
    assert [(text, topic_tags(text)) for text, _ in TEXTS] == TEXTS


def test_one_word_that_may_mean_something_else_is_no_topic() -> None:
    assert topic_tags("The session was long.") == ()
    assert topic_tags("The session token expires.") == ("authentication",)


def test_a_longer_text_needs_three_words_that_may_mean_something_else() -> None:
    filler = " ".join(["one"] * 40)
    assert topic_tags(f"The session token expires. {filler}") == ()
    assert topic_tags(f"The session token and credential expire. {filler}") == ("authentication",)


def test_a_word_once_in_a_long_text_is_no_topic() -> None:
    filler = "The importer reads a file and writes its rows. " * 60
    assert "travel" not in topic_tags(filler + "We took a flight. " + filler)


def test_the_topics_are_part_of_what_is_extracted() -> None:
    assert extract("The pytest fixtures are flaky.", said_at=0).topics == ("testing",)


@given(st.text(max_size=200))
def test_any_text_has_at_most_three_topics_in_lower_case_with_hyphens(text: str) -> None:
    found = topic_tags(text)
    assert len(found) <= MAX_TOPICS
    assert all(topic == topic.lower() and " " not in topic and "_" not in topic for topic in found)
