"""Many items of `jot.store`, of which a call takes and returns a limited number. Imports no framework."""

from __future__ import annotations

from itertools import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeVar

    from jotsam import AsyncStore

    T = TypeVar("T")

PAGE = 500  # items, the most that one call takes
MOST = 1_000  # the most that one call returns


def pages(find: Callable[..., Sequence[T]], *, size: int = MOST) -> Iterator[T]:
    """What a call finds, `size` at a time."""
    for number in count():
        page = find(limit=size, offset=number * size)
        yield from page
        if len(page) < size:
            return


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
