"""The order of a reranker: it decides on relevance only."""

from __future__ import annotations

import math

import pytest

from jotsam.retrieval.rank.fuse import Ranked
from jotsam.retrieval.rank.rerank import MAX_CHARACTERS, MOST, rerank, reranked_texts


def item(ref: int, score: float, **parts: float) -> Ranked:
    return Ranked(ref=ref, score=score + sum(parts.values()), scores={"text": score, **parts})


def order(ranked: list[Ranked]) -> list[int]:
    return [one.ref for one in ranked]


RANKED = [item(1, 1.0), item(2, 0.6), item(3, 0.5), item(4, 0.1)]


def test_results_are_in_the_order_of_their_scores_and_the_scale_stays():
    ranked = rerank(RANKED, {1: 0.1, 2: 0.2, 3: 0.9})
    assert order(ranked) == [3, 2, 1, 4]
    assert [one.score for one in ranked] == [1.0, 0.6, 0.5, 0.1]
    for one in ranked:
        assert sum(one.scores.values()) == pytest.approx(one.score)
    assert ranked[-1] == RANKED[-1], "it was not sent"


def test_equal_scores_change_nothing_and_what_the_server_left_out_is_last():
    assert order(rerank(RANKED, dict.fromkeys((1, 2, 3, 4), 0.5))) == [1, 2, 3, 4]
    assert order(rerank(RANKED, {1: -math.inf, 2: -math.inf, 3: -9.0})) == [3, 1, 2, 4]
    assert rerank(RANKED, {}) == RANKED


def test_of_results_with_equal_relevance_the_order_decides():
    ranked = [item(1, 0.5), item(2, 0.5), item(3, 0.5)]
    assert order(rerank(ranked, {1: 0.1, 2: 0.9, 3: 0.5})) == [2, 3, 1]
    assert order(rerank(ranked, {1: 0.1, 3: 0.5})) == [3, 2, 1]


@pytest.mark.parametrize("name", ["pinned", "period", "phrase", "id", "latest", "project", "importance"])
def test_what_is_not_relevance_counts_as_before(name: str):
    ranked = [item(1, 0.5, **{name: 2.0}), item(2, 1.0), item(3, 0.9)]
    assert order(rerank(ranked, {1: 0.0, 2: 0.1, 3: 0.9})) == [1, 3, 2]


def test_the_texts_of_the_best_are_sent_with_their_speaker_and_cut():
    rows = {
        1: {"body": "x" * 9_000, "actor": None},
        2: {"body": "at noon", "actor": "Ana"},
        -3: {"body": None, "actor": None},
        **{ref: {"body": "other", "actor": None} for ref in range(4, 99)},
    }
    texts = reranked_texts([item(ref, 1.0) for ref in rows], rows)
    assert len(texts) == MOST
    assert len(texts[1]) == MAX_CHARACTERS
    assert texts[2] == "Ana: at noon"
    assert -3 not in texts
