"""One order out of several legs, and out of what stands around the candidates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.retrieval.question.intent import Asks
from jotsam.retrieval.rank.context import Around, surroundings
from jotsam.retrieval.rank.fuse import fuse, prefer, rank
from jotsam.retrieval.rank.scores import Scores
from jotsam.retrieval.rank.weights import WEIGHTS

refs = st.integers(-50, 50).filter(bool)
scores = st.dictionaries(refs, st.floats(0.001, 1000), min_size=1)

Beside = dict[int, dict[int, int]]


def turn(body: str = "x", **fields: object) -> dict[str, object]:
    row = {"body": body, "actor": None, "session": None, "document_id": None, "position": None, "project": None}
    return {**row, "date": 0, **fields}


def alone(*legs: dict[int, float]) -> Around:
    return surroundings({ref: turn() for found in legs for ref in found}, {})


def order(**legs: dict[int, float]) -> list[int]:
    return fuse(legs, alone(*legs.values()), Asks(), (), WEIGHTS).best(1_000)


def said(*bodies: str, asked: Asks | None = None, words: tuple[str, ...] = (), found: dict[int, float]) -> list[int]:
    """The order of the turns of one session, numbered from 1."""
    rows = {ref: turn(body, session="s", position=ref, date=ref) for ref, body in enumerate(bodies, 1)}
    beside: Beside = {
        ref: {step: ref + step for step in (-2, -1, 1, 2) if ref + step in rows} for ref in rows if ref in found
    }
    return fuse({"words": found}, surroundings(rows, beside), asked or Asks(), words, WEIGHTS).best(100)


def test_a_leg_is_measured_against_its_own_best() -> None:
    found = {1: 8.0, 2: 2.0}
    (first, second) = rank(fuse({"words": found}, alone(found), Asks(), (), WEIGHTS), 9)
    assert (first.ref, first.score, first.scores) == (1, 1.0, {"words": 1.0})
    assert (second.ref, second.score, second.scores) == (2, 0.25, {"words": 0.25})


def test_what_two_legs_found_has_the_weighted_sum_of_both() -> None:
    words, ids = {1: 4.0, 2: 2.0}, {2: 0.1}
    by_ref = {item.ref: item for item in rank(fuse({"words": words, "id": ids}, alone(words), Asks(), (), WEIGHTS), 9)}
    assert by_ref[2].score == pytest.approx(0.5 * WEIGHTS.words + WEIGHTS.id)
    assert by_ref[2].scores == {"words": 0.5, "id": WEIGHTS.id}


def test_what_is_named_stands_above_what_shares_all_words() -> None:
    assert order(words={1: 9.0, 2: 1.0}, id={3: 1.0}) == [3, 1, 2]


def test_of_equals_the_newer_comes_first_and_what_waits_to_be_cut_before_all() -> None:
    assert order(newest={3: 1.0, 9: 1.0, -2: 1.0, -5: 1.0}) == [-5, -2, 9, 3]


def test_a_leg_that_found_nothing_or_nothing_above_zero_changes_no_order() -> None:
    assert order(words={1: 1.0, 2: 2.0}, id={}) == order(words={1: 1.0, 2: 2.0}) == [2, 1]
    assert order(words={1: 0.0, 2: 0.0}) == [2, 1]


def test_what_is_outside_the_scope_is_no_candidate() -> None:
    assert fuse({"words": {1: 1.0, 2: 2.0}}, alone({1: 1.0}), Asks(), (), WEIGHTS).best(9) == [1]


@given(scores)
def test_one_leg_alone_keeps_its_order(found: dict[int, float]) -> None:
    """Fusing may never be worse than its parts."""
    assert [found[ref] for ref in order(words=found)] == sorted(found.values(), reverse=True)


@given(scores, scores)
def test_every_candidate_appears_once_and_nothing_depends_on_the_order_of_finding(
    one: dict[int, float], two: dict[int, float]
) -> None:
    turned = {"id": dict(reversed(two.items())), "words": dict(reversed(one.items()))}
    ranked = order(words=one, id=two)
    assert sorted(ranked) == sorted(one.keys() | two.keys())
    assert ranked == order(**turned)


def test_a_turn_that_answers_a_matching_question_stands_before_the_question() -> None:
    assert said("Where did you go?", "To the lake.", "Nice.", "So it is.", found={1: 1.0})[0] == 2


def test_what_was_said_beside_a_match_is_a_candidate_and_the_nearer_the_better() -> None:
    ranked = said("a far one", "a next one", "the match", "a next one", "a far one", "no neighbour", found={3: 1.0})
    assert ranked[0] == 3
    assert set(ranked[1:3]) == {2, 4}
    assert set(ranked[3:5]) == {1, 5}


def test_a_chunk_beside_a_match_is_no_candidate_for_that_alone() -> None:
    rows = {ref: turn(document_id=1, position=ref) for ref in (1, 2)}
    around = surroundings(rows, {1: {1: 2}})
    assert fuse({"words": {1: 1.0}}, around, Asks(), (), WEIGHTS).best(9) == [1]


@pytest.mark.parametrize("others", [{"session": "s"}, {"document_id": 1}])
def test_what_stands_alone_is_not_buried_under_what_has_others_around_it(others: dict[str, object]) -> None:
    """It matches best; of the others each matches half, and they have each other."""
    bodies = ["the port of staging is open", "staging again", "a port", "staging", "which port", "the staging port?"]
    rows = {ref: turn(body, position=ref, **others) for ref, body in enumerate(bodies, 1)}
    steps = (-2, -1, 1, 2) if "session" in others else ()
    beside = {ref: {step: ref + step for step in steps if ref + step in rows} for ref in rows}
    rows[9] = turn("the staging port is 8443")
    found = dict.fromkeys(rows, 0.5) | {9: 1.0}
    ranked = fuse({"words": found}, surroundings(rows, beside), Asks(), ("staging", "port"), WEIGHTS).best(9)
    assert ranked[0] == 9


def test_a_turn_of_which_nothing_around_it_was_read_does_not_count_as_much_as_what_stands_alone() -> None:
    rows = {1: turn(session="s"), 2: turn(session="t"), 3: turn()}
    around = surroundings(rows, {}, alone={2})
    scores = fuse({"words": dict.fromkeys(rows, 1.0)}, around, Asks(), (), WEIGHTS)
    assert scores.sums == {1: WEIGHTS.turn, 2: 1.0, 3: 1.0}


def test_whom_the_question_names_speaks_first() -> None:
    rows = {ref: turn(session="s", actor=actor, date=ref) for ref, actor in enumerate(("Ann Lee", "Bob"), 1)}
    for name, first in (("ann", 1), ("bob", 2)):
        asked = Asks(names=frozenset({name, "lake"}))
        assert fuse({"words": {1: 1.0, 2: 1.0}}, surroundings(rows, {}), asked, (), WEIGHTS).best(9)[0] == first


def test_asked_when_what_holds_a_time_stands_first() -> None:
    bodies = ("We went to the lake yesterday.", "We went to the lake and swam.")
    assert said(*bodies, asked=Asks(kind="when"), found={1: 1.0, 2: 1.0})[0] == 1


def test_the_latest_moves_the_newest_of_good_matches_up_and_not_the_newest_of_all() -> None:
    assert said("good", "good", "poor", asked=Asks(latest=True), found={1: 1.0, 2: 0.9, 3: 0.01})[0] == 2


def test_the_preferred_project_stands_a_little_before_the_rest() -> None:
    rows = {1: turn(project="ours"), 2: turn(project="theirs"), 3: turn(project="theirs")}
    around = surroundings(rows, {})
    scores = fuse({"words": {1: 0.9, 2: 1.0, 3: 0.1}}, around, Asks(), (), WEIGHTS)
    prefer(scores, around, "ours", WEIGHTS)
    assert scores.best(9) == [1, 2, 3]


def test_what_is_added_twice_under_one_name_counts_twice_and_the_parts_make_up_the_score() -> None:
    scores = Scores((1, 2))
    scores.add("words", {1: 1.0, 3: 9.0})
    scores.add("words", {1: 0.5, 2: 0.25})
    assert (scores.sums, scores.of(1), scores.of(2), scores.of(3)) == (
        {1: 1.5, 2: 0.25},
        {"words": 1.5},
        {"words": 0.25},
        {},
    )
