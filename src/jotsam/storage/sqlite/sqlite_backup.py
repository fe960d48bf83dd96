"""Copies of a SQLite file: made while other processes write, checked, and only then given their name.

A copy that has its name is complete and sound. Before that it is a partial file, which the next copy into the same
folder removes if its process was killed. The file that is copied is never written to.
"""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager

import apsw

from jotsam.core.errors import DatabaseBusy, DatabaseFull, DatabaseReadOnly, DatabaseUnusable, NotADatabase
from jotsam.core.platform import files
from jotsam.core.records import Record
from jotsam.storage import migrations
from jotsam.storage.sqlite.backup_files import PARTIAL, advice
from jotsam.storage.sqlite.sqlite_connection import Translated, recorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Tell = Callable[[str, int, int], None]  # progress callback: what, pages done, pages in total

WAIT_MS = 10_000  # for another process that recovers or closes the file
STEP_PAGES = 1_000  # copied at once; between steps an interrupt of the process is noticed
READ_ONLY = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
BESIDE = ("-wal", "-shm", "-journal")  # endings of the files that SQLite keeps beside a file
COUNTED = {"documents": "document", "memories": "memory", "jobs": "queue_job"}
NEWEST = ("document", "memory", "queue_job")


class Content(Record):
    """What a database file has, of all tenants."""

    schemas: tuple[tuple[str, int], ...]
    documents: int
    memories: int
    jobs: int  # live and dead
    newest_at: int | None  # when the newest of them was stored


def copy(path: str, target: str, *, tell: Tell | None = None) -> Content:
    """Copy the last committed state of a database file to a new file, and check the copy. Returns what is in it.

    Writers are not blocked. Raises `DatabaseUnusable` if the file is damaged or not Jotsam's, or the target exists;
    `DatabaseFull`, `DatabaseReadOnly`; and `DatabaseBusy` while another copy is written to the same folder.
    """
    folder = os.path.dirname(target)
    if not os.path.exists(path):
        raise DatabaseUnusable(f"{path} does not exist")
    with alone(folder):
        if os.path.exists(target):
            raise DatabaseUnusable(f"{target} exists: choose another name, or remove it")
        with partial(target) as unnamed:
            content = copy_pages(path, unnamed, tell=tell)
            if tell:
                tell("checking the copy", 1, 1)
            try:
                checked(unnamed, content)
            except NotADatabase as error:
                reason = str(error).removeprefix(f"{unnamed}: ")
                raise NotADatabase(f"{path}: the copy was removed, it is {reason}; {advice(path)}") from error
            files.replace(unnamed, target)
            files.sync(folder)
    return content


def copy_pages(path: str, target: str, *, is_used: bool = True, tell: Tell | None = None) -> Content:
    """Copy all pages of one snapshot to a new file, and sync it. Returns what the snapshot has."""
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with opened(path, is_used=is_used) as source:
        with Translated(path):
            # A read transaction keeps the snapshot, so that the copy need not begin again after a commit.
            source.execute("begin")
            content = content_of(source)
        with Translated(target):
            copied = apsw.Connection(target)
            try:
                with copied.backup("main", source, "main") as backup:
                    while not backup.done:
                        backup.step(STEP_PAGES)
                        if tell:
                            tell("copying pages", backup.page_count - backup.remaining, backup.page_count)
            finally:
                copied.close()
    files.sync(target)
    return content


def checked(path: str, expected: Content | None = None) -> Content:
    """What a file has that no process uses. Raises `NotADatabase` if it is damaged, or has not the expected content.

    A damaged full-text index is allowed: `jotsam doctor --repair` makes it from the texts.
    """
    problems: list[str] = []
    with opened(path, is_used=False) as connection:
        try:
            lines = [" ".join(str(line).split()) for (line,) in connection.execute("pragma integrity_check(5)")]
            problems += [line for line in lines if line != "ok" and "fts5" not in line]
            problems += [
                f"a row of {row[0]} refers to no row" for row in connection.execute("pragma foreign_key_check")
            ]
            content = content_of(connection)
        except (apsw.CorruptError, apsw.NotADBError) as error:
            problems.append(str(error))
    if problems:
        raise NotADatabase(f"{path}: damaged ({'; '.join(problems[:5])})")
    if not content.schemas:
        raise DatabaseUnusable(f"{path} is not a database of jotsam")
    if expected is not None and content != expected:
        raise NotADatabase(f"{path}: incomplete (it has {content}, and the database had {expected})")
    return content


def content_of(connection: apsw.Connection) -> Content:
    """What a database has, of whatever version; tables that it has not are empty."""
    schemas = migrations.numbers(recorded(connection))
    if not schemas:  # It is not Jotsam's, and its tables may have these names.
        return Content(schemas=(), documents=0, memories=0, jobs=0, newest_at=None)
    found = {str(name) for (name,) in connection.execute("select name from sqlite_schema where type = 'table'")}
    counts = {
        field: int(str(connection.execute(f"select count(*) from {table}").get)) if table in found else 0
        for field, table in COUNTED.items()
    }
    newest = [connection.execute(f"select max(created_at) from {table}").get for table in NEWEST if table in found]
    return Content(
        schemas=tuple(sorted(schemas.items())),
        newest_at=max((int(str(at)) for at in newest if at is not None), default=None),
        **counts,
    )


@contextmanager
def partial(target: str) -> Iterator[str]:
    """The name of the partial file of a target. It is removed at the end, with the files that SQLite makes beside it.

    Partial files of processes that were killed are removed first: the caller is alone in the folder.
    """
    folder = os.path.dirname(target)
    remove_partials(folder)
    try:
        yield target + PARTIAL
    finally:
        remove_partials(folder)


def remove_partials(folder: str, *, but: str = "") -> None:
    """Remove the partial files in a folder, except the file `but` and what SQLite keeps beside it."""
    keep = [but, *(but + ending for ending in BESIDE)]
    for path in [os.path.join(folder, name) for name in os.listdir(folder) if PARTIAL in name]:
        if path not in keep:
            files.remove(path)


@contextmanager
def alone(folder: str) -> Iterator[None]:
    """Make the folder, and lock it against other copies. Translates errors of the operating system.

    A lock of a process that was killed is void.
    """
    with _translated(folder), _locked(folder):
        yield


@contextmanager
def _locked(folder: str) -> Iterator[None]:
    os.makedirs(folder, mode=0o700, exist_ok=True)
    end = files.lock_folder(folder, wait=False)
    if end is None:
        raise DatabaseBusy(f"{folder}: another backup is written there; try again when it is done")
    try:
        yield
    finally:
        os.close(end)


@contextmanager
def opened(path: str, *, is_used: bool) -> Iterator[apsw.Connection]:
    """A connection that only reads. One to a file that no process uses makes no other files beside it."""
    name = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    is_constant = not is_used and not os.path.exists(path + "-wal")
    with Translated(path):
        connection = apsw.Connection(f"file:{name}?mode=ro{'&immutable=1' if is_constant else ''}", flags=READ_ONLY)
        connection.set_busy_timeout(WAIT_MS)
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    try:
        yield connection
    finally:
        connection.close()


@contextmanager
def _translated(folder: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise DatabaseFull(f"cannot write to {folder}: {error.strerror}; free some space and try again") from error
        raise DatabaseReadOnly(f"cannot write to {folder}: {error.strerror}; choose another place") from error
