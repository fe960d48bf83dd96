"""A coding agent as a language model: how it is run, and what it prints. `COMMAND` in `NAME/model.py` says it for one.

A run has an empty working folder, and another private folder for what the agent wants to write. It gets no tools,
hooks, servers, extensions or files of instructions, and leaves no session. Of the user's own files it sees the sign-in
only. What an option here does was tried with the versions of `tests/agents/package.json`.
"""

from __future__ import annotations

import json
import os

from jotsam.core.records import Record
from jotsam.core.validate import token_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

NO_OUTPUT = "no output"


class Run(Record):
    """One request: `model` is "" for the cheapest. `folder` is private, and the working folder is `work` in it."""

    model: str
    system: str
    folder: str
    max_output_tokens: int
    environ: Mapping[str, str]
    query: Callable[[Invocation], bytes]  # what the program prints for another command, which asks no model
    links: dict[str, str]  # by path in the private folder: the file of the user

    def private(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def write(self, name: str, content: str) -> str:
        path = self.private(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        return path

    def link(self, name: str, path: str) -> None:
        """Make a file of the user visible in the private folder, if it is there."""
        if os.path.exists(path):
            os.makedirs(os.path.dirname(self.private(name)), exist_ok=True)
            os.symlink(path, self.private(name))
            self.links[self.private(name)] = path


class Invocation(Record):
    """The arguments of a program, and its environment besides what is kept."""

    arguments: tuple[str, ...]
    environ: Mapping[str, str]


class Printed(Record):
    """What a program printed. None for a count that it does not report."""

    text: str = ""
    tokens_in: int | None = None
    tokens_cached: int = 0  # of tokens_in
    tokens_out: int | None = None
    cost: float | None = None  # in US dollars
    is_cut_off: bool = False
    error: str = ""
    tool: str = ""  # that the model tried to call


class AgentCommand(Record):
    """One coding agent as a program that answers one prompt."""

    sign_in: str  # the command by which the user signs in
    keeps: tuple[str, ...]  # beginnings of the names of variables that it signs in with, or `*` and the end of one
    invoke: Callable[[Run], Invocation]
    read: Callable[[str], Printed]


def objects_in(output: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in an output, which may have other lines between them."""
    decoder = json.JSONDecoder()
    at = output.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(output, at)
        except (ValueError, RecursionError):
            end = output.find("\n", at)
            if end < 0:
                return
        else:
            if isinstance(found, dict):
                yield found
        at = output.find("{", end)


def object_in(output: str) -> dict[str, Any]:
    return next(objects_in(output), {})


def part_of(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = found.get(name)
    return part if isinstance(part, dict) else {}


def string_of(value: object) -> str:
    return value if isinstance(value, str) else ""


def count_of(value: object) -> int | None:
    count = token_count(value, -1)
    return None if count < 0 else count


def total_of(counts: Iterable[Mapping[str, Any]], *names: str) -> int:
    """The sum of the token counts with these names."""
    return sum(token_count(one.get(name), 0) for one in counts for name in names)


def price_of(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < 1_000_000 else None  # type: ignore[operator,arg-type]
