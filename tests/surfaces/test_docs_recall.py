"""The example of docs/recall.md is what the program prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

PAGE = Path(__file__).parents[2] / "docs" / "recall.md"
ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{8}\b")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def examples(text: str) -> list[tuple[str, str]]:
    """Each command of the page, and what it is said to print; "" where that is not shown."""
    found = []
    for block in blocks(text, "console"):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = step.partition("\n")
            found.append((command, printed.rstrip()))
    return found


def named(text: str, known: dict[str, str]) -> str:
    """The text with its ids numbered as they come; the beginning of an id is that id."""
    return ID.sub(lambda id: known.setdefault(id[0][:8], f"#{len(known) + 1}"), text)


def test_every_command_of_the_page_prints_what_the_page_says(jotsam: Shell) -> None:
    page = PAGE.read_text()
    (turns,) = blocks(page, "jsonl")
    jotsam.file("monday.jsonl", turns)
    theirs: dict[str, str] = {}
    ours: dict[str, str] = {}
    shown = 0
    for command, printed in examples(page):
        program, *arguments = shlex.split(command)
        assert program == "jotsam"
        done = jotsam(*arguments)
        assert done.returncode == 0, done.stderr
        if printed:
            shown += 1
            assert named(done.stdout.rstrip(), ours) == named(printed, theirs), command
    assert shown >= 3
