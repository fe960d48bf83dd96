"""Anthropic's memory tool: its answers are those of Anthropic's own file system tool for the same commands."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaLocalFilesystemMemoryTool

from jotsam import Jotsam
from jotsam.integrations.anthropic import JotsamAsyncMemoryTool, JotsamMemoryTool

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LINES = "one\ntwo\nthree\ntwo\n"
COMMANDS: list[dict[str, Any]] = [
    {"command": "view", "path": "/memories/none.txt"},
    {"command": "create", "path": "/memories/a.txt", "file_text": LINES},
    {"command": "create", "path": "/memories/a.txt", "file_text": "again"},
    {"command": "create", "path": "/memories/notes/deep/er/b.md", "file_text": "x" * 3_000},
    {"command": "create", "path": "/memories/notes/.hidden", "file_text": "h"},
    {"command": "create", "path": "/memories/empty", "file_text": ""},
    {"command": "view", "path": "/memories"},
    {"command": "view", "path": "/memories/notes"},
    {"command": "view", "path": "/memories/a.txt"},
    {"command": "view", "path": "/memories/a.txt", "view_range": [2, 3]},
    {"command": "view", "path": "/memories/a.txt", "view_range": [3, -1]},
    {"command": "view", "path": "/memories/empty"},
    {"command": "str_replace", "path": "/memories/a.txt", "old_str": "three", "new_str": "3\n3b"},
    {"command": "str_replace", "path": "/memories/a.txt", "old_str": "two", "new_str": "2"},
    {"command": "str_replace", "path": "/memories/a.txt", "old_str": "four", "new_str": "4"},
    {"command": "str_replace", "path": "/memories/none", "old_str": "four", "new_str": "4"},
    {"command": "str_replace", "path": "/memories/notes", "old_str": "four", "new_str": "4"},
    {"command": "insert", "path": "/memories/a.txt", "insert_line": 0, "insert_text": "zero\n"},
    {"command": "insert", "path": "/memories/a.txt", "insert_line": 99, "insert_text": "far"},
    {"command": "insert", "path": "/memories/empty", "insert_line": 0, "insert_text": "first"},
    {"command": "view", "path": "/memories/a.txt"},
    {"command": "view", "path": "/memories/empty"},
    {"command": "rename", "old_path": "/memories/a.txt", "new_path": "/memories/notes/a.txt"},
    {"command": "rename", "old_path": "/memories/a.txt", "new_path": "/memories/c.txt"},
    {"command": "rename", "old_path": "/memories/notes", "new_path": "/memories/empty"},
    {"command": "rename", "old_path": "/memories/notes", "new_path": "/memories/old"},
    {"command": "rename", "old_path": "/memories", "new_path": "/memories/old2"},
    {"command": "view", "path": "/memories/old"},
    {"command": "delete", "path": "/memories/none"},
    {"command": "delete", "path": "/memories"},
    {"command": "delete", "path": "/memories/old"},
    {"command": "delete", "path": "/memories/empty"},
    {"command": "view", "path": "/memories"},
    {"command": "view", "path": "/etc/passwd"},
    {"command": "view", "path": "/memories/../etc/passwd"},
    {"command": "delete", "path": "/memories/a/../../b"},
]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Jotsam]:
    with Jotsam(tmp_path / "a.db", worker="off") as memory:
        yield memory


def answer(tool: Any, command: dict[str, Any]) -> str:
    try:
        told = str(tool.call(command))
    except ToolError as error:
        return f"error: {error}"
    lines = told.split("\n")
    if lines[0].startswith("Here're"):
        folders = {line for line in lines if line.endswith("/")} | {lines[1]}
        lines = [line.partition("\t")[2] if line in folders else line for line in lines]
    return "\n".join(lines)


def test_each_command_is_answered_as_by_anthropics_own_tool(memory: Jotsam, tmp_path: Path) -> None:
    ours, theirs = JotsamMemoryTool(memory), BetaLocalFilesystemMemoryTool(str(tmp_path / "files"))
    differing = []
    for command in COMMANDS:
        expected, found = answer(theirs, command), answer(ours, command)
        if expected != found:
            differing.append(f"{command}\n  theirs: {expected!r}\n  ours:   {found!r}")
    assert not differing, "\n".join(differing)


@pytest.mark.parametrize(
    "path", ["/memoriesx/a", "/memories/%2e%2e/x", "/memories/..%2f..%2fx", "/memories/a/../../../x", "memories/x"]
)
def test_no_path_leads_out(memory: Jotsam, path: str) -> None:
    tool = JotsamMemoryTool(memory)
    with pytest.raises(ToolError):
        tool.call({"command": "create", "path": path, "file_text": "x"})


def test_users_have_files_of_their_own(memory: Jotsam) -> None:
    ann, bob = JotsamMemoryTool(memory, user="ann"), JotsamMemoryTool(memory, user="bob")
    secret = "key AKIAQ3EGRIZ7XT5NVLWB, \0 and 🎉"
    ann.call({"command": "create", "path": "/memories/a", "file_text": secret})
    assert secret in str(ann.call({"command": "view", "path": "/memories/a"}))
    with pytest.raises(ToolError, match="does not exist"):
        bob.call({"command": "view", "path": "/memories/a"})
    bob.clear_all_memory()
    assert ann.call({"command": "view", "path": "/memories/a"})
    ann.clear_all_memory()
    assert answer(ann, {"command": "view", "path": "/memories"}).count("\n") == 1


def test_a_file_is_no_folder(memory: Jotsam) -> None:
    tool = JotsamMemoryTool(memory)
    tool.call({"command": "create", "path": "/memories/a", "file_text": "x"})
    with pytest.raises(ToolError, match="is a file, not a directory"):
        tool.call({"command": "create", "path": "/memories/a/b", "file_text": "x"})
    tool.call({"command": "create", "path": "/memories/d/b", "file_text": "x"})
    with pytest.raises(ToolError, match="into itself"):
        tool.call({"command": "rename", "old_path": "/memories/d", "new_path": "/memories/d/e"})


def test_a_list_reads_no_file(memory: Jotsam) -> None:
    """More of them than one answer of the store may have."""
    tool = JotsamMemoryTool(memory)
    for number in range(9):
        text = "x" * 7_500_000
        tool.call({"command": "create", "path": f"/memories/large/{number}", "file_text": text})
    told = str(tool.call({"command": "view", "path": "/memories"}))
    assert "64.4M\t/memories/large/" in told
    assert told.count("7.2M") == 9
    tool.call({"command": "rename", "old_path": "/memories/large", "new_path": "/memories/moved"})
    tool.call({"command": "delete", "path": "/memories/moved"})
    assert memory.store.search(limit=1) == ()


def test_ten_inserts_at_once_are_all_kept(memory: Jotsam) -> None:
    tool = JotsamMemoryTool(memory)
    tool.call({"command": "create", "path": "/memories/a", "file_text": ""})
    insert = {"command": "insert", "path": "/memories/a", "insert_line": 0}
    threads = [
        threading.Thread(target=tool.call, args=[{**insert, "insert_text": f"line {number}"}]) for number in range(10)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told = str(tool.call({"command": "view", "path": "/memories/a"}))
    assert {f"line {number}" in told for number in range(10)} == {True}


def test_the_asynchronous_tool_answers_as_the_other_one(memory: Jotsam) -> None:
    ours, theirs = JotsamAsyncMemoryTool(memory, user="ann"), JotsamMemoryTool(memory, user="bob")
    awaited = SimpleNamespace(call=lambda command: asyncio.run(ours.call(command)))
    for command in [*COMMANDS, {"command": "create", "path": "/memories/last", "file_text": "x"}]:
        assert answer(awaited, command) == answer(theirs, command)
    asyncio.run(ours.clear_all_memory())
    assert "last" not in answer(awaited, {"command": "view", "path": "/memories"})
    assert "last" in answer(theirs, {"command": "view", "path": "/memories"})
    assert ours.to_dict() == theirs.to_dict()


def test_ten_asynchronous_inserts_at_once_are_all_kept(memory: Jotsam) -> None:
    tool = JotsamAsyncMemoryTool(memory)
    insert = {"command": "insert", "path": "/memories/a", "insert_line": 0}

    async def told() -> str:
        await tool.call({"command": "create", "path": "/memories/a", "file_text": ""})
        await asyncio.gather(*(tool.call({**insert, "insert_text": f"line {number}"}) for number in range(10)))
        return str(await tool.call({"command": "view", "path": "/memories/a"}))

    text = asyncio.run(told())
    assert {f"line {number}" in text for number in range(10)} == {True}
