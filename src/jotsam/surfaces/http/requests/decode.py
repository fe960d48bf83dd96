"""Bodies and query strings as typed values. An error becomes `InvalidInput` that names the place."""

from __future__ import annotations

import codecs
import re
from functools import cache

import msgspec

from jotsam.core import validate
from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def decode_body(payload: bytes, kind: Any) -> Any:
    """A JSON body as a value of a Struct type. Raises `InvalidInput`."""
    payload = payload.removeprefix(codecs.BOM_UTF8)
    try:
        if not kind.__struct_config__.forbid_unknown_fields:
            payload.decode()  # The decoder skips unknown fields unread.
        found = _decoder(kind).decode(payload)
    except msgspec.ValidationError as error:
        raise InvalidInput(f"invalid body: {_described(error)}") from error
    except msgspec.DecodeError as error:
        hint = "; it has an escaped surrogate, and those are valid in pairs only" if _SURROGATE.search(payload) else ""
        raise InvalidInput(f"the body is not valid JSON: {error}{hint}") from error
    except UnicodeDecodeError as error:
        raise InvalidInput(f"the body is not valid UTF-8 at byte {error.start:,}") from error
    except RecursionError as error:
        raise InvalidInput("the body is nested too deeply") from error
    if payload.count(b"[") + payload.count(b"{") > validate.MAX_DEPTH:
        validate.check_depth("the body", msgspec.structs.asdict(found))
    return found


def decode_query(pairs: Iterable[tuple[str, str]], kind: Any) -> Any:
    """The parameters of a query string as a value of a Struct type.

    A list takes all values of its name; for anything else, a name that is given twice is an error, unless the type
    ignores unknown fields: then the last value counts. There is no null in a query string.
    """
    lists, is_strict = _lists(kind), kind.__struct_config__.forbid_unknown_fields
    found: dict[str, Any] = {}
    for name, value in pairs:
        plain = name.removesuffix("[]")
        if plain in lists:
            found.setdefault(plain, []).append(value)
        elif is_strict and name in found:
            raise InvalidInput(f"invalid query: {name} is given twice")
        elif is_strict and value.lower() == "null" and name in _numbers(kind):
            raise InvalidInput(f"invalid query: {name}: there is no null in a query, leave the parameter out")
        else:
            found[name] = value
    try:
        return msgspec.convert(found, kind, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidInput(f"invalid query: {_described(error)}") from error


def encode(body: object) -> bytes:
    """A reply as JSON: records by their fields, errors as their message."""
    return msgspec.json.encode(body, enc_hook=_plain)


def _plain(value: object) -> object:
    if isinstance(value, Record):
        return value.as_dict()
    if isinstance(value, BaseException):
        return str(value)
    if hasattr(value, "items"):
        return dict(value.items())
    raise TypeError(f"{type(value).__name__} has no JSON form")


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


@cache
def _numbers(kind: Any) -> frozenset[str]:
    """The names of the fields that no text can have: a number, or true and false."""
    from typing import get_args

    fields = msgspec.structs.fields(kind)
    return frozenset(field.encode_name for field in fields if str not in (field.type, *get_args(field.type)))


@cache
def _lists(kind: Any) -> frozenset[str]:
    """The names of the fields that are lists."""
    from typing import get_args, get_origin

    fields = msgspec.structs.fields(kind)
    return frozenset(
        field.encode_name
        for field in fields
        if list in (get_origin(field.type), *(get_origin(one) for one in get_args(field.type)))
    )


def _described(error: msgspec.ValidationError) -> str:
    """The message, with the place in front: `tags[0]: expected str, got int`."""
    text, _, place = str(error).replace("`", "").partition(" - at ")
    text = text.replace("Object contains", "there is an").replace("Object missing required field", "missing field")
    text = text[:1].lower() + text[1:]
    return f"{place.removeprefix('$').removeprefix('.')}: {text}" if place.strip("$") else text
