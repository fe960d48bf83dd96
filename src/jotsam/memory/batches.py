"""Batches: many documents, memories or links in one transaction. An invalid item does not stop the others.

An item is accepted exactly as by a call of its own, in order, so a duplicate of an earlier item is one here too.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.records import ItemResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jotsam.core.records import Receipt
    from jotsam.storage.database import Transaction

MAX_ITEMS = 500  # the write lock of a file is held for about 0.2 ms an item


def check_items(items: object) -> list[Any]:
    """The items of a batch as a list. Raises `InvalidInput`."""
    found = validate.check_list("items", items)
    if len(found) > MAX_ITEMS:
        raise InvalidInput(f"invalid items: {len(found):,} are given: must be at most {MAX_ITEMS} a call")
    return found


def check_item(item: Any, *, required: tuple[str, ...], allowed: frozenset[str]) -> dict[str, Any]:
    """An item as keyword arguments. Raises `InvalidInput`."""
    if not hasattr(item, "keys") or not hasattr(item, "items"):
        raise InvalidInput(f"invalid item {validate.shown(item)}: must be a dict")
    fields: dict[str, Any] = {**item}
    validate.check_fields((str(name) for name in fields), allowed)
    for name in required:
        if name not in fields:
            raise InvalidInput(f"an item has no {name}: it has {', '.join(sorted(fields)) or 'no fields'}")
    return fields


def accept_each(
    tx: Transaction, items: list[Any], write: Callable[..., Receipt], *, allowed: frozenset[str]
) -> list[ItemResult]:
    """Accept each item, a text or a dict, with `write(tx, text, key, other fields)`."""
    results = []
    for index, item in enumerate(items):
        try:
            given = {"text": item} if isinstance(item, str) else item
            fields = check_item(given, required=("text",), allowed=allowed)
            text, key = fields.pop("text"), fields.pop("key", None)
            results.append(ItemResult(index=index, receipt=write(tx, text, key, fields, soft_cap=None)))
        except InvalidInput as error:
            results.append(ItemResult(index=index, error=error))
    return results


def with_warning(results: list[ItemResult], warnings: tuple[str, ...]) -> list[ItemResult]:
    """The results with warnings about the whole batch in the last receipt that is not of a duplicate."""
    for result in reversed(results):
        if result.receipt and not result.receipt.duplicate:
            receipt = result.receipt.replace(warnings=(*result.receipt.warnings, *warnings))
            results[result.index] = result.replace(receipt=receipt)
            break
    return results


def link_each(items: list[Any], link: Callable[[Any], Any]) -> list[ItemResult]:
    """Create each link in one transaction."""
    results = []
    for index, item in enumerate(items):
        try:
            results.append(ItemResult(index=index, link=link(item)))
        except (InvalidInput, NotFound) as error:
            results.append(ItemResult(index=index, error=error))
    return results
