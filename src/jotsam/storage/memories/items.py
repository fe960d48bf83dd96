"""Items of the store: exact values of a tenant by namespace and key. See `core.exact_json` for what a value is.

A path is the JSON text of labels without the last bracket: what is below it begins with that text.
"""

from __future__ import annotations

import json
import os

from jotsam.core.errors import Conflict
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jotsam.storage.database import Row, Transaction, Value

PLACE = 200  # characters of a namespace that are indexed
AFTER = "\x01"  # behind a text it is the next one in order: no text has NUL
ROWS = 5_000  # that one statement inserts
PAGE = 16  # of an export: a value may have 8 MB


class Condition(Record):
    """A range of values of a field, in the order of `item_field.sort`; negated: no value in it."""

    name: str
    low: str
    high: str  # not in the range itself
    negated: bool = False


class Indexed(Record):
    """An item with what finds it: names and values of its fields, words with their weights, and unit vectors."""

    row: Row
    is_new: bool = False  # it replaces none
    fields: Sequence[tuple[str, str]] = ()
    words: Sequence[tuple[str, float]] = ()
    vectors: Sequence[bytes] = ()


class Found(Record):
    """Where a search looks, and which part of what it finds is wanted."""

    path: str
    conditions: Sequence[Condition] = ()
    limit: int
    offset: int = 0


def address(namespace: str, key: str) -> str:
    """The address of an item. JSON text has no line breaks."""
    from hashlib import sha256

    return sha256(f"{namespace}\n{key}".encode()).hexdigest()


def lock_all(tx: Transaction) -> None:
    """Let those who change several items wait for each other: they may lock the same rows in other orders."""
    tx.lock(f"store {tx.tenant}")


def versions(tx: Transaction, addresses: Iterable[str]) -> dict[str, int]:
    """The versions of the items that exist, which no other transaction changes until this one ends.

    Those that have expired are deleted.
    """
    rows = tx.all("items.versions", addresses=json.dumps(sorted(addresses)))
    tx.run_many("items.delete", [{"address": row["address"]} for row in rows if row["has_expired"]])
    return {row["address"]: row["version"] for row in rows if not row["has_expired"]}


def put(tx: Transaction, given: Iterable[Indexed]) -> list[tuple[int, bool]]:
    """Create or replace items. Returns the version of each, and whether it is new. Raises `Conflict`.

    What finds them is many rows, so it is written at once.
    """
    replaced = list[int]()
    results: list[tuple[int, bool]] = []
    fields: list[tuple[Value, ...]] = []
    words: list[tuple[Value, ...]] = []
    vectors: list[dict[str, Value]] = []
    for one in given:
        namespace, key = one.row["namespace"], one.row["key"]
        own = {"place": namespace[:PLACE], "address": address(namespace, key), "size": len(one.row["value"].encode())}
        version = 1 + int.from_bytes(os.urandom(6))  # So an item that is deleted and put again has another one.
        saved = tx.one("items.put", version=version, **one.row, **own)
        assert saved is not None
        results.append((saved["version"], saved["version"] == version))
        if saved["version"] != version:
            if one.is_new:
                raise Conflict(f"another call has put the key {key} meanwhile: read it again")
            replaced.append(saved["id"])
        fields += ((saved["id"], *pair) for pair in one.fields)
        words += ((saved["id"], *pair) for pair in one.words)
        vectors += ({"item_id": saved["id"], "number": at, "bytes": each} for at, each in enumerate(one.vectors))
    if replaced:
        tx.run("items.remove_fields", ids=json.dumps(replaced))
        tx.run("items.remove_words", ids=json.dumps(replaced))
        tx.run("items.remove_vectors", ids=json.dumps(replaced))
    for begin in range(0, len(fields), ROWS):
        tx.run("items.add_fields", fields=json.dumps(fields[begin : begin + ROWS]))
    for begin in range(0, len(words), ROWS):
        tx.run("items.add_words", words=json.dumps(words[begin : begin + ROWS]))
    if vectors:
        tx.run_many("items.add_vector", vectors)
    return results


def known(tx: Transaction, addresses: Iterable[str]) -> set[str]:
    """Which addresses have an item, expired or not."""
    return {row["address"] for row in tx.all("items.known", addresses=json.dumps([*addresses]))}


def found(tx: Transaction, addresses: Iterable[str]) -> list[Row]:
    """`id` and `address` of items."""
    return tx.all("items.found", addresses=json.dumps([*addresses]))


def size(tx: Transaction, ids: Iterable[int]) -> int:
    """How many bytes the values of items have together."""
    row = tx.one("items.size", ids=json.dumps([*ids]))
    assert row is not None
    return int(row["size"])


def rows(tx: Transaction, ids: Iterable[int]) -> dict[int, Row]:
    """Items by their ids."""
    return {row["id"]: row for row in tx.all("items.rows", ids=json.dumps([*ids]))}


def refresh(tx: Transaction, addresses: Iterable[str]) -> None:
    """Let items with a time to live begin it again."""
    tx.run_many("items.refresh", [{"address": one} for one in addresses])


def delete(tx: Transaction, address: str) -> bool:
    """Delete an item. Returns whether it was there, and had not expired."""
    row = tx.one("items.delete", address=address)
    return bool(row and row["was_there"])


def next_position(tx: Transaction, namespace: str) -> int:
    row = tx.one("items.next_position", place=namespace[:PLACE], namespace=namespace)
    assert row is not None
    position: int = row["position"]
    return position


def last(tx: Transaction, namespace: str) -> Row | None:
    """`id` and `address` of the item that was appended last."""
    return tx.one("items.last", place=namespace[:PLACE], namespace=namespace)


def clear(tx: Transaction, namespace: str) -> int:
    """Delete the items of a namespace. Returns how many had not expired."""
    gone = tx.all("items.clear", place=namespace[:PLACE], namespace=namespace)
    return sum(row["was_there"] for row in gone)


def remove_expired(tx: Transaction, *, limit: int) -> int:
    """Delete items that have expired. Returns how many."""
    lock_all(tx)
    gone = tx.all("items.expired", limit=limit)
    tx.run_many("items.delete", gone)
    return len(gone)


def namespaces(tx: Transaction, path: str) -> list[Row]:
    """`namespace`, and how many `items` are in it, below a path."""
    return tx.all("items.namespaces", **_range(path))


def search(tx: Transaction, wanted: Found, *, words: Sequence[str] | None) -> list[Row]:
    """`id` and `score` of items: the best matches of the words, or without these the newest."""
    params = {**_range(wanted.path), "limit": wanted.limit, "offset": wanted.offset}
    if words is not None:
        listed = _listed(wanted.conditions)
        return tx.all("items.matching", words=json.dumps(words), conditions=listed, **params) if words else []
    narrow = min((one for one in wanted.conditions if not one.negated), key=_width, default=None)
    if narrow is None:
        return tx.all("items.below", conditions=_listed(wanted.conditions), **params)
    rest = _listed(one for one in wanted.conditions if one is not narrow)
    begin = {"name": narrow.name, "least": narrow.low, "most": narrow.high}
    return tx.all("items.filtered", **begin, conditions=rest, **params)


def with_vectors(tx: Transaction, wanted: Found, *, size: int) -> list[int]:
    """The ids of items with a vector of this many bytes, wherever they are in the results."""
    conditions = _listed(wanted.conditions)
    found = tx.all("items.with_vectors", conditions=conditions, size=size, **_range(wanted.path))
    return [row["id"] for row in found]


def vectors(tx: Transaction, ids: Iterable[int], *, size: int | None = None) -> list[Row]:
    """`item_id` and `bytes` of all vectors of items, or those of this many bytes, in their order."""
    return tx.all("items.vectors", ids=json.dumps([*ids]), size=size)


def pages(tx: Transaction) -> Iterator[list[Row]]:
    """All items, a page at a time."""
    after = 0
    while page := tx.all("items.page", after=after, limit=PAGE):
        yield page
        after = page[-1]["id"]


def forget(tx: Transaction, ids: Iterable[int]) -> None:
    lock_all(tx)
    tx.run("items.forget", ids=json.dumps([*ids]))


def _range(path: str) -> dict[str, Value]:
    """The places below a path: it is followed by a comma or a bracket, and `^` is behind both."""
    if len(path) <= PLACE:
        return {"low": path, "high": f"{path}^", "head": None}
    return {"low": path[:PLACE], "high": path[:PLACE] + AFTER, "head": path}


def _listed(conditions: Iterable[Condition]) -> str:
    return json.dumps([(one.name, one.low, one.high, str(int(one.negated))) for one in conditions])


def _width(condition: Condition) -> bool:
    """One value before a range of them."""
    return condition.high != condition.low + AFTER
