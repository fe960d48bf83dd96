"""Disks that fill up, for a process of its own: by a limit on the size of its files, or as a small file system."""

from __future__ import annotations

import ctypes
import os
import resource
from pathlib import Path

CLONE_NEWNS, CLONE_NEWUSER, MS_REC, MS_PRIVATE = 0x0002_0000, 0x1000_0000, 0x4000, 0x4_0000
MEGABYTES = 96


class NotPossible(Exception):
    """This user may not do that on this machine."""


class FileSizes:
    """A limit on the size of the files of this process. SQLite sees an I/O error."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()

    def fill(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))

    def leave(self, size: int) -> None:
        """Room for files of so many bytes."""
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def free(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


class FileSystem:
    """A small file system in memory, mounted where only this process sees it; it goes when the process does."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.ballast = folder / "ballast"
        user, group = os.geteuid(), os.getegid()
        self._call("unshare", CLONE_NEWNS | (CLONE_NEWUSER if user else 0))
        if user:
            self._stay(user, group)
        self._call("mount", None, b"/", None, MS_REC | MS_PRIVATE, None)
        self._call("mount", b"tmpfs", bytes(folder), b"tmpfs", 0, f"size={MEGABYTES}m".encode())

    def fill(self) -> None:
        self.leave(0)

    def leave(self, size: int) -> None:
        block = bytes(65_536)
        with self.ballast.open("wb", buffering=0) as file:
            try:
                while file.write(block) == len(block):
                    pass
            except OSError:
                pass  # Now it is full.
            file.truncate(max(0, file.tell() - size))

    def free(self) -> None:
        self.ballast.unlink(missing_ok=True)

    def _stay(self, user: int, group: int) -> None:
        """Be the same user and group within the new namespace of users."""
        try:
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
            Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
        except OSError as error:
            raise NotPossible(f"a namespace of users: {error}") from error

    def _call(self, name: str, *arguments: object) -> None:
        library = ctypes.CDLL(None, use_errno=True)
        if getattr(library, name)(*arguments):
            raise NotPossible(f"{name}: {os.strerror(ctypes.get_errno())}")


Space = FileSizes | FileSystem
