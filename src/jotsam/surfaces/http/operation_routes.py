"""The routes of the methods that `core.operations` declares, with the types of their queries and bodies."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import partial, reduce
from operator import or_
from typing import Annotated, Any, get_args, get_origin, is_typeddict

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct, field, structs

import jotsam
from jotsam.core.record_types import signature_type
from jotsam.core.records import UpdateReceipt
from jotsam.core.signatures import field_comments
from jotsam.core.validate import MAX_ID, job_id_of
from jotsam.memory import options as option_types
from jotsam.surfaces.http.requests.route import Reply, Route, items
from jotsam.surfaces.http.v1.accepting import ACCEPTED, BATCHES, Batch, accepted, batch_reply, item, once
from jotsam.surfaces.http.v1.fields import NoFields, PageLimit, last_id, options_of, required_version
from jotsam.surfaces.http.v1.staleness import covered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.core.operations import Operation
    from jotsam.surfaces.http.requests.route import Call

    Method = Callable[..., Any]

JobId = Annotated[int, Meta(ge=0, le=MAX_ID)]
_BODIES: dict[str, type[Struct]] = {}  # by their names: several methods may take the same
UNIONS = (typing.Union, types.UnionType)


def routes_of(part: str, kind: type, **own: Mapping[str, Any]) -> tuple[Route, ...]:
    """A route for each declared method of a class, which is the attribute `part` of a `Jotsam`, or "" for itself.

    `own` has, by the name of a method, the fields of its route that do not follow from its declaration.
    """
    methods = {name: method for one in reversed(kind.__mro__) for name, method in vars(one).items()}
    declared = {name: method for name, method in methods.items() if hasattr(method, "operation")}
    assert own.keys() <= declared.keys(), f"{kind.__name__} has no operation {own.keys() - declared.keys()}"
    return tuple(_route(part, method, own.get(name, {})) for name, method in declared.items())


def _route(part: str, method: Method, own: Mapping[str, Any]) -> Route:
    operation: Operation = method.operation  # type: ignore[attr-defined]
    parameters = inspect.signature(method).parameters
    handler = own.get("handler") or _handler(part, method)
    found: dict[str, Any] = {
        "method": operation.method,
        "path": operation.path,
        "summary": operation.summary,
        "scope": operation.scope,
        "status": operation.status,
        "query": _struct(f"{method.__qualname__}.query", method, "query"),
        "body": (own.get("body") or _body_of(method)) if operation.has_body else None,
        "result": operation.result or _result_of(method),
        "takes_key": operation.takes_key(parameters),
        "checks_version": operation.versioned and "version" in parameters,
        "with_staleness": operation.with_staleness,
    }
    handler = covered(handler) if operation.with_staleness else handler
    return Route(**{**found, **own, "handler": handler})


def _result_of(method: Method) -> object:
    returned = _type_of(method, "return")
    record = (get_args(returned) or (returned,))[0]
    if record in BATCHES:
        return BATCHES[record]
    return f"{record.__name__}[]" if get_args(returned) else record


def _handler(part: str, method: Method) -> Callable[[Call], Reply]:
    operation: Operation = method.operation  # type: ignore[attr-defined]
    parameters = [*inspect.signature(method).parameters][1:]
    takes_version = operation.versioned and "version" in parameters
    names_job = "{" in operation.path and _type_of(method, parameters[0]) is int

    def handle(call: Call) -> Reply:
        in_path = [job_id_of(text) if names_job else text for text in call.path.values()]
        arguments: dict[str, Any] = dict(zip(parameters, in_path, strict=False))
        for one in (call.query, call.body):
            arguments |= {} if one is None else options_of(one)
        if takes_version:
            arguments["version"] = required_version(call)
        if operation.paged:
            arguments = _page(arguments)
        do = partial(getattr(getattr(call.jot, part) if part else call.jot, method.__name__), **arguments)
        if operation.takes_key(parameters):
            return once(call, lambda tx: _written(operation, do(tx=tx)))
        return _page_reply(do(), arguments["limit"]) if operation.paged else _reply(operation, do())

    handle.__doc__ = operation.about
    return handle


def _written(operation: Operation, found: Any) -> Reply:
    """The reply to what sent a job, or needed none."""
    if operation.status != ACCEPTED:
        return _reply(operation, found).replace(status=operation.status)
    return batch_reply(found) if isinstance(found, list) else accepted(found)


def _reply(operation: Operation, found: Any) -> Reply:
    if operation.result:
        return Reply(body=operation.result(**{operation.result._fields[0]: found}))
    if isinstance(found, tuple | list):
        return batch_reply(found, status=operation.status) if operation.is_batch else items(map(item, found))
    headers = {"ETag": f'"{found.version}"'} if operation.versioned else {}
    waits = (found.id,) if isinstance(found, UpdateReceipt) and found.job_id else ()
    return Reply(body=found, headers=headers, wait_for=waits)


def _page(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a list, with one item more than a page has, and the place where it begins."""
    cursor = arguments.pop("cursor")
    return {**arguments, "after": 0 if cursor is None else last_id(cursor), "limit": arguments["limit"] + 1}


def _page_reply(found: Sequence[Any], limit: int) -> Reply:
    """A page, and where the next one begins."""
    if len(found) < limit:
        return items(found)
    last = found[-2]
    return items(found[:-1], next_cursor=str(getattr(last, "job", last).id))


def _body_of(method: Method) -> type[Struct]:
    operation: Operation = method.operation  # type: ignore[attr-defined]
    if operation.is_batch:
        return Batch
    name, _, about = operation.body.partition(": ")
    made = _struct(name, method, "body", about=about)
    return _BODIES.setdefault(name, made) if made else NoFields


def in_query(method: Method) -> type[Struct]:
    """The type of a query string with the parameters that a method has in its body."""
    body: Any = _body_of(method)
    fields = [
        (one.name, str | UnsetType if dict[str, Any] in get_args(one.type) else one.type, one.default)
        for one in structs.fields(body)
    ]
    namespace = {"comments": staticmethod(body.comments)}
    return defstruct(f"{method.__qualname__}.query", fields, namespace=namespace, forbid_unknown_fields=True)


def _struct(name: str, method: Method, place: str, *, about: str | None = None) -> type[Struct] | None:
    operation: Operation = method.operation  # type: ignore[attr-defined]
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = []
    for number, (parameter, one) in enumerate([*inspect.signature(method).parameters.items()][1:]):
        if operation.place_of(parameter, number) != place:
            continue
        limits = operation.limits.get(parameter)
        if operation.paged and parameter == "after":
            fields.append(("cursor", str | None, None))
        elif operation.paged and parameter == "limit":
            fields.append((parameter, PageLimit, one.default))
        elif one.kind is one.VAR_KEYWORD:
            (typed,) = get_args(_type_of(method, parameter))
            options = typing.get_type_hints(typed).items()
            fields += [_field(option, _kind(kind, limits, place), None) for option, kind in options]
        else:
            fields.append(_field(parameter, _kind(_type_of(method, parameter), limits, place), one.default))
    if not fields:
        return None
    namespace = {"__doc__": about, "comments": staticmethod(partial(_comments, method))}
    return defstruct(name, fields, namespace=namespace, module=__name__, forbid_unknown_fields=True, kw_only=True)


def _comments(method: Method) -> dict[str, str]:
    """The descriptions of the parameters and options. Not read before they are needed: that takes a while."""
    found = field_comments(method)
    for name, one in inspect.signature(method).parameters.items():
        found |= field_comments(get_args(_type_of(method, name))[0]) if one.kind is one.VAR_KEYWORD else {}
    return {**found, "cursor": found.get("after", "")}


def _type_of(method: Method, name: str) -> Any:
    return signature_type(method, name, jotsam, option_types)


def _kind(kind: Any, limits: tuple[int | None, int] | None, place: str) -> Any:
    """The type of a parameter as JSON can hold it, or a query string, in which there is no null."""
    every = [_plain(one) for one in (get_args(kind) if get_origin(kind) in UNIONS else (kind,))]
    lists = [one for one in every if get_origin(one) is list]  # rather than a text alone, or null
    found = lists or [one for one in every if one not in (types.NoneType, date, datetime)]
    if place == "query":
        found = [str if one == dict[str, Any] else one for one in found]  # a JSON object, see `options_of`
    if limits is not None:
        low, high = limits
        limit = Meta(min_length=low, max_length=high) if lists else Meta(ge=low, le=high)
        found[0] = Annotated[found[0], limit]
    takes_null = place == "body" and types.NoneType in every and not lists
    return reduce(or_, [*found, types.NoneType] if takes_null else found)


def _plain(kind: Any) -> Any:
    if get_origin(kind) is Iterable:  # Of names, the method refuses a wrong one, and says which it knows.
        (one,) = get_args(kind)
        if is_typeddict(one):
            return list[dict[str, Any]]
        if one is float or get_origin(one) is Iterable:
            return list[_plain(one)]  # type: ignore[misc]
        return list[JobId if one is int else Any if one is Any else str]  # type: ignore[misc]
    return dict[str, Any] if get_origin(kind) is Mapping else kind


def _field(name: str, kind: Any, default: object) -> tuple[str, Any] | tuple[str, Any, Any]:
    if default is inspect.Parameter.empty:
        return name, kind
    if default is None:
        return name, kind | UnsetType, UNSET
    return name, kind, field(default_factory=list) if default == () else default
