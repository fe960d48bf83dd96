"""A collection on a Qdrant server, by its REST API. This module alone imports `qdrant_client`, at the first call."""

from __future__ import annotations

import json
import ssl
import threading
import warnings
from contextlib import contextmanager

from jotsam.core.errors import InvalidInput, ProviderUnavailable, Refused, install_extra
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

    from qdrant_client import QdrantClient, models

    from jotsam.engines.qdrant_points import Newest, Where

OLDEST = (1, 18)  # the first that adds a named vector to a collection; conditions on an upsert came with 1.16
MAX_REASON = 300  # characters
IN_MEMORY = ":memory:"  # the engine in Python inside the library, for tests


class ServerPoints:
    """`Points` on a server. `url` is http:// or https:// with host and port."""

    def __init__(
        self, url: str, collection: str, *, api_key: str | None, timeout_ms: int, ca_file: str | None = None
    ) -> None:
        self._url, self._collection, self._api_key, self._ca_file = url, collection, api_key, ca_file
        self._timeout = max(1, timeout_ms // 1000)
        self._lock = threading.Lock()
        self._client: QdrantClient | None = None

    def server_version(self) -> str:
        with self._errors() as client:
            version = client.info().version
        numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdecimal())
        if len(numbers) == 2 and numbers < OLDEST:
            raise InvalidInput(
                f"Qdrant {version} at {self._url} is too old: {OLDEST[0]}.{OLDEST[1]} or later is needed"
            )
        return f"Qdrant {version}"

    def create(self) -> None:
        models = _models()
        graph = models.HnswConfigDiff(m=GRAPH_EDGES, payload_m=GRAPH_EDGES_OF_TENANT, ef_construct=GRAPH_BUILD)
        with self._errors() as client:
            if not client.collection_exists(self._collection):
                client.create_collection(self._collection, vectors_config={}, hnsw_config=graph)
            if "" in _dimensions(client.get_collection(self._collection)):
                return
            for field, divides in INDEXED.items():
                schema = models.KeywordIndexParams(
                    type=models.KeywordIndexType.KEYWORD,
                    is_tenant=True if field == TENANT else None,
                    enable_hnsw=divides,
                )
                client.create_payload_index(self._collection, field, field_schema=schema)

    def dimensions(self) -> dict[str, int]:
        with self._errors() as client:
            return _dimensions(client.get_collection(self._collection))

    def add_vector(self, name: str, dimension: int) -> None:
        models = _models()
        config = models.DenseVectorConfig(size=dimension, distance=models.Distance.COSINE)
        with self._errors() as client:
            client.create_vector_name(self._collection, name, models.DenseVectorNameConfig(dense=config))

    def upsert(self, points: Sequence[Point], *, unless: Newest) -> None:
        models = _models()
        rows = [models.PointStruct(id=one.id, vector=dict(one.vectors), payload=dict(one.payload)) for one in points]
        condition = models.Filter(
            must=[
                models.FieldCondition(key=TENANT, match=models.MatchValue(value=unless.tenant)),
                models.FieldCondition(key=VERSION, range=models.Range(lte=unless.version)),
            ]
        )
        with self._errors() as client:
            client.upsert(self._collection, rows, update_filter=condition)

    def delete(self, where: Where) -> None:
        models = _models()
        with self._errors() as client:
            client.delete(self._collection, models.FilterSelector(filter=_filter(where)))

    def count(self, where: Where) -> int:
        with self._errors() as client:
            return client.count(self._collection, _filter(where), exact=True).count

    def scroll(self, where: Where, *, after: str, limit: int, only: Sequence[str] | None) -> list[Point]:
        with self._errors() as client:
            found, _ = client.scroll(
                self._collection,
                scroll_filter=_filter(where),
                limit=limit + bool(after),
                offset=after or None,
                with_payload=list(only) if only is not None else True,
                with_vectors=only is None,
            )
        points = [Point(id=str(one.id), payload=one.payload or {}, vectors=_vectors(one.vector)) for one in found]
        return [point for point in points if point.id != after][:limit]

    def values(self, field: str, *, limit: int) -> dict[str, int]:
        with self._errors() as client:
            return {
                str(hit.value): hit.count for hit in client.facet(self._collection, field, limit=limit, exact=True).hits
            }

    def nearest(self, name: str, query: list[float], where: Where, *, limit: int) -> list[tuple[str, float]]:
        with self._errors() as client:
            found = client.query_points(
                self._collection,
                query=query,
                using=name,
                query_filter=_filter(where),
                limit=limit,
                with_payload=False,
            )
        return [(str(point.id), point.score) for point in found.points]

    def close(self) -> None:
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _connected(self) -> QdrantClient:
        with self._lock:
            if self._client is None:
                _models()
                from qdrant_client import QdrantClient

                options: dict[str, Any] = {}
                if self._ca_file:
                    options["verify"] = ssl.create_default_context()
                    options["verify"].load_verify_locations(self._ca_file)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # Of a key without TLS: the page says it, and a worker has no one.
                    self._client = QdrantClient(
                        self._url, api_key=self._api_key, timeout=self._timeout, check_compatibility=False, **options
                    )
            return self._client

    @contextmanager
    def _errors(self) -> Iterator[QdrantClient]:
        """The client, with its errors as those of this package."""
        client = self._connected()
        from qdrant_client.common.client_exceptions import QdrantException
        from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

        try:
            yield client
        except UnexpectedResponse as error:
            raise self._refused(error.status_code or 0, _reason(error.content)) from error
        except (ApiException, QdrantException, OSError) as error:
            raise ProviderUnavailable(f"Qdrant at {self._url} cannot be reached: {_cut(str(error))}") from error
        except ValueError as error:  # Of the engine inside the library, and of its checks of arguments.
            raise self._refused(404 if "not found" in str(error) else 400, str(error)) from error

    def _refused(self, status: int, reason: str) -> ProviderUnavailable | Refused:
        place = f"Qdrant at {self._url}"
        if status in (401, 403):
            return ProviderUnavailable(f"{place} refuses the API key, or needs one: {_cut(reason)}", status=status)
        if status == 404 and "ollection" in reason:
            return ProviderUnavailable(
                f"{place} has no collection {self._collection!r}: `jotsam db engine rebuild` makes it again",
                status=status,
            )
        if status == 429 or status >= 500 or not status:
            return ProviderUnavailable(f"{place} is not ready ({status}): {_cut(reason)}", status=status)
        return Refused(f"{place} rejected the request ({status}): {_cut(reason)}", status=status)


def _models() -> Any:
    try:
        from qdrant_client import models
    except ImportError as error:
        raise InvalidInput(f"Qdrant needs its client; {install_extra('qdrant')}") from error
    return models


def _filter(where: Where) -> models.Filter:
    library = _models()
    must: list[object] = []
    if where.tenant is not None:
        must.append(library.FieldCondition(key=TENANT, match=library.MatchValue(value=where.tenant)))
    if where.ids is not None:
        must.append(library.HasIdCondition(has_id=list(where.ids)))
    if where.projects is not None:
        must.append(library.FieldCondition(key="project", match=library.MatchAny(any=list(where.projects))))
    found: models.Filter = library.Filter(must=must)
    return found


def _dimensions(collection: models.CollectionInfo) -> dict[str, int]:
    held = collection.config.params.vectors or {}
    return {name: one.size for name, one in held.items()} if isinstance(held, dict) else {"": held.size}


def _vectors(vector: object) -> dict[str, list[float]]:
    return vector if isinstance(vector, dict) else {"": vector} if isinstance(vector, list) else {}


def _reason(content: bytes) -> str:
    try:
        return str(json.loads(content)["status"]["error"])
    except (ValueError, KeyError, TypeError):
        return content.decode(errors="replace")


def _cut(reason: str) -> str:
    reason = " ".join(reason.split())
    return reason if len(reason) <= MAX_REASON else reason[: MAX_REASON - 1] + "…"
