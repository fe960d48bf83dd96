"""What a person says of a fact: it never held, it ended on a day, it holds. It outlasts reprocessing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.memory.writing.fact_verdicts import JudgedFact, judge_fact

if TYPE_CHECKING:
    from jotsam import Jotsam

JANUARY, FEBRUARY, MARCH = (1_735_689_600_000 + days * 86_400_000 for days in (0, 31, 59))
LONG = "Ana lives in Bonn. She likes the river, the long walks along it, and that everybody there knows her by name."


def tell(jot: Jotsam, text: str, at: int = JANUARY, **more: str) -> str:
    id: str = jot.remember(text, said_at=at, **more).id
    jot.work()
    return id


def fact(jot: Jotsam, object: str) -> str:
    return next(one.id for one in jot.knowledge.facts(object=object, history=True))


def judge(jot: Jotsam, object: str, verdict: str | None, on: int | str | None = None) -> JudgedFact:
    return judge_fact(jot.database, tenant="default", ids=[fact(jot, object)], verdict=verdict, on=on)


def held(jot: Jotsam) -> list[str]:
    return sorted(one.object for one in jot.knowledge.facts(subject="Ana"))


def read_again(jot: Jotsam) -> None:
    jot.reprocess(jot.plan_reprocess(force=True), clear=True)
    jot.work()


@pytest.mark.needs_server
def test_a_wrong_fact_is_gone_and_does_not_return_when_its_memories_are_processed_again(jot: Jotsam) -> None:
    for at, project in ((JANUARY, "one"), (FEBRUARY, "two"), (MARCH, "two")):
        tell(jot, "Ana uses Redis.", at, project=project)
    done = judge(jot, "Redis", "wrong")
    assert (done.subject, done.predicate, done.object, done.statements) == ("Ana", "uses", "Redis", 3)
    assert (held(jot), jot.recall("What does Ana use?").hits) == ([], ())
    read_again(jot)
    assert (held(jot), jot.recall("What does Ana use?", as_of=MARCH + 1).hits) == ([], ())
    judge(jot, "Redis", None)
    assert held(jot) == ["Redis", "Redis", "Redis"]
    assert len(jot.recall("What does Ana use?").hits) == 1, "equal texts are one hit"


def test_a_wrong_fact_ends_no_other_and_is_told_with_no_text(jot: Jotsam) -> None:
    tell(jot, "Ana lives in Lisbon.", JANUARY)
    tell(jot, LONG, FEBRUARY)
    assert held(jot) == ["Bonn"]
    judge(jot, "Bonn", "wrong")
    assert held(jot) == ["Lisbon"], "what it ended holds again"
    answer = jot.recall("Where does Ana live?", limit=5)
    assert {hit.text for hit in answer.hits} == {LONG, "Ana lives in Lisbon."}, "the long text says more than the fact"
    assert "lives_in Bonn" not in answer.text
    judge(jot, "Bonn", None)
    assert held(jot) == ["Bonn"]


@pytest.mark.needs_server
def test_a_fact_ends_on_a_day_and_later_statements_of_it_count_as_wrong(jot: Jotsam) -> None:
    for at in (JANUARY, MARCH):
        tell(jot, "Ana uses Redis.", at)
    assert judge(jot, "Redis", "ended", "2025-02-01").on == FEBRUARY
    assert held(jot) == []
    found = jot.knowledge.facts(subject="Ana", history=True)
    assert sorted(one.superseded_at or 0 for one in found) == [FEBRUARY, MARCH]
    assert len(jot.recall("What does Ana use?", as_of=FEBRUARY - 1).hits) == 1
    read_again(jot)
    assert held(jot) == []


def test_a_confirmed_fact_holds_although_a_later_text_would_end_it(jot: Jotsam) -> None:
    tell(jot, "Ana lives in Lisbon.", JANUARY)
    judge(jot, "Lisbon", "kept")
    tell(jot, "Ana lives in Bonn.", FEBRUARY)
    assert held(jot) == ["Bonn", "Lisbon"]
    judge(jot, "Lisbon", None)
    assert held(jot) == ["Bonn"]


def test_what_a_person_named_as_the_replacement_stays(jot: Jotsam) -> None:
    tell(jot, "Ana uses Redis.")
    tell(jot, "Ana uses Valkey.", MARCH)
    jot.supersede(fact(jot, "Redis"), fact(jot, "Valkey"))
    assert judge(jot, "Redis", None).statements == 0
    assert held(jot) == ["Valkey"]


def test_verdicts_that_cannot_be_are_refused_with_the_reason(jot: Jotsam) -> None:
    tell(jot, "Ana uses Redis.")
    for verdict, on, said in (
        ("odd", None, "invalid verdict 'odd'"),
        ("ended", None, "the day on which the fact ended is missing"),
        ("ended", "soon", "invalid day 'soon'"),
        ("ended", "9999-01-01", "it is still to come"),
    ):
        with pytest.raises(InvalidInput, match=said):
            judge(jot, "Redis", verdict, on)
    with pytest.raises(NotFound, match="there is no fact"):
        judge_fact(jot.database, tenant="default", ids=["x"], verdict="wrong")
    for ids in ([], ["x"] * 21):
        with pytest.raises(InvalidInput, match="1 to 20 facts"):
            judge_fact(jot.database, tenant="default", ids=ids, verdict="wrong")


def test_no_other_tenant_judges_a_fact(jot: Jotsam) -> None:
    tell(jot, "Ana uses Redis.")
    with pytest.raises(NotFound):
        judge_fact(jot.database, tenant="other", ids=[fact(jot, "Redis")], verdict="wrong")
    assert held(jot) == ["Redis"]
