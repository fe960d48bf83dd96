"""Dates in texts and questions, and words for the latest, in German, French, Spanish, Chinese and Japanese."""

from __future__ import annotations

import pytest

from jotsam.core.clock import format_time, parse_time
from jotsam.pipeline.dates.calendar import DAY_MS
from jotsam.pipeline.dates.parse_dates import find_dates
from jotsam.retrieval.question.intent import read_intent, strip_recency

NOW = parse_time("2026-06-17T12:00", name="now")

TEXTS = [
    ("Das Treffen ist am 3. März 2026.", "2026-03-03"),
    ("Vom 3. bis 7. März 2026 ist das Büro zu.", "2026-03-03/2026-03-07"),
    ("Der Umzug war am 5. April.", "2026-04-05"),
    ("Seit 2023 nutzen wir Postgres.", "since 2023-01-01/2023-12-31"),
    ("Seit April 2024 läuft der Server.", "since 2024-04-01/2024-04-30"),
    ("Wir haben das zwischen März und Mai gebaut.", "2026-03-01/2026-05-31"),
    ("Der Server fiel vor drei Tagen aus.", "2026-06-14"),
    ("Wir treffen uns morgen.", "2026-06-18"),
    ("Die Prüfung war letzten Montag.", "2026-06-15"),
    ("La réunion est le 3 mars 2026.", "2026-03-03"),
    ("Le bureau est fermé du 3 au 7 mars 2026.", "2026-03-03/2026-03-07"),
    ("Depuis 2023 nous utilisons Postgres.", "since 2023-01-01/2023-12-31"),
    ("Le serveur est tombé il y a trois jours.", "2026-06-14"),
    ("La réunion est la semaine prochaine.", "2026-06-22/2026-06-28"),
    ("L'audit était lundi dernier.", "2026-06-15"),
    ("La reunión es el 3 de marzo de 2026.", "2026-03-03"),
    ("La oficina cierra del 3 al 7 de marzo de 2026.", "2026-03-03/2026-03-07"),
    ("Desde 2023 usamos Postgres.", "since 2023-01-01/2023-12-31"),
    ("El servidor cayó hace tres días.", "2026-06-14"),
    ("Nos vemos mañana.", "2026-06-18"),
    ("La auditoría fue el lunes pasado.", "2026-06-15"),
    ("会议在2026年3月3日。", "2026-03-03"),
    ("2024年5月以后端口是81。", "after 2024-05-01/2024-05-31"),
    ("会議は2026年3月3日です。", "2026-03-03"),
    ("担当者は先週変わりました。", "2026-06-08/2026-06-14"),
    ("おとといサーバーが落ちました。", "2026-06-15"),
]
# Several languages write these months alike, and no other word tells the language.
ENGLISH = [
    ("port since April 2024", "since 2024-04-01/2024-04-30"),
    ("until 5 August 2024", "until 2024-08-05"),
    ("from January 2023 to September 2024", "2023-01-01/2024-09-30"),
    ("as of November 2024, ok", "as of 2024-11-01/2024-11-30"),
]
NO_DATES = (
    "Der Server steht hier im Keller.",
    "Das steht in 2024 Zeilen.",
    "Guten Morgen zusammen!",
    "En 2024 lignes il n'y a pas de test.",
    "The team ate 3 mars bars with us.",
)


def written(text: str) -> str:
    """The periods of a text: 2026-03-01 for one day, 2026-03-01/2026-03-31 for more, with a sense other than in."""
    found = []
    for period in find_dates(text, said_at=NOW):
        first, last = format_time(period.first)[:10], format_time(period.until - DAY_MS)[:10]
        days = first if first == last else f"{first}/{last}"
        found.append(days if period.sense == "in" else f"{period.sense} {days}")
        assert text[period.start : period.start + len(period.text)] == period.text
    return ", ".join(found)


def test_a_text_in_another_language_names_its_dates() -> None:
    assert {text: found for text, expected in (*TEXTS, *ENGLISH) if (found := written(text)) != expected} == {}


def test_words_that_are_a_date_in_another_language_are_none() -> None:
    assert {text: found for text in NO_DATES if (found := written(text))} == {}


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
        ("上周五谁来了？", "in", "2026-06-12"),
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
    assert find_dates(question, said_at=NOW) == ()
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
