"""What an agent's session was given from memory, so that it is not given twice: a small file per session.

Lines are only appended, so two hooks at once lose nothing, and a line that is not an id is ignored. The files are in
the user's data folder, for all databases. They can be deleted at any time: then a session may get something twice.
"""

from __future__ import annotations

import os

from jotsam.core import own_files
from jotsam.core.clock import system_clock
from jotsam.core.platform.folders import data_folder
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LOST = "lost "  # begins the line that gives the time at which the session lost its context
DUE, DONE = "brief due", "brief done"
MAX_BYTES = 65_536  # a longer file is begun again
MAX_NAME = 100
KEEP_DAYS = 14
MAX_FILES = 2_000  # looked at when old files are deleted
DAY_SECONDS = 86_400


class SessionState(Record):
    """What a session has in its context."""

    given: frozenset[str]  # ids of memories that it was given since it lost its context
    lost_at: int  # when that was, in milliseconds; 0: never
    is_brief_due: bool = False  # its next prompt gets the brief


def folder() -> str:
    return os.path.join(data_folder(os.environ), "sessions")


def read_session_state(session: str) -> SessionState:
    """The state of a session; that of a new one if its file is absent or cannot be read."""
    try:
        with own_files.open_to_read(_path(session)) as file:
            lines = file.read(MAX_BYTES).decode("ascii", "replace").split("\n")
    except OSError:
        lines = []
    given: set[str] = set()
    lost_at, is_due = 0, False
    for line in lines:
        if line.startswith(LOST) and line[len(LOST) :].isdecimal() and len(line) < 25:
            given, lost_at = set(), int(line[len(LOST) :])
        elif line in (DUE, DONE):
            is_due = line == DUE
        else:
            given.add(line)
    return SessionState(given=frozenset(given), lost_at=lost_at, is_brief_due=is_due)


def add(session: str, ids: Iterable[str]) -> None:
    """Note what a session was given."""
    _append(session, "".join(f"{id}\n" for id in ids))


def forget_context(session: str) -> None:
    """Note that a session has lost its context: it was compacted or cleared, or is new. Deletes old files."""
    _append(session, f"{LOST}{system_clock()}\n")
    _delete_old()


def mark_brief(session: str, *, is_due: bool) -> None:
    """Note whether the next prompt of a session gets the brief."""
    _append(session, f"{DUE if is_due else DONE}\n")


def _append(session: str, text: str) -> None:
    """Append in one write. What cannot be written is given again."""
    try:
        os.makedirs(folder(), mode=0o700, exist_ok=True)
        opened = own_files.open_log(_path(session), max_bytes=MAX_BYTES - len(text))
        try:
            os.write(opened, text.encode())
        finally:
            os.close(opened)
    except (OSError, ValueError):
        pass


def _path(session: str) -> str:
    """The file of a session. A name that is not a plain file name is replaced by a checksum."""
    name = session
    if len(name) > MAX_NAME or not name.isascii() or not name.replace("-", "").replace("_", "").isalnum():
        from zlib import crc32

        name = f"{crc32(session.encode('utf-8', 'replace')):08x}.{len(session)}"
    return os.path.join(folder(), name)


def _delete_old() -> None:
    oldest = system_clock() / 1000 - KEEP_DAYS * DAY_SECONDS
    try:
        with os.scandir(folder()) as entries:
            for entry, _ in zip(entries, range(MAX_FILES), strict=False):
                if entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_mtime < oldest:
                    os.unlink(entry.path)
    except OSError:
        pass
