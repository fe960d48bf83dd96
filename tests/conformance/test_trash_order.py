"""What is restored from the trash finds its place among what came or went meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from jotsam import Jotsam

DAY_MS = 86_400_000
START = 1_600_000_000_000
OLD = "The loan period of the library is 14 days."
NEW = "The loan period of the library has been extended to 21 days."
ASK = "loan period of the library"


def tell(jot: Jotsam, text: str, day: int, **fields: object) -> str:
    id: str = jot.remember(text, said_at=START + day * DAY_MS, **fields).id
    jot.work()
    return id


def discard(jot: Jotsam, id: str) -> str:
    """Returns the batch in the trash."""
    batch = jot.forget(jot.plan_forget(ids=[id]), trash=True).trash
    assert batch
    return batch


def previous(jot: Jotsam, id: str) -> list[str]:
    """The turn before this one in its session."""
    return [link.target for link in jot.show(id).links if link.weight == 1]


def test_a_turn_is_linked_to_those_that_are_beside_it_now(jot: Jotsam) -> None:
    first, turn, last = (
        tell(jot, text, 0, session="s", position=position)
        for position, text in ((0, "Otters hold hands."), (20, "Herons stand still."), (40, "Owls fly at night."))
    )
    batch = discard(jot, turn)
    assert previous(jot, last) == [first]
    before, after = (
        tell(jot, text, 0, session="s", position=position)
        for position, text in ((10, "Badgers dig."), (30, "Foxes bark."))
    )
    jot.admin.restore_forgotten(batch)
    assert [previous(jot, id) for id in (before, turn, after, last)] == [[first], [before], [turn], [after]]


@pytest.mark.needs_server
def test_a_turn_has_all_its_links_again(jot: Jotsam) -> None:
    """Also a weaker one to a turn before it, which an earlier version has made."""
    first, turn, last = (
        tell(jot, text, 0, session="s", position=position)
        for position, text in ((0, "Otters hold hands."), (20, "Herons stand still."), (40, "Owls fly at night."))
    )
    with jot.database.transaction(tenant="default") as tx:
        tx.execute(
            "insert into link (tenant, source_id, target_id, type, weight, extractor, created_at) "
            "select 'default', l.id, f.id, 'PRECEDED_BY', 0.5, 'rules/1', 0 from memory l cross join memory f "
            f"where l.uuid = '{last}' and f.uuid = '{first}'"
        )
    batch = discard(jot, turn)
    assert [(link.target, link.weight) for link in jot.show(last).links] == [(first, 1)]
    jot.admin.restore_forgotten(batch)
    assert [(link.target, link.weight) for link in jot.show(last).links] == [(turn, 1), (first, 0.5)]


def test_a_fact_that_was_outdone_by_what_it_superseded_counts_again(jot: Jotsam) -> None:
    early, late = tell(jot, "Ana lives in Lisbon.", 0), tell(jot, "Ana lives in Porto.", 1)
    new = tell(jot, "Nothing is known about where people live.", 2)

    def towns() -> set[str]:
        return {fact.object for fact in jot.knowledge.facts() if fact.predicate == "lives_in"}

    assert towns() == {"Porto"}
    jot.supersede(late, new)
    assert towns() == {"Lisbon"}
    batch = discard(jot, new)
    assert towns() == {"Porto"}
    jot.admin.restore_forgotten(batch)
    assert towns() == {"Lisbon"}
    assert jot.get(early).superseded_at is None


def test_what_a_version_of_a_document_replaced_is_valid_while_a_later_version_is_stored(jot: Jotsam) -> None:
    tell(jot, OLD, 0)
    versions = []
    for day, text in ((1, NEW), (2, "The library has rules.")):
        versions.append(jot.add(f"# Rules\n\n{text}\n", source="rules.md", date=START + day * DAY_MS).id)
        jot.work()

    def is_shown() -> bool:
        return OLD in {hit.text for hit in jot.recall(ASK).hits}

    assert is_shown()
    batch = discard(jot, versions[1])
    assert not is_shown()
    jot.admin.restore_forgotten(batch)
    assert is_shown()
    batch = discard(jot, versions[0])
    jot.admin.restore_forgotten(batch)
    assert is_shown()


def test_a_version_that_is_restored_is_superseded_by_one_that_came_meanwhile(jot: Jotsam) -> None:
    tell(jot, OLD, 0)
    first = jot.add(f"# Rules\n\n{NEW}\n", source="rules.md", date=START + DAY_MS).id
    jot.work()
    batch = discard(jot, first)
    jot.add("# Rules\n\nThe library has rules.\n", source="rules.md", date=START + 2 * DAY_MS)
    jot.work()
    jot.admin.restore_forgotten(batch)
    assert OLD in {hit.text for hit in jot.recall(ASK).hits}
