"""The routes of the methods that `core.operations` declares, with the types of their queries and bodies."""

from __future__ import annotations

import inspect
import types
from functools import reduce
from operator import or_
from typing import Annotated, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from jotsam.core.record_types import signature_types
from jotsam.surfaces.http.route import Reply, Route, given, items
from jotsam.surfaces.http.v1.fields import required_version
from jotsam.surfaces.http.v1.staleness import covered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jotsam.core.operations import Operation
    from jotsam.surfaces.http.route import Call


class NoBody(Struct, forbid_unknown_fields=True):
    """Nothing."""


def routes_of(part: str, kind: type) -> tuple[Route, ...]:
    """A route for each declared method of a class, which is the attribute `part` of a `Jotsam`."""
    return tuple(_route(part, method) for method in vars(kind).values() if hasattr(method, "operation"))


def _route(part: str, method: Callable[..., Any]) -> Route:
    operation: Operation = method.operation  # type: ignore[attr-defined]
    query, body = (_struct(method, place) for place in ("query", "body"))
    has_body = operation.method not in ("GET", "DELETE")
    handler = _handler(part, method)
    returned = signature_types(method)["return"]
    record, *is_list = get_args(returned) or (returned,)
    return Route(
        method=operation.method,
        path=operation.path,
        handler=covered(handler) if operation.with_staleness else handler,
        summary=operation.summary,
        scope=operation.scope,
        query=query,
        body=body or NoBody if has_body else None,
        result=f"{record.__name__}[]" if is_list else record,
        with_staleness=operation.with_staleness,
    )


def _handler(part: str, method: Callable[..., Any]) -> Callable[[Call], Reply]:
    operation: Operation = method.operation  # type: ignore[attr-defined]
    takes_version = operation.versioned and "version" in inspect.signature(method).parameters

    def handle(call: Call) -> Reply:
        sent = (given(one) for one in (call.query, call.body) if one is not None)
        arguments = {**call.path, **{name: value for fields in sent for name, value in fields.items()}}
        if takes_version:
            arguments["version"] = required_version(call)
        found = getattr(getattr(call.jot, part), method.__name__)(**arguments)
        if isinstance(found, tuple):
            return items(found)
        return Reply(body=found, headers={"ETag": f'"{found.version}"'} if operation.versioned else {})

    return handle


def _struct(method: Callable[..., Any], place: str) -> type[Struct] | None:
    """The type of the query string or of the body; None if no parameter is there."""
    operation: Operation = method.operation  # type: ignore[attr-defined]
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = []
    kinds = signature_types(method)
    for name, parameter in inspect.signature(method).parameters.items():
        if name == "self" or operation.place_of(name) != place:
            continue
        if parameter.default is parameter.empty:
            fields.append((name, kinds[name]))
            continue
        kind = [one for one in get_args(kinds[name]) or (kinds[name],) if one is not types.NoneType]
        if name in operation.largest:
            kind = [Annotated[kind[0], Meta(ge=1, le=operation.largest[name])]]
        # There is no null in a query string.
        kind += [UnsetType, types.NoneType] if place == "body" and parameter.default is None else [UnsetType]
        fields.append((name, reduce(or_, kind), UNSET))
    if not fields:
        return None
    name = operation.body if place == "body" else f"{method.__qualname__}.query"
    about = {"__doc__": operation.about_body if place == "body" else None}
    return defstruct(name, fields, namespace=about, module=__name__, forbid_unknown_fields=True)
