"""JSON Schema validation: messages, and the line and column of the first error."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.core.errors import InvalidInput
from jotsam.pipeline.llm.json_schema import first_error, locate, parse_json

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
        ({}, (), "has no 'name'"),
        ([], (), "must be an object, not []"),
        ({"name": ""}, ("name",), 'must have at least 1 character, not ""'),
        ({"name": "abcdef"}, ("name",), "has 6 characters: at most 5 are allowed"),
        ({"name": None}, ("name",), "must be a string, not null"),
        ({"name": "a", "share": 2}, ("share",), "must be from 0 to 1, not 2"),
        ({"name": "a", "share": True}, ("share",), "must be a number or null, not true"),
        ({"name": "a", "list": ["a", "c"]}, ("list", 1), 'must be one of a, b, not "c"'),
        ({"name": "a", "list": ["a"] * 3}, ("list",), "has 3 items: at most 2 are allowed"),
        ({"name": "a", "count": 1.5}, ("count",), "must be an integer, not 1.5"),
        ({"name": "a", "on": 1}, ("on",), "must be a boolean, not 1"),
        ({"name": "a", "more": 1}, ("more",), "is unknown: must be one of name, share, list, count, on"),
    ],
)
def test_the_first_violation_is_reported(value: object, path: tuple[object, ...], message: str):
    assert first_error(value, SCHEMA) == (path, message)


def test_a_valid_value_is_returned():
    value = {"name": "abc", "share": None, "list": ["b"], "count": 3, "on": False}
    assert parse_json(json.dumps(value), SCHEMA) == value


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('{"name": "a",\n "list": ["a",\n  "x"]}', r'line 3, column 3: list\[1\] must be one of a, b, not "x"'),
        ('{\n\t"name":\t7}', "line 2, column 10: name must be a string, not 7"),
        ('{"name": "a", }', r"line 1, column 1\d: invalid JSON"),
        ("", "line 1, column 1: invalid JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"name": "\\u00e4\\"]", "list": {}}', r"line 1, column 31: list must be an array, not \{\}"),
    ],
)
def test_an_error_has_line_and_column(text: str, error: str):
    with pytest.raises(InvalidInput, match=error):
        parse_json(text, SCHEMA)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_every_value_is_located_where_it_begins(value: object, indent: int | str | None, is_ascii: bool):
    text = json.dumps(value, indent=indent, ensure_ascii=is_ascii)
    for path, inner in values(value, ()):
        line, column = locate(text, path)
        begin = sum(len(one) + 1 for one in text.split("\n")[: line - 1]) + column - 1
        found, _ = json.JSONDecoder().raw_decode(text, begin)
        assert found == inner


def values(value: object, path: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], object]]:
    inner = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    return [(path, value), *(found for key, one in inner for found in values(one, (*path, key)))]
