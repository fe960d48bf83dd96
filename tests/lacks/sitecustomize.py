"""Takes away what other systems lack, before a program starts: Python imports this if its folder is on PYTHONPATH.

The variable LACKS names what, separated by spaces. What is taken away fails as it does on a system without it.
"""

from __future__ import annotations

import builtins
import fcntl
import glob
import io
import os
import pwd
import sys
from collections.abc import Callable
from typing import Any

ONE_PATH = ("access", "chmod", "listdir", "lstat", "mkdir", "open", "readlink", "rmdir", "scandir", "stat", "unlink")
TWO_PATHS = ("link", "rename", "replace")
F_GETPATH = 50  # of macOS


def _changed(path: object, change: Callable[[str], str]) -> Any:
    return change(os.fspath(path)) if isinstance(path, str | os.PathLike) else path


def _wrapped(call: Callable[..., Any], paths: int, change: Callable[[str], str]) -> Callable[..., Any]:
    def changed(*arguments: Any, **options: Any) -> Any:
        given = [_changed(path, change) for path in arguments[:paths]]
        return call(*given, *arguments[paths:], **options)

    return changed


def _change_paths(change: Callable[[str], str]) -> None:
    """Let every call of the system that takes a path take another one."""
    for paths, names in ((1, ONE_PATH), (2, TWO_PATHS)):
        for name in names:
            setattr(os, name, _wrapped(getattr(os, name), paths, change))
    os.remove = os.unlink
    builtins.open = io.open = _wrapped(io.open, 1, change)


def proc() -> None:
    def refuse(path: str) -> str:
        if path == "/proc" or path.startswith("/proc/"):
            raise FileNotFoundError(2, "No such file or directory", path)
        return path

    _change_paths(refuse)


def named_pipes() -> None:
    del os.mkfifo


def named_pipes_here() -> None:
    """They exist, and are refused, as on some file systems and in some sandboxes."""

    def refuse(path: str, mode: int = 0o666, *, dir_fd: int | None = None) -> None:
        raise PermissionError(1, "Operation not permitted", path)

    os.mkfifo = refuse


def spawn() -> None:
    for name in ("posix_spawn", "posix_spawnp", "POSIX_SPAWN_OPEN", "POSIX_SPAWN_DUP2", "POSIX_SPAWN_CLOSE"):
        delattr(os, name)


def fork() -> None:
    for name in ("fork", "forkpty", "register_at_fork"):
        delattr(os, name)


def affinity() -> None:
    del os.sched_getaffinity


def linux() -> None:
    """As macOS, which can tell how a path is written on the disk, and without what only Linux has."""
    system, link = fcntl.fcntl, os.readlink

    def asked(end: Any, command: int, argument: Any = 0) -> Any:
        if command == F_GETPATH:
            return os.fsencode(link(f"/dev/fd/{end}")).ljust(len(argument), b"\0")
        return system(end, command, argument)

    fcntl.F_GETPATH, fcntl.fcntl = F_GETPATH, asked
    sys.platform = "darwin"
    proc()
    affinity()


def case() -> None:
    """Names that differ only in upper and lower case are one, as on most disks of macOS."""
    names = os.listdir

    def as_written(path: str) -> str:
        found = "/" if path.startswith("/") else ""
        for part in path.split("/"):
            try:
                there = names(found or ".") if part not in ("", ".", "..") else []
            except OSError:
                there = []
            same = part if part in there else next((one for one in there if one.casefold() == part.casefold()), part)
            found = os.path.join(found, same)
        return found

    linux()
    _change_paths(as_written)


def home() -> None:
    """A user without HOME whom the system does not know, as in containers."""

    def unknown(uid: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {uid}")

    pwd.getpwuid = unknown


def replacing() -> None:
    """A file that some process has open cannot be replaced, renamed or deleted, as on Windows.

    Then there is a file `refused` in the home folder.
    """
    from jotsam.core.platform import files

    files.CAN_REPLACE_OPEN = False

    def refuse(path: str) -> str:
        found = os.path.realpath(path)
        if found.startswith(os.environ["HOME"]) and os.path.isfile(found) and _is_open(os.stat(found)):
            os.close(os.open(os.path.join(os.environ["HOME"], "refused"), os.O_CREAT))
            raise PermissionError(13, "Permission denied", path)
        return path

    for name, paths in (("replace", 2), ("rename", 2), ("unlink", 1)):
        setattr(os, name, _wrapped(getattr(os, name), paths, refuse))
    os.remove = os.unlink


def patience() -> None:
    """A file that is open is tried once more."""
    from jotsam.core.platform import files

    files.ATTEMPTS = 1


def _is_open(file: os.stat_result) -> bool:
    for end in glob.iglob("/proc/[0-9]*/fd/*"):
        try:
            if os.path.samestat(os.stat(end), file):
                return True
        except OSError:
            continue  # It was closed, or its process belongs to another user.
    return False


for lack in os.environ.get("LACKS", "").split():
    globals()[lack]()
