"""Hands a sign-in link to the browser. The arguments of a process can be read by every user of the machine, so the
browser gets the name of a file that only its owner can read, and that leads on to the link.
"""

from __future__ import annotations

import atexit
import os
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

from jotsam.core.clock import monotonic_ms, new_id, sleep
from jotsam.core.errors import JotsamError
from jotsam.core.platform import files
from jotsam.core.platform.folders import data_folder

LONGEST_MS = 60_000  # for a browser that starts
POLL_S = 0.1
PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={link}">
<title>Jotsam</title>
<p><a href="{link}">Open the dashboard</a></p>
"""


def open_in_browser(link: str, *, is_used: Callable[[], bool]) -> bool:
    """Open a link in the browser, and wait until it was used, at most a minute. False: no browser could be opened."""
    with _page(link) as path:
        if not webbrowser.open(path.as_uri()):
            return False
        until = monotonic_ms() + LONGEST_MS
        while not is_used() and monotonic_ms() < until:
            sleep(POLL_S)
    return True


@contextmanager
def _page(link: str) -> Iterator[Path]:
    """A file that leads to a link, until the block ends."""
    path = _run_folder() / f"dashboard-{new_id()}.html"
    atexit.register(path.unlink, missing_ok=True)  # A thread of a server may not come to its end.
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | files.NO_FOLLOW, 0o600)
    try:
        with open(file, "w", encoding="utf-8") as page:
            page.write(PAGE.format(link=escape(link)))
        yield path
    finally:
        path.unlink(missing_ok=True)


def _run_folder() -> Path:
    """A folder of this user for files of running programs. Raises `JotsamError` if others can write to it."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    folder = Path(runtime) / "jotsam" if runtime else Path(data_folder(os.environ)) / "run"
    if not runtime:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not files.is_private(found):
        raise JotsamError(f"{folder} is not a folder of yours alone: remove it, or make it so with `chmod 700`")
    return folder
