"""Reads the text that a command is given: as an argument, from a file, or from standard input for `-`."""

from __future__ import annotations

from jotsam.ingest import files
from jotsam.surfaces.cli.output import stdin

STDIN = "-"


def text_argument(value: str) -> tuple[str, tuple[str, ...]]:
    """The text of an argument, and warnings about its encoding. Raises `InvalidInput` for binary input."""
    return read_stdin() if value == STDIN else (value, ())


def file_argument(value: str) -> str:
    """The text of a file. Raises `InvalidInput` if it is unreadable, binary, or named like a file for secrets."""
    return read_stdin()[0] if value == STDIN else files.read(value).text


def read_stdin() -> tuple[str, tuple[str, ...]]:
    """Standard input as text, and warnings about its encoding. Raises `InvalidInput` for binary input."""
    return files.decode(stdin().read(), name="standard input")


def read_limited_stdin(limit: int) -> tuple[str, tuple[str, ...]] | None:
    """As `read_stdin`, but None if there are more than `limit` bytes."""
    raw = stdin().read(limit + 1)
    return None if len(raw) > limit else files.decode(raw, name="standard input")
