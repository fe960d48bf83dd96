"""Normalising predicates of facts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.pipeline.facts.predicates import SYNONYMS, normalise_predicate


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        ("uses", "uses"),
        ("Using", "uses"),
        ("is currently using", "uses"),
        ("utilises", "uses"),
        ("使用", "uses"),
        ("developed", "created"),
        ("creates", "created"),
        ("开发", "created"),
        ("decided to use", "decided"),
        ("选择", "decided"),
        ("has been replaced by", "replaced_by"),
        ("REPLACED_BY", "replaced_by"),
        ("replaced-by", "replaced_by"),
        ("dependsOn", "depends_on"),
        ("relies upon", "relies_upon"),
        ("will migrate to", "migrated_to"),
        ("is", "is"),
        ("is a", "is"),
        ("was painted by", "was_painted_by"),
        ("  ", ""),
        ("...", ""),
    ],
)
def test_synonyms_become_one_predicate(predicate: str, expected: str):
    """MB-26."""
    assert normalise_predicate(predicate) == expected


def test_normalised_predicates_stay_unchanged():
    assert {normalise_predicate(name) for name in SYNONYMS.values()} == set(SYNONYMS.values())


@given(st.text(max_size=80) | st.sampled_from(sorted(SYNONYMS)))
def test_normalising_again_changes_nothing(predicate: str):
    once = normalise_predicate(predicate)
    assert normalise_predicate(once) == once
    assert len(once) <= 60
