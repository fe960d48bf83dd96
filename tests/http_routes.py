"""What tests that try every route share: paths with parameters filled in, and bodies made from the types of a route."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from msgspec import NODEFAULT, structs

from jotsam.surfaces.http.requests.route import Route

# They answer until the client leaves, and have tests of their own.
STREAMS = {"GET /v1/events", "GET /stream"}


def name_of(route: Route) -> str:
    return f"{route.method} {route.path}"


def path_of(route: Route, values: Mapping[str, str], *, encode: bool = True) -> str:
    """The path with its parameters filled in."""

    def value(found: re.Match[str]) -> str:
        name = found[1].partition(":")[0]
        return quote(values[name], safe="") if encode else values[name]

    return re.sub(r"\{([^}]+)\}", value, route.path)


def required_body(route: Route, value: Any = "x") -> dict[str, Any]:
    """A body with a value for each field that must be given: of the right type if that is a text."""
    if route.body is None:
        return {}
    found = structs.fields(route.body)
    return {one.encode_name: value for one in found if one.default is NODEFAULT and one.default_factory is NODEFAULT}
