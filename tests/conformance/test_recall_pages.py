"""Pages of an answer: each memory once, whatever the limit, the budget, and what is stored between two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jotsam import Answer, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam import Jotsam

ONES, EQUAL = 60, 5


@pytest.fixture
def pumps(jot: Jotsam) -> Jotsam:
    """Sixty memories, long and short ones in no order, and five with one text."""
    texts = [f"Pump {n} has {'very ' * (n * 37 % 90)}long pipes." for n in range(ONES)]
    jot.remember_many([*({"text": text, "metadata": {"n": n}} for n, text in enumerate(texts))])
    jot.remember_many([{"text": "A blue pump is here."}] * EQUAL)
    jot.scoped(tenant="other").remember("Pump of another tenant.")
    jot.work()
    return jot


def pages(jot: Jotsam, question: str = "long pump pipes", **options: Any) -> Iterator[Answer]:
    after = None
    while True:
        answer = jot.recall(question, after=after, **options)
        yield answer
        if (after := answer.next) is None:
            return


@pytest.mark.needs_server
def test_pages_have_each_memory_once_and_none_is_lost(pumps: Jotsam) -> None:
    wanted: list[dict[str, Any]] = [
        {"limit": 10, "tokens": 100_000},
        {"limit": 7, "tokens": 400},
        {"tokens": 300},
        {"tokens": 20},
        {"limit": 1_000},
        {"limit": 25, "tokens": 2_000, "hit_tokens": 40},
    ]
    for options in wanted:
        found = list(pages(pumps, **options))
        texts = [hit.text for answer in found for hit in answer.hits]
        ids = [hit.id for answer in found for hit in answer.hits]
        assert len(ids) == len(set(ids)) == ONES + 1, options
        assert sum("blue" in text for text in texts) == 1, options
        assert all(len(answer.hits) <= options.get("limit", 50) for answer in found)
        assert all(answer.coverage.tokens <= max(options.get("tokens", 2_000), 40) for answer in found)
        assert not any(answer.coverage.nothing for answer in found)
    assert [answer.next is None for answer in pages(pumps, limit=30, tokens=100_000)] == [False, False, True]
    whole = [hit.id for hit in pumps.recall("long pump pipes", limit=100, tokens=100_000).hits]
    assert [hit.id for answer in pages(pumps, limit=10, tokens=100_000) for hit in answer.hits] == whole


def test_the_newest_and_what_a_filter_selects_have_pages_too(pumps: Jotsam) -> None:
    for question, options, number in (
        ("", {}, ONES + 1),
        ("", {"metadata": {"n": {"$lt": 20}}}, 20),
        ("pump", {"metadata": {"n": {"$gte": 50}}}, 10),
        ("Which pump?", {"min_score": 0.0}, ONES + 1),
    ):
        ids = [hit.id for answer in pages(pumps, question, limit=8, **options) for hit in answer.hits]
        assert len(ids) == len(set(ids)) == number, (question, options)


def test_what_is_stored_or_forgotten_between_two_pages_repeats_and_loses_none_of_the_others(pumps: Jotsam) -> None:
    first = pumps.recall("long pump pipes", limit=20, tokens=100_000)
    shown = {hit.id for hit in first.hits}
    new = pumps.remember("Long pump pipes of long pumps.").id
    others = [memory for memory in pumps.list(limit=200).memories if memory.id not in shown]
    gone = next(memory.id for memory in others if memory.metadata)
    pumps.forget(pumps.plan_forget(ids=[gone]))
    rest, after = [], first.next
    while after is not None:
        answer = pumps.recall("long pump pipes", limit=20, tokens=100_000, after=after)
        rest += [hit.id for hit in answer.hits]
        after = answer.next
    assert len(rest) == len(set(rest))
    assert not shown & set(rest)
    assert new in rest
    assert gone not in rest
    assert len(shown | set(rest)) == ONES + 1


def test_the_footer_says_what_was_on_the_pages_before_and_no_page_says_that_nothing_is_known(pumps: Jotsam) -> None:
    first, second = list(pages(pumps, "long pipes of pump 7", limit=40, tokens=100_000))
    assert "on the pages before" not in first.text
    assert f"after {second.coverage.before:,} on the pages before" in second.text
    assert (second.coverage.missing, second.coverage.nothing, second.coverage.archived) == ((), False, 0)
    assert second.coverage.total >= second.coverage.before + second.coverage.returned


def test_pages_end_with_the_best_candidates_and_say_how_many_match(jot: Jotsam) -> None:
    for begin in range(0, 1_000, 500):
        jot.remember_many([f"Pump {number} has pipes." for number in range(begin, begin + 500)])
    found = list(pages(jot, "pipes", limit=50, tokens=100_000))
    last = found[-1].coverage
    assert last.before + last.returned == 200
    assert last.total == 1_000
    assert sum(len(answer.hits) for answer in pages(jot, "pipes", limit=500, tokens=100_000)) == 500


def test_a_wrong_place_is_refused(pumps: Jotsam) -> None:
    after = pumps.recall("pump", limit=2, tags=[]).next
    assert after is not None
    other = pumps.scoped(tenant="other")
    for wrong in ("", "x", "\0", f"{after}A", after[:-3], "W10", "WyJhIiwxXQ", "é", "9" * 5_000):
        with pytest.raises(InvalidInput, match="must be the `next` of an answer to the same question"):
            pumps.recall("pump", after=wrong)
    for ask, options in ((pumps, {"project": "p"}), (pumps, {"types": ["Decision"]}), (other, {})):
        with pytest.raises(InvalidInput, match="the same question with the same filters"):
            ask.recall("pump", after=after, **options)
    with pytest.raises(InvalidInput, match="the same question"):
        pumps.recall("pumps", after=after)
    for wrong in (5, ["x"], b"x"):
        with pytest.raises(InvalidInput):
            pumps.recall("pump", after=wrong)
    assert pumps.recall("pump", after=after, limit=500, tokens=50_000, hit_tokens=50).hits
