"""Hooks of schemathesis: some generated requests name a memory, document or job that exists.

`FUZZ_IDS` has the ids, separated by spaces. Without them almost every id would be unknown.
"""

from __future__ import annotations

import os
import zlib
from typing import Any

import schemathesis

IDS = os.environ.get("FUZZ_IDS", "").split()
NAMES = {"id", "name", "key", "old", "new", "source", "target", "into", "ids"}
KNOWN = 3  # of five


def known(name: str, value: Any) -> Any:
    """The value, or an id that exists: the same for the same value, so that a run can be repeated."""
    if not IDS or name not in NAMES or not isinstance(value, str):
        return value
    number = zlib.crc32(value.encode("utf-8", "replace"))
    return IDS[number // 5 % len(IDS)] if number % 5 < KNOWN else value


def replaced(values: Any) -> Any:
    if not isinstance(values, dict):
        return values
    return {
        name: [known(name, one) for one in value] if isinstance(value, list) else known(name, value)
        for name, value in values.items()
    }


@schemathesis.hook
def map_path_parameters(context: Any, path_parameters: Any) -> Any:
    return replaced(path_parameters)


@schemathesis.hook
def map_query(context: Any, query: Any) -> Any:
    return replaced(query)


@schemathesis.hook
def map_body(context: Any, body: Any) -> Any:
    return replaced(body)
