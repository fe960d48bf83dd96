"""A collection in a folder, by Qdrant's embedded engine. This module alone imports `qdrant_edge`, at the first call.

A folder is open in one process at a time, from the first call until the last object of it is closed. The objects of a
process share it. It is locked here, because the lock of the library ends before it has written everything: a process
that opened the folder at that moment would lose points.
"""

from __future__ import annotations

import json
import os
import threading
from contextlib import contextmanager

from jotsam.core.errors import InvalidInput, ProviderUnavailable, install_extra
from jotsam.core.platform import files
from jotsam.engines.engine import EngineInUse
from jotsam.engines.qdrant_points import (
    GRAPH_BUILD,
    GRAPH_EDGES,
    GRAPH_EDGES_OF_TENANT,
    INDEXED,
    TENANT,
    VERSION,
    Point,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from qdrant_edge import EdgeShard, Filter

    from jotsam.engines.qdrant_points import Newest, Where

FULL_SCAN_KB = 10_000
# After this number of written points, and a part of those held, their graph is built; until then they are compared
# one by one.
WRITTEN, PART = 20_000, 0.5


class SharedFolder:
    """A folder of this process, which several objects may use. One call at a time."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.shard: EdgeShard | None = None
        self.locked: int | None = None  # the folder as an open file
        self.users: set[int] = set()
        self.written = 0


SHARED: dict[str, SharedFolder] = {}


def is_open(folder: str) -> bool:
    """Whether this process has a folder open."""
    shared = SHARED.get(os.path.realpath(folder))
    return shared is not None and shared.shard is not None


class FolderPoints:
    """`Points` in a folder."""

    def __init__(self, folder: str) -> None:
        self._path = os.path.realpath(folder)
        self._shared = SHARED.setdefault(self._path, SharedFolder())

    def server_version(self) -> str:
        from importlib.metadata import version

        _edge()
        return f"Qdrant Edge {version('qdrant-edge-py')}"

    def create(self) -> None:
        with self._shared.lock:
            if self._shared.shard is None and not self._exists():
                self._create()
            with self._errors() as shard:
                if "" not in self._dimensions():
                    self._add_indexes(shard)

    def dimensions(self) -> dict[str, int]:
        with self._errors():
            return self._dimensions()

    def add_vector(self, name: str, dimension: int) -> None:
        edge = _edge()
        with self._errors() as shard:
            shard.update(edge.UpdateOperation.create_dense_vector(name, dimension, edge.Distance.Cosine))
            shard.flush()

    def upsert(self, points: Sequence[Point], *, unless: Newest) -> None:
        edge = _edge()
        rows = [edge.Point(one.id, dict(one.vectors), dict(one.payload)) for one in points]
        conditions = [
            edge.FieldCondition(key=TENANT, match=edge.MatchValue(value=unless.tenant)),
            edge.FieldCondition(key=VERSION, range=edge.RangeFloat(lte=unless.version)),
        ]
        with self._errors() as shard:
            shard.update(edge.UpdateOperation.upsert_points(rows, condition=edge.Filter(must=list(conditions))))
            self._shared.written += len(rows)
            if self._shared.written >= max(WRITTEN, PART * shard.info().points_count):
                self.optimize()

    def optimize(self) -> None:
        """Build the graphs of what was written. Takes minutes for a million points."""
        with self._errors() as shard:
            shard.optimize()
            self._shared.written = 0

    def delete(self, where: Where) -> None:
        edge = _edge()
        with self._errors() as shard:
            shard.update(edge.UpdateOperation.delete_points_by_filter(_filter(where)))

    def count(self, where: Where) -> int:
        edge = _edge()
        with self._errors() as shard:
            return shard.count(edge.CountRequest(filter=_filter(where), exact=True))

    def scroll(self, where: Where, *, after: str, limit: int, only: Sequence[str] | None) -> list[Point]:
        edge = _edge()
        request = edge.ScrollRequest(
            offset=after or None,
            limit=limit + bool(after),
            filter=_filter(where),
            with_payload=list(only) if only is not None else True,
            with_vector=only is None,
        )
        with self._errors() as shard:
            found, _ = shard.scroll(request)
        points = [Point(id=str(one.id), payload=one.payload or {}, vectors=_vectors(one.vector)) for one in found]
        return [point for point in points if point.id != after][:limit]

    def values(self, field: str, *, limit: int) -> dict[str, int]:
        edge = _edge()
        with self._errors() as shard:
            return {
                str(hit.value): hit.count for hit in shard.facet(edge.FacetRequest(field, limit=limit, exact=True)).hits
            }

    def nearest(self, name: str, query: list[float], where: Where, *, limit: int) -> list[tuple[str, float]]:
        edge = _edge()
        request = edge.QueryRequest(
            limit=limit, query=edge.Query.Nearest(query, using=name), filter=_filter(where), with_payload=False
        )
        with self._errors() as shard:
            return [(str(point.id), point.score) for point in shard.query(request)]

    def close(self) -> None:
        with self._shared.lock:
            self._shared.users.discard(id(self))
            if self._shared.users:
                return
            if self._shared.shard is not None:
                self._shared.shard.close()
                self._shared.shard = None
            if self._shared.locked is not None:
                os.close(self._shared.locked)
                self._shared.locked = None

    def _lock(self) -> None:
        """Lock the folder until it is closed, or this process ends."""
        if self._shared.locked is not None:
            return
        end = files.lock_folder(self._path, wait=False)
        if end is None:
            raise EngineInUse(
                f"the folder {self._path!r} is open in another process, perhaps the worker that writes into it, and"
                " only one can: try again when it has ended, or use a server of Qdrant"
            )
        self._shared.locked = end

    def _exists(self) -> bool:
        return os.path.isdir(os.path.join(self._path, "segments"))

    def _create(self) -> None:
        edge = _edge()
        graph = edge.HnswIndexConfig(
            m=GRAPH_EDGES,
            ef_construct=GRAPH_BUILD,
            full_scan_threshold=FULL_SCAN_KB,
            payload_m=GRAPH_EDGES_OF_TENANT,
        )
        # It can only be created with a vector; that one is removed at once.
        first = {"none": edge.EdgeSparseVectorParams()}
        try:
            os.makedirs(self._path, exist_ok=True)
            self._lock()
            if self._exists():  # Another process has made it in the meantime.
                return
            shard = edge.EdgeShard.create(self._path, edge.EdgeConfig(sparse_vectors=first, hnsw_config=graph))
            shard.update(edge.UpdateOperation.delete_vector_name("none"))
        except OSError as error:
            raise InvalidInput(f"the folder {self._path!r} cannot be made: {error}") from error
        self._shared.shard = shard

    def _opened(self) -> EdgeShard:
        if self._shared.shard is None:
            if not self._exists():
                raise ProviderUnavailable(
                    f"the folder {self._path!r} has no collection: `jotsam db engine rebuild` makes it again",
                    status=404,
                )
            self._lock()
            self._shared.shard = _edge().EdgeShard.load(self._path)
        self._shared.users.add(id(self))
        return self._shared.shard

    @contextmanager
    def _errors(self) -> Iterator[EdgeShard]:
        """The collection, with its errors as those of this package."""
        with self._shared.lock:
            try:
                yield self._opened()
            except (ProviderUnavailable, InvalidInput):
                raise
            except Exception as error:  # The library raises nothing narrower.
                raise InvalidInput(f"Qdrant rejected the request in {self._path!r}: {error}") from error

    def _dimensions(self) -> dict[str, int]:
        """The library does not tell them."""
        with open(os.path.join(self._path, "edge_config.json"), "rb") as file:
            return {name: int(one["size"]) for name, one in json.load(file)["vectors"].items()}

    @staticmethod
    def _add_indexes(shard: EdgeShard) -> None:
        edge = _edge()
        there = shard.info().payload_schema
        for field, divides in INDEXED.items():
            if field not in there:
                schema = edge.KeywordIndexParams(is_tenant=True if field == TENANT else None, enable_hnsw=divides)
                shard.update(edge.UpdateOperation.create_field_index(field, schema))


def _filter(where: Where) -> Filter:
    edge = _edge()
    must = []
    if where.tenant is not None:
        must.append(edge.FieldCondition(key=TENANT, match=edge.MatchValue(value=where.tenant)))
    if where.ids is not None:
        must.append(edge.HasIdCondition(set(where.ids)))
    if where.projects is not None:
        must.append(edge.FieldCondition(key="project", match=edge.MatchAny(any=list(where.projects))))
    found: Filter = edge.Filter(must=must)
    return found


def _vectors(vector: object) -> dict[str, list[float]]:
    return vector if isinstance(vector, dict) else {"": vector} if isinstance(vector, list) else {}


def _edge() -> Any:
    try:
        import qdrant_edge
    except ImportError as error:
        raise InvalidInput(f"a folder of Qdrant needs its embedded engine; {install_extra('qdrant-edge')}") from error
    return qdrant_edge
