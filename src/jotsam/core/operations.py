"""How a public method is offered over HTTP: declared once, beside its signature.

The route of the server with its body and query, its page of the reference, and the request of a client follow from it.
"""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Any, Literal, TypeVar

    from jotsam.core.token_records import Scope

    F = TypeVar("F", bound=Callable[..., Any])
    Place = Literal["path", "query", "header", "body", "nowhere"]

NOT_SENT = ("tx", "all_tenants", "wait_ms", "file", "tell")


class Operation(Record):
    """A decorator of the method. Its parameters are in the path, the query string, the header If-Match or the body.

    A method with `tx` and another scope than `read` has an Idempotency-Key in its request. With the status 202 it sends
    a job.
    """

    route: str  # "GET /v1/blocks/{name}": the first parameters, in order
    scope: Scope
    summary: str  # one line
    about: str = ""  # what else the OpenAPI document says
    status: int = 200
    body: str = ""  # "BlockBody: The text of a block.": the name of its type in the OpenAPI document, and about it
    in_query: tuple[str, ...] = ()  # though there is a body
    of_client: tuple[str, ...] = ()  # by default those of the client that calls
    limits: Mapping[str, tuple[int | None, int]] = {}  # of a number, or of how many items a list has
    result: type[Record] | None = None  # has what the method returns in its only field
    paged: bool = False  # `after` is the `next_cursor` of the page before
    versioned: bool = False  # the answer has an ETag, and the parameter `version` is If-Match
    with_staleness: bool = False  # the answer has `staleness` beside the fields of the result
    longer_ms: int = 0  # it may take this much longer than other requests
    keeps_reply: bool = True  # for an Idempotency-Key; not an answer that has what was stored
    check: Callable[[Mapping[str, Any]], object] | None = None  # refuses in a client what JSON would change

    def __call__(self, function: F) -> F:
        vars(function)["operation"] = self
        return function

    @property
    def method(self) -> str:
        return self.route.partition(" ")[0]

    @property
    def path(self) -> str:
        return self.route.partition(" ")[2]

    @property
    def has_body(self) -> bool:
        return self.method not in ("GET", "DELETE")

    @property
    def is_batch(self) -> bool:
        """Whether it takes and returns several items."""
        return self.path.endswith("/batch")

    def takes_key(self, parameters: Collection[str]) -> bool:
        """Whether a request of a method with these parameters may have an Idempotency-Key."""
        return "tx" in parameters and self.scope != "read" and self.keeps_reply

    def place_of(self, parameter: str, position: int) -> Place:
        """Where the value of a parameter is in a request. The position does not count `self`."""
        if position < self.path.count("{"):
            return "path"
        if parameter in NOT_SENT:
            return "nowhere"
        if self.versioned and parameter == "version":
            return "header"
        return "body" if self.has_body and parameter not in self.in_query else "query"


def not_over_http(why: str) -> Callable[[F], F]:
    """A decorator of a method that a client refuses, with the reason and what to do instead."""

    def refused(function: F) -> F:
        vars(function)["not_over_http"] = why
        return function

    return refused


# Records around results that are not records.


class EntityTag(Record):
    """The tag of an entity."""

    entity: str


class Prompt(Record):
    """A prompt with which an agent extracts itself."""

    prompt: str


class Queued(Record):
    """How many were queued."""

    queued: int


class Allowed(Record):
    """How many were forgotten for good, and are accepted again."""

    allowed: int


class Erased(Record):
    """Whether the bytes are gone, as in `ForgetReceipt`."""

    erased: bool


class RemovedLinks(Record):
    """How many links were removed."""

    removed: int


class AllowedChanges(Record):
    """How many changes that were taken back may be made again."""

    allowed: int
