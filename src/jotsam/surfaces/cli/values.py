"""Types of the values of arguments and options."""

from __future__ import annotations

import argparse

from jotsam.core.clock import parse_time
from jotsam.core.errors import InvalidInput
from jotsam.core.validate import shown
from jotsam.surfaces.cli.output import hint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_COUNT = 1_000_000_000
AGE_UNITS_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


def positive_int(text: str) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_COUNT))
    if not is_number or not 0 < int(text) <= MAX_COUNT:
        raise argparse.ArgumentTypeError(f"invalid number {shown(text)}: must be an integer from 1 to {MAX_COUNT:,}")
    return int(text)


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= MAX_COUNT / 1000:
        raise argparse.ArgumentTypeError(f"invalid time {shown(text)}: must be seconds from 0 to {MAX_COUNT // 1000:,}")
    return value


def age_ms(text: str) -> int:
    number, unit = text[:-1], AGE_UNITS_MS.get(text[-1:])
    if unit is None or not (number.isascii() and number.isdigit()) or len(number) > len(str(MAX_COUNT)):
        raise argparse.ArgumentTypeError(
            f"invalid age {shown(text)}: must be an integer followed by s, m, h or d, for example 10m"
        )
    return int(number) * unit


def memory_type(text: str) -> str:
    """A memory type. Any is allowed; a hint says which known one may be meant by one that is like it."""
    from jotsam.core import names

    if names.as_type(text) not in names.TYPES:
        from jotsam.core.validate import closest

        known = {name.lower(): name for name in names.TYPES}
        if meant := closest(text, known):
            hint(f"{shown(text)} is a type of its own; did you mean {known[meant]}?")
    return text


def date(text: str) -> int:
    try:
        return parse_time(text, name="date")
    except InvalidInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def key_value(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"invalid value {text!r}: must be KEY=VALUE")
    return key, value


def condition(text: str) -> dict[str, Any]:
    """A condition on metadata, such as `status=open` or `priority>=3`, as `core.comparisons` has it."""
    import re

    found = re.fullmatch(r"(.*?[^!<>=])(=|!=|>=?|<=?)([^<>=].*)?", text, re.DOTALL)
    if found is None:
        raise argparse.ArgumentTypeError(f"invalid value {text!r}: must be KEY=VALUE, or have one of != > >= < <=")
    key, sign, value = found.groups(default="")
    names = {"=": "$eq", "!=": "$ne", ">": "$gt", ">=": "$gte", "<": "$lt", "<=": "$lte"}
    return {key: {names[sign]: value if sign in ("=", "!=") else _number_or_text(value)}}


def conditions(given: list[dict[str, Any]] | None) -> dict[str, Any] | None:
    """All of them in one filter. Raises `InvalidInput` for two of one kind, of which only one could be kept."""
    found: dict[str, Any] = {}
    for key, compared in ((key, compared) for one in given or () for key, compared in one.items()):
        if found.setdefault(key, {}).keys() & compared.keys():
            raise InvalidInput(f"--metadata is given twice for {key!r} with the same sign: give one of them")
        found[key] |= compared
    return found or None


def _number_or_text(text: str) -> float | str:
    import json

    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, int | float) and not isinstance(value, bool) else text


def json_object(text: str) -> dict[str, Any]:
    from msgspec import DecodeError, json

    try:
        return json.decode(text, type=dict[str, object])
    except DecodeError as error:
        raise argparse.ArgumentTypeError(f"invalid value {text!r}: must be a JSON object: {error}") from error


# By the name of the value in --help.
BY_NAME = {
    "AGE": age_ms,
    "CONDITION": condition,
    "DATE": date,
    "JSON": json_object,
    "KEY=VALUE": key_value,
    "NUMBER": positive_int,
    "SECONDS": seconds,
    "TYPE": memory_type,
}
