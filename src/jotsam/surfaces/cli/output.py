"""Output of the command line: lines, tables, colour, JSON, and errors with hints.

Data goes to standard output; errors, warnings and progress go to standard error. A table is cut to the width of a
terminal, and whole in a pipe. `jotsam add` loads this module, so it must not import anything slow.

Stored texts, names of files and errors can contain escape sequences, which a terminal carries out, and characters that
reorder what is shown. They are printed as `\\x1b` on a terminal and in a pipe.

Commands print through this module instead of `sys.stdout`, so that the worker can capture the output of a queued
command (`Captured`). Capturing is per thread: other threads of the worker are not affected.
"""

from __future__ import annotations

import os
import sys
import threading
from io import BytesIO, StringIO

from jotsam.core.clock import format_time
from jotsam.core.errors import JotsamError
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import TracebackType
    from typing import BinaryIO, Self, TextIO

# Exit codes. DEGRADED: it works, but a check found a problem. PENDING: not done before the timeout.
OK, FAILED, USAGE, DEGRADED, PENDING = 0, 1, 2, 3, 8

SCHEMA = 1  # Version of every `--json` object. Within a version, fields are added but never renamed or removed.

# `paint` marks colours with characters that no stored text can contain; `printable` turns them into escape sequences.
_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "": "0"}
_MARKS = {colour: chr(0xD800 + number) for number, colour in enumerate(_COLOURS)}
# C0 without tab and line feed, DEL and C1; embeddings, overrides and isolates of text direction.
_CONTROLS = [code for code in (*range(0x20), *range(0x7F, 0xA0)) if code not in (0x09, 0x0A)]
_DIRECTIONS = [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_CHARACTERS = {
    **{code: f"\\x{code:02x}" for code in _CONTROLS},
    **{code: f"\\u{code:04x}" for code in _DIRECTIONS},
    **{0xDC00 + byte: f"\\x{byte:02x}" for byte in range(0x80, 0x100)},  # a byte of a file name that is not UTF-8
}
_PRINTABLE = _CHARACTERS | {ord(mark): f"\x1b[{_COLOURS[colour]}m" for colour, mark in _MARKS.items()}
_IN_JSON = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), *_DIRECTIONS)}
# Fields of records that are points in time, besides those that end in `_at`.
TIMES = (
    *("at", "date", "first", "first_seen", "last", "last_reinforced", "newest", "oldest", "since", "until"),
    *("valid_from", "valid_until"),
)
DEFAULT_WIDTH = 80  # of a terminal that does not tell its own
SAMPLE = 200  # most characters of a stored text in a table


class Captured:
    """Captures what the commands of this thread print inside the `with` block, and gives them `input` to read."""

    def __init__(self, input: bytes | None = None) -> None:
        self.stdout, self.stderr = StringIO(), StringIO()
        self.stdin = None if input is None else BytesIO(input)

    def __enter__(self) -> Self:
        self._before, _streams.captured = _streams.captured, self
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        _streams.captured = self._before


class _Streams(threading.local):
    captured: Captured | None = None
    as_json = False  # the command line has --json
    has_json = False  # the JSON object of the command is printed
    escape_marks: Callable[[str], str] | None = None  # inside a `Fence`


_streams = _Streams()


def stdout() -> TextIO:
    return (_streams.captured or sys).stdout


def stderr() -> TextIO:
    return (_streams.captured or sys).stderr


def stdin() -> BinaryIO:
    """Standard input as bytes. On the command line, `-` means standard input."""
    captured = _streams.captured
    return captured.stdin if captured and captured.stdin else sys.stdin.buffer


def printable(text: str) -> str:
    """The text as it is printed: control characters are visible, and marks of `paint` are escape sequences."""
    return text.replace("\r\n", "\n").translate(_PRINTABLE)


class Fence:
    """Puts what is printed to standard output inside the `with` block into the fence that `recall` uses.

    It is for agents: on a terminal it does nothing.
    """

    def __enter__(self) -> None:
        if not stdout().isatty():
            from jotsam.core.fence import OPENING, escape_marks  # not needed by commands that start often

            stdout().write(OPENING + "\n")
            _streams.escape_marks = escape_marks

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if _streams.escape_marks:
            from jotsam.core.fence import CLOSING

            _streams.escape_marks = None
            stdout().write(CLOSING + "\n")


def echo(text: str = "") -> None:
    shown = _streams.escape_marks(text) if _streams.escape_marks else text
    stdout().write(printable(shown) + "\n")


def warn(text: str) -> None:
    stderr().write(printable(f"{paint('warning:', 'yellow', stderr())} {text}\n"))


def hint(text: str) -> None:
    stderr().write(printable(f"{paint('hint:', 'dim', stderr())} {text}\n"))


def print_error(text: str) -> None:
    stderr().write(printable(f"{paint('error:', 'red', stderr())} {text}\n"))


def print_interrupted(kept: str, advice: str) -> None:
    """Say, after Ctrl-C, what was kept of the work, and how to continue."""
    stderr().write(printable(f"{paint('interrupted:', 'yellow', stderr())} {kept}\n"))
    hint(advice)


def report(error: Exception) -> None:
    """Print an exception as an error, and its notes as hints."""
    message, hints = _explained(error)
    print_error(message)
    for text in hints:
        hint(text)


def report_as_json(error: Exception) -> None:
    """Print the exception that ended a command as its JSON object."""
    message, hints = _explained(error)
    retry = isinstance(error, JotsamError) and error.retry
    print_json_error(message, hints=hints, kind=type(error).__name__, exit_code=FAILED, retry=retry)


def _explained(error: Exception) -> tuple[str, list[str]]:
    """The message of an exception, and its hints."""
    if isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and "start new thread" in str(error)):
        hints = ["raise the limits (`ulimit -v`, `ulimit -u`, those of the container), or lower --concurrency"]
        return "this process reached a limit of the system: it cannot get more memory, or start a thread", hints
    hints = list(getattr(error, "__notes__", ()))
    if isinstance(error, JotsamError | OSError):
        return str(error), hints
    return f"{type(error).__name__}: {error}", [*hints, "this is a bug in jotsam; --debug prints the traceback"]


def begin_command(*, as_json: bool) -> None:
    """Note whether the command line of this thread has --json, for errors in its arguments."""
    _streams.as_json, _streams.has_json = as_json, False


def wants_json() -> bool:
    return _streams.as_json


def print_json_error(message: str, *, hints: Sequence[str], kind: str, exit_code: int, retry: bool = False) -> None:
    """Print an error as the JSON object of the command, unless it has printed one already."""
    if not _streams.has_json:
        error = {"type": kind, "message": message, "hints": list(hints), "exit_code": exit_code, "retry": retry}
        print_json(error=error)


def print_json(**fields: object) -> None:
    """Print the JSON object of a command."""
    from msgspec import json  # Imported here because most calls print no JSON.

    text = json.encode({"schema": SCHEMA, **fields}, enc_hook=_plain).decode()
    stdout().write(text.translate(_IN_JSON) + "\n")
    _streams.has_json = True


def paint(text: str, colour: str, stream: TextIO | None = None) -> str:
    """Text that is printed in colour, if the stream (default: standard output) supports it."""
    return f"{_MARKS[colour]}{text}{_MARKS['']}" if _is_coloured(stream or stdout()) else text


def print_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print aligned columns: on a terminal cut to its width, in a pipe whole. Line breaks in a cell become spaces."""
    from jotsam.surfaces.cli.table import lay_out

    cells = [[_visible(" ".join(str("" if cell is None else cell).split())) for cell in row] for row in rows]
    head, *lines = lay_out([head.upper() for head in heads], cells, width=terminal_width())
    echo(paint(head, "dim"))
    for line in lines:
        echo(line)


def print_result(arguments: argparse.Namespace, text: str, **fields: object) -> None:
    """Print the JSON object of a command, or a text for people."""
    print_json(**fields) if arguments.json else echo(text)


def print_field(name: str, text: str, *, width: int) -> None:
    """Print a name and its value beside each other, wrapped between words to the width of a terminal."""
    limit = terminal_width()
    lines = [text] if limit is None else _wrapped(text, max(limit - width - 1, 20))
    for number, line in enumerate(lines):
        echo(f"{paint(name.ljust(width), 'bold') if number == 0 else ' ' * width} {line}")


def terminal_width(stream: TextIO | None = None) -> int | None:
    """The number of columns of the terminal that a stream (default: standard output) prints to; None without one."""
    stream = stream or stdout()
    if not stream.isatty():
        return None
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns):
        return int(columns)
    try:
        return os.get_terminal_size(stream.fileno()).columns or DEFAULT_WIDTH
    except OSError:
        return DEFAULT_WIDTH


def redraws(stream: TextIO | None = None) -> bool:
    """Whether to draw again over what a stream (default: standard error) has shown, as a progress bar does.

    Only on a terminal that can, and not with `JOTSAM_ACCESSIBLE`: a screen reader would read every frame.
    """
    if os.environ.get("JOTSAM_ACCESSIBLE", "0") != "0" or os.environ.get("TERM") == "dumb":
        return False
    return (stream or stderr()).isatty()


def shorten(text: str, width: int) -> str:
    """The text on one line, cut to `width` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


def plural(number: int, singular: str, plural: str | None = None) -> str:
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def counted(counts: Mapping[str, int], names: Iterable[tuple[str, str]]) -> str:
    """The counts of some kinds as text, by their singular and plural: `2 memories, 1 document`."""
    found = [plural(counts[one], one, many) for one, many in names if counts.get(one)]
    return ", ".join(found) or plural(0, *next(iter(names)))


def _is_coloured(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR") or isinstance(stream, StringIO):
        return False
    if os.environ.get("CLICOLOR_FORCE", "0") != "0":
        return True
    return os.environ.get("TERM") != "dumb" and stream.isatty()


def fields_of(record: Record) -> dict[str, object]:
    """The fields of a record for `print_json`: times are ISO 8601 text in UTC, with milliseconds."""
    values = {name: getattr(record, name) for name in record._fields}
    return {name: iso_time(value) if is_time(name) and type(value) is int else value for name, value in values.items()}


def is_time(field: str) -> bool:
    """Whether a field of a record is a point in time."""
    return field.endswith("_at") or field in TIMES


def iso_time(ms: int) -> str:
    """As `format_time`, to the millisecond: `2026-03-01T14:00:00.123Z`."""
    return f"{format_time(ms)[:-1]}.{ms % 1000:03}Z"


def _visible(text: str) -> str:
    """The text with visible control characters, and with the marks of `paint`."""
    return text.translate(_CHARACTERS)


def _wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` columns, broken between words."""
    from jotsam.surfaces.cli.table import text_width

    lines: list[str] = []
    for word in text.split(" "):
        if lines and text_width(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _plain(value: object) -> object:
    if isinstance(value, Record):
        return fields_of(value)
    if isinstance(value, JotsamError):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be converted to JSON")
