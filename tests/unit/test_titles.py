"""Titles and times in a question, and the index of metadata."""

from __future__ import annotations

import pytest

from jotsam.retrieval.question.mentions import titles
from jotsam.retrieval.question.parse import parse
from jotsam.storage.metadata_index import hashes, pair_hash

NOW = 1_750_000_000_000


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Who wrote Brand?", {"brand", "who-wrote", "who-wrote-brand"}),
        ("who wrote brand?", set()),
        ("Brand", set()),
        ("The Girl Who Played", {"the-girl", "girl-who-played", "girl", "the-girl-who-played", "who-played", "played"}),
        ("is it The End", {"the-end", "end"}),
        ("", set()),
    ],
)
def test_runs_of_words_that_start_with_a_capital_may_be_titles(question: str, named: set[str]) -> None:
    assert set(titles(question)) == named


@pytest.mark.parametrize(
    ("question", "is_bare"),
    [
        ("What happened in March?", True),
        ("anything new last week?", True),
        ("what was going on between March and May 2025", True),
        ("What happened to the roof in March?", False),
        ("What happened?", False),
    ],
)
def test_a_question_may_ask_for_nothing_but_a_time(question: str, is_bare: bool) -> None:
    assert parse(question, now=NOW).intent.only_time == is_bare


def test_scalar_values_of_metadata_are_indexed_and_others_are_not() -> None:
    text = '{"a": "x", "b": 5, "c": 0.50, "d": true, "e": null, "f": ["x"], "g": {"a": "x"}}'
    assert set(hashes(text)) == {
        pair_hash("a", "x"),
        pair_hash("b", "5"),
        pair_hash("c", "0.50"),
        pair_hash("d", "true"),
    }
    assert pair_hash("a", "bc") != pair_hash("ab", "c")
