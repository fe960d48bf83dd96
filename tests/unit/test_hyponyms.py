"""What a question asks for by its kind."""

from __future__ import annotations

from jotsam.retrieval.question.hyponyms import kinds_of


def test_a_question_that_asks_by_kind_has_the_things_of_the_kind() -> None:
    asked = {
        "Which pets does Melanie have?": ("pets", "dog"),
        "What kind of vehicle is it?": ("vehicle", "car"),
        "which countries did they visit?": ("countries", "spain"),
        "Which martial art does he practise?": ("art", "judo"),
        "Does she keep an animal?": ("animal", "dog"),
        "Which message broker do we run?": ("broker", "rabbitmq"),
    }
    for question, (kind, thing) in asked.items():
        assert thing in kinds_of(question).get(kind, ()), question


def test_events_are_those_of_people_and_of_software_and_a_verb_is_no_kind() -> None:
    for question in (
        "Which events has she been to?",
        "What LGBTQ+ events has she been to?",
        "What music event was it?",
    ):
        assert next(iter(kinds_of(question).values()))[:2] == ("concert", "festival"), question
    assert "zeromq" in kinds_of("Which events does it send?")["events"]
    assert [*kinds_of("Which city have both visited?")] == ["city"]


def test_the_noun_of_two_words_is_the_last_and_other_questions_ask_for_no_kind() -> None:
    assert [*kinds_of("What size shoes does he wear?")] == ["shoes"]
    for question in ("When did the dog eat?", "Does Elise have a tattoo?", "the animal in the garden", ""):
        assert not kinds_of(question), question
