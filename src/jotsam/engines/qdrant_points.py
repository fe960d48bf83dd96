"""What the Qdrant engine needs of a collection of points, on a server or in a folder; each is one module.

Ids of points are UUIDs. A point has one payload, and at most one vector of each name.
"""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    class Points(Protocol):
        """One collection. Making one connects nowhere. Thread-safe; each call raises errors of the package."""

        def server_version(self) -> str: ...

        def create(self) -> None:
            """Create the collection without vectors, unless it is there, and the indexes of the fields in `INDEXED`."""
            ...

        def dimensions(self) -> dict[str, int]:
            """The dimensions of vectors by their names; that of an unnamed vector is ""."""
            ...

        def add_vector(self, name: str, dimension: int) -> None: ...

        def upsert(self, points: Sequence[Point], *, unless: Newest) -> None:
            """Replace these points as a whole. A point that is there and does not match `unless` is kept as it is."""
            ...

        def delete(self, where: Where) -> None: ...

        def count(self, where: Where) -> int: ...

        def scroll(self, where: Where, *, after: str, limit: int, only: Sequence[str] | None) -> list[Point]:
            """Points in order of id, after an id; `only` these fields of the payload, or everything with vectors."""
            ...

        def values(self, field: str, *, limit: int) -> dict[str, int]:
            """The values of an indexed field, at most `limit`, and how many points have each: perhaps none."""
            ...

        def nearest(self, name: str, query: list[float], where: Where, *, limit: int) -> list[tuple[str, float]]:
            """Ids and cosines, the nearest first."""
            ...

        def close(self) -> None: ...


# The fields of the payload with an index, and whether the index of the vectors is divided by it.
TENANT, VERSION = "tenant", "version"
INDEXED = {TENANT: True, "project": True, "tags": False, "tag_prefixes": False}

# No graph over the vectors of all tenants: each tenant, and each project, has its own. A question always names its
# tenant, and a graph of all tenants would be searched for a small tenant in vain.
GRAPH_EDGES, GRAPH_EDGES_OF_TENANT, GRAPH_BUILD = 0, 16, 128


class Point(Record):
    id: str
    payload: Mapping[str, Any]
    vectors: Mapping[str, list[float]] = {}


class Where(Record):
    """Which points; None is every one. `tenant` is None only where a collection of another program is read."""

    tenant: str | None
    ids: Sequence[str] | None = None
    projects: Sequence[str] | None = None


class Newest(Record):
    """A point of this tenant that no later version has written."""

    tenant: str
    version: int
