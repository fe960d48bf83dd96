"""What a method sends that `core.operations` declares: its request follows from its signature."""

from __future__ import annotations

import inspect
from typing import get_args

from jotsam.core import validate
from jotsam.core.record_types import signature_types
from jotsam.remote.request import Request, record, segment, tuple_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Concatenate, ParamSpec, TypeVar

    from jotsam.core.operations import Operation

    P = ParamSpec("P")
    S = TypeVar("S")
    T = TypeVar("T")


def request_for(
    method: Callable[Concatenate[S, P], T],
) -> Callable[Concatenate[Mapping[str, str | None], P], Request[T]]:
    """The function that makes the request of a call from the client's own project and actor, and the arguments."""
    operation: Operation = method.operation  # type: ignore[attr-defined]
    signature = inspect.signature(method)

    def describe(of_client: Mapping[str, str | None], /, *args: P.args, **kwargs: P.kwargs) -> Request[T]:
        bound = signature.bind(None, *args, **kwargs)
        bound.apply_defaults()
        path, headers = operation.path, {}
        places: dict[str, dict[str, Any]] = {"query": {}, "body": {}}
        for name, value in list(bound.arguments.items())[1:]:
            place, is_required = operation.place_of(name), signature.parameters[name].default is inspect.Parameter.empty
            if place == "path":
                path = path.replace(f"{{{name}}}", segment(name, value))
            elif place == "header":
                headers = {} if value is None else {"If-Match": f'"{validate.check_int(name, value, 0)}"'}
            elif value is not None or is_required:
                places[place][name] = value
            elif name in operation.of_client:
                places[place][name] = of_client[name]
        has_body = operation.method not in ("GET", "DELETE")
        return Request(
            method=operation.method,
            path=path,
            read=_reader(method),
            query=places["query"],
            body=places["body"] if has_body else None,
            headers=headers,
            is_safe=operation.method == "GET",
        )

    return describe


def _reader(method: Callable[..., Any]) -> Callable[[Any], Any]:
    """Reads the result: a record, or a tuple of records."""
    returned = signature_types(method)["return"]
    inner = get_args(returned)
    return tuple_of(lambda: inner[0]) if inner else record(lambda: returned)
