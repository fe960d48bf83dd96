"""Names of the backups of a SQLite file: in the folder `backups` beside it, with the time (UTC) in the name.

It reads names only, so that the message about a damaged file can name the newest backup without opening anything.
"""

from __future__ import annotations

import os

from jotsam.core.clock import format_time, parse_time

# A file that is not complete, or not checked yet. The next backup or restore in its folder removes it.
PARTIAL = ".jotsam-partial"
TIME = len("20260301T140000Z")


def folder_of(path: str) -> str:
    """The folder of the backups of a database file."""
    return os.path.join(os.path.dirname(path), "backups")


def new_path(path: str, now: int, *, folder: str | None = None, why: str = "") -> str:
    """An unused path for a backup that is made at `now` (milliseconds). `why` is added to the name."""
    time = format_time(now).replace("-", "").replace(":", "")
    start = os.path.join(folder or folder_of(path), f"{_stem(path)}-{time}{why and '-'}{why}")
    number = 1
    while os.path.exists(found := f"{start}{(number > 1 and -number) or ''}.db"):
        number += 1
    return found


def listed(path: str, folder: str | None = None) -> list[str]:
    """The paths of the backups of a database file in a folder, oldest first; those before a migration too."""
    folder = folder or folder_of(path)
    start = f"{_stem(path)}-"
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    found = [name for name in names if name.startswith(start) and _time_in(name, start)]
    return [os.path.join(folder, name) for name in sorted(found, key=lambda name: name.removesuffix(".db"))]


def is_regular(path: str, backup: str) -> bool:
    """Whether a listed backup was made by `jotsam db backup`, and not before a migration."""
    rest = os.path.basename(backup)[len(_stem(path)) + 1 + TIME :].removesuffix(".db")
    return not rest or rest[1:].isdigit()


def time_of(path: str, backup: str) -> int:
    """When a listed backup was made, in milliseconds."""
    start = len(_stem(path)) + 1
    return parse_time(os.path.basename(backup)[start : start + TIME], name="time")


def advice(path: str) -> str:
    """What to do with a database file that is damaged: it names the newest backup and the command."""
    backups = listed(path)
    if not backups:
        return f"there is no backup in {folder_of(path)}; save what can be read: jotsam db salvage {path} saved.db"
    return f"restore the newest backup: jotsam db restore {backups[-1]} --db {path}"


def _stem(path: str) -> str:
    return os.path.basename(path).removesuffix(".db")


def _time_in(name: str, start: str) -> bool:
    time, end = name[len(start) : len(start) + TIME], name[len(start) + TIME :]
    is_time = time[8:9] + time[15:] == "TZ" and (time[:8] + time[9:15]).isdigit()
    return is_time and end.endswith(".db") and end[:1] in (".", "-")
