"""What one call sends to a server, and how its answer becomes a value. Nothing here opens a connection.

Every method of the clients is defined once, as a function that returns a `Request`, or a generator that yields several
and returns the result. `Client` and `AsyncClient` send them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from math import isfinite
from typing import Any, BinaryIO, Generic, TypeAlias, TypeVar
from urllib.parse import quote

from jotsam.core.clock import LATEST_MS, parse_time
from jotsam.core.errors import InvalidInput
from jotsam.core.record_types import decode
from jotsam.core.records import Record
from jotsam.core.validate import shown

T = TypeVar("T")

ANSWER = "the answer"
TIMES = frozenset(("since", "until", "before", "as_of"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Request(Generic[T]):
    """One request. Parameters and fields that are None are not sent; `UNSET` fields that are null are."""

    method: str
    path: str
    read: Callable[[Any], T]  # the result, from the JSON of the answer
    query: Mapping[str, object] = field(default_factory=dict)
    body: Mapping[str, object] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    is_safe: bool = False  # can be sent again without harm
    is_accepting: bool = False  # sent with an Idempotency-Key, so it can be sent again
    longer_ms: int = 0  # the server may take this much longer than usual
    sink: Callable[[bytes], object] | None = None  # takes the pieces of the answer, which is not JSON
    upload: BinaryIO | None = None  # sent as the body
    upload_bytes: int = 0


Steps: TypeAlias = Generator[Request[Any], Any, T]
Call: TypeAlias = Request[T] | Steps[T]


def reading(path: str, read: Callable[[Any], T], query: Mapping[str, object] | None = None) -> Request[T]:
    """A request that changes nothing."""
    return Request(method="GET", path=path, read=read, query=query or {}, is_safe=True)


def asking(path: str, read: Callable[[Any], T], body: Mapping[str, object], *, longer_ms: int = 0) -> Request[T]:
    """A request that changes nothing, with a body."""
    return Request(method="POST", path=path, read=read, body=body, is_safe=True, longer_ms=longer_ms)


def writing(path: str, read: Callable[[Any], T], body: Mapping[str, object]) -> Request[T]:
    """A request that changes something. If the connection is lost, the caller decides whether to repeat it."""
    return Request(method="POST", path=path, read=read, body=body)


def record(kind: Callable[[], type[T]]) -> Callable[[Any], T]:
    """Reads one record. Its class is imported when it is needed."""
    return lambda answer: decode(kind(), answer, name=ANSWER)


def list_of(kind: Callable[[], type[T]]) -> Callable[[Any], list[T]]:
    """Reads the records of a list."""
    return lambda answer: [decode(kind(), one, name=f"{ANSWER}.items") for one in member("items", list)(answer)]


def member(name: str, kind: type[T]) -> Callable[[Any], T]:
    """Reads one field of the answer."""
    return lambda answer: decode(kind, _member(answer, name), name=f"{ANSWER}.{name}")


def nothing(answer: object) -> None:
    """Reads no result."""


def _member(answer: Any, name: str) -> Any:
    if not isinstance(answer, dict) or name not in answer:
        raise InvalidInput(f"{ANSWER} has no {name}")
    return answer[name]


def segment(name: str, value: object) -> str:
    """A value as one part of a path. Raises `InvalidInput`."""
    if not isinstance(value, str) or not value.strip():
        expected = "the id of a document, memory or job, or the beginning of a UUID" if name == "id" else "a text"
        raise InvalidInput(f"{name} is {value!r}: give {expected}")
    try:
        quoted = quote(value, safe="")
    except UnicodeEncodeError as error:
        raise InvalidInput(f"invalid {name} {shown(value)}: must not contain unpaired surrogates") from error
    # As they are, these two are the folder itself, and the one above it.
    return {".": "%2E", "..": "%2E%2E"}.get(quoted, quoted)


def plain(name: str, value: Any) -> Any:
    """A value as JSON can hold it. Times become milliseconds. Raises `InvalidInput`."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return _without_surrogates(value)
    if isinstance(value, float) and isfinite(value):
        return value
    if isinstance(value, Record):
        return value.as_dict()
    if isinstance(value, date):  # or a datetime
        return parse_time(value, name=name)
    if isinstance(value, Mapping) or (hasattr(value, "keys") and hasattr(value, "items")):
        wrong = [key for key in value if not isinstance(key, str)]
        if wrong:
            raise InvalidInput(f"invalid {name} with the key {shown(wrong[0])}: a key is a str")
        return {_without_surrogates(key): plain(key, inner) for key, inner in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, bytes | bytearray | memoryview):
        return [plain(name, inner) for inner in value]
    if name == "tx":
        raise InvalidInput("a transaction cannot be passed on over HTTP: use `Jotsam` where the database is")
    raise InvalidInput(f"invalid {name} {shown(value)}: cannot be sent as JSON")


def _without_surrogates(value: str) -> str:
    """The text with unpaired surrogates, which JSON cannot hold, replaced as a database does it."""
    if value.isascii():
        return value
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _time(value: Any) -> Any:
    """A time as ISO 8601: a few digits alone would be a year."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LATEST_MS:
        return value
    return datetime.fromtimestamp(value // 1000, UTC).replace(microsecond=value % 1000 * 1000).isoformat()


def parameters(query: Mapping[str, object]) -> list[tuple[str, str | int | float | bool | None]]:
    """The parameters of a query string. A list is a parameter given several times, and an object is JSON."""
    sent = ((name, _time(plain(name, value)) if name in TIMES else plain(name, value)) for name, value in query.items())
    every = ((name, one) for name, value in sent for one in (value if isinstance(value, list) else [value]))
    return [(name, _in_query(one)) for name, one in every if one is not None]


def _in_query(value: object) -> str:
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)
