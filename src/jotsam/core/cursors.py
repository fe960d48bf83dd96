"""The place after which a page begins, as opaque text: a key, never an offset, so that every page costs the same."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode

from jotsam.core import validate
from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def cursor(*place: object) -> str:
    return urlsafe_b64encode(json.dumps(place, separators=(",", ":")).encode()).decode().rstrip("=")


def place(cursor: object, *kinds: type | tuple[type, ...], same: str = "") -> tuple[Any, ...]:
    """The values in a cursor, which are of these kinds. `same` says what its page has to have in common.

    Raises `InvalidInput`.
    """
    values = values_of(cursor)
    if len(values) == len(kinds):
        pairs = [*zip(values, kinds, strict=True)]
        if all(isinstance(value, kind) and not isinstance(value, bool) and _fits(value) for value, kind in pairs):
            return tuple(values)
    raise InvalidInput(f"invalid after {validate.shown(cursor)}: must be the `next` of a page{same}")


def values_of(cursor: object) -> list[Any]:
    """The values in a cursor; none, if it is not one. Raises `InvalidInput` for what is no text."""
    text = validate.check_text("after", cursor)
    try:
        values = json.loads(urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4)))
    except (ValueError, TypeError, RecursionError):
        return []
    return values if isinstance(values, list) else []


def _fits(value: object) -> bool:
    """Whether a database can compare it."""
    if isinstance(value, str):
        return len(value) <= validate.MAX_NAME_BYTES and validate.replace_unstorable(value) == value
    return isinstance(value, int | float) and -1 <= value <= validate.MAX_ID
