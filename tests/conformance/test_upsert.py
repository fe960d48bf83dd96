"""`Jotsam.upsert`: one memory for each key, whose text is replaced."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from jotsam import InvalidInput, NotFound


def test_the_first_call_creates_the_next_replaces_and_the_same_text_changes_nothing(jot):
    first = jot.upsert("tea", "Ana drinks green tea.", tags=["drink"], actor="ana")
    assert (first.created, first.version) == (True, 1)
    jot.work()
    second = jot.upsert("tea", "Ana drinks Redis tea.")
    assert (second.id, second.created, second.version) == (first.id, False, 2)
    assert second.job_id not in (None, first.job_id)
    jot.work()
    same = jot.upsert("tea", "Ana drinks Redis tea.")
    assert (same.id, same.created, same.version, same.job_id) == (first.id, False, 2, None)
    assert [version.text for version in jot.versions(first.id)] == ["Ana drinks green tea."]
    memory = jot.get(first.id)
    assert (memory.text, memory.actor) == ("Ana drinks Redis tea.", "ana")
    assert {"drink", "entity:tools:redis"} <= set(memory.tags)
    assert [hit.text for hit in jot.recall("tea").hits] == ["Ana drinks Redis tea."]


@pytest.mark.needs_server
def test_other_fields_are_changed_if_they_are_given(jot):
    id = jot.upsert("k", "One.", tags=["a"], importance=0.2, metadata={"x": 1}).id
    changed = jot.upsert("k", "One.", tags=["b"], importance=0.9)
    assert (changed.version, changed.job_id) == (2, None)
    memory = jot.get(id)
    assert (memory.tags, memory.importance, memory.metadata) == (("b",), 0.9, {"x": 1})


def test_a_key_is_of_one_tenant_actor_and_project(jot):
    ana = jot.scoped(actor="ana")
    id = ana.upsert("colour", "Green.", project="house").id
    assert jot.scoped(tenant="other").upsert("colour", "Blue.").created
    for other, options in ((jot.scoped(actor="bob"), {}), (ana, {"actor": "bob"}), (ana, {"project": "garden"})):
        with pytest.raises(InvalidInput, match=r"another (actor|project)"):
            other.upsert("colour", "Red.", **options)
    assert jot.get(id).text == "Green."


def test_two_at_once_give_one_memory(jot):
    def write(number: int) -> object:
        return jot.upsert("k", f"Text {number % 4}.")

    with ThreadPoolExecutor(8) as pool:
        receipts = list(pool.map(write, range(24)))
    assert len({receipt.id for receipt in receipts}) == 1
    assert sum(receipt.created for receipt in receipts) == 1
    memory = jot.get(receipts[0].id)
    assert memory.version == max(receipt.version for receipt in receipts)
    assert len(jot.versions(memory.id)) == memory.version - 1
    assert jot.status().memories == 1


def test_wrong_calls_are_refused_and_nothing_is_stored(jot):
    jot.remember("Mine.", external_id="e")
    for key, text, options in (("", "x", {}), ("  ", "x", {}), (3, "x", {}), ("k", "", {}), ("k", "x", {"tag": 1})):
        with pytest.raises(InvalidInput):
            jot.upsert(key, text, **options)
    with pytest.raises(InvalidInput, match="another key"):
        jot.upsert("k", "x", external_id="e")
    assert jot.status().memories == 1


def test_what_was_forgotten_for_good_is_not_stored(jot):
    id = jot.upsert("k", "Secret plan.").id
    jot.forget(jot.plan_forget(ids=[id]), never_again=True)
    receipt = jot.upsert("k", "Another plan.")
    assert (receipt.id, receipt.created, receipt.forgotten, receipt.version) == ("", False, True, 0)


def test_with_a_transaction_it_is_committed_with_what_else_is_written(jot):
    with pytest.raises(ZeroDivisionError), jot.database.transaction() as tx:
        jot.upsert("k", "One.", tx=tx)
        raise ZeroDivisionError
    assert jot.status().memories == 0
    with jot.database.transaction() as tx:
        assert jot.upsert("k", "One.", tx=tx).created
        assert jot.upsert("k", "Two.", tx=tx).version == 2
    assert jot.recall().hits[0].text == "Two."


@pytest.mark.needs_server
def test_a_memory_is_read_by_the_key_with_which_it_was_stored(jot):
    upserted = jot.upsert("ana/editor", "Ana uses Vim.", actor="ana", metadata={"x": 1}).id
    remembered = jot.remember("Bob uses Nano.", key="versions").id
    jot.upsert("ana/editor", "Ana uses Helix.")
    assert jot.get(key="ana/editor") == jot.get(upserted) == jot.get(key=" ana/editor ", actor="ana")
    assert (jot.get(key="ana/editor").text, jot.get(key="ana/editor").version) == ("Ana uses Helix.", 2)
    assert jot.get(key="versions").id == remembered
    jot.forget(jot.plan_forget(ids=[upserted]))
    with pytest.raises(NotFound, match="no memory with the key 'ana/editor'"):
        jot.get(key="ana/editor")


def test_a_key_that_no_memory_of_the_tenant_and_actor_has_is_not_found(jot):
    jot.upsert("k", "Mine.", actor="ana")
    jot.add("A document has keys of its own.", key="d")
    jot.scoped(tenant="other").upsert("theirs", "Theirs.")
    for key, options in (("d", {}), ("theirs", {}), ("K", {}), ("k", {"actor": "bob"}), ("nul\0", {}), ("é" * 250, {})):
        with pytest.raises(NotFound, match="no memory with the key"):
            jot.get(key=key, **options)
    for wrong in ({}, {"id": "x", "key": "k"}, {"key": ""}, {"key": 5}, {"key": "é" * 251}, {"key": "k", "actor": ""}):
        with pytest.raises(InvalidInput):
            jot.get(**wrong)
