"""The collection of AutoMem on its Qdrant, read page by page: memories with their vectors. It reads only."""

from __future__ import annotations

from array import array

from jotsam.core.errors import InvalidInput, ProviderUnavailable
from jotsam.engines.qdrant import open_points
from jotsam.engines.qdrant_points import TENANT, Where
from jotsam.ingest.memory_formats import automem
from jotsam.ingest.memory_formats.items import Item, Progress, Rejected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jotsam.engines.qdrant_points import Points

PAGE = 500
EVERY = Where(tenant=None)


def read_items(
    address: str, *, password: str | None = None, ca_file: str | None = None
) -> Iterator[Item | Progress | Rejected]:
    """Memories, each with its vector. The address names the collection, by default AutoMem's.

    Raises `InvalidInput`, and `ProviderUnavailable` if the server cannot be used.
    """
    points = open_points(address, api_key=password, ca_file=ca_file)
    try:
        yield from _read(points, address)
    finally:
        points.close()


def _read(points: Points, address: str) -> Iterator[Item | Progress | Rejected]:
    try:
        total = points.count(EVERY)
    except ProviderUnavailable as error:
        if error.status != 404:
            raise
        raise InvalidInput(f"{address} has no such collection: write qdrant://HOST:PORT/COLLECTION") from error
    done, after = 0, ""
    while page := points.scroll(EVERY, after=after, limit=PAGE, only=None):
        if not after and {TENANT, "version", "digest"} <= page[0].payload.keys():
            raise InvalidInput(
                f"{address} is made by Jotsam from a database of its own: import an export of that database"
            )
        for point in page:
            done += 1
            try:
                item = automem.item_of({**point.payload, "id": point.id})
            except InvalidInput as error:
                yield Rejected(line=None, reason=f"point {point.id}: {error}")
            else:
                yield item.replace(vector=_unit(point.vectors))
        after = page[-1].id
        yield Progress(done=done, total=max(total, done))


def _unit(vectors: Mapping[str, Sequence[float]]) -> bytes | None:
    """The only vector of a point, of length 1."""
    if len(vectors) != 1:
        return None
    (numbers,) = vectors.values()
    length = sum(number * number for number in numbers) ** 0.5
    return array("f", [number / length for number in numbers]).tobytes() if length else None
