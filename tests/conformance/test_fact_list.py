"""Which facts `knowledge.facts` lists: each condition alone leaves some out, and counts them where it should."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam.core.records import Fact
from jotsam.storage.graph import facts
from jotsam.storage.memories import memories

if TYPE_CHECKING:
    from conftest import StandingClock
    from jotsam import Jotsam

DAY_MS = 86_400_000


def say(jot: Jotsam, *triple: str, valid: tuple[int | None, int | None] = (None, None), **fields: object) -> str:
    """Store a memory that states one fact. Returns its id."""
    id = jot.remember(f"A note about {triple[0]}.", **fields).id
    jot.work()
    subject, predicate, object = triple
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        row = memories.get(tx, uuid=id)
        fact = Fact(subject=subject, predicate=predicate, object=object, confidence=0.9, extractor="agent t")
        fact = fact.replace(valid_from=valid[0], valid_until=valid[1])
        facts.save(tx, number=row["id"], memory=id, facts=[fact])
    return id


@pytest.fixture
def listed(jot: Jotsam, clock: StandingClock) -> Jotsam:
    """One fact of each kind, by its object."""
    say(jot, "Ann", "likes", "plain")
    say(jot, "Ann", "likes", "begun", valid=(clock.now, clock.now + 1))
    say(jot, "Ann", "likes", "later", valid=(clock.now + 1, None))
    say(jot, "Ann", "likes", "ended", valid=(None, clock.now))
    say(jot, "Ann", "knows", "other predicate")
    say(jot, "Ben", "likes", "other subject")
    say(jot, "Ann", "likes", "of a project", project="boat")
    say(jot, "Ann", "likes", "of an actor", actor="cleo")
    old = say(jot, "Ann", "likes", "superseded memory")
    jot.supersede(old, jot.remember("Something newer.").id)
    (fact,) = jot.show(say(jot, "Ann", "likes", "superseded fact")).facts
    jot.supersede(fact.id, jot.show(say(jot, "Ann", "likes", "newer fact")).facts[0].id)
    return jot


VALID = {"plain", "begun", "other predicate", "other subject", "of a project", "of an actor", "newer fact"}
ALL = VALID | {"later", "ended", "superseded memory", "superseded fact"}
LISTS = [
    ({}, VALID),
    ({"history": True}, ALL),
    ({"subject": "be"}, {"other subject"}),
    ({"subject": "an"}, VALID - {"other subject"}),
    ({"object": "pla"}, {"plain"}),
    ({"predicate": "knows"}, {"other predicate"}),
    ({"words": "ben"}, {"other subject"}),
    ({"words": "pla"}, {"plain"}),
    ({"words": "nothing"}, set()),
    ({"project": "boat"}, {"of a project"}),
    ({"actor": "cleo"}, {"of an actor"}),
    ({"subject": "ann", "object": "newer"}, {"newer fact"}),
]


def test_each_condition_leaves_out_what_it_should(listed: Jotsam) -> None:
    found = [{fact.object for fact in listed.knowledge.facts(**options)} for options, _ in LISTS]
    assert found == [expected for _, expected in LISTS]


def test_pages_are_complete_and_begin_with_the_latest(listed: Jotsam) -> None:
    everything = [fact.object for fact in listed.knowledge.facts(history=True)]
    assert everything[0] == "newer fact"
    assert everything[-1] == "plain"
    assert [fact.object for fact in listed.knowledge.facts(history=True, limit=3)] == everything[:3]
