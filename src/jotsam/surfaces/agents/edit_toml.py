"""Edits a TOML file with `tomlkit`, which keeps comments, order and formatting."""

from __future__ import annotations

import tomllib

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class TomlDocument:
    """The text of a TOML file, and its value. Raises `InvalidInput` if it is not valid, with the line.

    Paths are those of `JsonDocument`, but only names of tables: Jotsam writes into no list of a TOML file.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.value: dict[str, Any] = _parsed(text)

    def set(self, path: Sequence[str | int], value: Any) -> None:
        """Set a table at a path. Missing tables around it are made."""
        document = tomlkit.parse(self.text)
        table: Any = document
        for key in path[:-1]:
            if key not in table:
                table[key] = tomlkit.table(is_super_table=True)
            table = table[key]
        new: Any = tomlkit.item(value)
        if isinstance(table, InlineTable):
            new = tomlkit.inline_table()
            new.update(value)
        table[path[-1]] = new
        self._replace(tomlkit.dumps(document), path, value)

    def remove(self, path: Sequence[str | int]) -> None:
        """Remove a table, and its parents that are empty then."""
        document = tomlkit.parse(self.text)
        parents: list[Any] = [document]
        for key in path[:-1]:
            parents.append(parents[-1][key])
        for key, table in zip(reversed(path), reversed(parents), strict=True):
            del table[key]
            if len(table):
                break
        self._replace(tomlkit.dumps(document), path, None)

    def _replace(self, text: str, path: Sequence[str | int], value: object) -> None:
        """Take the new text if it says what it should: the value at the path is the only difference."""
        found = _parsed(text)
        if _without(found, path) != _without(self.value, path) or _at(found, path) != value:
            raise InvalidInput(f"{'.'.join(map(str, path))} cannot be edited here: add or remove it yourself")
        self.text, self.value = text, found


def _parsed(text: str) -> dict[str, Any]:
    try:
        tomlkit.parse(text)
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, TOMLKitError, RecursionError) as error:
        raise InvalidInput(str(error)) from None


def _at(value: Any, path: Sequence[str | int]) -> Any:
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def _without(value: dict[str, Any], path: Sequence[str | int]) -> dict[str, Any]:
    """A copy without the value at a path, and without the tables around it that are empty then."""
    key, *rest = path
    copy = dict(value)
    if rest and isinstance(copy.get(str(key)), dict):
        copy[str(key)] = _without(copy[str(key)], rest)
        if not copy[str(key)]:
            del copy[str(key)]
    elif not rest:
        copy.pop(str(key), None)
    return copy
