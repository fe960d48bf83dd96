"""What a handler gets and returns, and how a route describes itself.

A handler is a plain function from `Call` to `Reply`. It knows nothing of the web framework and runs in a thread. Only
that of a probe is a coroutine function, so that it answers while every thread waits for a database that hangs.
"""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
    from typing import Any

    from jotsam.core.token_records import Principal, Scope
    from jotsam.memory.api.client import Jotsam
    from jotsam.surfaces.http.server.server import Server

JSON = "application/json"
MAX_WAIT_S = 30


class Call(Record):
    """One request, checked: its client may call the route, and its parameters and body have the right types."""

    path: Mapping[str, str]  # the parameters in the path
    query: Any  # of the route's `query` type
    body: Any  # of the route's `body` type; an open binary file for a `raw` route
    headers: Mapping[str, str]  # by their lower-case names
    request_id: str
    server: Server
    address: str = ""  # of the client
    payload: bytes = b""  # the body as it was sent
    target: str = ""  # the path and the query string as they were sent
    # Of the token; a route that is open to everyone has neither.
    jot: Jotsam = None  # type: ignore[assignment]  # of its tenant; what it writes is audited in the same transaction
    principal: Principal = None  # type: ignore[assignment]


class Reply(Record):
    """An answer. A record, dict or list is sent as JSON; bytes and iterators of bytes as they are."""

    body: object = None
    status: int | None = None  # default: that of the route
    headers: Mapping[str, str] = {}  # Records are frozen.
    media_type: str = JSON
    wait_for: Sequence[str] = ()  # documents and memories to wait for if the client prefers to wait
    wait_while: Callable[[], bool] | None = None  # what to wait for in place of `wait_for`; false: the wait is over
    wait_ms: int | None = None  # how long to wait, in place of the client's time; without ids for all of the tenant
    waited: Callable[[bool], Reply] | None = None  # the reply after the wait, in place of this one; runs in a thread


class Route(Record):
    """A method and path with everything that dispatch, the OpenAPI document and the tests need to know."""

    method: str
    path: str  # "/v1/memories/{id}"; "{key:path}" also matches slashes
    handler: Callable[[Call], Reply | Awaitable[Reply]]
    summary: str  # one line
    scope: Scope | None = None  # None: open to everyone
    query: type[Any] | None = None  # a Struct
    body: type[Any] | None = None  # a Struct
    raw: bool = False  # an upload of any type: the handler gets a file
    undecoded: bool = False  # JSON that the handler decodes itself, from `Call.payload`
    result: object = None  # the type of the answer: a record, or "Record[]" for {items, next_cursor}
    media_type: str = JSON  # of the answer
    status: int = 200
    errors: str = "problem"  # or "automem": the shape of errors
    stream: bool = False  # Server-Sent Events, which end only with the client, the job or the server
    admin_token: bool = False  # AutoMem's second token is needed too
    takes_key: bool = False  # it accepts something, so that a repetition with the same Idempotency-Key is harmless
    checks_version: bool = False  # it changes only the version that If-Match names
    with_staleness: bool = False  # the answer has `staleness` beside the fields of `result`
    probe: bool = False  # open to everyone; `handler` is a coroutine function, which needs no thread


def wants_wait(headers: Mapping[str, str]) -> int:
    """The seconds that a client prefers to wait (RFC 7240), 0 to 30."""
    for part in headers.get("prefer", "").replace(";", ",").split(","):
        name, _, value = part.strip().partition("=")
        if name.strip().lower() == "wait" and value.strip(' "').isdecimal():
            return min(int(value.strip(' "')[:4]), MAX_WAIT_S)
    return 0


def given(struct: object) -> dict[str, Any]:
    """The fields of a body or query that were given."""
    from msgspec import UNSET, structs

    return {name: value for name, value in structs.asdict(struct).items() if value is not UNSET}  # type: ignore[arg-type]


def items(found: Iterable[object], *, next_cursor: str | None = None) -> Reply:
    """A list as every list of `/v1` is sent."""
    return Reply(body={"items": list(found), "next_cursor": next_cursor})
