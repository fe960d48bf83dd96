"""What every command prints with: lines, tables, colour, JSON, and errors with their hints.

Data goes to standard output; errors, warnings and progress go to standard error. A table is the same on a terminal
and in a pipe, but for the colour. `add` loads this room at its start, so it imports nothing that is not loaded yet.

A command never names `sys.stdout` itself: it prints through this room, which can be given other streams for as long as
a command runs (`Captured`). They hold for that thread alone, so a worker can run commands beside its other work.
"""

from __future__ import annotations

import os
import sys
import threading
from io import BytesIO, StringIO

from jotsam.core.errors import JotsamError
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType
    from typing import BinaryIO, Self, TextIO

OK, FAILED, USAGE, DEGRADED, PENDING = 0, 1, 2, 3, 8
"""Exit codes. 3: it works, but something is wrong with it; 8: not done within the time given."""

SCHEMA = 1
"""Version of every `--json` object. A field may be added within a version, never renamed or removed."""

_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}
_UNITS = ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min"))


class Captured:
    """Within the `with` block this thread's commands print into here, and read `input`, if it is given, for `-`."""

    def __init__(self, input: bytes | None = None) -> None:
        self.stdout, self.stderr = StringIO(), StringIO()
        self.stdin = None if input is None else BytesIO(input)

    def __enter__(self) -> Self:
        self._before, _here.captured = _here.captured, self
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        _here.captured = self._before


class _Here(threading.local):
    captured: Captured | None = None


_here = _Here()


def out() -> TextIO:
    """Where data goes."""
    return (_here.captured or sys).stdout


def err() -> TextIO:
    """Where everything else goes."""
    return (_here.captured or sys).stderr


def given() -> BinaryIO:
    """What `-` stands for."""
    captured = _here.captured
    return captured.stdin if captured and captured.stdin else sys.stdin.buffer


def say(text: str = "") -> None:
    out().write(text + "\n")


def warn(text: str) -> None:
    err().write(f"{paint('warning:', 'yellow', err())} {text}\n")


def hint(text: str) -> None:
    err().write(f"{paint('hint:', 'dim', err())} {text}\n")


def complain_of(text: str) -> None:
    err().write(f"{paint('error:', 'red', err())} {text}\n")


def complain(error: Exception) -> None:
    """Say what went wrong, and the way out where the error has one as its note."""
    expected = isinstance(error, JotsamError | OSError)
    text = str(error) if expected else f"{type(error).__name__}: {error}"
    complain_of(text)
    for note in getattr(error, "__notes__", ()):
        hint(note)
    if not expected:
        hint("this is a fault of jotsam; --debug shows where it happened")


def emit(**fields: object) -> None:
    """Print the one JSON object of a command."""
    from msgspec import json  # Only who wants JSON pays for it.

    say(json.encode({"schema": SCHEMA, **fields}, enc_hook=_plain).decode())


def paint(text: str, colour: str, stream: TextIO | None = None) -> str:
    """Text with colour, where the stream (by default that of data) shows it."""
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if _is_coloured(stream or out()) else text


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print columns as wide as what is in them; a cell is one line."""
    cells = [[" ".join(str("" if cell is None else cell).split()) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    say(paint(_row([head.upper() for head in heads], widths), "dim"))
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


def took(ms: int) -> str:
    """How long something ran: milliseconds, seconds with a tenth, or as `duration` says."""
    return f"{ms} ms" if ms < 1_000 else f"{ms / 1_000:.1f} s" if ms < 60_000 else duration(ms)


def plural(number: int, singular: str, plural: str | None = None) -> str:
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def _is_coloured(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR") or isinstance(stream, StringIO):
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
