"""What was learned lately, and what a person may decide of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam.core.errors import InvalidInput
from jotsam.memory.graph.inbox import Inbox, decide, read_inbox
from jotsam.memory.graph.learned import Learned, read_learned

if TYPE_CHECKING:
    from jotsam import Jotsam

JANUARY = 1_735_689_600_000
SAME_DAY = ("Bob works at Acme.", "Bob works at Globex.")


def inbox(jot: Jotsam, **more: str) -> Inbox:
    return read_inbox(jot.database, tenant="default", **more)


def learned(jot: Jotsam, since: int = 0, **more: str) -> Learned:
    return read_learned(jot.database, tenant="default", since=since, **more)


@pytest.mark.needs_server
def test_two_values_of_a_predicate_that_has_one_are_to_decide_until_one_is_rejected(jot: Jotsam) -> None:
    for text in SAME_DAY:
        jot.remember(text, said_at=JANUARY, project="one")
    jot.remember("Bob works at Initech.", said_at=JANUARY - 1, project="one")
    jot.work()
    (clash,) = inbox(jot).clashes
    assert (clash.subject, clash.predicate) == ("Bob", "works_at")
    assert {one.value for one in clash.values} == {"Acme", "Globex"}
    assert inbox(jot, project="other").clashes == ()
    decide(jot.database, tenant="default", key=clash.key, decision="reject")
    assert inbox(jot).clashes == ()
    decide(jot.database, tenant="default", key=clash.key, decision=None)
    assert inbox(jot).clashes == (clash,)


def test_what_is_postponed_is_asked_again_after_a_week(jot: Jotsam) -> None:
    for text in SAME_DAY:
        jot.remember(text, said_at=JANUARY)
    jot.work()
    (clash,) = inbox(jot).clashes
    decide(jot.database, tenant="default", key=clash.key, decision="later")
    assert inbox(jot).items == 0
    with jot.database.transaction(tenant="default") as tx:
        tx.execute("update lifecycle_refusal set created_at = created_at - 8 * 86400000")
    assert inbox(jot).clashes == (clash,)
    with pytest.raises(InvalidInput, match="invalid decision"):
        decide(jot.database, tenant="default", key=clash.key, decision="perhaps")


def test_a_pair_that_was_rejected_names_nobody_in_the_database(jot: Jotsam) -> None:
    for number in range(3):
        jot.remember(f"Ana and Ana Lindqvist met at stand {number}.")
    jot.work()
    (merge,) = inbox(jot).merges
    assert {merge.pair.name, merge.pair.into} == {"entity:people:ana", "entity:people:ana-lindqvist"}
    decide(jot.database, tenant="default", key=merge.key, decision="reject")
    assert inbox(jot).merges == ()
    with jot.database.transaction(tenant="default") as tx:
        assert "ana" not in str(tx.execute("select hash from lifecycle_refusal"))


@pytest.mark.needs_server
def test_what_was_learned_is_grouped_by_session_and_source_and_folded(jot: Jotsam) -> None:
    for number in range(3):
        jot.remember(f"Invoice {number} of Northwind was sent.", actor="carla", project="billing")
    jot.add_turn("Never push to main.", actor="user", session="s-1", position=0, project="billing")
    jot.add("# Plan\n\nThe export is due in May.", source="docs/plan.md")
    jot.work()
    found = learned(jot)
    by_name = {one.session or one.source: one for one in found.groups}
    assert set(by_name) == {"s-1", "docs/plan.md", None}
    (line,) = by_name[None].lines
    assert (line.times, line.text.startswith("Invoice"), by_name[None].actors) == (3, True, ("carla",))
    assert [one.kind for one in by_name["s-1"].lines] == ["rule"]
    assert (found.is_complete, found.memories) == (True, sum(one.memories for one in found.groups))
    assert {one.session for one in learned(jot, project="billing").groups} == {"s-1", None}
    assert learned(jot, since=2**60).groups == ()
