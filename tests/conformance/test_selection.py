"""Selections: which memories and documents `list`, `forget` and `export` choose."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.memory.reading.selection import checked, resolve
from jotsam.storage.memories import selection

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import StandingClock
    from jotsam import Jotsam

DAY_MS = 86_400_000


def chosen(jot: Jotsam, *, history: bool = True, **options: Any) -> set[str]:
    """The first word of each selected memory, read in pages of two, and of each selected document."""
    words = set()
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        wanted = resolve(tx, checked(options), history=history)
        numbers: list[int] = []
        while page := selection.memories(tx, wanted, after=numbers[-1] if numbers else 0, limit=2):
            numbers += page
        assert numbers == sorted(set(numbers))
        for number in numbers:
            words |= {row["body"].split()[0] for row in tx.execute(f"select body from memory where id = {number}")}
        for row in selection.documents(tx, wanted, limit=100):
            body = tx.execute(f"select body from document where id = {row['id']}")[0]["body"]
            words.add(body.split()[0].upper())
    return words


@pytest.fixture
def stored(jot: Jotsam, clock: StandingClock) -> Jotsam:
    about: dict[str, Any] = {"metadata": {"size": 5, "state": "open"}}
    jot.remember("one", tags=["Zoo", "wild"], type="Decision", importance=0.9, project="a", session="s", **about)
    about = {"metadata": {"size": 40, "state": "open"}, "external_id": "x-2"}
    jot.remember("two", tags=["zoo"], type="custom", importance=0.2, project="b", actor="Ada", **about)
    jot.remember("three", said_at=clock.now - 10 * DAY_MS, source="notes.md", project="a")
    jot.add("four is a chunk of a document", source="doc.md", project="a", key="chunked")
    jot.work()
    clock.tick(DAY_MS)
    jot.remember("five", valid_until=clock.now - 1, tags=["ÉCOLE"])
    jot.add("six is not chunked yet", source="later.md", actor="Ada", session="s")
    return jot


def test_a_selection_matches_every_given_field(stored: Jotsam, clock: StandingClock) -> None:
    everything = {"one", "two", "three", "four", "FOUR", "five", "SIX"}
    document = next(iter(stored.recall("four chunk document").hits)).document
    two = stored.show("x-2").id
    cases: list[tuple[dict[str, Any], set[str]]] = [
        ({}, everything),
        ({"tags": ["ZOO"]}, {"one", "two"}),
        ({"tags": ["zoo", "wild"]}, {"one", "two"}),
        ({"tags": ["zoo", "WILD"], "every_tag": True}, {"one"}),
        ({"tags": ["école"]}, {"five"}),
        ({"tags": ["none"]}, set()),
        ({"types": ["decision", "CUSTOM"]}, {"one", "two"}),
        ({"project": "a"}, {"one", "three", "four", "FOUR"}),
        ({"project": "a", "tags": ["zoo"]}, {"one"}),
        ({"session": "s"}, {"one", "SIX"}),
        ({"actor": "Ada"}, {"two", "SIX"}),
        ({"source": "notes.md"}, {"three"}),
        ({"source": "later.md"}, {"SIX"}),
        ({"source": "doc.md"}, {"four", "FOUR"}),
        ({"document": document}, {"four", "FOUR"}),
        ({"ids": [document, "x-2"]}, {"four", "FOUR", "two"}),
        ({"ids": [two[:13]], "project": "a"}, set()),
        ({"until": clock.now - 5 * DAY_MS}, {"three"}),
        ({"since": clock.now}, {"five", "SIX"}),
        ({"since": clock.now - 11 * DAY_MS, "before": clock.now}, everything - {"five", "SIX"}),
        ({"min_importance": 0.5}, {"one"}),
        ({"metadata": {"size": 5}}, {"one"}),
        ({"metadata": {"state": "open"}}, {"one", "two"}),
        ({"metadata": {"state": "open", "size": {"$gt": 5}}}, {"two"}),
        ({"metadata": {"size": {"$lte": 40}}, "project": "a"}, {"one"}),
        ({"metadata": {"size": None}}, {"three", "four", "five"}),
        ({"metadata": {"size": {"$gt": 40}}}, set()),
        ({"metadata": {}}, everything),
    ]
    wrong = [(options, found) for options, words in cases if (found := chosen(stored, **options)) != words]
    assert wrong == []
    assert chosen(stored, history=False) == everything - {"five"}


def test_a_selection_is_the_same_whether_or_not_it_is_narrowed(stored: Jotsam, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: dict[str, Any] = {"tags": ["zoo"], "types": ["custom"], "project": "b"}
    expected = chosen(stored, **wanted)
    monkeypatch.setattr(selection, "MAX_NARROWED", 0)
    assert chosen(stored, **wanted) == chosen(stored, metadata={"state": "open", "size": 40}) == expected == {"two"}


def test_a_selection_of_another_tenant_selects_nothing_of_this(stored: Jotsam, open_jot: Callable[..., Jotsam]) -> None:
    other = open_jot(tenant="other")
    assert chosen(other) == set()
    with pytest.raises(NotFound, match="there is no document or memory"):
        chosen(other, ids=[stored.show("x-2").id])


def test_invalid_options_are_refused(jot: Jotsam) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"tag": ["zoo"]}, "unknown field 'tag'"),
        ({"tags": "zoo"}, "invalid tags 'zoo'"),
        ({"types": [1]}, "invalid types 1"),
        ({"ids": [""]}, "invalid ids ''"),
        ({"project": 1}, "invalid project 1"),
        ({"since": "soon"}, "invalid since 'soon'"),
        ({"every_tag": "yes"}, "invalid every_tag 'yes'"),
        ({"min_importance": 2}, "invalid min_importance 2"),
        ({"tags": [str(number) for number in range(101)]}, "invalid number of tags 101"),
        ({"metadata": {"size": {"$near": 1}}}, r"invalid metadata of 'size': '\$near' is not one of"),
    ]
    for options, message in cases:
        with pytest.raises(InvalidInput, match=message):
            chosen(jot, **options)


def test_a_list_is_read_page_by_page_newest_or_most_important_first(stored: Jotsam, clock: StandingClock) -> None:
    def words(**options: Any) -> list[str]:
        found, after = [], None
        while True:
            page = stored.list(after=after, limit=2, **options)
            found += [memory.text.split()[0] for memory in page.memories]
            if (after := page.next) is None:
                return found

    # Memories of one moment are in the order in which they were stored, and a file that was added is not older.
    assert words() == ["four", "two", "one", "three"]
    assert words(history=True) == ["five", "four", "two", "one", "three"]
    by_importance = words(order="importance")
    assert by_importance[0] == "one"
    assert sorted(by_importance) == sorted(words())
    ranks = [memory.importance or -1 for memory in stored.list(order="importance").memories]
    assert ranks == sorted(ranks, reverse=True)
    assert words(tags=["zoo"]) == ["two", "one"]
    assert words(until=clock.now - 5 * DAY_MS) == ["three"]
    assert words(order="importance", min_importance=0.9) == ["one"]
    assert words(since=clock.now - DAY_MS, order="importance")[0] == "one"
    assert words(tags=["none"]) == []
    assert stored.list().pending == 1
    assert stored.list(source="later.md").pending == 1
    assert stored.list(tags=["zoo"]).pending == 0


@pytest.mark.needs_server
def test_a_page_is_the_same_whether_or_not_its_selection_is_narrowed(
    stored: Jotsam, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[dict[str, Any]] = [{"tags": ["zoo"]}, {"project": "a"}, {"actor": "Ada"}, {"source": "notes.md"}]
    wanted += [{"until": stored.get("x-2").created_at}, {"min_importance": 0.5}, {"types": ["decision"]}]
    wanted += [{"metadata": {"state": "open"}}, {"metadata": {"size": {"$gte": 5}}}]
    narrow = [[stored.list(order=order, **one) for order in ("newest", "importance")] for one in wanted]
    monkeypatch.setattr(selection, "MAX_NARROWED", 0)
    assert [[stored.list(order=order, **one) for order in ("newest", "importance")] for one in wanted] == narrow
    assert all(pages[0].memories for pages in narrow)


@pytest.mark.needs_server
def test_pages_of_a_filter_by_metadata_have_each_memory_once_and_look_at_a_limited_number(
    jot: Jotsam, monkeypatch: pytest.MonkeyPatch
) -> None:
    jot.remember_many([{"text": f"Note {n}.", "metadata": {"n": n}, "importance": n % 3 / 2} for n in range(60)])
    wanted: dict[str, Any] = {"metadata": {"n": {"$gte": 10, "$lt": 20}}, "limit": 4}
    monkeypatch.setattr(selection, "MOST_AT_ONCE", 10)
    for order, most in product(selection.ORDERS, (selection.MOST_COMPARED, 7)):
        monkeypatch.setattr(selection, "MOST_COMPARED", most)
        pages = [jot.list(order=order, **wanted)]
        while pages[-1].next is not None:
            pages.append(jot.list(order=order, after=pages[-1].next, **wanted))
        found = [int(memory.metadata["n"]) for page in pages for memory in page.memories]
        assert sorted(found) == [*range(10, 20)]
        sizes = [len(page.memories) for page in pages]
        assert sizes == [4, 4, 2] if most > 60 else 0 in sizes
    assert jot.list(metadata={"n": {"$gt": 60}}, limit=200).memories == ()


def test_what_is_added_between_two_pages_changes_no_later_page(jot: Jotsam, clock: StandingClock) -> None:
    for number in range(4):
        clock.tick(1)
        jot.remember(f"memory {number}")
    first = jot.list(limit=2)
    clock.tick(1)
    jot.remember("memory 4")
    second = jot.list(limit=2, after=first.next)
    assert [memory.text[-1] for memory in (*first.memories, *second.memories)] == ["3", "2", "1", "0"]
    assert second.next is None


def test_get_returns_every_field_of_a_memory(jot: Jotsam, clock: StandingClock) -> None:
    given: dict[str, Any] = {
        "type": "Decision",
        "tags": ("b", "a"),
        "importance": 0.5,
        "confidence": 0.25,
        "actor": "Ada",
        "metadata": {"k": [1, None]},
        "session": "s",
        "position": 7,
        "said_at": 1,
        "valid_from": 2,
        "project": "p",
        "valid_until": 3,
        "external_id": "x-1",
        "source": "notes",
    }
    id = jot.remember("the text", **given).id
    memory = jot.get("x-1")
    assert memory == jot.get(id) == jot.get(id[:13]) == jot.list(history=True).memories[0]
    assert {name: getattr(memory, name) for name in given} == {**given, "tags": ("a", "b")}
    assert (memory.text, memory.id, memory.created_at, memory.version) == ("the text", id, clock.now, 1)
    newer = jot.remember("a newer text").id
    jot.supersede(id, newer)
    assert (jot.get(id).superseded_at, jot.get(id).superseded_by) == (clock.now, newer)
    with pytest.raises(NotFound, match="is a document: give the id of a memory"):
        jot.get(jot.add("a document").id)


def test_an_invalid_page_is_refused(jot: Jotsam) -> None:
    jot.remember("one", importance=0.5)
    jot.remember("two")
    cursor = jot.list(limit=1).next
    cases: list[tuple[dict[str, Any], str]] = [
        ({"limit": 0}, "invalid limit 0: must be an integer from 1 to 200"),
        ({"limit": 201}, "invalid limit 201"),
        ({"order": "oldest"}, "invalid order 'oldest': must be one of newest, importance"),
        ({"history": "yes"}, "invalid history 'yes'"),
        ({"after": "nonsense"}, "invalid after 'nonsense': must be the `next` of a page in the same order"),
        ({"after": 7}, "invalid after 7"),
        ({"after": cursor, "order": "importance"}, "in the same order"),
    ]
    for options, message in cases:
        with pytest.raises(InvalidInput, match=message):
            jot.list(**options)
