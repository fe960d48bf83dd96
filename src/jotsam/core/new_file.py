"""Writes a file that has its name only when it is complete."""

from __future__ import annotations

import os
from contextlib import contextmanager

from jotsam.core import own_files
from jotsam.core.errors import InvalidInput
from jotsam.core.platform import files

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
        with _open_device(path) as out:
            yield out
        return
    try:
        number = own_files.create(path + PARTIAL)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror}") from error
    try:
        with os.fdopen(number, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        _rename(path + PARTIAL, path)
    except BaseException:
        files.remove(path + PARTIAL)
        raise


def _open_device(path: str) -> BinaryIO:
    try:
        out = open(path, "wb")  # noqa: SIM115 - the caller closes it
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror}") from error
    try:
        own_files.check_device(out.fileno(), path)
    except OSError as error:
        out.close()
        raise InvalidInput(f"{path} cannot be written: {error.strerror}") from error
    return out


def _rename(partial: str, path: str) -> None:
    try:
        files.replace(partial, path)
    except OSError as error:  # In /tmp a file of another user cannot be replaced.
        raise InvalidInput(f"{path} cannot be replaced: {error.strerror}; choose another name") from error
