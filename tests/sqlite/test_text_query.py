"""Translation of a question into an FTS5 expression."""

from __future__ import annotations

import json

from jotsam.core.answers import Terms
from jotsam.storage.recall import search


def test_every_term_is_quoted_and_stands_in_its_column(tx) -> None:
    asked = search.expression(tx, Terms(words=("not", "foo bar"), grams=("数据", "猫")))
    assert asked["match"] == '{body context} : ("not" OR "foo bar") OR grams : ("数据" OR "猫" *)'
    assert asked["shares"] is None


def test_a_single_kind_of_term_asks_its_own_column_alone(tx) -> None:
    assert search.expression(tx, Terms(words=("a",)))["match"] == '{body context} : ("a")'
    assert search.expression(tx, Terms(grams=("数据",)))["match"] == 'grams : ("数据")'


def test_each_part_has_its_share_and_the_words_together_are_enough(tx) -> None:
    asked = search.expression(tx, Terms(words=("a", "b"), grams=("数据", "据库"), shares=(50, 100)))
    assert json.loads(asked["shares"]) == [
        ['{body context} : ("a" OR "b")', 100],
        ['grams : ("数据")', 50],
        ['grams : ("据库")', 100],
    ]
