"""The items of a conversation in `jot.store`, in order and exact. Imports no framework."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from jotsam import AsyncStore

PAGE = 500  # items, the most that one call appends


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
