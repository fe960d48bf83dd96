"""The store: exact values by namespace and key, on each database and over HTTP."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from jotsam import Conflict, InvalidInput, NotFound

ANA = ("users", "ana")
SECRET = "AKIAQ3EGRIZ7XT5NVLWB"


def keys(found) -> list[str]:
    return [one.key for one in found]


@pytest.mark.needs_server
@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        "",
        "NUL \0, emoji 👩‍👩‍👧, quotes \" \\ ' and \x1f\x7f\u2028",
        {"token": SECRET, "password": "hunter2", "url": "postgres://ana:hunter2@host/db"},
        {"b": 1, "a": [1, 1.0, -0.0, 0.1, 1e308, 5e-324, 2**53 + 1, -(2**70), 10**400]},
        {"": {"": [[], {}, [None]]}},
        {"text": "  <private>kept</private>\r\n  "},
        "é" * 2_500_000,
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_comes_back_as_it_was_put(jot, value):
    for key in ("k", "é" * 1_000, "\0 👩‍👩‍👧 \"'", SECRET):
        jot.store.put((*ANA, "NUL \0", "l" * 1_000), key, value)
        found = jot.store.get((*ANA, "NUL \0", "l" * 1_000), key)
        assert (found.value, found.key, found.namespace) == (value, key, (*ANA, "NUL \0", "l" * 1_000))
        assert repr(found.value) == repr(value)


@pytest.mark.needs_server
def test_what_json_would_change_is_refused_with_the_reason(jot):
    deep: object = "x"
    for _ in range(200):
        deep = [deep]
    for value, reason in (
        (deep, "nested too deeply"),
        ((1, 2), "give a list"),
        ({1: "a"}, "a key of JSON is a string"),
        ({"a": [{"b": {1}}]}, "a set is no JSON"),
        (b"x", "a bytes is no JSON"),
        (float("nan"), "no NaN"),
        (-float("inf"), "no infinity"),
        ("\ud800", "unpaired surrogates"),
        (10**5_000, "more than 4,300 digits"),
        ({str(number): 1 for number in range(1_001)}, "1,001 fields"),
        ("x" * (8 << 20), "at most 8,388,608"),
    ):
        for call in (
            lambda value=value: jot.store.put(ANA, "k", value),
            lambda value=value: jot.store.put_many([{"namespace": ANA, "key": "k", "value": value}]),
            lambda value=value: jot.store.append(ANA, [value]),
        ):
            with pytest.raises(InvalidInput, match=reason):
                call()
    assert jot.store.search() == ()
    jot.store.put(ANA, "wide", {str(number): 1 for number in range(1_000)})
    assert len(jot.store.get(ANA, "wide").value) == 1_000
    with pytest.raises(InvalidInput, match="nested too deeply"):
        jot.store.put(ANA, "k", [deep_value(91)])
    jot.store.put(ANA, "k", [deep_value(90)])
    assert jot.store.get(ANA, "k").value == [deep_value(90)]


def deep_value(levels: int) -> object:
    value: object = "x"
    for _ in range(levels - 1):
        value = [value]
    return value


@pytest.mark.needs_server
def test_an_item_is_replaced_and_deleted_by_namespace_and_key(jot, clock):
    first = jot.store.put(ANA, "theme", {"color": "red", "size": 1})
    clock.tick(1_000)
    jot.store.put(ANA, "theme", {"color": "blue"}, text="sky")
    jot.store.put([*ANA, "old"], "theme", 1)
    item = jot.store.get([*ANA], "theme")
    assert (item.value, item.created_at, item.changed_at) == ({"color": "blue"}, first.at, first.at + 1_000)
    assert keys(jot.store.search(filter={"size": 1})) == keys(jot.store.search(query="red")) == []
    assert keys(jot.store.search(query="sky", filter={"color": "blue"})) == ["theme"]
    assert jot.store.delete(ANA, "theme").number == 1
    assert jot.store.delete(ANA, "theme").number == 0
    with pytest.raises(NotFound, match="no key 'theme' in the namespace \\['users', 'ana'\\]"):
        jot.store.get(ANA, "theme")
    assert jot.store.get([*ANA, "old"], "theme").value == 1


@pytest.mark.needs_server
def test_many_are_stored_all_or_none_and_read_in_the_order_of_their_keys(jot):
    items = [{"namespace": ANA, "key": str(number), "value": number} for number in range(500)]
    assert jot.store.put_many(items).number == 500
    again = [{"namespace": ANA, "key": "1", "value": "one"}, {"namespace": ANA, "key": "1", "value": "uno"}]
    assert jot.store.put_many(again).number == 1
    found = jot.store.get_many(ANA, ["7", "none", "1", "7", "499"])
    assert [(one.key, one.value) for one in found] == [("7", 7), ("1", "uno"), ("499", 499)]
    with pytest.raises(InvalidInput, match=r"items\[1\]: invalid value with \(1,\)"):
        jot.store.put_many(
            [{"namespace": ANA, "key": "new", "value": 1}, {"namespace": ANA, "key": "b", "value": (1,)}]
        )
    for wrong, reason in (
        ([{"namespace": ANA, "value": 1}], r"items\[0\] has no key"),
        ([{"namespace": ANA, "key": "a", "value": 1, "ttl": 5}], "unknown field 'ttl'"),
        (["text"], "must be a dict"),
        ([], "0 items"),
        (items + again, "502 items"),
    ):
        with pytest.raises(InvalidInput, match=reason):
            jot.store.put_many(wrong)
    assert jot.store.get_many(ANA, ["new"]) == ()


def test_a_wrong_address_is_refused(jot):
    for namespace in ((), ("",), "users", ("a", 1), ("\ud800",), ("a",) * 101):
        with pytest.raises(InvalidInput, match=r"namespace|label"):
            jot.store.put(namespace, "k", 1)
    for key in ("", 7, "\ud800"):
        with pytest.raises(InvalidInput, match="key"):
            jot.store.get(ANA, key)
    for call in (
        lambda: jot.store.put(ANA, "k", 1, ttl_ms=0),
        lambda: jot.store.put(ANA, "k", 1, text="NUL \0"),
        lambda: jot.store.get_many(ANA, []),
        lambda: jot.store.get_many(ANA, [str(number) for number in range(501)]),
        lambda: jot.store.append(ANA, []),
        lambda: jot.store.search(limit=0),
        lambda: jot.store.search(offset=-1),
        lambda: jot.store.namespaces(depth=0),
    ):
        with pytest.raises(InvalidInput):
            call()


@pytest.mark.needs_server
def test_ten_who_append_ten_at_once_get_a_hundred_positions(jot):
    with ThreadPoolExecutor(10) as pool:
        firsts = [*pool.map(lambda who: jot.store.append(ANA, [[who, one] for one in range(10)]).position, range(10))]
    assert sorted(firsts) == [*range(0, 100, 10)]
    found = jot.store.search(ANA, limit=1_000)[::-1]
    assert [one.position for one in found] == [*range(100)]
    assert [one.value[1] for one in found] == [*range(10)] * 10


@pytest.mark.needs_server
def test_the_last_is_popped_and_a_namespace_is_cleared(jot):
    with pytest.raises(NotFound, match="nothing was appended"):
        jot.store.pop(ANA)
    jot.store.put(ANA, "k", "put")
    jot.store.put((*ANA, "below"), "k", "stays")
    jot.store.append(ANA, ["one", {"two": [2]}])
    assert jot.store.pop(ANA).value == {"two": [2]}
    assert jot.store.append(ANA, ["again"]).position == 1
    assert [one.value for one in jot.store.search(ANA)] == ["again", "one", "stays", "put"]
    assert jot.store.clear(ANA).number == 3
    assert [one.value for one in jot.store.search()] == ["stays"]
    assert jot.store.append(ANA, ["first"]).position == 0


@pytest.mark.needs_server
def test_who_store_the_same_items_in_other_orders_wait_for_each_other(jot):
    items = [{"namespace": ANA, "key": str(number), "value": number} for number in range(40)]

    def call(number: int) -> int:
        if number % 4 == 3:
            return jot.store.clear(ANA).number
        return jot.store.put_many(items[:: 1 if number % 2 else -1]).number

    with ThreadPoolExecutor(8) as pool:
        assert {*pool.map(call, range(24))} <= {0, 40}


@pytest.mark.needs_server
def test_with_a_transaction_it_is_committed_with_what_else_is_written(jot):
    with pytest.raises(ZeroDivisionError), jot.database.transaction() as tx:
        jot.store.put(ANA, "k", 1, tx=tx)
        jot.store.append(ANA, [1], tx=tx)
        assert jot.store.get(ANA, "k", tx=tx).value == 1
        raise ZeroDivisionError
    assert jot.store.search() == ()
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        jot.store.put_many([{"namespace": ANA, "key": "k", "value": 1, "ttl_ms": 1_000}], tx=tx)
        jot.store.append(ANA, [1, 2], tx=tx)
        jot.remember("It is stored in the same transaction.", tx=tx)
        assert jot.store.pop(ANA, tx=tx).value == 2
        assert len(jot.store.search(ANA, tx=tx)) == len(jot.store.get_many(ANA, ["k"], tx=tx)) + 1 == 2
        assert jot.store.namespaces(tx=tx)[0].items == 2
        assert jot.store.delete(ANA, "none", tx=tx).number == 0
    assert [one.value for one in jot.store.search()] == [1, 1]
    with jot.database.transaction() as tx:
        assert jot.store.clear(ANA, tx=tx).number == 2
    with pytest.raises(InvalidInput, match="that has ended"):
        jot.store.get(ANA, "k", tx=tx)
    with jot.database.transaction(tenant="eve") as tx, pytest.raises(InvalidInput, match="of tenant 'eve'"):
        jot.store.put(ANA, "k", 1, tx=tx)


@pytest.mark.needs_server
def test_nothing_of_another_tenant_is_seen_or_changed(jot):
    other = jot.scoped(tenant="other")
    jot.store.put(ANA, "k", {"whose": "ours"})
    other.store.put(ANA, "k", {"whose": "theirs"})
    other.store.append(ANA, ["x"])
    for query in (None, "ours theirs x"):
        assert [one.value for one in jot.store.search(query=query)] == [{"whose": "ours"}]
    assert jot.store.search(filter={"whose": "theirs"}) == ()
    assert [one.items for one in jot.store.namespaces()] == [1]
    with pytest.raises(NotFound):
        jot.store.pop(ANA)
    assert jot.store.clear(ANA).number == 1
    assert other.store.get(ANA, "k").value == {"whose": "theirs"}


@pytest.mark.needs_server
def test_what_has_expired_is_gone_and_reading_it_before_lets_it_begin_again(open_jot, clock):
    jot = open_jot()
    jot.store.put(ANA, "k", {"a": "word"}, ttl_ms=10_000)
    jot.store.append(ANA, ["word"], ttl_ms=10_000)
    jot.store.put(ANA, "stays", 1)
    clock.tick(9_000)
    assert jot.store.get(ANA, "k", refresh=False).expires_at == clock.now + 1_000
    assert jot.store.get(ANA, "k").expires_at == clock.now + 10_000
    clock.tick(9_999)
    assert keys(jot.store.search(ANA, refresh=False)) == ["stays", "k"]
    assert keys(jot.store.search(ANA, query="word")) == ["k"]
    clock.tick(9_999)
    assert keys(jot.store.get_many(ANA, ["k"])) == ["k"]
    clock.tick(10_000)
    assert keys(jot.store.search(ANA)) == ["stays"]
    assert jot.store.search(filter={"a": "word"}) == jot.store.search(query="word") == ()
    assert [one.items for one in jot.store.namespaces()] == [1]
    assert jot.store.delete(ANA, "k").number == 0
    with pytest.raises(NotFound):
        jot.store.pop(ANA)
    jot.store.put(ANA, "late", 1, ttl_ms=1)
    clock.tick(1)
    assert jot.store.put(ANA, "late", 2).at == jot.store.get(ANA, "late").created_at


@pytest.mark.needs_server
def test_the_worker_deletes_what_has_expired_of_a_tenant_that_only_stores(open_jot, clock):
    jot = open_jot(tenant="store-only")
    jot.store.append(ANA, [*range(250)], ttl_ms=1_000)
    jot.store.put(ANA, "stays", 1, ttl_ms=5_000)
    clock.tick(1_000)
    assert jot.admin.expired().items == 250
    while jot.admin.expired().items:
        jot.work()
    with jot.database.snapshot(tenant="store-only") as tx:
        assert tx.execute("select count(*) as n from item") == [{"n": 1}]
        assert tx.execute("select count(*) as n from item_word") == [{"n": 0}]
    assert keys(jot.store.search()) == ["stays"]


@pytest.mark.needs_server
def test_a_secret_is_refused_where_the_settings_say_so_and_nothing_else_is_changed(open_jot):
    jot = open_jot(store_secrets="refuse")
    for call in (
        lambda: jot.store.put(ANA, "k", {"token": SECRET}),
        lambda: jot.store.put(ANA, SECRET, 1),
        lambda: jot.store.put(("users", SECRET), "k", 1),
        lambda: jot.store.append(ANA, ["fine", SECRET]),
    ):
        with pytest.raises(InvalidInput, match="looks like a secret") as refused:
            call()
        assert SECRET not in str(refused.value)
    assert jot.store.search() == ()
    jot.knowledge.allow(SECRET, reason="an example")
    jot.store.put(ANA, "k", {"token": SECRET})
    assert jot.store.get(ANA, "k").value == {"token": SECRET}


@pytest.mark.needs_server
def test_an_export_has_every_item_as_it_is_and_an_import_keeps_what_is_there(jot, tmp_path, clock):
    jot.store.put((*ANA, "\0"), "\0 k", {"token": SECRET, "nul": "\0", "n": [2**70, -0.0]}, text="Helix")
    jot.store.append(ANA, ["one", {"a": 1}], ttl_ms=10_000)
    before = jot.store.search(refresh=False)
    assert jot.export(tmp_path / "all.jsonl").counts["item"] == 3
    jot.remember("It is of a session.", session="s")
    assert "item" not in jot.export(tmp_path / "some.jsonl", session="s").counts
    assert jot.import_memories(tmp_path / "all.jsonl").duplicates["item"] == 3
    for place in (ANA, (*ANA, "\0")):
        jot.store.clear(place)
    jot.store.put((*ANA, "\0"), "\0 k", "newer")
    clock.tick(5_000)
    found = jot.import_memories(tmp_path / "all.jsonl")
    assert (found.added["item"], found.duplicates["item"], found.invalid) == (2, 1, 0)
    newer, *rest = jot.store.search(refresh=False)[::-1]
    unlike = [one.replace(version=0) for one in rest]  # An item that is there again has another version.
    assert (newer.value, unlike) == ("newer", [one.replace(version=0) for one in before[1::-1]])
    assert [one.value for one in jot.store.search(ANA, filter={"a": 1}, refresh=False)] == [{"a": 1}]
    assert jot.store.append(ANA, ["next"]).position == 2
    lines = (tmp_path / "all.jsonl").read_text().splitlines()
    for wrong, reason in (
        (('"key":"\\"\\\\u0000 k\\""', '"key":"k"'), "is not JSON"),
        (("[1180591620717411303424,-0.0]", "[NaN]"), "no NaN"),
    ):
        changed = [line.replace(*wrong) for line in lines]
        assert changed != lines
        (tmp_path / "changed.jsonl").write_text("\n".join(changed) + "\n")
        (problem,) = jot.import_memories(tmp_path / "changed.jsonl").problems
        assert reason in problem.reason


@pytest.mark.needs_server
def test_an_item_is_put_or_deleted_only_if_it_has_the_version_that_was_read(jot):
    assert jot.store.put(ANA, "k", 1, version=0).version == jot.store.get(ANA, "k").version
    read = jot.store.get(ANA, "k").version
    now = jot.store.put(ANA, "k", 2, version=read).version
    assert now != read
    wrong = {"namespace": ANA, "key": "k", "value": 3}
    for call in (
        lambda: jot.store.put(ANA, "k", 3, version=read),
        lambda: jot.store.put(ANA, "k", 3, version=0),
        lambda: jot.store.put(ANA, "none", 3, version=now),
        lambda: jot.store.delete(ANA, "k", version=read),
        lambda: jot.store.put_many([{**wrong, "key": "new"}, {**wrong, "version": read}]),
        lambda: jot.store.put_many([{**wrong, "key": "new"}], delete=[{"namespace": ANA, "key": "k", "version": read}]),
    ):
        with pytest.raises(Conflict, match="read it again"):
            call()
    assert [(one.key, one.value) for one in jot.store.search()] == [("k", 2)]
    again = {"namespace": ANA, "key": "k", "value": "again", "version": 0}
    assert jot.store.put_many([again], delete=[{"namespace": ANA, "key": "k"}]).number == 2
    with pytest.raises(Conflict):
        jot.store.delete(ANA, "k", version=now)  # Another item is in its place.
    version = jot.store.get(ANA, "k").version
    gone = [{"namespace": ANA, "key": "k", "version": version}, {"namespace": ANA, "key": "none"}]
    assert jot.store.put_many([], delete=gone).number == 1
    assert jot.store.search() == ()
    with pytest.raises(InvalidInput, match=r"delete\[0\]: invalid key ''"):
        jot.store.put_many([], delete=[{"namespace": ANA, "key": ""}])
    with pytest.raises(InvalidInput, match="0 items"):
        jot.store.put_many([])


@pytest.mark.needs_server
def test_of_many_who_count_by_the_version_that_they_read_nobody_counts_in_vain(jot):
    def count(_: int) -> None:
        while True:
            found = jot.store.get_many(ANA, ["n"])
            value, version = (found[0].value, found[0].version) if found else (0, 0)
            try:
                jot.store.put(ANA, "n", value + 1, version=version)
            except Conflict:
                continue
            return

    with ThreadPoolExecutor(8) as pool:
        [*pool.map(count, range(24))]
    assert jot.store.get(ANA, "n").value == 24


@pytest.mark.needs_server
def test_an_item_that_has_expired_counts_as_none(open_jot, clock):
    jot = open_jot()
    old = jot.store.put(ANA, "k", 1, ttl_ms=1_000).version
    clock.tick(1_000)
    with pytest.raises(Conflict, match="does not exist"):
        jot.store.put(ANA, "k", 2, version=old)
    assert jot.store.put(ANA, "k", 2, version=0).version != old
    assert jot.store.get(ANA, "k").created_at == clock.now


@pytest.mark.needs_server
def test_a_conflict_in_a_transaction_of_the_caller_writes_nothing(open_jot):
    jot = open_jot()
    jot.store.put(ANA, "k", 1)
    with jot.database.transaction() as tx:
        with pytest.raises(Conflict):
            jot.store.put_many(
                [
                    {"namespace": ANA, "key": "new", "value": 1},
                    {"namespace": ANA, "key": "k", "value": 2, "version": 0},
                ],
                tx=tx,
            )
        jot.store.put(ANA, "other", 1, tx=tx)
    assert sorted(keys(jot.store.search())) == ["k", "other"]
