"""Fact validity: a later fact with a functional predicate invalidates the earlier one, and short memories of it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from jotsam.core.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from jotsam import Jotsam
    from jotsam.core.answers import Answer

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
def test_the_latest_fact_is_valid_in_any_order_of_arrival(jot: Jotsam, order: tuple[int, ...]) -> None:
    ids = {number: tell(jot, JOBS[number], number) for number in order}
    assert held(jot) == {"Initech"}
    assert held(jot, history=True) == {"Acme", "Globex", "Initech"}
    assert texts(jot.recall(ASK)) == [JOBS[2]]
    assert set(texts(jot.recall(ASK, history=True))) == set(JOBS)
    assert texts(jot.recall(ASK, as_of=START + DAY_MS + 1)) == [JOBS[1]]
    (fact,) = jot.show(ids[0]).facts
    assert (fact.superseded_at, fact.superseded_by, fact.valid_until) == (START + DAY_MS, ids[1], None)
    first = jot.show(ids[0])
    jot.reprocess(jot.plan_reprocess(ids.values(), force=True), clear=True)
    assert held(jot) == set(), "what was found is removed at once"
    jot.work()
    jot.reprocess(jot.plan_reprocess(ids.values(), force=True))
    jot.work()
    assert jot.show(ids[0]).facts == first.facts
    assert held(jot) == {"Initech"}
    assert texts(jot.recall(ASK)) == [JOBS[2]]


def test_a_memory_with_more_content_stays_valid_and_its_fact_is_invalidated(jot: Jotsam) -> None:
    more = "Bob works at Acme. His desk is by the window, and he keeps a cactus there that nobody may ever touch."
    tell(jot, more, 0)
    new = tell(jot, JOBS[1], 1)
    answer = jot.recall(ASK)
    assert texts(answer) == [JOBS[1], more]
    assert "facts" not in answer.hits[1].scores
    assert f"\n= Bob works_at Acme (0.8, superseded 2023-11-15 by {new[:8]})" in answer.text
    assert held(jot) == {"Globex"}


def test_equal_dates_and_other_projects_tenants_or_predicates_invalidate_nothing(jot: Jotsam) -> None:
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


def test_a_repeated_fact_invalidates_nothing(jot: Jotsam) -> None:
    tell(jot, JOBS[0], 0)
    tell(jot, "As ever, Bob works at ACME.", 1)
    tell(jot, "Still so: Bob works at acme.", 2)
    found = jot.knowledge.facts(predicate="works_at", history=True)
    assert len(found) >= 2
    assert all(fact.superseded_at is None for fact in found)


def test_sections_of_one_document_never_invalidate_each_other(jot: Jotsam) -> None:
    text = "# Then\n\nIn March 2021, Bob works at Acme.\n\n# Now\n\nIn March 2024, Bob works at Globex.\n"
    jot.add(text, source="bob.md")
    jot.work()
    assert held(jot) == {"Acme", "Globex"}


def test_an_invalidation_can_be_undone_permanently(jot: Jotsam) -> None:
    old, new = tell(jot, JOBS[0], 0), tell(jot, JOBS[1], 1)
    assert held(jot) == {"Globex"}
    jot.undo_supersede(old, new)
    assert held(jot) == {"Acme", "Globex"}
    assert set(texts(jot.recall(ASK))) == {*JOBS[:2]}
    jot.reprocess(jot.plan_reprocess([old, new], force=True))
    jot.work()
    assert held(jot) == {"Acme", "Globex"}
    jot.supersede(old, new)
    assert texts(jot.recall(ASK)) == [JOBS[1]]


def test_a_fact_is_valid_again_when_its_successor_is_superseded(jot: Jotsam) -> None:
    old, new = tell(jot, JOBS[0], 0), tell(jot, JOBS[1], 1)
    note = tell(jot, "Globex was a joke, forget that.", 2)
    jot.supersede(new, note)
    assert held(jot) == {"Acme"}
    assert JOBS[0] in texts(jot.recall(ASK))
    jot.undo_supersede(new, note)
    assert held(jot) == {"Globex"}
    assert jot.show(old).memory.superseded_at == START + DAY_MS


@pytest.mark.parametrize("trash", [False, True], ids=["for good", "into the trash"])
def test_a_fact_ends_again_when_what_superseded_its_successor_is_forgotten(jot: Jotsam, trash: bool) -> None:
    old, new = tell(jot, JOBS[0], 0), tell(jot, JOBS[1], 1)
    note = tell(jot, "Globex was a joke, forget that.", 2)
    jot.supersede(new, note)
    assert held(jot) == {"Acme"}
    assert jot.forget(jot.plan_forget(ids=[note]), trash=trash).revived == (new,)
    assert held(jot) == {"Globex"}
    assert jot.show(old).memory.superseded_by == new
    assert texts(jot.recall(ASK)) == [JOBS[1]]


def fact_of(jot: Jotsam, object: str) -> str:
    """The id of the fact with this object."""
    (fact,) = [one for one in jot.knowledge.facts(history=True) if one.object == object]
    return fact.id


LONG = "Bob works at Acme. His desk is by the window, and he keeps a cactus there that nobody may ever touch."


@pytest.mark.parametrize("first", [JOBS[0], LONG], ids=["it says only that", "it says more"])
def test_a_fact_is_restored_by_its_id_permanently(jot: Jotsam, first: str) -> None:
    old, new = tell(jot, first, 0), tell(jot, JOBS[1], 1)
    assert held(jot) == {"Globex"}
    done = jot.undo_supersede(fact_of(jot, "Acme")[:8])
    assert (done.kind, done.old, done.new, done.since) == ("fact", fact_of(jot, "Acme"), None, None)
    assert held(jot) == {"Acme", "Globex"}
    assert set(texts(jot.recall(ASK))) == {first, JOBS[1]}
    tell(jot, JOBS[2], 2)
    assert held(jot) == {"Acme", "Initech"}, "no later statement ends it again"
    for clear in (False, True):
        jot.reprocess(jot.plan_reprocess([old, new], force=True), clear=clear)
        jot.work()
        assert held(jot) == {"Acme", "Initech"}, "nor does reading it again"
    assert jot.undo_supersede(fact_of(jot, "Acme")).since is None, "twice changes nothing"


def test_the_id_of_a_fact_is_stable_across_reprocessing(jot: Jotsam) -> None:
    id = tell(jot, JOBS[0], 0)
    before = jot.show(id).facts
    jot.reprocess(jot.plan_reprocess([id], force=True), clear=True)
    jot.work()
    assert jot.show(id).facts == before
    assert jot.show(before[0].id[:8]).id == id, "a fact tells the story of what says it"
    other = tell(jot, JOBS[0], 1)
    assert jot.show(other).facts[0].id != before[0].id, "said elsewhere it is another one"


def test_a_fact_can_be_superseded_by_another_and_restored(jot: Jotsam) -> None:
    tell(jot, "Bob uses Flask.", 0)
    new = tell(jot, "Bob uses Django. He says that it is all he will ever need, and more than that.", 1)
    flask, django = fact_of(jot, "Flask"), fact_of(jot, "Django")
    assert len(jot.knowledge.facts(predicate="uses")) == 2
    done = jot.supersede(flask, django)
    assert (done.kind, done.old, done.new, done.since) == ("fact", flask, django, START + DAY_MS)
    assert jot.supersede(flask, django) == done, "twice changes nothing"
    assert [fact.id for fact in jot.knowledge.facts(predicate="uses")] == [django]
    (ended,) = [fact for fact in jot.knowledge.facts(predicate="uses", history=True) if fact.id == flask]
    assert (ended.superseded_at, ended.superseded_by) == (START + DAY_MS, new)
    assert texts(jot.recall("What does Bob use?"))[0].startswith("Bob uses Django")
    assert "Bob uses Flask." not in texts(jot.recall("What does Bob use?")), "it said only that"
    jot.reprocess(jot.plan_reprocess([ended.memory], force=True), clear=True)
    jot.work()
    assert [fact.id for fact in jot.knowledge.facts(predicate="uses")] == [django]
    jot.undo_supersede(flask, django)
    assert len(jot.knowledge.facts(predicate="uses")) == 2
    assert "Bob uses Flask." in texts(jot.recall("What does Bob use?"))


def test_an_invalid_supersession_of_a_fact_is_reported(jot: Jotsam) -> None:
    old = tell(jot, JOBS[0], 0)
    tell(jot, JOBS[1], 1)
    tell(jot, "Bob uses Flask.", 0)
    acme, globex, flask = fact_of(jot, "Acme"), fact_of(jot, "Globex"), fact_of(jot, "Flask")
    for pair, undo, message in (
        ((acme, acme), False, "are the same fact"),
        ((acme, old), False, "give two of the same kind"),
        ((globex, acme), False, "is superseded itself: undo that first"),
        ((acme, flask), False, "superseded already, by another memory: undo that"),
        ((acme, flask), True, "is not superseded by"),
        ((flask, None), True, "is not superseded: there is nothing to undo"),
        ((flask, None), False, "give its id too"),
        ((old, None), True, "give its id too"),
    ):
        with pytest.raises(InvalidInput, match=message):
            (jot.undo_supersede if undo else jot.supersede)(*pair)
    with type(jot)(settings=jot.settings.replace(tenant="eve")) as eve, pytest.raises(NotFound):
        eve.undo_supersede(acme)
    with pytest.raises(NotFound, match="is a fact: give the id of a memory"):
        jot.knowledge.graph(acme)


def test_a_fact_superseded_by_a_person_stays_so_when_facts_are_added(jot: Jotsam) -> None:
    """Facts of equal dates are both valid, so only a person can have ended one of them."""
    tell(jot, LONG, 1)
    tell(jot, JOBS[1], 1)
    jot.supersede(fact_of(jot, "Acme"), fact_of(jot, "Globex"))
    assert held(jot) == {"Globex"}
    tell(jot, JOBS[2], 0)
    assert held(jot) == {"Globex"}
