"""Fusing the scores of several retrievers and the context of the candidates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.retrieval.question.intent import DAY_MS, Intent
from jotsam.retrieval.question.parse import ParsedQuestion, parse
from jotsam.retrieval.rank.context import Context, build_context
from jotsam.retrieval.rank.fuse import fuse, prefer_kinds, prefer_project, rank
from jotsam.retrieval.rank.scores import Scores
from jotsam.retrieval.rank.weights import WEIGHTS

refs = st.integers(-50, 50).filter(bool)
scores = st.dictionaries(refs, st.floats(0.001, 1000), min_size=1)

Neighbours = dict[int, dict[int, int]]


def turn(body: str = "x", **fields: object) -> dict[str, object]:
    row = {"body": body, "actor": None, "session": None, "document_id": None, "position": None, "project": None}
    return {**row, "date": 0, **fields}


def alone(*retrievers: dict[int, float]) -> Context:
    return build_context({ref: turn() for found in retrievers for ref in found}, {})


def parsed(intent: Intent | None = None, stems: tuple[str, ...] = ()) -> ParsedQuestion:
    return parse("", now=0).replace(intent=intent or Intent(), stems=stems)


def order(**candidates: dict[int, float]) -> list[int]:
    return fuse(candidates, alone(*candidates.values()), parsed(), WEIGHTS).top(1_000)


def session(*bodies: str, intent: Intent | None = None, found: dict[int, float]) -> list[int]:
    """The order of the turns of one session, numbered from 1."""
    rows = {ref: turn(body, session="s", position=ref, date=ref) for ref, body in enumerate(bodies, 1)}
    neighbours: Neighbours = {
        ref: {step: ref + step for step in (-2, -1, 1, 2) if ref + step in rows} for ref in rows if ref in found
    }
    return fuse({"text": found}, build_context(rows, neighbours), parsed(intent), WEIGHTS).top(100)


def test_scores_are_divided_by_the_best_of_their_retriever() -> None:
    found = {1: 8.0, 2: 2.0}
    (first, second) = rank(fuse({"text": found}, alone(found), parsed(), WEIGHTS), 9)
    assert (first.ref, first.score, first.scores) == (1, 1.0, {"text": 1.0})
    assert (second.ref, second.score, second.scores) == (2, 0.25, {"text": 0.25})


def test_a_candidate_of_two_retrievers_has_the_weighted_sum_of_both() -> None:
    matches, ids = {1: 4.0, 2: 2.0}, {2: 0.1}
    by_ref = {item.ref: item for item in rank(fuse({"text": matches, "id": ids}, alone(matches), parsed(), WEIGHTS), 9)}
    assert by_ref[2].score == pytest.approx(0.5 * WEIGHTS.text + WEIGHTS.id)
    assert by_ref[2].scores == {"text": 0.5, "id": WEIGHTS.id}


def test_a_memory_without_a_vector_is_ranked_by_its_words_as_if_there_were_no_vectors() -> None:
    """The second and third match equally well, and only the second has a vector, halfway from the mean to the best."""
    text = {1: 1.0, 2: 0.8, 3: 0.8, 4: 0.2, 5: 0.2}
    similar = {1: 0.9, 2: 0.7, 4: 0.3, 5: 0.1}
    scores = fuse({"text": text, "vectors": {1: 0.8}}, alone(text), parsed(), WEIGHTS, similar=similar)
    assert scores.totals[3] == pytest.approx(scores.totals[2])
    assert scores.breakdown(3) == {"text": pytest.approx(0.8 * WEIGHTS.text + 0.5 * WEIGHTS.vectors)}


@pytest.mark.parametrize(
    ("stems", "part"), [(("vehicle",), 1.0), (("vehicle", "guest"), 0.5), (("vehicle", "guest", "free", "lunch"), 0.25)]
)
def test_something_of_a_kind_is_worth_the_part_of_the_question_that_asks_for_it(
    stems: tuple[str, ...], part: float
) -> None:
    found = {1: 1.0, 2: 0.5}
    rows = {ref: turn() for ref in (1, 2, 3)}  # The third is no candidate.
    context, asked = build_context(rows, {}), parsed(stems=stems)
    scores = fuse({"text": found}, context, asked, WEIGHTS)
    prefer_kinds(scores, context, asked, {2: frozenset({"vehicles"})}, WEIGHTS)
    assert scores.breakdown(2)["hyponyms"] == pytest.approx(part * WEIGHTS.hyponyms)
    assert "hyponyms" not in scores.breakdown(1)


def test_beside_turns_something_of_a_kind_is_worth_the_same_for_every_question() -> None:
    rows = {1: turn("x", session="s", position=1), 2: turn("x")}
    context, asked = build_context(rows, {}), parsed(stems=("vehicle", "guest"))
    scores = fuse({"text": {1: 1.0, 2: 0.5}}, context, asked, WEIGHTS)
    prefer_kinds(scores, context, asked, {2: frozenset({"vehicles"})}, WEIGHTS)
    assert scores.breakdown(2)["hyponyms"] == WEIGHTS.turn_hyponyms


@pytest.mark.parametrize("shift", [0.0, 0.6])
def test_similarity_counts_from_the_mean_so_that_the_range_of_a_model_does_not_matter(shift: float) -> None:
    similar = {1: 0.3 + shift, 2: 0.2 + shift, 3: 0.1 + shift}
    scores = fuse({"vectors": similar}, alone(similar), parsed(), WEIGHTS, similar=similar)
    assert scores.breakdown(1) == {"vectors": pytest.approx(WEIGHTS.vectors)}
    assert not scores.breakdown(2).get("vectors", 0.0) > 1e-9


@pytest.mark.parametrize(("stems", "first"), [(("ferry", "crew"), 1), (("ferry", "crew", "horn", "dusk", "moor"), 2)])
def test_the_nearest_text_is_ahead_of_a_match_of_words_that_covers_little_of_the_question(
    stems: tuple[str, ...], first: int
) -> None:
    rows = {1: turn("the ferry has a crew"), 2: turn("they signal at nightfall"), 3: turn("an invoice")}
    text, similar = {1: 3.0}, {1: 0.3, 2: 0.7, 3: 0.2}
    asked = parsed().replace(stems=stems)
    scores = fuse({"text": text, "vectors": similar}, build_context(rows, {}), asked, WEIGHTS, similar=similar)
    assert scores.top(1) == [first]


@given(scores, st.data())
def test_with_vectors_of_some_memories_the_others_keep_the_order_of_their_words(
    text: dict[int, float], data: st.DataObject
) -> None:
    similar = data.draw(st.dictionaries(st.sampled_from(sorted(text)), st.floats(0.2, 1)))
    ranked = fuse({"text": text, "vectors": similar}, alone(text), parsed(), WEIGHTS, similar=similar).top(1_000)
    values = [text[ref] for ref in ranked if ref not in similar]
    assert values == sorted(values, reverse=True)


def test_similarity_counts_less_for_a_turn_than_for_a_text_that_stands_alone() -> None:
    rows = {1: turn(session="s"), 2: turn(session="s"), 3: turn()}
    similar = dict.fromkeys(rows, 0.7)
    scores = fuse({"vectors": similar}, build_context(rows, {}), parsed(), WEIGHTS, similar=similar)
    assert scores.breakdown(1)["vectors"] == pytest.approx(WEIGHTS.turn * WEIGHTS.turn_vectors)
    assert scores.breakdown(3) == {"vectors": WEIGHTS.vectors}


def test_a_text_with_the_words_of_the_question_in_one_passage_ranks_first() -> None:
    far = "the port. " + "Nothing is said about it here. " * 30 + "This is staging."
    rows = {1: turn("Nothing is said about it here. " * 30 + "the staging port"), 2: turn(far), 3: turn("the port")}
    found = dict.fromkeys(rows, 1.0)
    scores = fuse({"text": found}, build_context(rows, {}), parsed(stems=("staging", "port")), WEIGHTS)
    assert scores.breakdown(1)["passage"] == pytest.approx(WEIGHTS.passage)
    assert scores.breakdown(2)["passage"] < WEIGHTS.passage
    assert scores.top(1) == [1]


def test_a_match_by_id_ranks_above_the_best_text_match() -> None:
    assert order(text={1: 9.0, 2: 1.0}, id={3: 1.0}) == [3, 1, 2]


def test_of_equal_scores_pending_documents_come_first_and_then_the_newer() -> None:
    assert order(newest={3: 1.0, 9: 1.0, -2: 1.0, -5: 1.0}) == [-5, -2, 9, 3]


def test_a_retriever_without_scores_above_zero_changes_no_order() -> None:
    assert order(text={1: 1.0, 2: 2.0}, id={}) == order(text={1: 1.0, 2: 2.0}) == [2, 1]
    assert order(text={1: 0.0, 2: 0.0}) == [2, 1]


def test_a_reference_outside_the_scope_is_no_candidate() -> None:
    assert fuse({"text": {1: 1.0, 2: 2.0}}, alone({1: 1.0}), parsed(), WEIGHTS).top(9) == [1]


@given(scores)
def test_one_retriever_alone_keeps_its_order(found: dict[int, float]) -> None:
    """Fusing is never worse than its parts."""
    assert [found[ref] for ref in order(text=found)] == sorted(found.values(), reverse=True)


@given(scores, scores)
def test_every_candidate_appears_once_in_an_order_independent_of_the_input_order(
    one: dict[int, float], two: dict[int, float]
) -> None:
    turned = {"id": dict(reversed(two.items())), "text": dict(reversed(one.items()))}
    ranked = order(text=one, id=two)
    assert sorted(ranked) == sorted(one.keys() | two.keys())
    assert ranked == order(**turned)


def test_a_reply_to_a_matching_question_ranks_above_the_question() -> None:
    assert session("Where did you go?", "To the lake.", "Nice.", "So it is.", found={1: 1.0})[0] == 2


def test_neighbours_of_a_match_are_candidates_and_nearer_ones_rank_higher() -> None:
    ranked = session("a far one", "a next one", "the match", "a next one", "a far one", "no neighbour", found={3: 1.0})
    assert ranked[0] == 3
    assert set(ranked[1:3]) == {2, 4}
    assert set(ranked[3:5]) == {1, 5}


def test_a_chunk_next_to_a_match_is_no_candidate() -> None:
    rows = {ref: turn(document_id=1, position=ref) for ref in (1, 2)}
    context = build_context(rows, {1: {1: 2}})
    assert fuse({"text": {1: 1.0}}, context, parsed(), WEIGHTS).top(9) == [1]


@pytest.mark.parametrize("others", [{"session": "s"}, {"document_id": 1}])
def test_a_single_memory_is_not_buried_under_turns_or_chunks(others: dict[str, object]) -> None:
    """It matches best; each of the others matches half, and they support each other."""
    bodies = ["the port of staging is open", "staging again", "a port", "staging", "which port", "the staging port?"]
    rows = {ref: turn(body, position=ref, **others) for ref, body in enumerate(bodies, 1)}
    steps = (-2, -1, 1, 2) if "session" in others else ()
    neighbours = {ref: {step: ref + step for step in steps if ref + step in rows} for ref in rows}
    rows[9] = turn("the staging port is 8443")
    found = dict.fromkeys(rows, 0.5) | {9: 1.0}
    ranked = fuse({"text": found}, build_context(rows, neighbours), parsed(stems=("staging", "port")), WEIGHTS).top(9)
    assert ranked[0] == 9


def test_a_turn_whose_neighbours_were_not_read_scores_as_a_turn() -> None:
    rows = {1: turn(session="s"), 2: turn(session="t"), 3: turn()}
    context = build_context(rows, {}, alone={2})
    scores = fuse({"text": dict.fromkeys(rows, 1.0)}, context, parsed(), WEIGHTS)
    assert scores.totals == {1: WEIGHTS.turn, 2: 1.0, 3: 1.0}


def test_turns_of_the_named_actor_rank_first() -> None:
    rows = {ref: turn(session="s", actor=actor, date=ref) for ref, actor in enumerate(("Ann Lee", "Bob"), 1)}
    for name, first in (("ann", 1), ("bob", 2)):
        intent = Intent(names=frozenset({name, "lake"}))
        assert fuse({"text": {1: 1.0, 2: 1.0}}, build_context(rows, {}), parsed(intent), WEIGHTS).top(9)[0] == first


def test_a_text_with_a_time_ranks_first_if_the_question_asks_when() -> None:
    bodies = ("We went to the lake yesterday.", "We went to the lake and swam.")
    assert session(*bodies, intent=Intent(kind="when"), found={1: 1.0, 2: 1.0})[0] == 1


@pytest.mark.parametrize(("day", "first"), [(0, 1), (1, 2)])
def test_of_files_of_one_day_none_is_the_latest(day: int, first: int) -> None:
    rows = {1: turn(document_id=1, date=DAY_MS), 2: turn(document_id=2, date=(1 + day) * DAY_MS + 5)}
    context = build_context(rows, {})
    assert fuse({"text": {1: 1.0, 2: 0.9}}, context, parsed(Intent(latest=True)), WEIGHTS).top(2)[0] == first


def test_in_a_list_of_the_newest_a_file_is_as_new_as_it_is() -> None:
    rows = {1: turn(date=DAY_MS + 1), 2: turn(document_id=1, date=DAY_MS + 2), 3: turn(date=DAY_MS)}
    newest = {1: 1.0, 2: 1.0, 3: 1.0}
    assert fuse({"newest": newest}, build_context(rows, {}), parsed(Intent(latest=True)), WEIGHTS).top(3) == [2, 1, 3]


def test_latest_moves_up_the_newest_good_match_and_not_the_newest_of_all() -> None:
    assert session("good", "good", "poor", intent=Intent(latest=True), found={1: 1.0, 2: 0.9, 3: 0.01})[0] == 2


def test_the_preferred_project_ranks_slightly_higher() -> None:
    rows = {1: turn(project="ours"), 2: turn(project="theirs"), 3: turn(project="theirs")}
    context = build_context(rows, {})
    scores = fuse({"text": {1: 0.9, 2: 1.0, 3: 0.1}}, context, parsed(), WEIGHTS)
    prefer_project(scores, context, "ours", WEIGHTS)
    assert scores.top(9) == [1, 2, 3]


def test_scores_added_under_one_name_are_summed_and_the_parts_make_up_the_total() -> None:
    scores = Scores((1, 2))
    scores.add("text", {1: 1.0, 3: 9.0})
    scores.add("text", {1: 0.5, 2: 0.25})
    assert (scores.totals, scores.breakdown(1), scores.breakdown(2), scores.breakdown(3)) == (
        {1: 1.5, 2: 0.25},
        {"text": 1.5},
        {"text": 0.25},
        {},
    )
