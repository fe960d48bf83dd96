"""Dates and words for the latest in questions in German, French, Spanish, Chinese and Japanese."""

from __future__ import annotations

import pytest

from jotsam.core.clock import parse_time
from jotsam.retrieval.question.foreign_dates import translate_dates
from jotsam.retrieval.question.intent import read_intent, strip_recency

NOW = parse_time("2026-06-17T12:00", name="now")


@pytest.mark.parametrize(
    ("question", "sense", "first"),
    [
        ("Wo war das Lager vor Juli 2024?", "before", "2024-07-01"),
        ("Wer kam nach dem 5. März 2024?", "after", "2024-03-05"),
        ("Was gilt seit März 2025?", "since", "2025-03-01"),
        ("Was geschah gestern?", "in", "2026-06-16"),
        ("Was war letzte Woche los?", "in", "2026-06-08"),
        ("Où était le camp avant juillet 2024 ?", "before", "2024-07-01"),
        ("Qui est venu après le 5 mars 2024 ?", "after", "2024-03-05"),
        ("Que s'est-il passé la semaine dernière ?", "in", "2026-06-08"),
        ("¿Dónde estaba antes de julio de 2024?", "before", "2024-07-01"),
        ("¿Qué pasó después del 5 de marzo de 2024?", "after", "2024-03-05"),
        ("¿Qué pasó ayer?", "in", "2026-06-16"),
        ("2024年5月之前在哪里？", "before", "2024-05-01"),
        ("上周谁来了？", "in", "2026-06-08"),
        ("2024年5月以降の担当者は？", "since", "2024-05-01"),
        ("先週何がありましたか", "in", "2026-06-08"),
    ],
)
def test_a_question_in_another_language_names_its_time(question: str, sense: str, first: str) -> None:
    (period,) = read_intent(question, content=strip_recency(question), now=NOW).periods
    assert (period.sense, period.first) == (sense, parse_time(first, name="day"))


@pytest.mark.parametrize(
    ("question", "day"),
    [("Stand 1. März 2025: wie hoch ist die Miete?", "2025-03-02"), ("截至2024年5月3日端口是多少？", "2024-05-04")],
)
def test_a_question_in_another_language_asks_for_the_state_of_a_day(question: str, day: str) -> None:
    assert read_intent(question, content=question, now=NOW).as_of == parse_time(day, name="day") - 1


@pytest.mark.parametrize(
    "question",
    [
        "Wer wohnt vor dem Haus?",
        "Is there water on mars?",
        "Qui habite au numéro 12 ?",
        "¿Quién vive antes de la plaza?",
        "hat der Hund im Garten geschlafen",
        "今の担当者は誰ですか",
    ],
)
def test_words_that_name_no_time_are_left_alone(question: str) -> None:
    assert translate_dates(question) == question
    assert read_intent(question, content=question, now=NOW).periods == ()


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("Wer ist aktuell zuständig?", "Wer ist zuständig?"),
        ("Was ist der letzte Zählerstand?", "Was ist der Zählerstand?"),
        ("Qui dirige actuellement l'équipe ?", "Qui dirige l'équipe ?"),
        ("¿Quién dirige actualmente el equipo?", "¿Quién dirige el equipo?"),
        ("现在的负责人是谁？", "的负责人是谁？"),
        ("現在の担当者は誰ですか？", "の担当者は誰ですか？"),
    ],
)
def test_a_question_in_another_language_asks_for_the_latest(question: str, content: str) -> None:
    assert " ".join(strip_recency(question).split()) == content
    assert read_intent(question, content=content, now=NOW).latest


@pytest.mark.parametrize("question", ["Was war letzte Woche los?", "what is the actual size?", "la semaine dernière"])
def test_a_named_time_does_not_ask_for_the_latest(question: str) -> None:
    assert not read_intent(question, content=question, now=NOW).latest
