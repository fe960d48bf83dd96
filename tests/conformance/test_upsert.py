"""`Jotsam.upsert`: one memory for each key, whose text is replaced."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

import roles
from jotsam import InvalidInput, NotFound
from processes import start


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
def test_many_are_stored_as_one_after_the_other(jot):
    ana = jot.scoped(actor="ana")
    tea = ana.upsert("tea", "Ana drinks green tea.", tags=["drink"])
    results = ana.upsert_many(
        [
            {"key": "car", "text": "Ana drives a van.", "importance": 0.5},
            {"key": " tea ", "text": "Ana drinks mint tea."},
            {"key": "tea", "text": "Ana drinks black tea.", "metadata": {"n": 3}},
            {"key": "tea", "text": "Ana drinks black tea."},
            {"key": "car", "text": "Ana drives a bus."},
        ]
    )
    receipts = [one.receipt for one in results]
    assert [one.index for one in results] == [*range(5)]
    assert [one.version for one in receipts] == [1, 2, 3, 3, 2]
    assert [one.created for one in receipts] == [True, False, False, False, False]
    assert [one.id for one in receipts[1:4]] == [tea.id] * 3
    assert [one.job_id is None for one in receipts] == [False, False, False, True, False]
    assert [one.text for one in jot.versions(tea.id)] == ["Ana drinks green tea.", "Ana drinks mint tea."]
    memory = jot.get(key="tea")
    assert (memory.text, memory.tags, memory.metadata) == ("Ana drinks black tea.", ("drink",), {"n": 3})
    assert (jot.get(key="car").importance, jot.get(key="car").actor) == (0.5, "ana")
    jot.work()
    assert [hit.text for hit in jot.recall("what does Ana drive?", limit=1).hits] == ["Ana drives a bus."]
    assert jot.recall("mint").hits == ()
    same = [{"key": "car", "text": "Ana drives a bus."}, {"key": "tea", "text": "Ana drinks black tea."}]
    again = ana.upsert_many(same)
    assert [(one.receipt.version, one.receipt.job_id) for one in again] == [(2, None), (3, None)]
    assert jot.upsert_many([]) == []


def test_an_invalid_item_of_many_is_reported_and_the_others_are_stored(jot):
    jot.remember("Bob's.", key="bob", actor="bob")
    jot.remember("Other.", external_id="e")
    jot.scoped(tenant="other").upsert("k", "Theirs.")
    items = [
        ({"key": "k", "text": "Mine."}, None),
        ("k", "an item has no key"),
        ({"text": "x"}, "an item has no key"),
        ({"key": "k"}, "an item has no text"),
        ({"key": "", "text": "x"}, "must have a visible character"),
        ({"key": 5, "text": "x"}, "invalid key 5"),
        ({"key": ["k"], "text": "x"}, "invalid key"),
        ({"key": "é" * 251, "text": "x"}, "502 bytes"),
        ({"key": "k", "text": ""}, "text"),
        ({"key": "k", "text": "x", "tag": "y"}, "unknown field 'tag'"),
        ({"key": "bob", "text": "x", "actor": "ana"}, "another actor"),
        ({"key": "new", "text": "x", "external_id": "e"}, "another key"),
        ({"key": "nul\0", "text": "With NUL."}, None),
        (7, "must be a dict"),
    ]
    results = jot.upsert_many([item for item, _ in items])
    for (item, message), result in zip(items, results, strict=True):
        assert (result.receipt is None) == (message is not None), item
        assert message is None or message in str(result.error), (item, result.error)
    assert (jot.get(key="k").text, jot.get(key="k").version, jot.get(key="bob").text) == ("Mine.", 1, "Bob's.")
    assert jot.get(key="nul\0").text == "With NUL."
    assert jot.scoped(tenant="other").get(key="k").text == "Theirs."
    assert jot.status().memories == 4
    for wrong, reason in (("abc", "invalid items"), (3, "invalid items"), ([{}] * 501, "must be at most 500")):
        with pytest.raises(InvalidInput, match=reason):
            jot.upsert_many(wrong)


@pytest.mark.needs_server
def test_who_upsert_the_same_keys_in_other_orders_wait_for_each_other(jot):
    keys = [f"k{number}" for number in range(6)]
    ids = {key: jot.upsert(key, "Nothing yet.").id for key in keys[:3]}
    others = ThreadPoolExecutor(4)

    def write(number: int) -> object:
        if number % 4 == 3:
            key = keys[number % 3]
            return [jot.upsert(key, f"{key} alone {number}."), jot.update(ids[key], text=f"{key} changed {number}.")]
        order = keys if number % 2 else keys[::-1]
        return jot.upsert_many({"key": key, "text": f"{key} is {number}."} for key in order)

    with others:
        results = list(others.map(write, range(16)))
    assert all(one.receipt for found in results for one in found if hasattr(one, "index"))
    memories = [jot.get(key=key) for key in keys]
    assert jot.status().memories == 6
    assert [len(jot.versions(one.id)) for one in memories] == [one.version - 1 for one in memories]
    assert len({one.text.split()[-1] for one in memories[3:]}) == 1, "the last commit stored all of its items"


@pytest.mark.needs_server
def test_many_that_are_killed_are_all_stored_or_none(jot, url):
    jot.upsert("k0", "Before.")
    items = [{"key": f"k{number}", "text": f"Text {number}."} for number in range(20)]
    for dies_at, stored in ((1, 0), (2, 0), (3, 20)):
        assert start(roles.upsert_many, url, items, dies_at).ends() == -9
        assert jot.status().memories == max(stored, 1)
        assert jot.get(key="k0").version == (2 if stored else 1)
    receipts = [one.receipt for one in jot.upsert_many(items)]
    assert {(one.created, one.job_id) for one in receipts} == {(False, None)}
    jot.work()
    assert [hit.text for hit in jot.recall("Text 7", limit=1).hits] == ["Text 7."]


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
