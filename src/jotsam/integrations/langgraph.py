"""A store for LangGraph, and so for LangChain's agents and langmem: `graph.compile(store=JotsamStore(memory))`.

Items are values of `jot.store`: what is put is what is got. A query finds items with its words, best first, and then
the newest ones up to the limit. There are no vectors: `index` says which texts are searched, and nothing is embedded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
    tokenize_path,
)

from jotsam.core.errors import NotFound
from jotsam.integrations.items import MOST, PAGE, pages

if TYPE_CHECKING:
    from jotsam import Client, Jotsam, StoredItem

MINUTE_MS = 60_000
COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, other: bool(value == other),
    "$ne": lambda value, other: bool(value != other),
    "$gt": lambda value, other: float(value) > float(other),
    "$gte": lambda value, other: float(value) >= float(other),
    "$lt": lambda value, other: float(value) < float(other),
    "$lte": lambda value, other: float(value) <= float(other),
}


class JotsamStore(BaseStore):
    """A `BaseStore` in a Jotsam database or on a server of one. `ttl` as of LangGraph's other stores, in minutes.

    `batch` reads first, and then writes what is put in one commit.
    """

    supports_ttl = True

    def __init__(self, memory: Jotsam | Client, *, ttl: TTLConfig | None = None) -> None:
        self._store = memory.store
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """The results of operations, in their order."""
        listed = list(ops)
        results = [self._read(op) for op in listed]
        self._write({(op.namespace, op.key): op for op in listed if isinstance(op, PutOp)})
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same on a thread."""
        return await asyncio.to_thread(self.batch, ops)

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return self._get(op)
        if isinstance(op, SearchOp):
            return list(islice(self._search(op), op.offset, op.offset + op.limit))
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        if isinstance(op, PutOp):
            return None
        raise ValueError(f"unknown operation {type(op).__name__}")

    def _get(self, op: GetOp) -> Item | None:
        try:
            return Item(**_fields(self._store.get(op.namespace, op.key, refresh=op.refresh_ttl)))
        except NotFound:
            return None

    def _search(self, op: SearchOp) -> Iterator[SearchItem]:
        """The items that match, as many as are wanted; those with a word of the query first."""
        filter, rest = _split(op.filter or {})
        find = partial(self._store.search, op.namespace_prefix, filter=filter, refresh=op.refresh_ttl)
        size = MOST if rest else min(MOST, op.offset + op.limit) or MOST
        seen = set()
        for query in (op.query, None) if op.query else (None,):
            for found in pages(partial(find, query=query), size=size):
                if (found.namespace, found.key) not in seen and _matches(found.value, rest):
                    seen.add((found.namespace, found.key))
                    yield SearchItem(**_fields(found), score=found.score)

    def _write(self, ops: Mapping[tuple[tuple[str, ...], str], PutOp]) -> None:
        puts = [op for op in ops.values() if op.value is not None]
        for first in range(0, len(puts), PAGE):
            self._store.put_many(map(_item, puts[first : first + PAGE]))
        for op in ops.values():
            if op.value is None:
                self._store.delete(op.namespace, op.key)

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        listed = (found.namespace for found in pages(self._store.namespaces))
        matching = (one for one in listed if all(_is_at(one, condition) for condition in conditions))
        cut = dict.fromkeys(one[: op.max_depth] for one in matching)
        return sorted(cut)[op.offset : op.offset + op.limit]


def _fields(found: StoredItem) -> dict[str, Any]:
    return {
        "value": found.value,
        "key": found.key,
        "namespace": found.namespace,
        "created_at": _time(found.created_at),
        "updated_at": _time(found.changed_at),
    }


def _time(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def _item(op: PutOp) -> Any:
    """The arguments of `put`. `index` names the paths of the texts that are searched; False: none."""
    texts = None
    if op.index is not None:
        paths = op.index or ()
        texts = "\n".join(text for path in paths for text in get_text_at_path(op.value, tokenize_path(path)))
    ttl_ms = None if op.ttl is None else max(1, round(op.ttl * MINUTE_MS))
    return {"namespace": op.namespace, "key": op.key, "value": op.value, "text": texts, "ttl_ms": ttl_ms}


def _split(filter: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the index of the store answers, and what is compared here: lists, objects, and ranges of texts."""
    indexed = {name: wanted for name, wanted in filter.items() if _is_indexed(wanted)}
    return indexed, {name: wanted for name, wanted in filter.items() if name not in indexed}


def _is_indexed(wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        return bool(wanted) and all(_is_indexed_by(operator, one) for operator, one in wanted.items())
    return not isinstance(wanted, list)


def _is_indexed_by(operator: str, wanted: Any) -> bool:
    if operator in ("$eq", "$ne"):
        return not isinstance(wanted, Mapping | list)
    return operator in COMPARISONS and isinstance(wanted, int | float) and not isinstance(wanted, bool)


def _matches(value: Any, wanted: Any) -> bool:
    """Whether a value is what a filter wants, as LangGraph's own stores compare."""
    if not isinstance(wanted, Mapping):
        return bool(value == wanted)
    if any(name.startswith("$") for name in wanted):
        return all(_compared(name, value, other) for name, other in wanted.items())
    return isinstance(value, Mapping) and all(_matches(value.get(name), one) for name, one in wanted.items())


def _compared(operator: str, value: Any, other: Any) -> bool:
    if operator not in COMPARISONS:
        raise ValueError(f"unknown operator {operator!r}; there are {', '.join(COMPARISONS)}")
    return COMPARISONS[operator](value, other)


def _is_at(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    """Whether a namespace begins or ends with a path, of which `*` is any label."""
    path = condition.path
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return len(part) == len(path) and all(wanted in ("*", label) for label, wanted in zip(part, path, strict=True))
