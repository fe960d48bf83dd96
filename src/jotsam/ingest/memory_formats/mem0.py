"""What `get_all` of mem0 returns, saved as JSON: `{"results": [...]}`, or the list alone."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Memory
from jotsam.ingest import files
from jotsam.ingest.memory_formats.items import (
    MAX_BYTES,
    Item,
    ItemLink,
    Rejected,
    items_of,
    object_of,
    parsed,
    text_of,
    texts_of,
    time_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

IN_METADATA = ("user_id", "agent_id", "role", "updated_at")


def read_items(path: str) -> Iterator[Item | ItemLink | Rejected]:
    with files.open_regular(path) as file:
        value = parsed(file.read(MAX_BYTES), name=path)
    found = value.get("results") if isinstance(value, dict) else value
    if not isinstance(found, list):
        raise InvalidInput(f"{path}: not a list of mem0: it must be a list, or an object with results")
    yield from items_of(found, _item, name="memory")


def _item(entry: dict[str, Any]) -> Item:
    text, id = text_of(entry.get("memory")), text_of(entry.get("id"))
    if not text or not id:
        raise InvalidInput("it has no id or no memory")
    about = {name: entry[name] for name in IN_METADATA if entry.get(name)}
    metadata = {**about, **object_of(entry.get("metadata"))}
    memory = Memory(
        text=text,
        source="mem0",
        actor=text_of(entry.get("actor_id")) or text_of(entry.get("user_id")) or None,
        session=text_of(entry.get("run_id")) or None,
        tags=texts_of(entry.get("categories")),
        metadata=metadata or None,
        said_at=time_of(entry.get("created_at"), name="created_at"),
        valid_until=time_of(entry.get("expiration_date"), name="expiration_date"),
    )
    return Item(key=f"mem0:{id}", memory=memory)
