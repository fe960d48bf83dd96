"""The log of errors in hooks, where output has no reader. `jotsam doctor` reports them.

It is one small file in the user's data folder: that of a database may be what cannot be written.
"""

from __future__ import annotations

import os

from jotsam.core import own_files
from jotsam.core.clock import format_time, system_clock
from jotsam.core.settings import data_folder

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
