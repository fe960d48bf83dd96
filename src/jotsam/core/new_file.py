"""Writes a file that has its name only when it is complete."""

from __future__ import annotations

import os
from contextlib import contextmanager

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

PARTIAL = ".partial"


@contextmanager
def opened(file: str | os.PathLike[str] | BinaryIO) -> Iterator[BinaryIO]:
    """A binary file to write: the given one, or a new one, for its owner only, that replaces a path at the end."""
    if not isinstance(file, str | os.PathLike):
        yield file
        return
    path = os.fspath(file)
    if os.path.isdir(path):
        raise InvalidInput(f"{path} is a directory: give the name of a file")
    if os.path.exists(path) and not os.path.isfile(path):  # A pipe or a device is written as it is.
        with open(path, "wb") as out:
            yield out
        return
    try:
        number = os.open(path + PARTIAL, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror}") from error
    try:
        with os.fdopen(number, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        os.replace(path + PARTIAL, path)
    except BaseException:
        os.unlink(path + PARTIAL)
        raise
