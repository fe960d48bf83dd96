"""Types of parameters and bodies that several routes share."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import DecodeError, Meta, Struct, UnsetType, json

from jotsam.core.errors import InvalidInput
from jotsam.core.validate import MAX_ID, shown
from jotsam.surfaces.http.requests.route import given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.http.requests.route import Call

Text = str | UnsetType | None
Time = str | int | UnsetType | None  # ISO 8601, or milliseconds since 1970 UTC
PageLimit = Annotated[int, Meta(ge=1, le=200)]

TIMES = frozenset(("since", "until", "before", "as_of"))
OBJECTS = frozenset(("metadata",))  # In a query string they are JSON.
MIN_DIGITS = 9  # of a time in milliseconds; fewer are a year or a date


class NoFields(Struct, forbid_unknown_fields=True):
    """An empty object."""


def options_of(struct: object) -> dict[str, Any]:
    """The fields that were given, with times of a query string as numbers where they are, and objects as dicts."""
    fields = given(struct)
    for name in TIMES & fields.keys():
        value = fields[name]
        if isinstance(value, str) and len(value) >= MIN_DIGITS and value.isdecimal() and value.isascii():
            fields[name] = int(value[:20])
    for name in OBJECTS & fields.keys():
        if isinstance(fields[name], str):
            fields[name] = _object(name, fields[name])
    return fields


def _object(name: str, text: str) -> dict[str, Any]:
    try:
        return json.decode(text, type=dict[str, Any])
    except DecodeError as error:
        raise InvalidInput(f"invalid {name} {shown(text)}: must be a JSON object: {error}") from error


def required_version(call: Call) -> int | None:
    """The version in `If-Match`; None if any version will do.

    A weak ETag counts as a strong one: proxies that compress an answer weaken it.
    """
    value = call.headers.get("if-match", "*").strip()
    if value == "*":
        return None
    number = value.removeprefix("W/").removeprefix('"').removesuffix('"')
    if not (number.isascii() and number.isdecimal() and len(number) < len(str(MAX_ID))):
        raise InvalidInput(f'invalid If-Match {shown(value)}: must be the ETag of one answer, such as "3", or *')
    return int(number)


def last_id(cursor: str) -> int:
    """The id after which a page begins."""
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) < len(str(MAX_ID))):
        raise InvalidInput(f"invalid cursor {cursor[:80]!r}: must be the `next_cursor` of a page")
    return int(cursor)
