"""Edits a TOML file with `tomlkit`, which keeps comments, order and formatting."""

from __future__ import annotations

import re
import tomllib

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# The rest of a table behind its header: until an empty line, a comment or another table.
TABLE = r"[ \t]*(?:\r?\n(?![ \t]*(?:\[|#|\r?\n|\Z)).*)*(?:\r?\n|\Z)"


class TomlDocument:
    """The text of a TOML file, and its value. Raises `InvalidInput` if it is not valid, with the line.

    Paths are those of `JsonDocument`, but only names of tables: Jotsam writes into no list of a TOML file. A new table
    is added at the end as text, because `tomlkit` would put it between a comment and what the comment is about.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.value: dict[str, Any] = _parsed(text)

    def set(self, path: Sequence[str | int], value: Any) -> None:
        """Set a table at a path. Missing tables around it are made."""
        if _at(self.value, path) is None and self._replace(self._appended(path, value), path, value):
            return
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
        if not self._replace(tomlkit.dumps(document), path, value):
            raise InvalidInput(f"{'.'.join(map(str, path))} cannot be added here: add it yourself")

    def set_value(self, name: str, value: str | float) -> None:
        """Set a value outside of all tables."""
        document = tomlkit.parse(self.text)
        document[name] = value
        if not self._replace(tomlkit.dumps(document), (name,), value):
            raise InvalidInput(f"{name} cannot be set here: set it yourself")

    def remove(self, path: Sequence[str | int]) -> None:
        """Remove a table, and its parents that are empty then."""
        header = re.escape(f"[{'.'.join(map(str, path))}]")
        for found in re.finditer(rf"(?:^\r?\n)?^{header}{TABLE}", self.text, re.MULTILINE):
            if self._replace(self.text[: found.start()] + self.text[found.end() :], path, None):
                return
        document = tomlkit.parse(self.text)
        parents: list[Any] = [document]
        for key in path[:-1]:
            parents.append(parents[-1][key])
        for key, parent in zip(reversed(path), reversed(parents), strict=True):
            del parent[key]
            if len(parent):
                break
        if not self._replace(tomlkit.dumps(document), path, None):
            raise InvalidInput(f"{'.'.join(map(str, path))} cannot be removed here: remove it yourself")

    def _appended(self, path: Sequence[str | int], value: Any) -> str:
        """The text with a table at its end, after an empty line."""
        first = self.text.find("\n")
        eol = "\r\n" if first > 0 and self.text[first - 1] == "\r" else "\n"
        lines = [f"[{'.'.join(map(str, path))}]", *tomlkit.dumps(value).splitlines(), ""]
        gap = "" if not self.text else eol if self.text.endswith("\n") else eol * 2
        return self.text + gap + eol.join(lines)

    def _replace(self, text: str, path: Sequence[str | int], value: object) -> bool:
        """Take the new text if it is as intended: the value at the path is the only difference."""
        try:
            found = _parsed(text)
        except InvalidInput:
            return False
        if _without(found, path) != _without(self.value, path) or _at(found, path) != value:
            return False
        self.text, self.value = text, found
        return True


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
