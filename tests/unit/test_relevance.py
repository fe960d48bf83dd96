"""How relevant a memory still is: AutoMem's formula, with numbers worked out by hand."""

from __future__ import annotations

import pytest

from jotsam.pipeline.lifecycle.relevance import DAY_MS, relevance_of

NOW = 1_700_000_000_000


def relevance(*, age: float = 0, used: float | None = None, links: int = 0, **fields: float | None) -> float:
    recalled = None if used is None else NOW - used * DAY_MS
    row = {"at": NOW - age * DAY_MS, "recalled_at": recalled, "links": links, "importance": None, "confidence": None}
    return relevance_of({**row, **fields}, now=NOW)


def test_a_new_memory_of_which_nothing_is_known() -> None:
    assert relevance() == 0.51  # 1 * (0.3 + 0.3) * 1 * (0.5 + 0.5) * (0.7 + 0.15)


def test_age_use_links_importance_and_confidence_are_multiplied() -> None:
    # 0.36788 * (0.3 + 0.3 * 0.60653) * (1 + 0.3 * 1.38629) * 1.3 * 0.97
    assert relevance(age=100, used=10, links=3, importance=0.8, confidence=0.9) == 0.317


def test_a_memory_that_was_in_no_answer_counts_as_used_when_it_was_said() -> None:
    assert relevance(age=20) == relevance(age=20, used=20) < relevance(age=20, used=5)


def test_use_within_a_day_counts_fully() -> None:
    assert relevance(age=50, used=0.99) == relevance(age=50, used=0) == 0.309  # 0.60653 * 0.6 * 0.85
    assert relevance(age=50, used=1) < 0.309


def test_the_confidence_that_is_known_counts() -> None:
    assert (relevance(confidence=0.0), relevance(confidence=1.0)) == (0.42, 0.6)


def test_an_importance_of_zero_is_not_an_unknown_one() -> None:
    assert relevance(importance=0.0) == 0.255  # 0.6 * 0.5 * 0.85


@pytest.mark.parametrize(("importance", "least"), [(1.0, 0.3), (0.5, 0.15), (0.0, 0.0)])
def test_it_never_falls_below_a_part_of_the_importance(importance: float, least: float) -> None:
    assert relevance(age=3_650, importance=importance) == least


def test_it_is_at_most_one() -> None:
    assert relevance(links=100, importance=1.0, confidence=1.0) == 1.0


def test_a_time_to_come_is_now() -> None:
    assert relevance(age=-400, used=-400) == relevance()
