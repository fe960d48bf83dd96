"""A store for LangGraph, and so for LangChain's agents and langmem: `graph.compile(store=JotsamStore(memory))`.

Items are values of `jot.store`: what is put is what is got. A query finds items with its words, best first, and then
the newest ones up to the limit. With `index`, the embedder in it makes vectors of what is put and of queries, and the
items with the nearest ones are found instead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from langgraph.store.base import (
    BaseStore,
    GetOp,
    IndexConfig,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    ensure_embeddings,
    get_text_at_path,
    tokenize_path,
)

from jotsam.core.errors import NotFound
from jotsam.integrations.items import MOST, pages, put_all

if TYPE_CHECKING:
    from jotsam import Client, Jotsam, StoredItem

MINUTE_MS = 60_000
WHOLE = "$"  # the path of a value
COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, other: bool(value == other),
    "$ne": lambda value, other: bool(value != other),
    "$gt": lambda value, other: float(value) > float(other),
    "$gte": lambda value, other: float(value) >= float(other),
    "$lt": lambda value, other: float(value) < float(other),
    "$lte": lambda value, other: float(value) <= float(other),
}


class Vectors(NamedTuple):
    """What an embedder made, by its texts."""

    documents: Mapping[str, list[float]] = {}
    queries: Mapping[str, list[float]] = {}


class JotsamStore(BaseStore):
    """A `BaseStore` in a Jotsam database or on a server of one. Options as of LangGraph's other stores.

    `ttl` is in minutes. `batch` reads first, and then writes what is put in one commit.
    """

    supports_ttl = True

    def __init__(
        self, memory: Jotsam | Client, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None
    ) -> None:
        self._store = memory.store
        self.index_config, self.ttl_config = index, ttl
        self.embeddings = ensure_embeddings(index["embed"]) if index else None

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """The results of operations, in their order."""
        listed = list(ops)
        documents, queries = self._texts(listed)
        if self.embeddings is None or (not documents and not queries):
            return self._run(listed, Vectors())
        made = self.embeddings.embed_documents(documents) if documents else []
        asked = [self.embeddings.embed_query(query) for query in queries]
        return self._run(listed, _vectors(documents, made, queries, asked))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, with the asynchronous methods of the embedder, on a thread."""
        listed = list(ops)
        documents, queries = self._texts(listed)
        if self.embeddings is None or (not documents and not queries):
            return await asyncio.to_thread(self._run, listed, Vectors())
        made = await self.embeddings.aembed_documents(documents) if documents else []
        asked = await asyncio.gather(*map(self.embeddings.aembed_query, queries))
        return await asyncio.to_thread(self._run, listed, _vectors(documents, made, queries, asked))

    def _texts(self, ops: list[Op]) -> tuple[list[str], list[str]]:
        """The texts of what is put and the queries, of which vectors are wanted; each once."""
        if self.embeddings is None:
            return [], []
        documents = [text for op in ops if isinstance(op, PutOp) for text in self._embedded(op)]
        queries = [op.query for op in ops if isinstance(op, SearchOp) and op.query]
        return list(dict.fromkeys(documents)), list(dict.fromkeys(queries))

    def _embedded(self, op: PutOp) -> list[str]:
        """The texts of an item of which vectors are wanted."""
        if op.value is None or op.index is False or self.index_config is None:
            return []
        paths = self.index_config.get("fields") or [WHOLE] if op.index is None else op.index
        return _texts_at(op.value, paths)

    def _vectors(self, op: PutOp, vectors: Vectors) -> list[list[float]]:
        return [vectors.documents[text] for text in self._embedded(op) if text in vectors.documents]

    def _run(self, ops: list[Op], vectors: Vectors) -> list[Result]:
        results = [self._read(op, vectors) for op in ops]
        self._write({(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}, vectors)
        return results

    def _read(self, op: Op, vectors: Vectors) -> Result:
        if isinstance(op, GetOp):
            return self._get(op)
        if isinstance(op, SearchOp):
            return list(islice(self._search(op, vectors), op.offset, op.offset + op.limit))
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

    def _search(self, op: SearchOp, vectors: Vectors) -> Iterator[SearchItem]:
        """The items that match, as many as are wanted; those near the query or with a word of it first."""
        filter, rest = _split(op.filter or {})
        find = partial(self._store.search, op.namespace_prefix, filter=filter, refresh=op.refresh_ttl)
        size = MOST if rest else min(MOST, op.offset + op.limit) or MOST
        seen = set()
        vector = vectors.queries.get(op.query or "")
        by: list[dict[str, Any]] = [{"query": op.query} if vector is None else {"vector": vector}] if op.query else []
        for options in (*by, {}):
            for found in pages(partial(find, **options), size=size):
                if (found.namespace, found.key) not in seen and _matches(found.value, rest):
                    seen.add((found.namespace, found.key))
                    yield SearchItem(**_fields(found), score=found.score)

    def _write(self, ops: Mapping[tuple[tuple[str, ...], str], PutOp], vectors: Vectors) -> None:
        puts = (op for op in ops.values() if op.value is not None)
        put_all(self._store, ({**_item(op), "vectors": self._vectors(op, vectors)} for op in puts))
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


def _vectors(documents: list[str], made: list[list[float]], queries: list[str], asked: list[list[float]]) -> Vectors:
    """Without those that are all zeros, which are near nothing."""
    if len(made) != len(documents):
        raise ValueError(f"the embedder returned {len(made):,} vectors for {len(documents):,} texts")
    return Vectors(
        documents={text: _numbers(one) for text, one in zip(documents, made, strict=True) if any(one)},
        queries={text: _numbers(one) for text, one in zip(queries, asked, strict=True) if any(one)},
    )


def _numbers(vector: Iterable[Any]) -> list[float]:
    return [float(number) for number in vector]


def _texts_at(value: Any, paths: Iterable[str]) -> list[str]:
    """The texts at the paths in a value; the path of the whole one is no list of names."""
    split = (path if path == WHOLE else tokenize_path(path) for path in paths)
    return [text for path in split for text in get_text_at_path(value, path)]


def _item(op: PutOp) -> dict[str, Any]:
    """The arguments of `put`. `index` names the paths of the texts that are searched; False: none."""
    texts = None if op.index is None else "\n".join(_texts_at(op.value, op.index or ()))
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
