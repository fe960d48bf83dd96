"""Checks the arguments of a tool against its schema. An error states what is wrong and what to give instead."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.validate import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_KINDS = {"string": "text", "boolean": "true or false", "object": "an object", "array": "a list"}


def checked(tool: Mapping[str, Any], given: Mapping[str, Any], *, strict: bool = True) -> dict[str, Any]:
    """The arguments that a caller gave, without those that are null. Raises `InvalidInput`.

    With `strict`, an argument that the tool does not have is an error; otherwise it is left out.
    """
    schema = tool["inputSchema"]
    allowed = schema.get("properties", {})
    unknown = [name for name in given if name not in allowed]
    if unknown and strict:
        names = ", ".join(allowed) or "no arguments"
        raise InvalidInput(f"unknown argument {shown(unknown[0])}: {tool['name']} takes {names}")
    found = {name: given[name] for name in allowed if given.get(name) is not None}
    for name in schema.get("required", ()):
        if name not in found:
            raise InvalidInput(f"missing argument {name}: {_allowed(allowed[name])}")
    return {name: _value(name, value, allowed[name]) for name, value in found.items()}


def _value(name: str, value: Any, schema: Mapping[str, Any]) -> Any:
    kind = schema.get("type")
    if kind == "array" and not isinstance(value, list):
        value = [value]  # One item instead of a list of one.
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        value = int(value)
    if not _is_valid(value, schema):
        raise InvalidInput(f"invalid {name} {shown(value)}: {_allowed(schema)}")
    if kind == "array" and "items" in schema:
        return [_value(name, item, schema["items"]) for item in value]
    return value


def _is_valid(value: object, schema: Mapping[str, Any]) -> bool:
    kind = schema.get("type")
    if kind in ("integer", "number"):
        numbers = int if kind == "integer" else (int, float)
        if isinstance(value, bool) or not isinstance(value, numbers):
            return False
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    if kind == "array":
        low, high = schema.get("minItems", 0), schema.get("maxItems")
        return isinstance(value, list) and low <= len(value) and (high is None or len(value) <= high)
    if "enum" in schema:
        return value in schema["enum"]
    types: dict[Any, type] = {"string": str, "boolean": bool, "object": dict}
    return isinstance(value, types.get(kind, object))


def _allowed(schema: Mapping[str, Any]) -> str:
    """What a value must be: "must be a number from 0 to 1"."""
    kind = schema.get("type")
    if "enum" in schema:
        return f"must be one of {', '.join(map(str, schema['enum']))}"
    low, high = schema.get("minimum"), schema.get("maximum")
    if kind in ("integer", "number"):
        noun = "an integer" if kind == "integer" else "a number"
        if low is None:
            return f"must be {noun}"
        return f"must be {noun}, {low:,} or more" if high is None else f"must be {noun} from {low:,} to {high:,}"
    if kind == "array":
        low, high = schema.get("minItems"), schema.get("maxItems")
        bounds = f" of {low or 0} to {high} items" if high else f" of {low} or more items" if low else ""
        item = _KINDS.get(schema.get("items", {}).get("type"), "")
        return f"must be a list{bounds}" + (f", each {item}" if item else "")
    return f"must be {_KINDS.get(str(kind), 'given')}"
