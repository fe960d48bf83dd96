"""The field types of records, and records back from JSON."""

from __future__ import annotations

import inspect
import json
import typing
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jotsam
from jotsam import Details, InvalidInput, ItemResult, JobChange, JotsamError, NotFound, Receipt
from jotsam.core.record_types import ERROR_CLASSES, decode, error_code, field_types
from jotsam.core.records import Record


def public_records() -> list[type[Record]]:
    every = [getattr(jotsam, name) for name in jotsam.__all__]
    return [one for one in every if inspect.isclass(one) and issubclass(one, Record)]


PLAIN: dict[object, Any] = {
    str: st.text(max_size=20),
    int: st.integers(-(2**63), 2**63),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    bytes: st.binary(max_size=20),
    NoneType: st.none(),
}


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a type that JSON can hold."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is UnionType and bytes in inner and str in inner:
        return values(str)  # JSON does not tell them apart.
    if origin is UnionType:
        return st.one_of([values(one) for one in inner])
    if origin is tuple and inner[-1] is ...:
        return st.lists(values(inner[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, inner))
    if origin in (Mapping, dict):
        return st.dictionaries(st.text(max_size=5), values(inner[1]), max_size=2)
    if kind is Any or kind is object:
        return st.none() | st.lists(st.text(max_size=5), max_size=2) | st.integers() | st.booleans()
    if issubclass(kind, JotsamError):
        return st.builds(InvalidInput, st.text(max_size=20))
    if issubclass(kind, Record):
        return st.builds(kind, **{field: values(of) for field, of in field_types(kind).items()})
    strategy: st.SearchStrategy[Any] = PLAIN[kind]
    return strategy


def comparable(value: Any) -> Any:
    """Errors are equal if their class and message are."""
    if isinstance(value, Record):
        return type(value), {name: comparable(inner) for name, inner in value._values().items()}
    if isinstance(value, BaseException):
        return type(value), str(value)
    return tuple(map(comparable, value)) if isinstance(value, tuple) else value


def comes_back(kind: type[Record]) -> None:
    @settings(max_examples=8)
    @given(values(kind))
    def check(one: Record) -> None:
        assert comparable(decode(kind, json.loads(json.dumps(one.as_dict())))) == comparable(one)

    check()


def test_each_public_record_comes_back_from_json_as_it_was() -> None:
    for kind in public_records():
        comes_back(kind)


def test_an_error_in_a_record_comes_back_as_the_class_that_its_code_names() -> None:
    for code, kind in ERROR_CLASSES.items():
        assert error_code(kind("no")) == code
        plain = ItemResult(index=3, error=kind("there is no memory 'x'")).as_dict()
        error = decode(ItemResult, {**plain, "code": code}).error
        assert type(error) is kind
        assert str(error) == "there is no memory 'x'"
    assert error_code(jotsam.DatabaseBusy("locked")) == "unavailable"
    assert error_code(JotsamError("?")) == "unusable"
    assert decode(JobChange, {"id": 1, "error": None, "code": None}).error is None
    assert type(decode(JobChange, {"id": 1, "error": "gone", "code": "not-found"}).error) is NotFound


def test_fields_that_a_newer_version_adds_are_ignored() -> None:
    assert decode(Receipt, {"id": "a", "job_id": 3, "speed": {"ms": 1}}) == Receipt(id="a", job_id=3)


def test_a_missing_field_and_a_wrong_type_are_named_with_their_place() -> None:
    wrong = {
        "answer is not a Receipt: it has no job_id": (Receipt, {"id": "a"}),
        "answer is [1]: must be of type dict": (Receipt, [1]),
        "answer.id is 3: must be of type str": (Receipt, {"id": 3, "job_id": 3}),
        "answer.job_id is True: must be of type int": (Receipt, {"id": "a", "job_id": True}),
        "answer.lines has 1 items: must have 2": (Details, {"kind": "a", "id": "b", "done": True, "lines": [1]}),
        "answer.links[0].weight is None: must be of type float": (
            Details,
            {"kind": "a", "id": "b", "done": True, "links": [{"source": "", "target": "", "type": "", "weight": None}]},
        ),
    }
    for message, (kind, plain) in wrong.items():
        with pytest.raises(InvalidInput) as caught:
            decode(kind, plain, name="answer")
        assert str(caught.value) == message
