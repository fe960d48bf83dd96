"""What `jotsam doctor` reports about backups."""

from __future__ import annotations

from jotsam.core.clock import system_clock
from jotsam.core.records import CheckResult
from jotsam.storage.sqlite import backup_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.core.settings import Settings
    from jotsam.memory.api.client import Jotsam

DAY_MS = 86_400_000


def advice(jot: Jotsam) -> str:
    """How to restore the newest backup of a damaged database."""
    return backup_files.advice(jot.database.url) if jot.database.is_file else "restore a backup of the server"


def backup(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    """The age of the newest backup in the default folder. Backups may be elsewhere, so none is not a problem."""
    path = jot.database.url
    found = backup_files.listed(path)
    if found:
        days = max(0, system_clock() - backup_files.time_of(path, found[-1])) // DAY_MS
        age = "less than a day" if days == 0 else "1 day" if days == 1 else f"{days:,} days"
        text = f"the newest is {age} old: {found[-1]}"
    else:
        text = f"there is none in {backup_files.folder_of(path)}; `jotsam backup` makes one"
    yield CheckResult(name="backup", level="ok", text=text)


def backup_on_server(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    """Whether `pg_dump` as this role saves everything. Row-level security hides all memories from it, without error."""
    with jot.database.snapshot() as tx:
        (found,) = tx.execute(
            "select rolsuper or rolbypassrls as passes, rolname as role from pg_roles where rolname = current_user"
        )
    if found["passes"]:
        text = f"pg_dump as {found['role']} saves everything"
    else:
        text = (
            f"pg_dump as {found['role']} cannot save memories: use a superuser or a role with BYPASSRLS, or"
            " `jotsam migrate --to backup.db`"
        )
    yield CheckResult(name="backup", level="ok", text=text)
