"""Conditions on the fields of JSON objects: `{"field": value}`, or `{"field": {"$gte": 3, "$lt": 5}}`. Pure."""

from __future__ import annotations

import json
from operator import ge, gt, le, lt

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.core.validate import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

MAX_CONDITIONS = 100
OPERATORS = ("$eq", "$ne", "$gt", "$gte", "$lt", "$lte")
_ORDERS: Mapping[str, Callable[[Any, Any], object]] = {"$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}


class Comparison(Record):
    """What a field has to be. A field that is absent counts as null."""

    field: str
    operator: str  # one of `OPERATORS`
    value: str | float | bool | None


def comparisons(name: str, wanted: Any) -> tuple[Comparison, ...]:
    """The conditions of an argument called `name`, all of which have to be met. Raises `InvalidInput`."""
    if not hasattr(wanted, "keys") or not hasattr(wanted, "items"):
        raise InvalidInput(f"invalid {name} {shown(wanted)}: must be a dict of fields")
    fields: dict[str, Any] = {**wanted}
    found = tuple(one for field, value in fields.items() for one in _comparisons(name, field, value))
    if len(found) > MAX_CONDITIONS:
        raise InvalidInput(f"invalid {name} with {len(found):,} conditions: must be at most {MAX_CONDITIONS}")
    return found


def are_met(wanted: Iterable[Comparison], found: Mapping[str, object]) -> bool:
    """Whether an object meets all conditions. What is equal is so as text; what is above or below is of one kind."""
    return all(_is_met(one, found.get(one.field)) for one in wanted)


def text_of(value: str | float | bool) -> str:
    """A value as it is compared for equality: numbers and booleans as JSON writes them."""
    return value if isinstance(value, str) else json.dumps(value)


def _comparisons(name: str, field: object, wanted: object) -> Iterator[Comparison]:
    if not isinstance(field, str):
        raise InvalidInput(f"invalid {name} with the field {shown(field)}: must be a string")
    compared = wanted if isinstance(wanted, dict) else {"$eq": wanted}
    if not compared:
        raise InvalidInput(f"invalid {name} of {field!r}: it has no operator: give one of {', '.join(OPERATORS)}")
    for one, value in compared.items():
        if one not in OPERATORS:
            raise InvalidInput(f"invalid {name} of {field!r}: {shown(one)} is not one of {', '.join(OPERATORS)}")
        if value is not None and not isinstance(value, bool | int | float | str):
            raise InvalidInput(f"invalid {name} of {field!r}: {shown(value)} is no text, number, true, false or null")
        if value is None and one in _ORDERS:
            raise InvalidInput(f"invalid {name} of {field!r}: nothing is above or below null")
        try:
            json.dumps(value, allow_nan=False)
        except ValueError as error:  # NaN, an infinity, or an integer of thousands of digits.
            raise InvalidInput(
                f"invalid {name} of {field!r}: {shown(value)} is no number of JSON, which has no NaN and no infinity;"
                " give a number of more than 4,300 digits as a text"
            ) from error
        yield Comparison(field=field, operator=one, value=value)


def _is_met(one: Comparison, found: Any) -> bool:
    if one.operator in _ORDERS:
        kind = _kind(one.value)
        return kind == _kind(found) and bool(_ORDERS[one.operator](found, one.value))
    if found is None or one.value is None:
        is_equal = found is one.value
    else:
        is_equal = _kind(found) is not None and text_of(found) == text_of(one.value)
    return is_equal == (one.operator == "$eq")


def _kind(value: object) -> type | None:
    """What values are in order with each other; None for lists, objects and null."""
    if isinstance(value, bool):
        return bool
    return float if isinstance(value, int | float) else str if isinstance(value, str) else None
