"""Checking JSON against a schema, and where the first error stands."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.core.errors import InvalidInput
from jotsam.pipeline.llm.json_schema import first_error, parsed, place

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 5},
        "share": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
        "list": {"type": "array", "maxItems": 2, "items": {"type": "string", "enum": ["a", "b"]}},
        "count": {"type": "integer"},
        "on": {"type": "boolean"},
    },
    "required": ["name"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("value", "path", "message"),
    [
        ({}, (), "lacks 'name'"),
        ([], (), "is []; give an object"),
        ({"name": ""}, ("name",), 'is ""; give a text of at least 1 character'),
        ({"name": "abcdef"}, ("name",), "has 6 characters; give at most 5"),
        ({"name": None}, ("name",), "is null; give a string"),
        ({"name": "a", "share": 2}, ("share",), "is 2; give a number from 0 to 1"),
        ({"name": "a", "share": True}, ("share",), "is true; give a number or null"),
        ({"name": "a", "list": ["a", "c"]}, ("list", 1), 'is "c"; give one of a, b'),
        ({"name": "a", "list": ["a"] * 3}, ("list",), "has 3 items; give at most 2"),
        ({"name": "a", "count": 1.5}, ("count",), "is 1.5; give an integer"),
        ({"name": "a", "on": 1}, ("on",), "is 1; give a boolean"),
        ({"name": "a", "more": 1}, ("more",), "is not known here; known are name, share, list, count, on"),
    ],
)
def test_the_first_departure_is_named(value: object, path: tuple[object, ...], message: str):
    assert first_error(value, SCHEMA) == (path, message)


def test_what_keeps_to_it_is_returned():
    value = {"name": "abc", "share": None, "list": ["b"], "count": 3, "on": False}
    assert parsed(json.dumps(value), SCHEMA) == value


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('{"name": "a",\n "list": ["a",\n  "x"]}', r'line 3, column 3: list\[1\] is "x"'),
        ('{\n\t"name":\t7}', "line 2, column 10: name is 7"),
        ('{"name": "a", }', r"line 1, column 1\d: no JSON"),
        ("", "line 1, column 1: no JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"name": "\\u00e4\\"]", "list": {}}', r"line 1, column 31: list is \{\}"),
    ],
)
def test_an_error_names_line_and_column(text: str, error: str):
    with pytest.raises(InvalidInput, match=error):
        parsed(text, SCHEMA)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_every_value_is_found_where_it_begins(value: object, indent: int | str | None, is_ascii: bool):
    text = json.dumps(value, indent=indent, ensure_ascii=is_ascii)
    for path, inner in values(value, ()):
        line, column = place(text, path)
        begin = sum(len(one) + 1 for one in text.split("\n")[: line - 1]) + column - 1
        found, _ = json.JSONDecoder().raw_decode(text, begin)
        assert found == inner


def values(value: object, path: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], object]]:
    inner = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    return [(path, value), *(found for key, one in inner for found in values(one, (*path, key)))]
