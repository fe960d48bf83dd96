"""Selections: the memories and documents that a caller lists, forgets or exports, page by page."""

from __future__ import annotations

import json

from jotsam.core.comparisons import Comparison, are_met, text_of
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from jotsam.storage.database import Row, Transaction, Value

# A condition that at most this many memories match is looked up in its index. Otherwise all memories are read in order,
# and a page is full soon.
MAX_NARROWED = 5_000

# Metadata has an index for equal values only. Other conditions are compared memory by memory.
MOST_AT_ONCE = 5_000  # memories that are read together, after a first page
MOST_COMPARED = 50_000  # memories that one page of a list compares: it has fewer of them if these do not fill it

# By query, the fields with an index that it reads.
_INDEXED = {
    "selection.by_document": "document",
    "selection.by_session": "session",
    "selection.by_types": "types",
    "selection.by_source": "source",
    "selection.by_actor": "actor",
    "selection.by_project": "project",
    "selection.by_importance": "min_importance",
}

# The queries of a page by its order: all memories, or those of known ids. `LAST` is above every time and id.
NEWEST, IMPORTANCE = ORDERS = ("newest", "importance")
_PAGES = {
    NEWEST: ("selection.newest", "selection.newest_of"),
    IMPORTANCE: ("selection.most_important", "selection.most_important_of"),
}
LAST = 2**62
_ORDERED = {NEWEST: "selection.by_time", IMPORTANCE: "selection.by_importance", None: None}


class Chosen(Record):
    """A selection as its queries need it: ids are numbers, lists are JSON. None matches any value."""

    narrowed: str | None = None  # ids of memories: no others match
    documents: str | None = None  # ids of documents: no others match
    document: int | None = None
    source: str | None = None
    project: str | None = None
    session: str | None = None
    actor: str | None = None
    tags: str | None = None  # pairs of a group and a tag: one tag of each group is required
    groups: int = 0
    types: str | None = None
    since: int | None = None
    until: int | None = None
    before: int | None = None
    min_importance: float | None = None
    history: int = 1  # 0: without what is superseded or not valid now
    archived: int = 1  # 0: without archived memories
    metadata: tuple[Comparison, ...] = ()

    def params(self) -> dict[str, Any]:
        """What the queries bind: all but the conditions on metadata, which no database looks at."""
        params = {**self._values(), "compares": int(bool(self.metadata))}
        del params["metadata"]
        return params


class Place(Record):
    """The keys of a page, the first ones first: place and id of each memory, and the last one that was looked at."""

    keys: list[tuple[float, int]]
    last: tuple[float, int] | None  # the next page begins after it; None: there is none


def narrow(tx: Transaction, chosen: Chosen, *, order: str | None = None) -> Chosen:
    """The same selection with the ids of the memories that match its rarest condition, if these are few.

    `order` is that of the pages: the index that has it also finds its range.
    """
    if chosen.narrowed is not None:
        return chosen
    fewest: list[int] | None = None
    for query, params in _conditions(chosen):
        if query == _ORDERED.get(order):
            continue
        limit = MAX_NARROWED if fewest is None else len(fewest)
        found = [row["id"] for row in tx.all(query, **params, limit=limit + 1)]
        if len(found) <= limit:
            fewest = found
    return chosen if fewest is None else chosen.replace(narrowed=as_json(fewest))


def _conditions(chosen: Chosen) -> Iterable[tuple[str, dict[str, Value]]]:
    """The conditions that an index can answer."""
    for query, name in _INDEXED.items():
        if (value := getattr(chosen, name)) is not None:
            yield query, {name: value}
    if chosen.tags is not None:
        pairs = json.loads(chosen.tags)
        for group in range(chosen.groups):
            yield "selection.by_tags", {"tags": as_json([tag for place, tag in pairs if place == group])}
    if chosen.since is not None or chosen.until is not None:
        until = LAST if chosen.until is None else chosen.until
        yield "selection.by_time", {"since": chosen.since or 0, "until": until}
    for one in chosen.metadata:
        if one.operator == "$eq" and one.value is not None:
            from jotsam.storage.metadata_index import pair_hash

            yield "selection.by_metadata", {"hash": pair_hash(one.field, text_of(one.value))}


def memories(tx: Transaction, chosen: Chosen, *, after: int = 0, limit: int) -> list[int]:
    """The ids of selected memories above `after`, in order. Narrow the selection once before the first page."""
    query, params = "selection.memories" if chosen.narrowed is None else "selection.memories_of", chosen.params()

    def read(last: Row | None, most: int) -> list[Row]:
        return tx.all(query, **params, after=last["id"] if last else after, limit=most)

    return [row["id"] for row in _selected(chosen, read, limit=limit)[0]]


def documents(tx: Transaction, chosen: Chosen, *, after: int = 0, limit: int, is_unchunked: bool = False) -> list[Row]:
    """`id`, `uuid` and `cut_at` of selected documents with an id above `after`, in order.

    With `is_unchunked` only those whose chunks are not memories yet. A document has no metadata.
    """
    return tx.all("selection.documents", **chosen.params(), unchunked=int(is_unchunked), after=after, limit=limit)


def page(tx: Transaction, chosen: Chosen, *, order: str, after: tuple[float, int] | None, limit: int) -> Place:
    """The keys of selected memories after a place and id, in one of `ORDERS`, highest first."""
    lowest: float
    first: float
    if order == NEWEST:
        lowest, first = chosen.since or 0, LAST if chosen.until is None else chosen.until
    else:
        lowest, first = -1.0 if chosen.min_importance is None else chosen.min_importance, 2.0
    place, id = (first, LAST) if after is None else after
    every, known = _PAGES[order]
    query, params = every if chosen.narrowed is None else known, {**chosen.params(), "lowest": lowest}

    def read(last: Row | None, most: int) -> list[Row]:
        begin = {"place": last["place"], "id": last["id"]} if last else {"place": place, "id": id}
        return tx.all(query, **params, **begin, limit=most)

    found, looked_at = _selected(chosen, read, limit=limit + 1, most=MOST_COMPARED)
    keys = [(row["place"], row["id"]) for row in found[:limit]]
    if len(found) > limit:
        return Place(keys=keys, last=keys[-1])
    return Place(keys=keys, last=(looked_at["place"], looked_at["id"]) if looked_at else None)


def _selected(
    chosen: Chosen, read: Callable[[Row | None, int], list[Row]], *, limit: int, most: int | None = None
) -> tuple[list[Row], Row | None]:
    """Up to `limit` rows that meet the conditions on metadata; and, if `most` rows were read before that, the last."""
    found: list[Row] = []
    last, number, at_once = None, 0, limit
    while len(found) < limit:
        if most is not None and number >= most:
            return found, last
        rows = read(last, at_once)
        found += (row for row in rows if not chosen.metadata or _meets(chosen.metadata, row["metadata"]))
        if len(rows) < at_once:
            break
        last, number, at_once = rows[-1], number + at_once, min(max(limit, 4 * at_once), max(limit, MOST_AT_ONCE))
    return found[:limit], None


def _meets(wanted: Iterable[Comparison], metadata: str | None) -> bool:
    return are_met(wanted, {} if metadata is None else json.loads(metadata))


def rows(tx: Transaction, ids: Iterable[int]) -> dict[int, tuple[Row, tuple[str, ...]]]:
    """By id, memories as `memories.get` returns them, each with its tags."""
    listed = as_json(ids)
    tags: dict[int, list[str]] = {}
    for row in tx.all("selection.tags", ids=listed):
        tags.setdefault(row["memory_id"], []).append(row["tag"])
    return {row["id"]: (row, tuple(tags.get(row["id"], ()))) for row in tx.all("selection.rows", ids=listed)}


def count_unchunked(tx: Transaction, chosen: Chosen, *, most: int) -> int:
    """How many selected documents are not chunked yet, at most `most`."""
    row = tx.one("selection.count_unchunked", **chosen.params(), most=most)
    return int(row["documents"]) if row else 0


def as_json(values: Iterable[object]) -> str:
    return json.dumps(list(values), ensure_ascii=True)
