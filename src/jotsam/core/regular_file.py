"""Reads small files that come with a clone. Short, because settings and the identity of a project both need it."""

from __future__ import annotations

import os
import stat


def read_regular(path: str, max_bytes: int) -> bytes:
    """The content of a small regular file. Raises `OSError`, `ValueError`.

    A file of a clone may be a link to a device or a pipe. Opening some devices has effects, so the path is checked
    before it is opened, and the file again afterwards.
    """
    _check_regular(os.stat(path))
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as file:
        _check_regular(os.fstat(file.fileno()))
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise ValueError(f"it has more than {max_bytes:,} bytes")
    return content


def _check_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("it is not a regular file")
