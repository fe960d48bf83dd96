"""A storage for the memory of CrewAI: `Crew(..., memory=Memory(storage=JotsamStorage(memory)))`.

CrewAI's `Memory` reads, scores and merges with its own model and embedder; this keeps its records and vectors.
"""

from __future__ import annotations

import asyncio
from array import array
from base64 import b64decode, b64encode
from collections import Counter
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from crewai.memory.storage.backend import EmbeddingDimensionMismatchError
from crewai.memory.types import MemoryRecord, ScopeInfo

from jotsam.integrations.items import COMPARED, MOST, PAGE, below, pages, put_all, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from jotsam import Client, Jotsam, StoredItem

NAMESPACE = "crewai"


class JotsamStorage:
    """A `StorageBackend` in a Jotsam database or on a server of one. `name` keeps crews apart.

    A search compares the vectors of all records in a scope, by their cosine.
    """

    def __init__(self, memory: Jotsam | Client, *, name: str = "default") -> None:
        self._memory, self._store = memory, memory.store
        self._records, self._vectors = (NAMESPACE, name, "records"), (NAMESPACE, name, "vectors")

    def save(self, records: list[MemoryRecord]) -> None:
        """Save records, in place of those with the same ids. Up to some hundred are one commit."""
        self._check_dimension(next((one.embedding for one in records if one.embedding), None))
        put_all(self._store, (item for record in records for item in self._items(record)))

    def update(self, record: MemoryRecord) -> None:
        """Save a record in place of the one with its id."""
        self.save([record])

    def touch_records(self, record_ids: list[str]) -> None:
        """Note that records were read now."""
        now = datetime.now(UTC).replace(tzinfo=None)
        self.save([one.model_copy(update={"last_accessed": now}) for one in self._get_many(record_ids)])

    def get_record(self, record_id: str) -> MemoryRecord | None:
        """A record with its embedding; None if there is none."""
        return next(iter(self._get_many([record_id])), None)

    def search(
        self,
        query_embedding: list[float],
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None,
        limit: int = 10,
        min_score: float = 0.0,
    ) -> list[tuple[MemoryRecord, float]]:
        """Records with their cosines, the nearest first. Raises `EmbeddingDimensionMismatchError`."""
        self._check_dimension(query_embedding)
        is_wanted = _wanted(scope_prefix, categories, metadata_filter)
        vector = [float(number) for number in query_embedding]
        every = self._found(scope_prefix, size=MOST if categories or metadata_filter else limit, vector=vector)
        near = ((_record(item), item.score or 0.0) for item in every)
        found = [*islice((one for one in near if is_wanted(one[0]) and one[1] >= min_score), limit)]
        embeddings = self._embeddings([record.id for record, _ in found])
        return [(one.model_copy(update={"embedding": embeddings.get(one.id)}), score) for one, score in found]

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Delete the records for which all conditions hold. Returns how many."""
        ids = None if record_ids is None else {*record_ids}
        is_wanted = _wanted(scope_prefix, categories, metadata_filter)
        with together(self._memory, " ".join(self._records)) as tx:
            gone = [
                record.id
                for record in self._scanned(scope_prefix, **tx)
                if is_wanted(record)
                and (ids is None or record.id in ids)
                and (older_than is None or _time(record.created_at) < _time(older_than))
            ]
            for id in gone:
                self._store.delete(self._records, id, **tx)
                self._store.delete(self._vectors, id, **tx)
        return len(gone)

    def list_records(self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0) -> list[MemoryRecord]:
        """The records of a scope, the newest first, without their embeddings."""
        every = sorted(self._scanned(scope_prefix), key=lambda record: _time(record.created_at), reverse=True)
        return every[offset:][:limit]

    def get_scope_info(self, scope: str) -> ScopeInfo:
        """Number, categories and dates of the records of a scope, and the scopes below it."""
        every = [*self._scanned(scope)]
        dates = sorted((record.created_at for record in every), key=_time)
        return ScopeInfo(
            path=_path(scope).rstrip("/") or "/",
            record_count=len(every),
            categories=sorted({name for record in every for name in record.categories}),
            oldest_record=dates[0] if dates else None,
            newest_record=dates[-1] if dates else None,
            child_scopes=_children(scope, every),
        )

    def list_scopes(self, parent: str = "/") -> list[str]:
        """The scopes directly below a scope."""
        return _children(parent, self._scanned(parent))

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        """The categories of a scope, with the number of records."""
        return dict(Counter(name for record in self._scanned(scope_prefix) for name in record.categories))

    def count(self, scope_prefix: str | None = None) -> int:
        """The number of records of a scope."""
        return sum(1 for _ in self._scanned(scope_prefix))

    def reset(self, scope_prefix: str | None = None) -> None:
        """Delete all records of a scope."""
        if _path(scope_prefix) != "/":
            self.delete(scope_prefix)
            return
        self._store.clear(self._records)
        self._store.clear(self._vectors)

    async def asave(self, records: list[MemoryRecord]) -> None:
        """`save` on a thread."""
        await asyncio.to_thread(self.save, records)

    async def asearch(
        self, query_embedding: list[float], *args: Any, **options: Any
    ) -> list[tuple[MemoryRecord, float]]:
        """`search` on a thread."""
        return await asyncio.to_thread(self.search, query_embedding, *args, **options)

    async def adelete(self, *args: Any, **options: Any) -> int:
        """`delete` on a thread."""
        return await asyncio.to_thread(self.delete, *args, **options)

    def _items(self, record: MemoryRecord) -> Iterator[dict[str, Any]]:
        """A record, and its embedding apart from it, so that a list of records reads none."""
        value = {"path": _path(record.scope), "record": record.model_dump(mode="json")}
        embedding = [float(number) for number in record.embedding or ()]
        vectors = [embedding] if any(embedding) else []
        same = {"key": record.id, "text": ""}
        yield {**same, "namespace": self._records, "value": value, "vectors": vectors}
        yield {**same, "namespace": self._vectors, "value": b64encode(array("f", embedding).tobytes()).decode()}

    def _get_many(self, ids: Sequence[str]) -> list[MemoryRecord]:
        embeddings = self._embeddings(ids)
        found = (item for some in _slices(ids) for item in self._store.get_many(self._records, some))
        return [_record(item).model_copy(update={"embedding": embeddings.get(item.key)}) for item in found]

    def _embeddings(self, ids: Sequence[str]) -> dict[str, list[float] | None]:
        found = (item for some in _slices(ids) for item in self._store.get_many(self._vectors, some))
        return {item.key: _numbers(item) or None for item in found}

    def _scanned(self, scope: str | None, **tx: Any) -> Iterator[MemoryRecord]:
        is_wanted = _wanted(scope)
        return filter(is_wanted, map(_record, self._found(scope, size=MOST, **tx)))

    def _found(self, scope: str | None, *, size: int, **options: Any) -> Iterator[StoredItem]:
        """The records of a scope; of one with a very long name, those of others too."""
        path = _path(scope)
        size = MOST if len(path) > COMPARED else max(1, min(size, MOST))
        wanted = {} if path == "/" else below(path)
        return pages(partial(self._store.search, self._records, filter=wanted, **options), size=size)

    def _check_dimension(self, embedding: Sequence[float] | None) -> None:
        newest = self._store.search(self._vectors, limit=1) if embedding else ()
        stored = len(_numbers(newest[0])) if newest else 0
        if embedding and stored and stored != len(embedding):
            raise EmbeddingDimensionMismatchError(stored, len(embedding))


def _record(item: StoredItem) -> MemoryRecord:
    return MemoryRecord(**item.value["record"])


def _time(time: datetime) -> datetime:
    """A time in UTC without its zone, as CrewAI's own are."""
    return time if time.tzinfo is None else time.astimezone(UTC).replace(tzinfo=None)


def _numbers(item: StoredItem) -> list[float]:
    return array("f", b64decode(item.value)).tolist()


def _slices(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[first : first + PAGE] for first in range(0, len(ids), PAGE))


def _path(scope: str | None) -> str:
    """The path of a scope, with a slash at both ends, so that what is below it begins with it."""
    names = (scope or "").strip("/")
    return f"/{names}/" if names else "/"


def _children(scope: str, records: Iterable[MemoryRecord]) -> list[str]:
    path = _path(scope)
    below = (_path(record.scope)[len(path) :].partition("/")[0] for record in records)
    return sorted({path + name for name in below if name})


def _wanted(
    scope: str | None, categories: list[str] | None = None, metadata: dict[str, Any] | None = None
) -> Callable[[MemoryRecord], bool]:
    """Whether a record is in a scope, in one of the categories, and has all of the metadata."""
    path = _path(scope)
    return lambda record: (
        _path(record.scope).startswith(path)
        and (not categories or not {*categories}.isdisjoint(record.categories))
        and all(record.metadata.get(name) == value for name, value in (metadata or {}).items())
    )
