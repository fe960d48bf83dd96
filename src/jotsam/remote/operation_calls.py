"""What a method sends that `core.operations` declares: its request follows from its signature."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from typing import get_args

import jotsam
from jotsam.core import validate
from jotsam.core.errors import InvalidInput
from jotsam.core.record_types import decode, signature_type
from jotsam.remote.request import ANSWER, Request, member, segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from jotsam.core.operations import Operation
    from jotsam.remote.request import Call, Steps

    OfClient: TypeAlias = Mapping[str, str | None]

PARAMETER = re.compile(r"{\w+}")
MAX_ITEMS = 500  # of a batch
PAGE = 200  # items that a server returns at once


def request_for(method: Callable[..., Any]) -> Callable[..., Call[Any]]:
    """The function that makes the request of a call from the client's own project and actor, and the arguments."""
    if hasattr(method, "not_over_http"):
        return _refusal(method.not_over_http)
    operation: Operation = method.operation  # type: ignore[attr-defined]
    signature = inspect.signature(method)
    is_plan = operation.path.endswith("/plan")  # and so changes nothing

    def describe(of_client: OfClient, /, *args: Any, **kwargs: Any) -> Call[Any]:
        try:
            bound = signature.bind(None, *args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{method.__qualname__}() {error}") from None
        bound.apply_defaults()
        path, headers = operation.path, {}
        places: dict[str, dict[str, Any]] = {"query": {}, "body": {}}
        for position, (name, value) in enumerate(list(bound.arguments.items())[1:]):
            parameter = signature.parameters[name]
            place = operation.place_of(name, position)
            if place == "path":
                path = path.replace(PARAMETER.findall(path)[0], _segment(parameter, value))
            elif place == "nowhere":
                _check_not_sent(name, value)
            elif place == "header":
                headers = {} if value is None else {"If-Match": f'"{validate.check_int(name, value, 0)}"'}
            elif parameter.kind is parameter.VAR_KEYWORD:
                places[place] |= value
            elif value is not None or parameter.default is parameter.empty:
                places[place][name] = _checked(method, parameter, value)
        if operation.check is not None:
            operation.check(places["body"])
        if operation.is_batch:
            places["body"] = {"items": _items(places["body"]["items"], operation, of_client)}
        else:
            _add_defaults(places, operation, of_client)
        request = Request(
            method=operation.method,
            path=path,
            read=_reader(method),
            query=places["query"],
            body=places["body"] if operation.has_body else None,
            headers=headers,
            is_safe=operation.method == "GET" or operation.scope == "read" or is_plan,
            is_accepting=operation.takes_key(signature.parameters),
            longer_ms=operation.longer_ms,
        )
        return _every(request) if operation.paged else request

    return describe


def _refusal(why: str) -> Callable[..., Any]:
    def refuse(*_: object, **__: object) -> None:
        raise InvalidInput(why)

    return refuse


def _segment(parameter: inspect.Parameter, value: object) -> str:
    """A value as one part of a path. A number is the id of a job."""
    is_job = parameter.annotation == "int"
    return str(validate.check_job_id(value)) if is_job else segment(parameter.name, value)


def _checked(method: Callable[..., Any], parameter: inspect.Parameter, value: Any) -> Any:
    """A value as it is sent, if it can be one of a parameter. The server checks the rest."""
    name, kind = parameter.name, str(parameter.annotation)
    if kind.startswith("Iterable[") or (kind.startswith("str | Iterable[") and not isinstance(value, str)):
        return validate.check_list(name, value)
    if kind.startswith("str | Iterable["):
        return [value]
    if name == "plan" and not isinstance(value, signature_type(method, name, jotsam)):
        raise InvalidInput(f"plan is {type(value).__name__}: give what plan_{method.__name__} returned")
    return value


def _check_not_sent(name: str, value: object) -> None:
    if name == "tx" and value is not None:
        raise InvalidInput("a transaction cannot be passed on over HTTP: use `Jotsam` where the database is")
    if value:
        raise InvalidInput(f"{name} is not offered over HTTP: a token belongs to one tenant")


def _add_defaults(places: dict[str, dict[str, Any]], operation: Operation, of_client: OfClient) -> None:
    """Add the project and actor of the client where none is given. In a body, no project is the server's own."""
    for name in operation.of_client:
        if operation.place_of(name, MAX_ITEMS) == "query":
            places["query"].setdefault(name, of_client[name])
        elif of_client[name]:
            places["body"].setdefault(name, of_client[name])


def _items(items: list[Any], operation: Operation, of_client: OfClient) -> list[Any]:
    """The items of a batch. A text is an item too."""
    if len(items) > MAX_ITEMS:
        raise InvalidInput(f"invalid items: {len(items):,} are given: must be at most {MAX_ITEMS} a call")
    defaults = {name: of_client[name] for name in operation.of_client if of_client[name]}
    if not operation.of_client:
        return items
    found = [{"text": one} if isinstance(one, str) else one for one in items]
    return [{**defaults, **one} if hasattr(one, "keys") and hasattr(one, "items") else one for one in found]


def _every(first: Request[Any]) -> Steps[Any]:
    """As many records of a list as are wanted, page by page."""
    query: dict[str, Any] = {**first.query}
    cursor, limit = query.pop("after") or None, query.pop("limit")
    found: list[Any] = []
    while True:
        page = {**query, "cursor": cursor, "limit": min(limit - len(found), PAGE)}
        request = replace(first, query=page, read=lambda answer: (first.read(answer), answer.get("next_cursor")))
        records, cursor = yield request
        found += records
        if cursor is None or len(found) >= limit:
            return type(records)(found)


def _reader(method: Callable[..., Any]) -> Callable[[Any], Any]:
    """Reads the result: a record, several of them, or a value inside a record."""
    result = method.operation.result  # type: ignore[attr-defined]

    def read(answer: Any) -> Any:
        returned = signature_type(method, "return", jotsam)
        if result is None and not get_args(returned):
            return decode(returned, answer, name=ANSWER)
        return member("items" if result is None else result._fields[0], returned)(answer)

    return read
