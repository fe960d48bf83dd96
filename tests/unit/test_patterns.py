"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re

import pytest

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.facts import predicates


def test_a_pattern_is_compiled_by_its_first_use() -> None:
    broken = lazy_pattern("(")
    with pytest.raises(re.error):
        broken.search("text")


def test_a_pattern_is_used_like_that_of_re() -> None:
    lazy, compiled = lazy_pattern("(b)(o?)", re.IGNORECASE), re.compile("(b)(o?)", re.IGNORECASE)
    assert lazy.sub("-", "aBc") == "a-c"
    assert [found.span() for found in lazy.finditer("abBo")] == [found.span() for found in compiled.finditer("abBo")]
    assert (lazy.groups, lazy.pattern, lazy.flags) == (compiled.groups, compiled.pattern, compiled.flags)


def test_the_words_of_the_tables_of_predicates_are_in_their_normal_form() -> None:
    words = [*predicates.SYNONYMS, *predicates._INVERTED]
    assert [word for word in words if predicates._normal_form(word) != word] == []
