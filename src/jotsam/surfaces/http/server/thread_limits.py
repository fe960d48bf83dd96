"""Bounds how many requests of one server process use its database at once.

Python runs one thread at a time, so a few of them answer faster than many do, and with less memory: each thread has a
connection, and a connection to a file keeps 2 MB of pages. Those that read do not wait for those that write.
"""

from __future__ import annotations

import anyio

from jotsam.core import dsn

OF_FILE = 4  # threads that read, and as many that write
OF_SERVER = 16  # which wait for it most of the time; together as many as it has connections


class ThreadLimits:
    """How many threads read and write at once."""

    def __init__(self, url: str) -> None:
        number = OF_SERVER if dsn.is_server(url) else OF_FILE
        self.reading, self.writing = anyio.CapacityLimiter(number), anyio.CapacityLimiter(number)
