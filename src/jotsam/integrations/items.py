"""Many items of `jot.store`, of which a call takes and returns a limited number. Imports no framework."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeVar

    from jotsam import AsyncStore, Client, Jotsam, Store

    T = TypeVar("T")

PAGE = 500  # items, the most that one call takes
COMPARED = 200  # characters of a text whose order a filter knows
AFTER_SLASH = chr(ord("/") + 1)
MOST = 1_000  # the most that one call returns
NUMBERS = 200_000  # of vectors that one call stores: a request of HTTP has 16 MiB


def pages(find: Callable[..., Sequence[T]], *, size: int = MOST) -> Iterator[T]:
    """What a call finds, `size` at a time."""
    for number in count():
        page = find(limit=size, offset=number * size)
        yield from page
        if len(page) < size:
            return


def below(path: str) -> dict[str, Any]:
    """A filter of items whose field `path` begins with a path, which ends with a slash. All, if it is too long."""
    return {"path": {"$gte": path, "$lt": path[:-1] + AFTER_SLASH}} if len(path) <= COMPARED else {}


def put_all(store: Store, items: Iterable[Any]) -> None:
    """Put items, each a dict of the arguments of `put`, as many as a call takes in one commit."""
    some: list[Any] = []
    numbers = 0
    for item in items:
        more = sum(map(len, item.get("vectors") or ()))
        if len(some) == PAGE or (some and numbers + more > NUMBERS):
            store.put_many(some)
            some, numbers = [], 0
        some.append(item)
        numbers += more
    if some:
        store.put_many(some)


@contextmanager
def together(memory: Jotsam | Client, lock: str) -> Iterator[dict[str, Any]]:
    """The options for calls of `store` that are committed together, where no server is between.

    No other calls are made in between by those who lock the same name.
    """
    database = getattr(memory, "database", None)
    if database is None:
        yield {}
        return
    with database.transaction() as tx:
        tx.lock(lock)
        yield {"tx": tx}


async def append(store: AsyncStore, namespace: Sequence[str], values: Sequence[Any]) -> None:
    """Append values; up to 500 are one commit."""
    for first in range(0, len(values), PAGE):
        await store.append(namespace, values[first : first + PAGE])


async def latest(store: AsyncStore, namespace: Sequence[str], limit: int | None = None) -> list[Any]:
    """The latest `limit` values, or all of them, in the order in which they were appended."""
    found: list[Any] = []
    while limit is None or len(found) < limit:
        size = PAGE if limit is None else min(PAGE, limit - len(found))
        page = await store.search(namespace, limit=size, offset=len(found))
        found.extend(page)
        if len(page) < size:
            break
    return [item.value for item in reversed(found)]
