"""Token estimates, bigrams and stop words."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.words import bigrams, estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("数据库", 3),
        ("数据库abcd", 4),
        ("数据库abcde", 5),
        ("ひらがなカタカナ", 8),
        ("한국어", 3),
        ("naïve “quote”", 4),
        ("𠀀", 1),
    ],
)
def test_a_dense_character_is_one_token_and_four_others_are_one(text: str, tokens: int) -> None:
    """MB-17."""
    assert estimate_tokens(text) == tokens


@given(st.text(), st.text())
def test_joined_texts_have_at_most_the_tokens_of_their_parts(one: str, two: str) -> None:
    together = estimate_tokens(one + two)
    assert max(estimate_tokens(one), estimate_tokens(two)) <= together <= estimate_tokens(one) + estimate_tokens(two)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("plain English", ""),
        ("naïve “quotes”", ""),
        ("数据库迁移", "数据 据库 库迁 迁移"),
        ("数", "数"),
        ("用SQLite数据库。", "用 数据 据库"),
        ("データ", "デー ータ"),
        ("ไทย", "ไท ทย"),
        ("한국어", "한국 국어"),
        ("東京・大阪", "東京 大阪"),
    ],
)
def test_bigrams_are_the_overlapping_pairs_of_each_run_without_spaces(text: str, expected: str) -> None:
    """MB-21: a Chinese query without spaces finds the Chinese sentence, and a Korean word one with particles."""
    assert bigrams(text) == expected


@given(st.text(alphabet="数据库迁移 ab。", min_size=1))
def test_each_adjacent_pair_in_a_run_is_a_bigram(text: str) -> None:
    pairs = {one + two for one, two in pairwise(text) if min(one, two) >= "\u4e00"}
    assert pairs <= set(bigrams(text).split())


def test_stop_words_are_function_words_and_parts_of_contractions() -> None:
    assert {"the", "of", "which", "who", "don", "ve", "ll", "s", "t"} <= STOP_WORDS
    assert not {"database", "queue", "go", "r", "c", "new", "work"} & STOP_WORDS
    assert all(word == word.lower() and word.isalpha() for word in STOP_WORDS)
    assert 120 <= len(STOP_WORDS) <= 200
