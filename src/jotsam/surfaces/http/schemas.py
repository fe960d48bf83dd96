"""JSON Schema of records and of what routes take, as the components of an OpenAPI document."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Mapping
from typing import Any

import msgspec

from jotsam.core.errors import JotsamError
from jotsam.core.record_types import ERROR_CLASSES, field_types
from jotsam.core.records import Record
from jotsam.core.signatures import field_comments

REF = "#/components/schemas/"
MAX_INT = 2**63 - 1

_PLAIN: dict[object, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer", "minimum": -MAX_INT - 1, "maximum": MAX_INT},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    bytes: {"type": "string", "contentEncoding": "base64"},
    types.NoneType: {"type": "null"},
}


class Schemas:
    """Collects the schemas of records by name."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, Any]] = {}
        self._kinds: dict[str, type[Record]] = {}

    def of(self, kind: Any) -> dict[str, Any]:
        """The schema of a value of a type in an answer."""
        origin, inner = typing.get_origin(kind), typing.get_args(kind)
        if origin in (typing.Union, types.UnionType):
            return _any_of([self.of(one) for one in inner])
        if origin is tuple and inner[-1] is not ...:
            of_each = [self.of(one) for one in inner]
            return {"type": "array", "prefixItems": of_each, "minItems": len(inner), "maxItems": len(inner)}
        if origin is typing.Literal:
            return {"enum": list(inner)}
        if origin in (tuple, list):
            return {"type": "array", "items": self.of(inner[0])}
        if origin in (dict, Mapping) or kind in (dict, Mapping):
            return {"type": "object", **({"additionalProperties": self.of(inner[1])} if inner else {})}
        if kind in _PLAIN:
            return dict(_PLAIN[kind])
        if isinstance(kind, type) and issubclass(kind, Record):
            return self._record(kind)
        if isinstance(kind, type) and issubclass(kind, JotsamError):
            return {"type": "string"}
        return {}

    def list_of(self, kind: type[Record]) -> dict[str, Any]:
        """The schema of a page of records."""
        items = {"type": "array", "items": self.of(kind)}
        cursor = {"type": ["string", "null"], "description": "`cursor` of the next page; null: this is the last"}
        return {
            "type": "object",
            "properties": {"items": items, "next_cursor": cursor},
            "required": ["items", "next_cursor"],
        }

    def _record(self, kind: type[Record]) -> dict[str, Any]:
        name = kind.__name__
        if name not in self.found:
            self._kinds[name] = kind
            self.found[name] = {}  # A record may contain itself.
            self.found[name] = self._described(kind)
        assert self._kinds[name] is kind, f"two records of the HTTP API are named {name}"
        return {"$ref": f"{REF}{name}"}

    def _described(self, kind: type[Record]) -> dict[str, Any]:
        comments = _comments(kind)
        properties = {}
        for field, of in field_types(kind).items():
            comment = comments.get(field, "")
            properties[field] = {**self.of(of), **({"description": _sentence(comment)} if comment else {})}
            if JotsamError in typing.get_args(of):
                codes = [*ERROR_CLASSES, None]
                properties["code"] = {"enum": codes, "description": "of the error; null or absent without one"}
        about = inspect.getdoc(kind) if kind.__doc__ else ""
        required = [field for field in kind._fields if field in properties]
        whole: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
        return {**({"description": about} if about else {}), **whole}


def struct_schemas(kinds: list[type[Any]]) -> tuple[dict[type[Any], dict[str, Any]], dict[str, dict[str, Any]]]:
    """The schema of each body or query type, and the components that these refer to."""
    found, components = msgspec.json.schema_components(kinds, ref_template=REF + "{name}")
    by_name = {kind.__name__: kind for kind in kinds}
    for name, schema in components.items():
        _without_titles(schema)
        comments = _comments(by_name[name]) if name in by_name else {}
        for field, of in schema.get("properties", {}).items():
            if comments.get(field):
                of.setdefault("description", _sentence(comments[field]))
            if of.get("type") == "array":
                of.setdefault("items", {})  # Generators of clients leave out an operation without it.
    return dict(zip(kinds, found, strict=True)), components


def parameters_of(schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The parameters of a query string, from the schema of its Struct."""
    required = schema.get("required", ())
    found = []
    for name, of in schema.get("properties", {}).items():
        described = _without_null({key: value for key, value in of.items() if key != "default" or value is not None})
        about = described.pop("description", "")
        found.append(
            {
                "name": name,
                "in": "query",
                "required": name in required,
                "schema": described,
                **({"description": about} if about else {}),
            }
        )
    return found


def _comments(kind: type[Any]) -> dict[str, str]:
    """The comments beside the fields of a class and of those it is made from, or beside the parameters of a method."""
    found: dict[str, str] = getattr(kind, "comments", dict)()
    for one in reversed(kind.__mro__):
        if issubclass(one, Record | msgspec.Struct) and one not in (Record, msgspec.Struct):
            found |= field_comments(one)
    return found


def _any_of(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """One of several schemas; of plain types in one."""
    unique = [one for index, one in enumerate(schemas) if one not in schemas[:index]]
    if len(unique) == 1:
        return unique[0]
    if {} in unique:
        return {}
    return {"anyOf": unique}


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A query string cannot hold null."""
    if "anyOf" not in schema:
        return schema
    others = [one for one in schema["anyOf"] if one != {"type": "null"}]
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**rest, **others[0]} if len(others) == 1 else {**rest, "anyOf": others}


def _without_titles(schema: dict[str, Any]) -> None:
    """A title that only repeats the name of a class."""
    schema.pop("title", None)


def _sentence(comment: str) -> str:
    return comment[:1].upper() + comment[1:]
