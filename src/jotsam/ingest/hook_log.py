"""The log of errors in hooks, where output has no reader. `jotsam doctor` reports them.

It is one small file in the user's data folder: that of a database may be what cannot be written.

The settings of a hook, which must not lose a turn because one of them is wrong.
"""

from __future__ import annotations

import os

from jotsam.core import own_files
from jotsam.core.clock import format_time, system_clock
from jotsam.core.errors import InvalidInput
from jotsam.core.platform.folders import data_folder
from jotsam.core.settings import UNKNOWN, load_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.core.settings import Settings


MAX_BYTES = 65_536  # a longer log is begun again
MAX_LINE = 500  # characters of an error
TOO_SLOW = "reading memory took more than"  # how a line about the time limit begins


def path() -> str:
    return os.path.join(data_folder(os.environ), "hooks.log")


def write(error: str) -> None:
    """Append an error. Where that fails, there is no place left to report it."""
    line = f"{format_time(system_clock())} ERROR in a hook: {' '.join(error.split())[:MAX_LINE]}\n"
    try:
        os.makedirs(os.path.dirname(path()), mode=0o700, exist_ok=True)
        log = own_files.open_log(path(), max_bytes=MAX_BYTES)
        with open(log, "a", encoding="utf-8", errors="replace") as file:
            file.write(line)
    except OSError:
        pass


def load_hook_settings(
    options: Mapping[str, str], *, folder: str | None, environ: Mapping[str, str] | None = None
) -> tuple[Settings, tuple[str, ...]]:
    """The settings for the options of a hook, and the names of those that could not be read.

    Without `environ`, those of this process; then an error in them is logged.
    """
    values: dict[str, object] = {name[2:]: options.get(name) or None for name in ("--db", "--tenant", "--project")}
    values["worker"] = "off" if "--no-worker" in options else None
    try:
        return load_settings(values, folder=folder, environ=environ)[0], ()
    except (InvalidInput, OSError) as error:
        if environ is None:
            write(f"{error}; these settings are ignored")
        settings, origins = load_settings(values, folder=folder, environ=environ, strict=False)
        return settings, tuple(name for name, origin in origins.items() if origin == UNKNOWN)
