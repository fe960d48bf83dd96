"""Anthropic's memory tool: the files that Claude writes below `/memories` are values of `jot.store`.

client.beta.messages.tool_runner(..., tools=[JotsamMemoryTool(memory)])

An `AsyncAnthropic` takes `JotsamAsyncMemoryTool`.
"""

from __future__ import annotations

import asyncio
import posixpath
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError

from jotsam.core.errors import NotFound
from jotsam.integrations.items import below, pages, together

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from anthropic.types.beta import (
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

    from jotsam import Client, Jotsam

ROOT = "/memories"
NAMESPACE = "anthropic-memory"
MAX_LINES, NUMBER_WIDTH = 999_999, 6
DEPTH = 2  # of a listing
UNITS = ("B", "K", "M", "G")


class JotsamMemoryTool(BetaAbstractMemoryTool):
    """The commands of the tool, with the answers of Anthropic's own file system tool. `user` keeps users apart.

    With a `Jotsam`, each command is one transaction; with a `Client`, two at once on one file may replace each other.
    """

    def __init__(self, memory: Jotsam | Client, *, user: str = "default", **options: Any) -> None:
        super().__init__(**options)
        self._memory, self._store = memory, memory.store
        # Their sizes apart from their texts, so that a list of files reads none.
        self._texts, self._sizes = (NAMESPACE, user, "texts"), (NAMESPACE, user, "sizes")

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """A file with numbered lines, or what is in a folder, two levels deep."""
        path = _checked(command.path)
        with self._transaction() as tx:
            text = self._text(path, tx)
            files = self._files(path, tx) if text is None else {}
        if text is None:
            if not files and path != ROOT:
                raise _missing(command.path)
            return _listing(command.path, path, files)
        lines = text.split("\n")
        if len(lines) > MAX_LINES:
            raise ToolError(f"File {command.path} exceeds maximum line limit of 999,999 lines.")
        first, last = 0, len(lines)
        if command.view_range and len(command.view_range) == 2:
            first = max(1, command.view_range[0]) - 1
            last = last if command.view_range[1] == -1 else command.view_range[1]
        shown = _numbered(lines[first:last], first)
        return f"Here's the content of {command.path} with line numbers:\n{shown}"

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """A new file."""
        path = _checked(command.path)
        with self._transaction() as tx:
            if self._is_there(path, tx):
                raise ToolError(f"File {command.path} already exists")
            self._check_parents(path, tx)
            self._put(path, command.file_text, tx)
        return f"File created successfully at: {command.path}"

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a text that a file has once."""
        path, old = _checked(command.path), command.old_str
        with self._transaction() as tx:
            text = self._existing(command.path, path, tx)
            if old not in text:
                raise ToolError(
                    f"No replacement was performed, old_str `{old}` did not appear verbatim in {command.path}."
                )
            if text.count(old) > 1:
                lines = ", ".join(str(text.count("\n", 0, at) + 1) for at in _places(text, old))
                raise ToolError(
                    f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
                    "Please ensure it is unique"
                )
            at = text.count("\n", 0, text.find(old))
            changed = text.replace(old, command.new_str)
            self._put(path, changed, tx)
        first = max(0, at - 2)
        shown = _numbered(changed.split("\n")[first : at + 3], first)
        return f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{shown}"

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert lines after a line of a file; 0: at its beginning."""
        path, after = _checked(command.path), command.insert_line
        with self._transaction() as tx:
            lines = self._existing(command.path, path, tx).removesuffix("\n").split("\n")
            lines = [] if lines == [""] else lines
            if not 0 <= after <= len(lines):
                raise ToolError(
                    f"Invalid `insert_line` parameter: {after}. It should be within the range [0, {len(lines)}]."
                )
            lines.insert(after, command.insert_text.rstrip("\n"))
            self._put(path, "\n".join(lines).removesuffix("\n") + "\n", tx)
        return f"The file {command.path} has been edited."

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Delete a file, or a folder with all that is in it."""
        path = _checked(command.path)
        if path == ROOT:
            raise ToolError("Cannot delete the /memories directory itself")
        with self._transaction() as tx:
            found = [path] if self._text(path, tx) is not None else list(self._files(path, tx))
            if not found:
                raise ToolError(f"The path {command.path} does not exist")
            for one in found:
                self._remove(one, tx)
        return f"Successfully deleted {command.path}"

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a folder to a path where nothing is."""
        old, new = _checked(command.old_path), _checked(command.new_path)
        if old == ROOT:
            raise ToolError("Cannot rename the /memories directory itself")
        with self._transaction() as tx:
            if self._is_there(new, tx):
                raise ToolError(f"The destination {command.new_path} already exists")
            found = [old] if self._text(old, tx) is not None else list(self._files(old, tx))
            if not found:
                raise ToolError(f"The path {command.old_path} does not exist")
            if new.startswith(f"{old}/"):
                raise ToolError(f"Cannot move {command.old_path} into itself")
            self._check_parents(new, tx)
            for path in found:
                self._put(new + path.removeprefix(old), self._text(path, tx) or "", tx)
                self._remove(path, tx)
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear_all_memory(self) -> str:
        """Delete all files of this user."""
        with self._transaction() as tx:
            self._store.clear(self._texts, **tx)
            self._store.clear(self._sizes, **tx)
        return "All memory cleared"

    def _transaction(self) -> AbstractContextManager[dict[str, Any]]:
        return together(self._memory, " ".join(self._texts))

    def _text(self, path: str, tx: dict[str, Any]) -> str | None:
        try:
            return str(self._store.get(self._texts, path, **tx).value)
        except NotFound:
            return None

    def _put(self, path: str, text: str, tx: dict[str, Any]) -> None:
        size = {"path": path, "bytes": len(text.encode())}
        items: list[Any] = [
            {"namespace": self._texts, "key": path, "value": text},
            {"namespace": self._sizes, "key": path, "value": size, "text": ""},
        ]
        self._store.put_many(items, **tx)

    def _remove(self, path: str, tx: dict[str, Any]) -> None:
        self._store.delete(self._texts, path, **tx)
        self._store.delete(self._sizes, path, **tx)

    def _files(self, path: str, tx: dict[str, Any]) -> dict[str, int]:
        """The files below a folder, by path, with their sizes."""
        folder = f"{path}/"
        every = pages(partial(self._store.search, self._sizes, filter=below(folder), **tx))
        return dict(sorted((item.key, item.value["bytes"]) for item in every if item.key.startswith(folder)))

    def _is_there(self, path: str, tx: dict[str, Any]) -> bool:
        return path == ROOT or self._text(path, tx) is not None or bool(self._files(path, tx))

    def _existing(self, shown: str, path: str, tx: dict[str, Any]) -> str:
        text = self._text(path, tx)
        if text is None:
            raise ToolError(f"The path {shown} is not a file.") if self._is_there(path, tx) else _missing(shown)
        return text

    def _check_parents(self, path: str, tx: dict[str, Any]) -> None:
        while (path := posixpath.dirname(path)) != ROOT:
            if self._text(path, tx) is not None:
                raise ToolError(f"The path {path} is a file, not a directory.")


class JotsamAsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """`JotsamMemoryTool` for an `AsyncAnthropic`. Takes the same client: each command runs on a thread."""

    def __init__(self, memory: Jotsam | Client, *, user: str = "default", **options: Any) -> None:
        super().__init__(**options)
        self._tool = JotsamMemoryTool(memory, user=user)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """A file with numbered lines, or what is in a folder, two levels deep."""
        return await asyncio.to_thread(self._tool.view, command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """A new file."""
        return await asyncio.to_thread(self._tool.create, command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a text that a file has once."""
        return await asyncio.to_thread(self._tool.str_replace, command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert lines after a line of a file; 0: at its beginning."""
        return await asyncio.to_thread(self._tool.insert, command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Delete a file, or a folder with all that is in it."""
        return await asyncio.to_thread(self._tool.delete, command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a folder to a path where nothing is."""
        return await asyncio.to_thread(self._tool.rename, command)

    async def clear_all_memory(self) -> str:
        """Delete all files of this user."""
        return await asyncio.to_thread(self._tool.clear_all_memory)


def _checked(path: str) -> str:
    """A path below the root, without `.` and `..`. Raises `ToolError` for one that leads out of it."""
    if not path.startswith(ROOT):
        raise ToolError(f"Path must start with /memories, got: {path}")
    found = posixpath.normpath(path)
    if any(one != ROOT and not one.startswith(f"{ROOT}/") for one in (found, posixpath.normpath(unquote(path)))):
        raise ToolError(f"Path {path} would escape /memories directory")
    return found


def _missing(path: str) -> ToolError:
    return ToolError(f"The path {path} does not exist. Please provide a valid path.")


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _numbered(lines: list[str], first: int) -> str:
    return "\n".join(f"{number:{NUMBER_WIDTH}}\t{line}" for number, line in enumerate(lines, first + 1))


def _listing(shown: str, path: str, files: dict[str, int]) -> str:
    """Folders and files without hidden ones, each with its size; the size of a folder is that of its files."""
    sizes: dict[str, int] = {}
    for file, size in files.items():
        parts = file.removeprefix(f"{path}/").split("/")
        if not any(part.startswith(".") for part in parts):
            names = ["/".join(parts[:depth]) + "/" * (depth < len(parts)) for depth in range(1, len(parts) + 1)]
            for name in names[:DEPTH]:
                sizes[name] = sizes.get(name, 0) + size
    lines = [
        f"{_size(sum(files.values()))}\t{shown}",
        *(f"{_size(sizes[name])}\t{shown}/{name}" for name in sorted(sizes)),
    ]
    header = f"Here're the files and directories up to 2 levels deep in {shown}, excluding hidden items:"
    return "\n".join([header, *lines])


def _size(count: int) -> str:
    unit = min((max(count, 1).bit_length() - 1) // 10, len(UNITS) - 1)
    number = count / 1024**unit
    return f"{int(number)}{UNITS[unit]}" if number == int(number) else f"{number:.1f}{UNITS[unit]}"
