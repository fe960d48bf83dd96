"""The names of the package: what public calls return can be imported, listed, and written as JSON."""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import pkgutil
import pydoc
import re
import typing
from collections.abc import Callable, Iterator, Mapping
from types import NoneType, UnionType
from typing import Any

import jotsam
from jotsam.core.records import Record

SYNC, ASYNC = (
    (jotsam.Jotsam, jotsam.Admin, jotsam.Knowledge, jotsam.Blocks, jotsam.Lifecycle, jotsam.Store, jotsam.Crystals),
    (
        *(jotsam.AsyncJotsam, jotsam.AsyncAdmin, jotsam.AsyncKnowledge, jotsam.AsyncBlocks, jotsam.AsyncLifecycle),
        *(jotsam.AsyncStore, jotsam.AsyncCrystals),
    ),
)
CLIENTS = (*SYNC, *ASYNC, jotsam.Queue, jotsam.Processor, jotsam.Task)


@functools.cache
def records() -> dict[str, type[Record]]:
    """Every record of the package, by name."""
    for module in pkgutil.walk_packages(jotsam.__path__, "jotsam."):
        if "surfaces" not in module.name and "__main__" not in module.name:
            try:
                importlib.import_module(module.name)
            except ImportError:
                continue  # An extra is not installed.
    found: dict[str, type[Record]] = {}
    waiting = Record.__subclasses__()
    while waiting:
        one = waiting.pop()
        waiting += one.__subclasses__()
        found.setdefault(one.__name__, one)
    return found


def exported() -> dict[str, type[Record]]:
    every = {name: getattr(jotsam, name) for name in jotsam.__all__}
    return {name: one for name, one in every.items() if inspect.isclass(one) and issubclass(one, Record)}


def returned() -> Iterator[tuple[str, str]]:
    """The call or record, and each word of the type of what it returns or holds."""
    for client in CLIENTS:
        for name, member in inspect.getmembers(client):
            call = member.fget if isinstance(member, property) else member
            if not name.startswith("_") and inspect.isfunction(call):
                for word in re.findall(r"\w+", str(call.__annotations__.get("return", ""))):
                    yield f"{client.__name__}.{name}", word
    for name, record in exported().items():
        for field, annotation in record.__annotations__.items():
            for word in re.findall(r"\w+", str(annotation)):
                yield f"{name}.{field}", word


def filled(annotation: Any) -> Any:
    """A value of a type, with as much inside as it can hold."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, UnionType):
        return filled(next(one for one in reversed(arguments) if one is not NoneType))
    if origin is tuple:
        return tuple(filled(one) for one in arguments if one is not ...)
    if origin in (Mapping, dict):
        return {"name": filled(arguments[1])}
    if annotation is Any or annotation is object:
        return {"inner": (1, "two")}
    if issubclass(annotation, Record):
        names = {
            **vars(typing),
            "Callable": Callable,
            "Any": Any,
            "Mapping": Mapping,
            "JotsamError": jotsam.JotsamError,
            **records(),
            **exported(),
        }
        hints = typing.get_type_hints(annotation, names, {})
        return annotation(**{field: filled(hints[field]) for field in annotation._fields})
    examples = {str: "text", int: 3, float: 0.5, bool: True, bytes: b"\xff"}
    return examples[annotation] if annotation in examples else annotation("wrong")


def test_every_record_that_a_public_call_returns_can_be_imported() -> None:
    known = records()
    missing = {f"{place} returns {word}" for place, word in returned() if word in known and word not in jotsam.__all__}
    assert missing == set()


def test_every_public_name_is_loaded_listed_and_described() -> None:
    assert [name for name in jotsam.__all__ if not hasattr(jotsam, name)] == []
    assert set(jotsam.__all__) <= set(dir(jotsam))
    described = pydoc.plain(pydoc.render_doc(jotsam))
    assert [name for name in jotsam.__all__ if name not in described and not name.startswith("_")] == []
    assert jotsam.__all__ == sorted(jotsam.__all__)


def test_every_public_record_can_be_written_as_json() -> None:
    for name, record in exported().items():
        one = filled(record)
        plain = one.as_dict()
        assert set(plain) == set(record._fields), name
        assert json.loads(json.dumps(plain)) == plain, name
        assert len(repr(one)) < 4_000, name


def test_the_clients_for_asyncio_have_the_same_calls_with_the_same_parameters() -> None:
    for sync, awaited in zip(SYNC, ASYNC, strict=True):
        for name, member in inspect.getmembers(sync):
            if name.startswith("_") or not inspect.isfunction(member):
                continue
            same = getattr(awaited, name)
            if name != "work":  # A call that never ends would keep a thread for ever.
                parameters = dict(inspect.signature(member).parameters)
                parameters.pop("tx", None)  # A transaction belongs to the thread that opened it.
                assert dict(inspect.signature(same).parameters) == parameters, name
            assert inspect.iscoroutinefunction(same) == (name != "scoped"), name
