"""What every command prints with: lines, tables, colour, JSON, and errors with their hints.

Data goes to standard output; errors, warnings and progress go to standard error. A table is the same on a terminal
and in a pipe, but for the colour. `add` loads this room at its start, so it imports nothing that is not loaded yet.
"""

from __future__ import annotations

import os
import sys

from jotsam.errors import JotsamError
from jotsam.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO

OK, FAILED, USAGE, DEGRADED, PENDING = 0, 1, 2, 3, 8
"""Exit codes. 3: it works, but something is wrong with it; 8: not done within the time given."""

SCHEMA = 1
"""Version of every `--json` object. A field may be added within a version, never renamed or removed."""

_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}
_UNITS = ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min"))


def say(text: str = "") -> None:
    sys.stdout.write(text + "\n")


def warn(text: str) -> None:
    sys.stderr.write(f"{paint('warning:', 'yellow', sys.stderr)} {text}\n")


def hint(text: str) -> None:
    sys.stderr.write(f"{paint('hint:', 'dim', sys.stderr)} {text}\n")


def complain(error: Exception) -> None:
    """Say what went wrong, and the way out where the error has one as its note."""
    expected = isinstance(error, JotsamError | OSError)
    text = str(error) if expected else f"{type(error).__name__}: {error}"
    sys.stderr.write(f"{paint('error:', 'red', sys.stderr)} {text}\n")
    for note in getattr(error, "__notes__", ()):
        hint(note)
    if not expected:
        hint("this is a fault of jotsam; --debug shows where it happened")


def emit(**fields: object) -> None:
    """Print the one JSON object of a command."""
    from msgspec import json  # Only who wants JSON pays for it.

    say(json.encode({"schema": SCHEMA, **fields}, enc_hook=_plain).decode())


def paint(text: str, colour: str, stream: TextIO) -> str:
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if _is_coloured(stream) else text


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print columns as wide as what is in them; a cell is one line."""
    cells = [[" ".join(str("" if cell is None else cell).split()) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    say(paint(_row([head.upper() for head in heads], widths), "dim", sys.stdout))
    for row in cells:
        say(_row(row, widths))


def shorten(text: str, width: int) -> str:
    """One line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


def duration(ms: int) -> str:
    """A time that has passed, in its largest unit."""
    unit, name = next(((unit, name) for unit, name in _UNITS if ms >= unit), (1_000, "s"))
    return f"{ms // unit} {name}"


def plural(number: int, singular: str, plural: str | None = None) -> str:
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def _is_coloured(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("CLICOLOR_FORCE", "0") != "0":
        return True
    return os.environ.get("TERM") != "dumb" and stream.isatty()


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _plain(value: object) -> object:
    if isinstance(value, Record):
        return value.as_dict()
    raise TypeError(f"{type(value).__name__} has no form in JSON")
