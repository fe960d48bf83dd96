"""What a reader yields, and reading JSON."""

from __future__ import annotations

import json
from hashlib import sha256

from jotsam.core.clock import parse_time
from jotsam.core.errors import InvalidInput
from jotsam.core.names import LINK_TYPES
from jotsam.core.records import Memory, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

MAX_BYTES = 1_000_000_000


class Item(Record):
    """A memory with an idempotency key, which is the same in every import."""

    key: str
    memory: Memory
    vector: bytes | None = None  # of its text, of length 1


class ItemLink(Record):
    """A link between two items, by their keys."""

    source: str
    type: str
    target: str
    weight: float = 1.0
    # Given: it is an association of AutoMem, so that a link that invalidates its source hides it.
    properties: Mapping[str, Any] | None = None


class Progress(Record):
    """How many items were read, and how many there are."""

    done: int
    total: int


class Rejected(Record):
    """A part of the file that cannot be read."""

    line: int | None
    reason: str


def items_of(entries: Iterable[Any], item: Callable[[dict[str, Any]], Item], *, name: str) -> Iterator[Item | Rejected]:
    """The item of each entry, or why it was left out; `name` is what an entry is called in that reason."""
    for number, entry in enumerate(entries, 1):
        try:
            yield item(entry if isinstance(entry, dict) else {})
        except InvalidInput as error:
            yield Rejected(line=None, reason=f"{name} {number:,}: {error}")


def link_type(name: str) -> str:
    """The link type of that name, else RELATES_TO."""
    found = name.strip().upper().replace(" ", "_").replace("-", "_")
    return found if found in LINK_TYPES else "RELATES_TO"


def mark(*parts: str) -> str:
    """A short hash of texts, for keys."""
    return sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def parsed(text: str | bytes, *, name: str) -> Any:
    """A JSON value. Raises `InvalidInput`."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{name}: not JSON: {error}") from error


def text_of(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def time_of(value: object, *, name: str) -> int | None:
    """A time in milliseconds. None without one. Raises `InvalidInput`."""
    if value is None or value == "":
        return None
    return parse_time(value, name=name)


def share_of(value: object) -> float | None:
    """A number from 0 to 1, else None."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value <= 1 else None  # type: ignore[arg-type, operator]  # It is a number.


def texts_of(value: object) -> tuple[str, ...]:
    """The strings of a list, or of a JSON list in a string; else none."""
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return ()
    return (
        tuple(one.strip() for one in value if isinstance(one, str) and one.strip()) if isinstance(value, list) else ()
    )


def object_of(value: object) -> dict[str, Any]:
    """An object, or one in a JSON string; else an empty one."""
    if isinstance(value, str) and value.startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, dict) else {}
