"""Qdrant as an engine: compares vectors within a tenant. SQL is the truth, so a collection can be dropped and rebuilt.

One collection holds the memories of all tenants, one point each: its id is that of the memory, its payload every field
of it, and its vector has the name of the embedder, so vectors of any number of embedders and dimensions fit into it.
A memory without a vector is a point too. Each filter contains the tenant.
"""

from __future__ import annotations

import re
from array import array

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.engines.qdrant_payload import memory_of, payload_of, vector_name
from jotsam.engines.qdrant_points import TENANT, Newest, Point, Where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jotsam.core.mirror_records import MirroredMemory, MirroredVector
    from jotsam.engines.qdrant_points import Points

COLLECTION = "memories"  # as AutoMem's
PORT = 6333
PLAIN, TLS = "qdrant://", "qdrants://"
PREFIXES = (PLAIN, TLS)
TIMEOUT_MS = 10_000
BATCH = 256  # points per request
MAX_TENANTS = 1_000  # asked for at once; more are asked for again

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
SERVER = re.compile(r"(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:(?P<port>[0-9]{1,5}))?")
NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")


class QdrantAddress(Record):
    """A server, or the folder of the embedded engine."""

    collection: str = COLLECTION
    host: str = ""
    port: int = PORT
    tls: bool = False
    folder: str | None = None


class QdrantEngine:
    """A `VectorEngine`."""

    def __init__(self, points: Points) -> None:
        self._points = points
        self._dimensions: dict[str, int] = {}

    def prepare(self) -> str:
        version = self._points.server_version()
        self._points.create()
        if "" in self._points.dimensions():
            raise InvalidInput(
                "the collection was made by another program, perhaps AutoMem: `jotsam import` reads it; for the engine"
                " name another one in its address, as in qdrant://HOST:6333/jotsam"
            )
        return version

    def upsert(self, tenant: str, memories: Sequence[MirroredMemory], *, version: int) -> None:
        for memory in memories:
            if memory.vector:
                self._add_vector(memory.vector)
        for start in range(0, len(memories), BATCH):
            points = [_point(one, tenant, version) for one in memories[start : start + BATCH]]
            self._points.upsert(points, unless=Newest(tenant=tenant, version=version))

    def delete(self, tenant: str, ids: Iterable[str]) -> None:
        known = _uuids(ids)
        for start in range(0, len(known), BATCH):
            self._points.delete(Where(tenant=tenant, ids=known[start : start + BATCH]))

    def forget_tenant(self, tenant: str) -> None:
        self._points.delete(Where(tenant=tenant))

    def tenants(self) -> list[str]:
        limit = MAX_TENANTS
        while len(found := self._points.values(TENANT, limit=limit)) == limit:
            limit *= 10
        return sorted(tenant for tenant, count in found.items() if count)

    def count(self, tenant: str) -> int:
        return self._points.count(Where(tenant=tenant))

    def digests(self, tenant: str, *, after: str, limit: int) -> list[tuple[str, str]]:
        found = self._points.scroll(Where(tenant=tenant), after=after, limit=limit, only=["digest"])
        return [(point.id, str(point.payload.get("digest", ""))) for point in found]

    def read_memories(self, tenant: str, ids: Iterable[str]) -> dict[str, MirroredMemory]:
        known = _uuids(ids)
        found: dict[str, MirroredMemory] = {}
        for start in range(0, len(known), BATCH):
            where = Where(tenant=tenant, ids=known[start : start + BATCH])
            for point in self._points.scroll(where, after="", limit=BATCH, only=None):
                found[point.id] = memory_of(point.id, point.payload, point.vectors)
        return found

    def nearest(
        self, tenant: str, query: bytes, *, embedder: str, limit: int, projects: Sequence[str] | None
    ) -> dict[str, float]:
        name = vector_name(embedder)
        dimension = self._dimension(name)
        if dimension is None or limit < 1 or projects == []:
            return {}
        _check_dimension(embedder, held=dimension, given=_size(query, embedder))
        where = Where(tenant=tenant, projects=projects)
        return dict(self._points.nearest(name, array("f", query).tolist(), where, limit=limit))

    def close(self) -> None:
        self._points.close()

    def _add_vector(self, vector: MirroredVector) -> None:
        """Let the collection hold vectors of this embedder."""
        name, given = vector_name(vector.embedder), _size(vector.bytes, vector.embedder)
        held = self._dimension(name)
        if held is None:
            self._points.add_vector(name, given)
            self._dimensions[name] = held = given
        _check_dimension(vector.embedder, held=held, given=given)

    def _dimension(self, name: str) -> int | None:
        """Asked for once for each name: dimensions never change, but other processes add names."""
        if name not in self._dimensions:
            self._dimensions = self._points.dimensions()
        return self._dimensions.get(name)


def is_qdrant(address: str) -> bool:
    return address.startswith(PREFIXES)


def parse_address(address: str) -> QdrantAddress:
    """`qdrant://HOST:PORT/COLLECTION` (the last two are optional), `qdrants://` with TLS, or `qdrant:///FOLDER`."""
    if not is_qdrant(address):
        raise InvalidInput("invalid address of Qdrant: must begin with qdrant:// or, with TLS, qdrants://")
    scheme = TLS if address.startswith(TLS) else PLAIN
    place = address[len(scheme) :]
    if place.startswith("/") and scheme == PLAIN and "\0" not in place:
        return QdrantAddress(folder=place)
    if "@" in place or "?" in place:
        raise InvalidInput("invalid address of Qdrant: it contains a key or parameters; the key is given separately")
    server, _, collection = place.rstrip("/").partition("/")
    found = SERVER.fullmatch(server)
    port = int(found["port"] or PORT) if found else 0
    if found is None or not 0 < port < 65_536 or not NAME.fullmatch(collection or COLLECTION):
        raise InvalidInput(
            f"invalid address of Qdrant {address!r}: must be {scheme}HOST:{PORT}, with /COLLECTION or without, or"
            " qdrant:///FOLDER"
        )
    return QdrantAddress(collection=collection or COLLECTION, host=found["host"], port=port, tls=scheme == TLS)


def open_points(
    address: str, *, api_key: str | None = None, ca_file: str | None = None, timeout_ms: int = TIMEOUT_MS
) -> Points:
    """The collection of an address. Connects nowhere. Raises `InvalidInput`, also if the library is not installed."""
    place = parse_address(address)
    if place.folder is not None:
        from jotsam.engines.qdrant_folder import FolderPoints

        return FolderPoints(place.folder)
    from jotsam.engines.qdrant_server import ServerPoints

    url = f"{'https' if place.tls else 'http'}://{place.host}:{place.port}"
    return ServerPoints(url, place.collection, api_key=api_key or None, ca_file=ca_file, timeout_ms=timeout_ms)


def open_engine(
    address: str, *, secret: str | None = None, ca_file: str | None = None, timeout_ms: int = TIMEOUT_MS
) -> QdrantEngine:
    """The engine at an address; `secret` is the API key. Connects nowhere. Raises `InvalidInput`."""
    return QdrantEngine(open_points(address, api_key=secret, ca_file=ca_file, timeout_ms=timeout_ms))


def _point(memory: MirroredMemory, tenant: str, version: int) -> Point:
    vectors = {}
    if memory.vector:
        vectors[vector_name(memory.vector.embedder)] = array("f", memory.vector.bytes).tolist()
    return Point(id=memory.id, payload=payload_of(memory, tenant=tenant, version=version), vectors=vectors)


def _uuids(ids: Iterable[str]) -> list[str]:
    """Those that can be the id of a point: Qdrant refuses a request with any other."""
    return [id for id in dict.fromkeys(ids) if UUID.fullmatch(id)]


def _size(vector: bytes, embedder: str) -> int:
    """The dimension of a vector."""
    if not vector or len(vector) % 4:
        raise InvalidInput(f"invalid vector of {embedder}: {len(vector):,} bytes are no list of float32 numbers")
    return len(vector) // 4


def _check_dimension(embedder: str, *, held: int, given: int) -> None:
    if held != given:
        raise InvalidInput(
            f"Qdrant holds vectors of {embedder} with {held:,} dimensions, and this one has {given:,}: another model"
            " has its name; delete the collection in Qdrant, then `jotsam db engine rebuild` makes it again"
        )
