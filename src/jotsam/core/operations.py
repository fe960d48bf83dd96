"""How a public method is offered over HTTP: declared once, beside its signature.

The route of the server with its body and query, its page of the reference, and the request of a client follow from it.
"""

from __future__ import annotations

import re

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal, TypeVar

    from jotsam.core.token_records import Scope

    F = TypeVar("F", bound=Callable[..., Any])
    Place = Literal["path", "query", "header", "body"]


class Operation(Record):
    """A decorator of the method. Its parameters are in the path, the query string, the header If-Match or the body."""

    method: str
    path: str  # "/v1/blocks/{name}"
    scope: Scope
    summary: str  # one line
    body: str = ""  # the name of the type of the body, in the OpenAPI document
    about_body: str = ""
    of_client: tuple[str, ...] = ()  # in the query string; by default those of the client that calls
    largest: Mapping[str, int] = {}  # of a number in the query string, which is at least 1
    versioned: bool = False  # the answer has an ETag, and the parameter `version` is If-Match
    with_staleness: bool = False  # the answer has `staleness` beside the fields of the result

    def __call__(self, function: F) -> F:
        vars(function)["operation"] = self
        return function

    def place_of(self, parameter: str) -> Place:
        """Where the value of a parameter is in a request."""
        if parameter in re.findall(r"{(\w+)", self.path):
            return "path"
        if self.versioned and parameter == "version":
            return "header"
        return "query" if self.method in ("GET", "DELETE") or parameter in self.of_client else "body"
