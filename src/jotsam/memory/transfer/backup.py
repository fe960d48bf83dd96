"""Back up a SQLite file while it is used: a checked copy under its own name."""

from __future__ import annotations

import os

from jotsam.core import validate
from jotsam.core.clock import monotonic_ms, system_clock
from jotsam.core.dsn import is_server, mask_address
from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.storage.sqlite import backup_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Tell = Callable[[str, int, int], None]


class Backup(Record):
    """A backup: a database file with what was committed when it began. The counts are of all tenants."""

    path: str
    bytes: int
    documents: int
    memories: int
    jobs: int  # live and dead
    took_ms: int
    checked: bool  # its pages, references, schema versions and counts; one that fails the check is not kept
    removed: tuple[str, ...] = ()  # older backups that `keep` removed


def backup(
    db: str, path: str | os.PathLike[str] | None = None, *, keep: int | None = None, tell: Tell | None = None
) -> Backup:
    """Copy the database file `db` to the file `path`, or under a name with the time to the folder `path`.

    The default folder is `backups` beside the file. With `keep`, only this number of the newest named backups in the
    folder are kept. The file is neither migrated nor written to. `tell` is called with the step, and with the pages
    done and in total. Raises `InvalidInput` for a server, and if `keep` is
    given with the path of a file; `DatabaseUnusable` if the database is damaged or `path` exists; `DatabaseFull`.
    """
    if keep is not None:
        validate.check_int("keep", keep, 1)
    if is_server(db):
        raise InvalidInput(
            f"{mask_address(db)} is a server: back it up with `pg_dump -n SCHEMA -Fc -f FILE DATABASE` as a superuser"
            " or a role with BYPASSRLS, copy it to a file with `jotsam db migrate --to FILE`, or write one tenant with"
            " `jotsam db export FILE`"
        )
    from jotsam.storage.sqlite import sqlite_backup

    started = monotonic_ms()
    given = None if path is None else _absolute(validate.check_characters("file", os.fspath(path)))
    folder = backup_files.folder_of(db) if given is None else given
    is_named = given is None or os.path.isdir(given)
    if keep is not None and not is_named:
        raise InvalidInput(f"invalid keep {keep} for the file {given}: it needs a folder of backups")
    target = backup_files.new_path(db, system_clock(), folder=folder) if is_named else folder
    content = sqlite_backup.copy(db, target, tell=tell)
    removed = _remove_old(db, folder, keep, newest=target) if keep else ()
    return Backup(
        path=target,
        bytes=os.path.getsize(target),
        documents=content.documents,
        memories=content.memories,
        jobs=content.jobs,
        took_ms=monotonic_ms() - started,
        checked=True,
        removed=removed,
    )


def backups_of(db: str) -> list[str]:
    """The paths of the backups in the default folder of a file, oldest first; none for a server."""
    return [] if is_server(db) else backup_files.listed(db)


def _absolute(path: str) -> str:
    return os.path.abspath(os.path.expanduser(path))


def _remove_old(db: str, folder: str, keep: int, *, newest: str) -> tuple[str, ...]:
    """Remove named backups beyond `keep`, the oldest first, and never the newest. Those before a migration stay."""
    ours = [path for path in backup_files.listed(db, folder) if backup_files.is_regular(db, path) and path != newest]
    removed = tuple(ours[: max(0, len(ours) - keep + 1)])
    for path in removed:
        os.remove(path)
    return removed
