"""The field types of a `Record` class at runtime, and JSON values back into records.

`decode(T, json.loads(json.dumps(x.as_dict())))` equals `x`. What JSON cannot distinguish stays as it is: the bytes in a
field of `str | bytes` come back as their base64 text.
"""

from __future__ import annotations

import builtins
import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from jotsam.core import errors, records
from jotsam.core.errors import InvalidInput, JotsamError
from jotsam.core.records import Record
from jotsam.core.validate import shown

T = TypeVar("T")

# The class of an error that a record contains. In the answer of a server, `code` is beside it.
ERROR_CLASSES: Mapping[str, type[JotsamError]] = {
    "invalid-input": errors.InvalidInput,
    "not-found": errors.NotFound,
    "conflict": errors.Conflict,
    "unavailable": errors.DatabaseUnavailable,
    "unusable": errors.DatabaseUnusable,
}


def error_code(error: BaseException) -> str:
    """The code of an error, from which `decode` makes an error of the same class."""
    found = (code for code, kind in ERROR_CLASSES.items() if isinstance(error, kind))
    return next(found, "unusable")


class _Names(dict[str, Any]):
    """The names in the annotations of a module, also those that it imports for type checkers only."""

    def __init__(self, names: Mapping[str, Any], more: tuple[types.ModuleType, ...] = ()) -> None:
        super().__init__(names)
        self._modules = (*more, typing, records, errors)

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name):
            raise KeyError(name)
        if name in ("Iterable", "Mapping", "Sequence"):
            return {"Iterable": Iterable, "Mapping": Mapping, "Sequence": Sequence}[name]
        for module in self._modules:
            if hasattr(module, name):
                return getattr(module, name)
        raise KeyError(name)


@cache
def field_types(record: type[Record]) -> dict[str, Any]:
    """The type of each field, in the order of the fields: `{"ids": tuple[str, ...], "limit": int | None}`."""
    found: dict[str, Any] = {}
    for kind in reversed(record.__mro__):
        names = _Names(vars(sys.modules[kind.__module__]))
        for field, annotation in inspect.get_annotations(kind).items():
            if field in record._names:
                found[field] = eval(annotation, {}, names) if isinstance(annotation, str) else annotation
    return {field: found[field] for field in record._fields}


def signature_type(function: Callable[..., Any], name: str, *more: types.ModuleType) -> Any:
    """The type of a parameter of a function, or of `return`. `more` modules have names that it imports for checkers."""
    return eval(inspect.get_annotations(function)[name], {}, _Names(vars(sys.modules[function.__module__]), more))


def decode(kind: type[T], plain: object, *, name: str = "value") -> T:
    """A value of a type from what JSON holds of it. Unknown fields of a record are ignored.

    Raises `InvalidInput` with the place if a field is missing or a value has another type.
    """
    value: T = _decoded(kind, plain, name)
    return value


def _decoded(kind: Any, plain: Any, name: str) -> Any:
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _one_of(inner, plain, name)
    if origin in (tuple, list, Sequence):
        return _sequence(origin, inner, plain, name)
    if origin in (dict, Mapping) or kind in (dict, Mapping):
        values = inner[1] if inner else Any
        return {key: _decoded(values, value, f"{name}.{key}") for key, value in _checked(dict, plain, name).items()}
    if kind is Any or kind is object:
        return plain
    if isinstance(kind, type) and issubclass(kind, Record):
        return _record(kind, plain, name)
    if isinstance(kind, type) and issubclass(kind, BaseException):
        return InvalidInput(_checked(str, plain, name))
    if kind is bytes:
        from binascii import a2b_base64

        return a2b_base64(_checked(str, plain, name))
    return _checked(kind, plain, name)


def _record(kind: type[Record], plain: Any, name: str) -> Record:
    given = _checked(dict, plain, name)
    fields = {}
    for field, expected in field_types(kind).items():
        if field in given:
            fields[field] = _decoded(expected, given[field], f"{name}.{field}")
            if isinstance(fields[field], JotsamError):
                fields[field] = ERROR_CLASSES.get(given.get("code"), InvalidInput)(given[field])
        elif field not in kind._defaults:
            raise InvalidInput(f"{name} is not a {kind.__name__}: it has no {field}")
    return kind(**fields)


def _one_of(kinds: tuple[Any, ...], plain: Any, name: str) -> Any:
    """The value as the first type that can hold it."""
    if plain is None and types.NoneType in kinds:
        return None
    wanted = [kind for kind in kinds if kind is not types.NoneType]
    for kind in wanted[:-1]:
        try:
            return _decoded(kind, plain, name)
        except InvalidInput:
            continue
    return _decoded(wanted[-1], plain, name)


def _sequence(origin: Any, inner: tuple[Any, ...], plain: Any, name: str) -> Any:
    values = _checked(list, plain, name)
    if origin is not tuple:
        return [_decoded(inner[0], value, f"{name}[{index}]") for index, value in enumerate(values)]
    kinds = [inner[0]] * len(values) if inner[-1] is ... else inner
    if len(kinds) != len(values):
        raise InvalidInput(f"{name} has {len(values)} items: must have {len(kinds)}")
    pairs = enumerate(zip(kinds, values, strict=True))
    return tuple(_decoded(kind, value, f"{name}[{index}]") for index, (kind, value) in pairs)


def _checked(kind: Any, plain: Any, name: str) -> Any:
    """A plain value of a type. An integer is accepted as a number, and no truth value as either."""
    if kind is float and isinstance(plain, int) and not isinstance(plain, bool):
        return float(plain)
    if isinstance(plain, kind) and (kind is bool or not isinstance(plain, bool)):
        return plain
    raise InvalidInput(f"{name} is {shown(plain)}: must be of type {kind.__name__}")
