"""Texts about entities: made of their facts, made again when these change, taken back exactly, and forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam.core.names import IDENTITY
from jotsam.storage.lifecycle import lifecycle
from jotsam.worker.lifecycle import identity
from lifecycle_tables import memory_rows, plan, run, undo

if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam import Jotsam

DAY_MS = 86_400_000
WORKS, LIVES = "Alice Brown works at Contoso.", "Alice Brown lives in Lisbon."


def filled(jot: Jotsam, *texts: str) -> list[str]:
    ids = [jot.remember(text).id for text in texts or (WORKS, LIVES)]
    jot.work()
    return ids


def body(jot: Jotsam, name: str = "Alice Brown") -> str | None:
    found = jot.knowledge.entity(name).identity
    return found.body if found else None


def test_a_text_is_made_of_current_facts_with_its_sources_and_taken_back_exactly(jot: Jotsam) -> None:
    filled(jot)
    planned, before = plan(jot, IDENTITY), memory_rows(jot)
    done = run(jot, IDENTITY)
    assert (planned.examined, planned.changed) == (done.examined, done.changed)
    assert body(jot) == "Alice Brown works at Contoso. Alice Brown lives in Lisbon."
    found = jot.knowledge.entity("alice-brown").identity
    assert found is not None
    facts = {fact.id for fact in jot.knowledge.facts() if fact.subject == "Alice Brown"}
    assert (set(found.sources), found.made_by) == (facts, "rules/1")
    undo(jot, done)
    assert (memory_rows(jot), body(jot)) == (before, None)
    assert run(jot, IDENTITY).changed == 0, "what was taken back is not made again of the same facts"


def test_it_is_made_again_when_the_facts_change_and_only_then(jot: Jotsam, clock) -> None:
    filled(jot)
    run(jot, IDENTITY)
    assert run(jot, IDENTITY).changed == 0
    clock.tick(DAY_MS)
    jot.remember("Alice Brown lives in Porto.")
    jot.work()
    before = memory_rows(jot)
    again = run(jot, IDENTITY)
    assert body(jot) == "Alice Brown works at Contoso. Alice Brown lives in Porto."
    undo(jot, again)
    assert memory_rows(jot) == before
    assert body(jot) == "Alice Brown works at Contoso. Alice Brown lives in Lisbon."


def test_it_is_deleted_when_no_fact_is_left(jot: Jotsam) -> None:
    old = filled(jot, WORKS)[0]
    run(jot, IDENTITY)
    new = filled(jot, "We met Alice Brown and Peter Falk yesterday.")[0]
    jot.supersede(old, new)
    before = memory_rows(jot)
    done = run(jot, IDENTITY)
    assert body(jot) is None
    undo(jot, done)
    assert memory_rows(jot) == before


@pytest.mark.needs_server
def test_a_merged_entity_has_the_facts_of_its_aliases_and_they_no_text(jot: Jotsam) -> None:
    filled(jot, WORKS, "Alicia Brown lives in Porto.")
    run(jot, IDENTITY)
    assert body(jot, "Alicia Brown") == "Alicia Brown lives in Porto."
    jot.knowledge.merge("Alicia Brown", into="Alice Brown")
    run(jot, IDENTITY)
    assert body(jot, "Alicia Brown") == "Alice Brown works at Contoso. Alice Brown lives in Porto."
    with jot.database.snapshot(tenant="default") as tx:
        texts = tx.execute("select body from identity where body like 'Alic%'")
    assert len(texts) == 1


def test_each_tenant_has_its_own_texts(open_jot: Callable[..., Jotsam]) -> None:
    jot, eve = open_jot(), open_jot(tenant="eve")
    filled(jot, WORKS)
    filled(eve, LIVES)
    run(jot, IDENTITY)
    assert (body(jot), body(eve)) == ("Alice Brown works at Contoso.", None)


def test_many_entities_take_several_parts(jot: Jotsam, monkeypatch) -> None:
    filled(jot, WORKS, LIVES, "Peter Falk works at Fabrikam.")
    whole = plan(jot, IDENTITY)
    monkeypatch.setattr(identity, "ENTITIES", 2)
    before = memory_rows(jot)
    assert plan(jot, IDENTITY) == whole
    done = run(jot, IDENTITY)
    assert (done.examined, done.changed) == (whole.examined, whole.changed)
    undo(jot, done)
    assert memory_rows(jot) == before


@pytest.mark.needs_server
def test_what_is_forgotten_leaves_the_texts_and_what_runs_can_restore(jot: Jotsam, clock) -> None:
    ids = filled(jot)
    run(jot, IDENTITY)
    clock.tick(DAY_MS)
    jot.remember("Alice Brown lives in Porto.")
    jot.work()
    again = run(jot, IDENTITY)
    jot.forget(jot.plan_forget(ids=[ids[1]]))
    with jot.database.snapshot(tenant="default") as tx:
        kept = tx.execute("select id from lifecycle_run")
        assert all("Lisbon" not in str([*lifecycle.changes(tx, row["id"])]) for row in kept)
    assert body(jot) == "Alice Brown works at Contoso. Alice Brown lives in Porto."
    jot.update(ids[0], text="Alice left.", forget_history=True)
    assert body(jot) is None
    undo(jot, again)
    assert body(jot) is None
