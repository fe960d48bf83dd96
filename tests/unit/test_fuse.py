"""One order out of several legs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.retrieval.fuse import WEIGHTS, fuse

refs = st.integers(-50, 50).filter(bool)
scores = st.dictionaries(refs, st.floats(0.001, 1000), min_size=1)


def order(**legs: dict[int, float]) -> list[int]:
    return [item.ref for item in fuse(legs)]


def test_a_leg_is_measured_against_its_own_best() -> None:
    (first, second) = fuse({"words": {1: 8.0, 2: 2.0}})
    assert (first.ref, first.score, first.scores) == (1, 1.0, {"words": 1.0})
    assert (second.ref, second.score, second.scores) == (2, 0.25, {"words": 0.25})


def test_what_two_legs_found_has_the_weighted_sum_of_both() -> None:
    by_ref = {item.ref: item for item in fuse({"words": {1: 4.0, 2: 2.0}, "id": {2: 0.1}})}
    assert by_ref[2].score == pytest.approx(0.5 * WEIGHTS["words"] + WEIGHTS["id"])
    assert by_ref[2].scores == {"words": 0.5, "id": 1.0}


def test_what_is_named_stands_above_what_shares_all_words() -> None:
    assert order(words={1: 9.0, 2: 1.0}, id={3: 1.0}) == [3, 1, 2]


def test_of_equals_the_newer_comes_first_and_what_waits_to_be_cut_before_all() -> None:
    assert order(newest={3: 1.0, 9: 1.0, -2: 1.0, -5: 1.0}) == [-5, -2, 9, 3]


def test_a_leg_that_found_nothing_or_nothing_above_zero_changes_no_order() -> None:
    assert order(words={1: 1.0, 2: 2.0}, id={}) == order(words={1: 1.0, 2: 2.0}) == [2, 1]
    assert order(words={1: 0.0, 2: 0.0}) == [2, 1]


@given(scores)
def test_one_leg_alone_keeps_its_order(found: dict[int, float]) -> None:
    """Fusing may never be worse than its parts."""
    ranked = fuse({"words": found})
    assert [found[item.ref] for item in ranked] == sorted(found.values(), reverse=True)


@given(scores, scores)
def test_every_candidate_appears_once_and_nothing_depends_on_the_order_of_finding(
    one: dict[int, float], two: dict[int, float]
) -> None:
    turned = {"id": dict(reversed(two.items())), "words": dict(reversed(one.items()))}
    ranked = order(words=one, id=two)
    assert sorted(ranked) == sorted(one.keys() | two.keys())
    assert ranked == order(**turned)
