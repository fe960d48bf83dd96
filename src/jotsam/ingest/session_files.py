"""Reads session files: lines of JSON, one JSON object over many lines, or a database with many sessions."""

from __future__ import annotations

import os

from jotsam.agents.agent import agent_of
from jotsam.agents.registry import WITH_SESSIONS
from jotsam.agents.session_format import SessionFile
from jotsam.core.clock import LATEST_MS
from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.ingest import files, transcripts
from jotsam.storage.sqlite import foreign_database

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, BinaryIO

    from jotsam.agents.session_format import SessionFormat

MAX_LINE_BYTES = 32_000_000
MAX_FILE_BYTES = 256_000_000  # of one JSON object over many lines
BEGINNING = b"SQLite format 3\0"


class Line(Record):
    """A line of a file, or an entry of another file, numbered from 1."""

    number: int
    size: int = 0  # bytes
    entries: tuple[dict[str, Any], ...] = ()
    error: str | None = None  # why it cannot be read
    is_incomplete: bool = False  # it is still being written


def found(path: str) -> Iterable[str]:
    """The session files below a folder, or the path itself if it is a file."""
    return files.below(path, transcripts.PATTERNS).matching if os.path.isdir(path) else (path,)


def places(format: SessionFormat) -> tuple[str, ...]:
    """Where an agent keeps its sessions: the files and folders that exist."""
    paths = [
        os.path.join(os.environ.get(one.variable) or os.path.expanduser(one.home), one.path) for one in format.places
    ]
    return tuple(path for path in paths if os.path.exists(path))


def number(path: str, format: SessionFormat) -> int:
    """How many sessions are in a file or folder, without reading them. Raises `InvalidInput` if it cannot be read."""
    if os.path.isdir(path):
        names = map(os.path.basename, found(path))
        return sum(not (format.part_prefix and name.startswith(format.part_prefix)) for name in names)
    with foreign_database.opened(path) as database:
        return sum(int(row["number"]) for row in database.rows(format.number))


def has_sessions(path: str) -> bool:
    """Whether a SQLite database contains sessions. Raises `InvalidInput` if it cannot be read."""
    return _with_tables(foreign_database.tables(path)) is not None


def about(path: str, format: str, session: str | None) -> SessionFile:
    """What is known of a file without reading it. `session` is given by the user."""
    try:
        changed = os.stat(path).st_mtime_ns // 1_000_000
    except OSError:
        changed = 0
    name = os.path.splitext(os.path.basename(path))[0]
    folder = transcripts.FORMATS[format].folder_of(path)
    return SessionFile(session=session, name=name, folder=folder, changed=min(max(1, changed), LATEST_MS))


def size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0  # Opening it reports the error.


def lines(path: str, file: BinaryIO) -> Iterator[Line]:
    """The lines that are not empty. Raises `InvalidInput` if the whole file cannot be read."""
    beginning = file.read(len(BEGINNING))
    file.seek(0)
    if beginning == BEGINNING:
        for number, entry in enumerate(_in_database(path), 1):
            yield Line(number=number, entries=(entry,))
    elif path.endswith(".json"):
        yield from _of_object(file)
    else:
        yield from _of_lines(file)


def _of_object(file: BinaryIO) -> Iterator[Line]:
    data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise InvalidInput(f"is larger than {MAX_FILE_BYTES // 1_000_000} MB")
    if not data.strip():
        return
    try:
        entries = transcripts.split(transcripts.entry(data))
    except InvalidInput as error:
        yield Line(number=1, size=len(data), error=str(error))
        return
    for number, entry in enumerate(entries, 1):
        yield Line(number=number, size=len(data) if number == len(entries) else 0, entries=(entry,))


def _of_lines(file: BinaryIO) -> Iterator[Line]:
    """A line that is too long is skipped without loading it."""
    number = 0
    while data := file.readline(MAX_LINE_BYTES):
        number += 1
        is_ended, is_long = data.endswith(b"\n"), len(data) == MAX_LINE_BYTES
        while is_long and not is_ended and (more := file.readline(MAX_LINE_BYTES)):
            is_ended = more.endswith(b"\n")
        if is_long:
            yield Line(number=number, error=f"longer than {MAX_LINE_BYTES:,} bytes")
        elif data.strip():
            yield _line(number, data, is_ended=is_ended)


def _line(number: int, data: bytes, *, is_ended: bool) -> Line:
    try:
        return Line(number=number, size=len(data), entries=tuple(transcripts.split(transcripts.entry(data))))
    except InvalidInput as error:
        return Line(number=number, size=len(data), error=str(error), is_incomplete=not is_ended)


def _in_database(path: str) -> Iterator[dict[str, Any]]:
    """All entries of a database. Raises `InvalidInput` if it has none, or cannot be read."""
    with foreign_database.opened(path) as database:
        found = _with_tables(database.tables)
        if found is None or found.rows is None:
            raise InvalidInput(f"has no tables of {' or '.join(_titles_with_tables())}")
        yield from found.rows(database)


def _with_tables(tables: frozenset[str]) -> SessionFormat | None:
    return next((one for one in transcripts.FORMATS.values() if one.tables and one.tables <= tables), None)


def _titles_with_tables() -> list[str]:
    return [agent.title for agent in map(agent_of, WITH_SESSIONS.values()) if agent.sessions.tables]
