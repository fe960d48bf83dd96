"""Batches, and a memory that is committed with the rows of its caller."""

from __future__ import annotations

import pytest

from jotsam import InvalidInput, Jotsam, JotsamError, NotFound, Queue
from jotsam.core.names import EVERY_QUEUE
from jotsam.storage import queue


def stored(jot):
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        return queue.count_live(tx, queues=EVERY_QUEUE, tenant=jot.settings.tenant, limit=10_000)


def test_a_batch_is_accepted_as_its_items_one_after_the_other(jot):
    documents = [
        "A plain text.",
        {"text": "Ana likes tea.", "source": "a.md"},
        {"text": "Ana likes tea.", "source": "a.md"},
        {"text": "Ana likes coffee.", "source": "a.md"},
        {"text": "Ana likes tea.", "source": "a.md"},
        {"text": "Bob.", "key": "k"},
        {"text": "Something else.", "key": "k"},
    ]
    memories = [
        "It is red.",
        {"text": "It is blue.", "key": "k", "tags": ["colour"], "metadata": {"a": 1}},
        {"text": "It is green.", "key": "k"},
        {"text": "It is grey.", "external_id": "x"},
        {"text": "It is white.", "external_id": "x"},
    ]
    other = jot.scoped(tenant="other")
    for many, single, items in (("add_many", "add", documents), ("remember_many", "remember", memories)):
        results = getattr(jot, many)(items)
        expected = [getattr(other, single)(**({"text": item} if isinstance(item, str) else item)) for item in items]
        assert [result.index for result in results] == list(range(len(items)))
        assert [result.receipt.duplicate for result in results] == [receipt.duplicate for receipt in expected]
        ids, others = [r.receipt.id for r in results], [r.id for r in expected]
        assert [ids.index(id) for id in ids] == [others.index(id) for id in others]
    assert stored(jot) == stored(other) == 8
    assert jot.recall("coffee").hits[0].source == "a.md"


def test_an_invalid_item_is_named_and_the_others_are_kept(jot):
    bad = [
        5,
        {"source": "a.md"},
        {"text": 3},
        {"text": "x", "colour": "red"},
        {"text": " "},
        {"text": "x", "date": "?"},
    ]
    results = jot.add_many([*bad, "A good text."])
    assert [str(result.error).split(":")[0] for result in results[:-1]] == [
        "invalid item 5",
        "an item has no text",
        "invalid text of type int",
        "unknown field 'colour'; allowed",
        "invalid text",
        "invalid date '?'",
    ]
    assert results[-1].receipt
    results = jot.remember_many([{"text": "x", "importance": 2}, {"text": "x", "tags": 5}, "It is red."])
    assert [bool(result.error) for result in results] == [True, True, False]
    assert stored(jot) == 2
    assert results[0].as_dict()["error"].startswith("invalid importance 2")
    for wrong in ("a text", None, ["x"] * 501):
        with pytest.raises(InvalidInput, match="items"):
            jot.add_many(wrong)
    assert jot.add_many([]) == []


def test_the_last_receipt_warns_of_a_backlog(open_jot, clock):
    jot = open_jot(soft_cap=10)
    jot.add("An old text.")
    clock.tick(3_600_000)
    results = jot.add_many([f"Text {n}." for n in range(9)] + [5])
    assert [bool(result.receipt and result.receipt.warnings) for result in results] == [False] * 8 + [True, False]


@pytest.mark.needs_server
def test_links_are_created_in_one_batch(jot):
    one, two = (result.receipt.id for result in jot.remember_many(["It is red.", "It is blue."]))
    link = {"source": one, "type": "LEADS_TO", "target": two}
    results = jot.knowledge.link_many([link, {**link, "type": "?"}, {**link, "target": "0" * 36}, {"source": one}])
    assert results[0].link.weight == 1
    assert [type(result.error) for result in results[1:]] == [InvalidInput, NotFound, InvalidInput]
    assert [other.id for other in jot.knowledge.graph(one).neighbours] == [two]


def test_a_memory_is_committed_with_the_rows_of_its_caller_or_not_at_all(jot):
    with jot.database.transaction() as tx:
        tx.execute("create table ticket (name text)")

    def book(name, fails):
        with jot.database.transaction() as tx:
            tx.execute("insert into ticket values (:name)", {"name": name})
            jot.add(f"Ticket {name}.", source=name, tx=tx)
            jot.remember(f"{name} is red.", tx=tx)
            jot.scoped(tenant="other").remember_many([f"{name} is blue."], tx=tx)
            if fails:
                raise KeyError(name)

    with pytest.raises(KeyError):
        book("first", fails=True)
    assert stored(jot) == 0
    book("second", fails=False)
    assert (stored(jot), stored(jot.scoped(tenant="other"))) == (2, 1)
    assert jot.recall("second").hits
    with jot.database.snapshot() as tx:
        assert tx.execute("select name from ticket") == [{"name": "second"}]
        assert tx.tenant == ""


def test_a_refused_memory_leaves_the_transaction_as_it_was(jot):
    with jot.database.transaction() as tx:
        with pytest.raises(InvalidInput):
            jot.remember("key", project="ghp_" + "a1B2" * 9, tx=tx)
        assert tx.tenant == ""
        jot.scoped(tenant="other").remember("It is red.", tx=tx)
    assert (stored(jot), stored(jot.scoped(tenant="other"))) == (0, 1)


def test_a_transaction_that_cannot_be_joined_is_refused(jot, tmp_path):
    of_another = pytest.raises(InvalidInput, match="invalid tx of tenant 'other': must be of tenant")
    with jot.database.transaction(tenant="other") as tx, of_another:
        jot.remember("It is red.", tx=tx)
    with jot.database.snapshot() as read:
        pass
    for ended in (tx, read):
        with pytest.raises(InvalidInput, match="invalid tx that has ended"):
            jot.add("It is red.", tx=ended)
    with pytest.raises(InvalidInput, match="invalid tx of type str"):
        jot.add("It is red.", tx="tx")
    elsewhere = pytest.raises(InvalidInput, match=r"invalid tx of .*another.db: must be an open transaction of")
    with Jotsam(tmp_path / "another.db", worker="off") as another, another.database.transaction() as tx, elsewhere:
        jot.add("It is red.", tx=tx)
    with pytest.raises(JotsamError, match="read-only"), jot.database.snapshot() as tx:
        jot.add("It is red.", tx=tx)
    assert stored(jot) == 0


def test_a_queue_of_the_caller_shares_the_transaction(jot, url):
    with Queue(url, "mail") as mail, mail.transaction() as tx:
        mail.send("hello", tx=tx)
        jot.remember("It is red.", tx=tx)
    assert stored(jot) == 1
