"""Items of the store on their way back. One that exists is kept as it is."""

from __future__ import annotations

import json

from jotsam.core import exact_json
from jotsam.core.errors import InvalidInput
from jotsam.core.unit_vectors import is_packed
from jotsam.memory.writing.items import NewItem, checked, new_item, save
from jotsam.storage.memories import items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.core.settings import Settings
    from jotsam.memory.transfer.export_format import ItemLine
    from jotsam.storage.database import Transaction

KIND = "item"


def import_items(
    tx: Transaction, own: list[tuple[int, ItemLine]], settings: Settings
) -> Iterator[tuple[str, *tuple[object, ...]]]:
    """Store the items of lines. Yields what to count: the name of a method of `Tally`, and its arguments."""
    items.lock_all(tx)
    for number, line in own:
        try:
            item = _item(line)
            if items.known(tx, [items.address(item.namespace, item.key)]):
                yield "repeat", KIND
                continue
            save(tx, [item], settings)
        except InvalidInput as error:
            yield "reject", number, str(error)
        else:
            yield "add", KIND


def _item(line: ItemLine) -> NewItem:
    """The item of a line, in the form in which the store writes JSON. Raises `InvalidInput`."""
    try:
        namespace, key, value = map(exact_json.decoded, (line.namespace, line.key, line.value))
    except (json.JSONDecodeError, RecursionError) as error:
        raise InvalidInput(f"the namespace, key or value of the item is not JSON: {error}") from error
    (item,) = checked([new_item(namespace, key, value, text=line.words, ttl_ms=line.ttl_ms)])
    same = ("position", "created_at", "changed_at", "expires_at")
    vectors = tuple(_vector(data) for data in line.vectors)
    return item.replace(**{name: getattr(line, name) for name in same}, vectors=vectors)


def _vector(data: bytes) -> bytes:
    if not is_packed(data):
        raise InvalidInput(f"a vector of the item, of {len(data):,} bytes, is no list of float32 numbers of length 1")
    return data
