"""JSON Schema validation that reports the line and column of the first error.

Supports the part of JSON Schema 2020-12 that our schemas use: type, enum, required, properties, additionalProperties,
items, minimum, maximum, minLength, maxLength and maxItems. It never changes a value.
"""

from __future__ import annotations

import json
from json.decoder import scanstring  # type: ignore[attr-defined]  # Missing from the stubs.

from jotsam.core.errors import InvalidInput
from jotsam.core.validate import replace_unstorable_in_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    Path = tuple[str | int, ...]

_TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
_SPACE = " \t\r\n"
_decoder = json.JSONDecoder()


def first_error(value: object, schema: Mapping[str, Any]) -> tuple[Path, str] | None:
    """Path and message of the first violation of a schema; None for a valid value."""
    return next(errors(value, schema, ()), None)


def errors(value: object, schema: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, str]]:
    """All violations, in the order of the text."""
    types = schema.get("type", ())
    types = (types,) if isinstance(types, str) else tuple(types)
    if types and not any(_is(value, name) for name in types):
        yield path, f"must be {' or '.join(_article(name) for name in types)}, not {excerpt(value)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield path, f"must be one of {', '.join(str(one) for one in schema['enum'])}, not {excerpt(value)}"
        return
    if isinstance(value, dict):
        yield from _object_errors(value, schema, path)
    elif isinstance(value, list):
        yield from _list_errors(value, schema, path)
    elif isinstance(value, str):
        yield from _string_errors(value, schema, path)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        low, high = schema.get("minimum", value), schema.get("maximum", value)
        if not low <= value <= high:
            yield path, f"must be from {low} to {high}, not {value}"


def parse_json(text: str, schema: Mapping[str, Any]) -> Any:
    """The value of a JSON text, validated. Characters that no database can store are replaced.

    Raises `InvalidInput` with the line and column of the first error.
    """
    try:
        value = replace_unstorable_in_json(json.loads(text))
    except json.JSONDecodeError as error:
        raise InvalidInput(f"line {error.lineno}, column {error.colno}: invalid JSON: {error.msg}") from error
    except RecursionError as error:
        raise InvalidInput("line 1, column 1: nested too deeply") from error
    found = first_error(value, schema)
    if found:
        path, message = found
        line, column = locate(text, path)
        raise InvalidInput(f"line {line}, column {column}: {format_path(path)} {message}")
    return value


def locate(text: str, path: Path) -> tuple[int, int]:
    """Line and column, counted from 1, where the value at a path of a valid JSON text begins."""
    at = _skip(text, 0)
    for step in path:
        at = _enter(text, at, step)
    line_start = text.rfind("\n", 0, at) + 1
    return text.count("\n", 0, at) + 1, at - line_start + 1


def format_path(path: Path) -> str:
    """A path in the usual notation: `facts[3].object`."""
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return steps.removeprefix(".") or "the value"


def excerpt(value: object) -> str:
    """A value as JSON, truncated to 60 characters."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _enter(text: str, at: int, step: str | int) -> int:
    """From the start of an object or list to the start of the value at a key or index."""
    at = _skip(text, at + 1)
    count = 0
    while True:
        if isinstance(step, str):
            key, at = scanstring(text, at + 1)
            at = _skip(text, _skip(text, at) + 1)
            is_it = key == step
        else:
            is_it, count = count == step, count + 1
        if is_it:
            return at
        _, at = _decoder.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _object_errors(value: dict[str, object], schema: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, str]]:
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield path, f"has no {name!r}"
    for name, inner in value.items():
        if name in known:
            yield from errors(inner, known[name], (*path, name))
        elif schema.get("additionalProperties") is False:
            yield (*path, name), f"is unknown: must be one of {', '.join(known)}"


def _list_errors(value: list[object], schema: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, str]]:
    most = schema.get("maxItems", len(value))
    if len(value) > most:
        yield path, f"has {len(value)} items: at most {most} are allowed"
    for number, inner in enumerate(value):
        yield from errors(inner, schema.get("items", {}), (*path, number))


def _string_errors(value: str, schema: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, str]]:
    if len(value.strip()) < schema.get("minLength", 0):
        yield path, f"must have at least {schema['minLength']} character, not {excerpt(value)}"
    if len(value) > schema.get("maxLength", len(value)):
        yield path, f"has {len(value)} characters: at most {schema['maxLength']} are allowed"


def _is(value: object, name: str) -> bool:
    if name in ("number", "integer"):
        allowed = int | float if name == "number" else int
        return isinstance(value, allowed) and not isinstance(value, bool)
    return isinstance(value, _TYPES[name])


def _article(name: str) -> str:
    return "null" if name == "null" else f"an {name}" if name[0] in "aeio" else f"a {name}"
