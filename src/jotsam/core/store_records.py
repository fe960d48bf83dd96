"""Records of the store: items with exact values, by namespace and key."""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class StoredItem(Record):
    """An item of the store. Its value is what was put."""

    namespace: tuple[str, ...]
    key: str
    value: Any
    version: int  # another one after each put, also of a new item in its place
    position: int | None = None  # in its namespace, if it was appended
    score: float | None = None  # 0 to 1, how well it matches the words of a search; of a vector: the cosine
    created_at: int
    changed_at: int
    ttl_ms: int | None = None  # how long it is kept after it was put or read
    expires_at: int | None = None


class StoreChange(Record):
    """What was written to the store or deleted from it."""

    number: int  # of items
    position: int | None = None  # of the first item that was appended
    version: int | None = None  # of the item, if one was put
    at: int


class StoreNamespace(Record):
    """A namespace, and how many items are in it; if it was cut at a depth, also below it."""

    namespace: tuple[str, ...]
    items: int
