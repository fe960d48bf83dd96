"""What a question asks of a person, and whether a text about this person contains it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pytest

from jotsam.retrieval.question.parse import parse
from jotsam.retrieval.rank.absence import Asked
from jotsam.retrieval.rank.context import build_context
from jotsam.retrieval.rank.evidence import question_words

TALK = (
    ("Elise", "I moved to Lyon for a job at the bakery."),
    ("Tom", "I am vegan since May, and I speak French."),
    ("Elise", "That is wonderful, good luck!"),
    ("Tom", "Do you have a sister?"),
    ("Elise", "Yes, she left for Spain and handed me her garden."),
)
OTHERS = 200  # texts that are about something else, so that a word that is missing means something


def ask(
    question: str,
    talk: Sequence[tuple[str | None, str]] = TALK,
    number: int = OTHERS,
    of_kind: Mapping[int, Collection[str]] = MappingProxyType({}),
) -> Asked:
    rows: dict[int, dict[str, Any]] = {
        at: {"actor": actor, "body": text, "session": "s", "document_id": None}
        for at, (actor, text) in enumerate(talk, 1)
    }
    neighbours = {at: {-1: at - 1} for at in rows if at > 1}
    found = parse(question, now=0).words
    texts = [f"{actor or ''} {text}" for actor, text in talk]
    counts = {word: sum(word in text.lower() for text in texts) for word in found}
    words = question_words(question, found, counts, number)
    return Asked(question, words, build_context(rows, neighbours), of_kind)


PAINTED = (
    ("Ada", "Last week I painted the sunset over the lake."),
    ("Bo", "Nice. I painted one too, with a lot of red."),
    ("Ada", "Send me a picture of it."),
)


@pytest.mark.parametrize("noun", ["subject", "topic", "theme", "kind of subject", "main theme"])
def test_a_word_for_a_kind_of_thing_after_what_need_not_be_in_a_text(noun: str) -> None:
    asked = ask(f"What {noun} have Ada and Bo both painted?", PAINTED)
    assert not asked.is_absent()


def test_a_subject_that_is_no_form_of_the_question_must_be_in_a_text() -> None:
    assert ask("Does Ada have a subject?", PAINTED).is_absent()


@pytest.mark.parametrize(
    "question",
    [
        "Does Elise have a tattoo?",
        "Is Elise vegan?",
        "Does Elise speak French?",
        "Is Elise left-handed?",
        "What kind of car does Elise drive?",
        "Which bank does Tom use?",
    ],
)
def test_what_no_text_about_a_person_says_is_absent(question: str) -> None:
    assert ask(question).is_absent()


@pytest.mark.parametrize(
    "question",
    [
        "Is Tom vegan?",
        "Does Elise have a sister?",
        "Where did Elise move?",
        "What kind of garden does Elise have?",
        "Which country did she leave for?",
        "Would Elise likely enjoy a concert?",
        "What about Elise?",
        "What kind of bakery do Tom and Elise compare?",
        "Was ist mit dem Führerschein von Elise?",
    ],
)
def test_what_is_said_or_only_guessed_is_not_absent(question: str) -> None:
    assert not ask(question).is_absent()


def test_a_question_is_split_into_its_people_and_what_is_asked_of_them() -> None:
    asked = ask("Does Elise have a tattoo?")
    assert [word.written for word in asked.subjects] == ["Elise"]
    assert [word.written for word in asked.words] == ["tattoo"]
    assert asked.not_contained() == asked.words
    assert not ask("which user drives?", [("user", "The wheels of the bus.")]).subjects, "a common word is no name"


def test_a_name_that_no_speaker_has_is_asked_about_among_few_texts() -> None:
    talk = [(None, "Ana plays the violin."), (None, "Ben likes to hike in the Alps.")]
    asked = ask("Does Ana have a tattoo?", talk, number=2)
    assert [word.written for word in asked.subjects] == ["Ana"]
    assert asked.is_absent()
    assert ask("So, does Ana know how to swim?", talk, number=2).is_absent()
    assert not ask("Does Ana play the violin?", talk, number=2).is_absent()
    assert not ask("Does Ana have a tattoo?", talk).subjects, "among many texts evidence decides"
    for question in ("What does Ana collect?", "Does Carla have a tattoo?", "Does the violin of Ana have a case?"):
        assert not ask(question, talk, number=2).subjects, question


def test_the_answer_to_a_question_is_about_who_answers_it_and_other_talk_is_not() -> None:
    assert asked_words("Does Elise have a sister?") == {"sister"}
    assert asked_words("Is Elise vegan?") == set()


def test_a_word_in_many_texts_is_not_told_because_not_all_of_them_were_read() -> None:
    asked = ask("Is Elise vegan?")
    asked.words = tuple(word.replace(texts=150) for word in asked.words)
    assert not asked.is_absent()


def asked_words(question: str) -> set[str]:
    return {word for found in ask(question).about.values() for word in found}


def test_a_thing_is_known_of_its_kind_and_a_word_by_what_it_is_made_of() -> None:
    talk = [*TALK, ("Elise", "My violin needs new strings, and my mentor plays it too.")]
    question = "Which instrument does Elise own?"
    assert ask(question, talk).is_absent()
    assert not ask(question, talk, of_kind={6: {"instrument"}}).is_absent()
    assert ask(question, talk, of_kind={6: {"instrument"}}).part(6) == 1
    assert not ask("Does Elise have a mentorship?", talk).is_absent()
