"""The store: what a search, a filter and a list of namespaces find."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jotsam import InvalidInput
from jotsam.memory.reading.item_index import sort_text
from jotsam.storage.statements import statement

VALUES = (
    *(-(10**30), -1e300, -123.5, -123, -12, -1.25, -1.2, -1, -1e-300, 0, 5e-324, 0.1, 1, 1.5, 2, 10, 2**53, 2**53 + 1),
    *(1e300, 10**400, "", "\0", "\x01", "\x01a", "a", "a\0", "a\x01", "a\x02b", "ab", "b"),
    *("x" * 199, "x" * 200, "x" * 300, "é", "数据", "👩"),
)


def keys(found) -> list[str]:
    return sorted(one.key for one in found)


def put_all(jot, **values) -> None:
    jot.store.put_many([{"namespace": ("n",), "key": key, "value": value} for key, value in values.items()])


@pytest.mark.needs_server
def test_each_operator_compares_as_python_does(jot):
    jot.store.put_many([{"namespace": ("n",), "key": str(at), "value": {"v": one}} for at, one in enumerate(VALUES)])
    operators = {
        "$eq": lambda one, other: one == other,
        "$gt": lambda one, other: one > other,
        "$gte": lambda one, other: one >= other,
        "$lt": lambda one, other: one < other,
        "$lte": lambda one, other: one <= other,
    }
    for wanted in VALUES:
        for name, holds in operators.items():
            same = [(at, one) for at, one in enumerate(VALUES) if isinstance(one, str) == isinstance(wanted, str)]
            expected = sorted(str(at) for at, one in same if holds(one, wanted))
            assert keys(jot.store.search(filter={"v": {name: wanted}})) == expected, (name, wanted)
        unequal = sorted(str(at) for at, one in enumerate(VALUES) if one != wanted)
        assert keys(jot.store.search(filter={"v": {"$ne": wanted}})) == unequal


NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(max_size=150)


@given(st.tuples(NUMBERS, NUMBERS) | st.tuples(TEXTS, TEXTS) | st.tuples(st.booleans(), st.booleans()))
@example((2**53 + 1, float(2**53)))
@example((-1.25, -1.2))
@example((0, -0.0))
@example(("a\0", "a"))
def test_values_are_compared_in_their_order(pair):
    one, other = pair
    first, second = sort_text(one), sort_text(other)
    assert (first == second, first < second, first > second) == (one == other, one < other, one > other)


@pytest.mark.needs_server
def test_an_absent_field_counts_as_null_and_conditions_add_up(jot):
    put_all(
        jot,
        a={"n": 1, "t": "x", "b": True},
        b={"n": 2, "t": None, "b": False},
        c={"n": 3},
        d={"n": [1], "t": {"$eq": 1}},
        e="no object",
    )
    for filter, expected in (
        ({}, "abcde"),
        ({"t": None}, "bce"),
        ({"t": {"$ne": None}}, "ad"),
        ({"n": {"$ne": 1}}, "bcde"),
        ({"n": {"$gt": 1}}, "bc"),
        ({"n": {"$gte": 1, "$lt": 3}}, "ab"),
        ({"n": {"$gte": 1}, "t": "x"}, "a"),
        ({"n": {"$gte": 1}, "t": {"$ne": "x"}}, "bc"),
        ({"b": True}, "a"),
        ({"b": {"$lt": True}}, "b"),
        ({"n": True}, ""),
        ({"n": "1"}, ""),
        ({"n" * 101: None}, "abcde"),
    ):
        assert "".join(keys(jot.store.search(filter=filter))) == expected, filter
    for wrong, reason in (
        ({"n": [1]}, "no text, number, true, false or null"),
        ({"n": {"$in": [1]}}, "'\\$in' is not one of \\$eq"),
        ({"n": {"a": 1}}, "'a' is not one of"),
        ({"n": {}}, "has no operator"),
        ({"n": {"$gt": None}}, "nothing is above or below null"),
        ({"n": float("nan")}, "no NaN"),
    ):
        with pytest.raises(InvalidInput, match=reason):
            jot.store.search(filter=wrong)


@pytest.mark.needs_server
def test_a_search_stays_below_its_namespace_and_lists_every_equal_value(jot):
    places = [("a",), ("a", "b"), ("a", "b", "c"), ("ab",), ("a,", "b"), ('a"', "b"), ("a]",), ("A",), ("é" * 300, "x")]
    places += [("é" * 300, "x", "y"), ("é" * 300, "xx"), ("\0",), ("\0", "b"), ("\0b",)]
    for at, place in enumerate(places):
        jot.store.put(place, str(at), {"text": "the same words", "at": at})
    for path in ((), *places, ("é" * 300,), ("b",), ("a", "b", "c", "d")):
        expected = sorted(str(at) for at, one in enumerate(places) if one[: len(path)] == path)
        for query in (None, "same"):
            assert keys(jot.store.search(path, query=query)) == expected, path
        assert keys(jot.store.search(path, filter={"at": {"$gte": 0}})) == expected, path
        assert sum(one.items for one in jot.store.namespaces(prefix=path)) == len(expected), path


@pytest.mark.needs_server
def test_pages_go_on_where_the_last_one_ended(jot):
    put_all(jot, **{f"{number:03d}": {"text": f"apple {'pie ' * number}", "n": number} for number in range(60)})
    below = {"n": {"$lt": 55}}
    for query, filter in ((None, None), ("apple pies", None), (None, {"n": {"$gte": 0}}), ("apple", below)):
        whole = [one.key for one in jot.store.search(("n",), query=query, filter=filter, limit=1_000)]
        paged = [
            one.key
            for offset in range(0, 70, 7)
            for one in jot.store.search(("n",), query=query, filter=filter, limit=7, offset=offset)
        ]
        assert paged == whole
        assert len(whole) == (55 if filter is below else 60)
    assert [one.key for one in jot.store.search(limit=2)] == ["059", "058"]


@pytest.mark.needs_server
def test_words_find_the_best_match_first(jot):
    put_all(
        jot,
        tea={"likes": ["Green teas", {"and": "biscuits"}]},
        coffee={"likes": "coffee and biscuits"},
        long={"likes": "biscuits " + "other things " * 200},
        chinese={"likes": "我们使用SQLite数据库"},
        own="nothing of this is searched",
        none={"likes": "tea"},
    )
    jot.store.put(("n",), "own", "nothing of this", text="Straße")
    jot.store.put(("n",), "none", "tea", text="")
    assert [one.key for one in jot.store.search(query="green tea biscuit")] == ["tea", "coffee", "long"]
    best, *_, worst = (one.score for one in jot.store.search(query="green tea biscuit"))
    assert 1 > best > worst > 0
    for query, found in (("数据", "chinese"), ("STRASSE", "own"), ("nothing", ""), ("?!", ""), ("likes", "")):
        assert "".join(keys(jot.store.search(query=query))) == found, query
    assert len(jot.store.search(query="")) == 6


@pytest.mark.needs_server
def test_namespaces_are_listed_by_prefix_suffix_and_depth_with_counts(jot):
    for place in (("a", "b", "c"), ("a", "b", "d"), ("a", "x"), ("b", "c"), ("c",)):
        jot.store.put(place, "one", 1)
        jot.store.put(place, "two", 2)
    listed = lambda **options: [(*one.namespace, one.items) for one in jot.store.namespaces(**options)]  # noqa: E731
    assert listed() == [("a", "b", "c", 2), ("a", "b", "d", 2), ("a", "x", 2), ("b", "c", 2), ("c", 2)]
    assert listed(prefix=["a", "b"]) == [("a", "b", "c", 2), ("a", "b", "d", 2)]
    assert listed(suffix=["c"]) == [("a", "b", "c", 2), ("b", "c", 2), ("c", 2)]
    assert listed(prefix=["a"], suffix=["b", "c"], depth=2) == [("a", "b", 2)]
    assert listed(depth=1) == [("a", 6), ("b", 2), ("c", 2)]
    assert listed(depth=2, limit=2, offset=1) == [("a", "x", 2), ("b", "c", 2)]
    assert listed(prefix=["no"]) == listed(offset=9) == []


@pytest.mark.needs_server
def test_no_statement_of_the_store_reads_a_whole_table(jot):
    put_all(jot, **{str(number): {"n": number, "text": "word"} for number in range(300)})
    dialect, explain, whole = ("sqlite", "explain query plan", r"SCAN (i|f|w|o|item\w*)\b|\(tenant=\?\)")
    if not jot.database.is_file:
        dialect, explain, whole = ("postgres", "explain", "Seq Scan")
    place = {"low": "[", "high": "[^", "head": None, "limit": 9, "offset": 0, "conditions": '[["n","n1","n2","0"]]'}
    own = {"place": '["n"]', "namespace": '["n"]'}
    params = {
        "below": place,
        "filtered": {**place, "name": "n", "least": "n2", "most": "n3"},
        "namespaces": place,
        "found": {"addresses": '["a"]'},
        "known": {"addresses": '["a"]'},
        "rows": {"ids": "[1]"},
        "size": {"ids": "[1]"},
        "forget": {"ids": "[1]"},
        "matching": {**place, "words": '["word"]'},
        "refresh": {"address": "a"},
        "delete": {"address": "a"},
        "remove_words": {"ids": "[1]"},
        "remove_fields": {"ids": "[1]"},
        "next_position": own,
        "last": own,
        "clear": own,
        "expired": {"limit": 9},
    }
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        if dialect == "postgres":
            tx.execute("set local enable_seqscan = off")
        for name, given_values in params.items():
            plan = tx.execute(f"{explain} {statement(dialect, f'items.{name}')}", given_values)
            steps = [
                str(step) for step in plan if "COVERING INDEX item_place (tenant=?)" not in str(step)
            ]  # It counts.
            assert not re.search(whole, "\n".join(steps)), (name, plan)
