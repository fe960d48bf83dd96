"""Selections: which memories and documents `list`, `forget` and `export` choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.memory.selection import checked, resolve
from jotsam.storage import selection

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
    jot.remember("one", tags=["Zoo", "wild"], type="Decision", importance=0.9, project="a", session="s")
    jot.remember("two", tags=["zoo"], type="custom", importance=0.2, project="b", actor="Ada", external_id="x-2")
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
    ]
    wrong = [(options, found) for options, words in cases if (found := chosen(stored, **options)) != words]
    assert wrong == []
    assert chosen(stored, history=False) == everything - {"five"}


def test_a_selection_is_the_same_whether_or_not_it_is_narrowed(stored: Jotsam, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = chosen(stored, tags=["zoo"], types=["custom"], project="b")
    monkeypatch.setattr(selection, "MAX_NARROWED", 0)
    assert chosen(stored, tags=["zoo"], types=["custom"], project="b") == expected == {"two"}


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
    ]
    for options, message in cases:
        with pytest.raises(InvalidInput, match=message):
            chosen(jot, **options)
