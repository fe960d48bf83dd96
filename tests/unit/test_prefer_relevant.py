"""Relevance changes a score by a small part of it, and an unknown one by nothing."""

from __future__ import annotations

import pytest

from jotsam.retrieval.rank.context import Context, build_context
from jotsam.retrieval.rank.scores import Scores, prefer_relevant
from jotsam.retrieval.rank.weights import WEIGHTS, WITHOUT_RELEVANCE


def context(**relevance: float | None) -> Context:
    """Candidates numbered from 1, in the order given."""
    row = {"body": "x", "session": None, "document_id": None}
    return build_context({n: {**row, "relevance": value} for n, value in enumerate(relevance.values(), 1)}, {})


def ranked(found: Context) -> Scores:
    scores = Scores(found.rows)
    scores.add("text", dict.fromkeys(found.rows, 2.0))
    prefer_relevant(scores, found, WEIGHTS)
    return scores


def test_what_is_above_the_mean_gains_what_is_below_it_loses() -> None:
    scores = ranked(context(high=0.9, low=0.1))
    assert scores.totals == pytest.approx({1: 2 + 2 * 0.4 * WEIGHTS.relevance, 2: 2 - 2 * 0.4 * WEIGHTS.relevance})
    assert set(scores.breakdown(1)) == {"text", "relevance"}


def test_an_unknown_relevance_is_worth_the_mean() -> None:
    scores = ranked(context(high=0.9, low=0.1, new=None))
    assert scores.totals[3] == 2.0
    assert scores.breakdown(3) == {"text": 2.0}
    assert scores.totals[2] < scores.totals[3] < scores.totals[1]


def test_without_any_it_leaves_no_trace() -> None:
    assert ranked(context(one=None, other=None)).breakdown(1) == {"text": 2.0}


def test_it_can_be_switched_off() -> None:
    found = context(high=0.9, low=0.1)
    scores = Scores(found.rows)
    scores.add("text", {1: 2.0, 2: 2.0})
    prefer_relevant(scores, found, WITHOUT_RELEVANCE)
    assert scores.totals == {1: 2.0, 2: 2.0}
    assert scores.breakdown(1) == {"text": 2.0}
