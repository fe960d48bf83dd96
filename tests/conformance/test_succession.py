"""A fact of which there can be one at a time ends when a later one says otherwise, and so does what said only that."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from jotsam import Jotsam
    from jotsam.answers import Answer

DAY_MS = 86_400_000
START = 1_700_000_000_000
ASK = "Where does Bob work?"
JOBS = ("Bob works at Acme.", "Bob works at Globex.", "Bob works at Initech.")


def tell(jot: Jotsam, text: str, day: int, **fields: object) -> str:
    id: str = jot.remember(text, said_at=START + day * DAY_MS, **fields).id
    jot.work()
    return id


def texts(answer: Answer) -> list[str]:
    return [hit.text for hit in answer.hits]


def held(jot: Jotsam, **wanted: object) -> set[str]:
    return {fact.object for fact in jot.knowledge.facts(predicate="works at", **wanted)}


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_latest_holds_in_whatever_order_they_arrive(jot: Jotsam, order: tuple[int, ...]) -> None:
    ids = {number: tell(jot, JOBS[number], number) for number in order}
    assert held(jot) == {"Initech"}
    assert held(jot, history=True) == {"Acme", "Globex", "Initech"}
    assert texts(jot.recall(ASK)) == [JOBS[2]]
    assert set(texts(jot.recall(ASK, history=True))) == set(JOBS)
    assert texts(jot.recall(ASK, as_of=START + DAY_MS + 1)) == [JOBS[1]]
    (fact,) = jot.show(ids[0]).facts
    assert (fact.superseded_at, fact.superseded_by, fact.valid_until) == (START + DAY_MS, ids[1], None)
    first = jot.show(ids[0])
    jot.reprocess(jot.plan_reprocess(ids.values(), forced=True), clear=True)
    assert held(jot) == set(), "what was found is removed at once"
    jot.work()
    jot.reprocess(jot.plan_reprocess(ids.values(), forced=True))
    jot.work()
    assert jot.show(ids[0]).facts == first.facts
    assert held(jot) == {"Initech"}
    assert texts(jot.recall(ASK)) == [JOBS[2]]


def test_a_memory_that_says_more_stays_and_its_fact_is_marked(jot: Jotsam) -> None:
    more = "Bob works at Acme. His desk is by the window, and he keeps a cactus there that nobody may ever touch."
    tell(jot, more, 0)
    new = tell(jot, JOBS[1], 1)
    answer = jot.recall(ASK)
    assert texts(answer) == [JOBS[1], more]
    assert "facts" not in answer.hits[1].scores
    assert f"\n= Bob works_at Acme (0.8, superseded 2023-11-15 by {new[:8]})" in answer.text
    assert held(jot) == {"Globex"}


def test_equal_dates_other_projects_and_tenants_and_other_predicates_stand(jot: Jotsam) -> None:
    tell(jot, JOBS[0], 0)
    tell(jot, JOBS[1], 0)
    tell(jot, JOBS[2], 1, project="elsewhere")
    assert held(jot) == {"Acme", "Globex", "Initech"}
    other = type(jot)(settings=jot.settings.replace(tenant="other"))
    with other:
        other.remember("Bob works at Hooli.", said_at=START + 9 * DAY_MS)
        other.work()
    assert held(jot) == {"Acme", "Globex", "Initech"}
    for number, text in enumerate(("Bob uses Flask.", "Bob uses Django.")):
        tell(jot, text, number)
    assert {fact.object for fact in jot.knowledge.facts(predicate="uses")} == {"Flask", "Django"}


def test_the_same_said_again_ends_nothing(jot: Jotsam) -> None:
    tell(jot, JOBS[0], 0)
    tell(jot, "As ever, Bob works at ACME.", 1)
    tell(jot, "Still so: Bob works at acme.", 2)
    found = jot.knowledge.facts(predicate="works_at", history=True)
    assert len(found) >= 2
    assert all(fact.superseded_at is None for fact in found)


def test_sections_of_one_document_never_end_each_other(jot: Jotsam) -> None:
    text = "# Then\n\nIn March 2021, Bob works at Acme.\n\n# Now\n\nIn March 2024, Bob works at Globex.\n"
    jot.add(text, source="bob.md")
    jot.work()
    assert held(jot) == {"Acme", "Globex"}


def test_it_can_be_taken_back_and_stays_so(jot: Jotsam) -> None:
    old, new = tell(jot, JOBS[0], 0), tell(jot, JOBS[1], 1)
    assert held(jot) == {"Globex"}
    jot.supersede(old, new, undo=True)
    assert held(jot) == {"Acme", "Globex"}
    assert set(texts(jot.recall(ASK))) == {*JOBS[:2]}
    jot.reprocess(jot.plan_reprocess([old, new], forced=True))
    jot.work()
    assert held(jot) == {"Acme", "Globex"}
    jot.supersede(old, new)
    assert texts(jot.recall(ASK)) == [JOBS[1]]


def test_what_was_ended_holds_again_when_its_successor_is_superseded(jot: Jotsam) -> None:
    old, new = tell(jot, JOBS[0], 0), tell(jot, JOBS[1], 1)
    note = tell(jot, "Globex was a joke, forget that.", 2)
    jot.supersede(new, note)
    assert held(jot) == {"Acme"}
    assert JOBS[0] in texts(jot.recall(ASK))
    jot.supersede(new, note, undo=True)
    assert held(jot) == {"Globex"}
    assert jot.show(old).memory.superseded_at == START + DAY_MS
