"""A disk whose power can be cut: a layer under SQLite that knows what was synced, and what was only written.

What a program writes reaches the platter when the file is synced. Until then the disk may have kept all of it, none,
or any part: whole writes in any order, or single sectors of one. `Disk.cut` makes the files as they could be found
after the power came back.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import apsw

SECTOR = 512
NOTHING, WRITES, SECTORS, PREFIX = SURVIVALS = ("nothing", "writes", "sectors", "prefix")
"""What of the unsynced survives: nothing, some whole writes, some sectors, or whatever came first."""


class Platter:
    """One file: what is safe, and what was done to it since, in order."""

    def __init__(self, safe: bytes) -> None:
        self.safe = bytearray(safe)
        self.unsynced: list[tuple[int, bytes | None]] = []  # (offset, data); without data the file was cut there

    def sync(self) -> None:
        for offset, data in self.unsynced:
            apply(self.safe, offset, data)
        self.unsynced.clear()

    def copy(self) -> Platter:
        twin = Platter(self.safe)
        twin.unsynced = list(self.unsynced)
        return twin


def apply(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del content[offset:]
        return
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


def sectors(offset: int, data: bytes) -> list[tuple[int, bytes]]:
    first = -offset % SECTOR or SECTOR
    starts = [0, *range(first, len(data), SECTOR)]
    return [(offset + a, data[a:b]) for a, b in zip(starts, [*starts[1:], len(data)], strict=True)]


def survivors(platter: Platter, survival: str, dice: random.Random) -> list[tuple[int, bytes | None]]:
    """Which of the unsynced pieces the disk had kept by itself."""
    pieces = [
        piece
        for offset, data in platter.unsynced
        for piece in ([(offset, data)] if data is None or survival == WRITES else sectors(offset, data))
    ]
    if survival == NOTHING:
        return []
    if survival == PREFIX:
        return pieces[: dice.randint(0, len(pieces))]
    share = dice.random()
    return [piece for piece in pieces if dice.random() < share]


class Disk(apsw.VFS):
    """Registered as `name`; open a database through it with `SQLiteDatabase(..., vfs=name)`.

    `operations` counts writes, cuts and syncs. `watch` is called before each, to take an image in the middle of things.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.platters: dict[str, Platter] = {}
        self.operations = 0
        self.watch: Callable[[], None] = lambda: None
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> File:
        return File(self, name, flags)

    def xDelete(self, name: str, syncdir: bool) -> None:
        self.happens()
        super().xDelete(name, syncdir)
        self.platters.pop(name, None)

    def happens(self) -> None:
        self.watch()
        self.operations += 1

    def image(self) -> dict[str, Platter]:
        """The state of all files at this moment."""
        return {path: platter.copy() for path, platter in self.platters.items()}


class File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self.disk = disk
        self.platter = Platter(b"")
        if path:
            self.platter = disk.platters.setdefault(path, self.platter)
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self.disk.happens()
        super().xWrite(data, offset)
        self.platter.unsynced.append((offset, bytes(data)))

    def xTruncate(self, size: int) -> None:
        self.disk.happens()
        super().xTruncate(size)
        self.platter.unsynced.append((size, None))

    def xSync(self, flags: int) -> None:
        self.disk.happens()
        super().xSync(flags)
        self.platter.sync()


def cut(image: dict[str, Platter], folder: Path, survival: str, dice: random.Random) -> None:
    """Write into `folder` the files of an image as they are found after a power cut."""
    folder.mkdir(exist_ok=True)
    for path, platter in image.items():
        content = bytearray(platter.safe)
        for offset, data in survivors(platter, survival, dice):
            apply(content, offset, data)
        (folder / Path(path).name).write_bytes(content)
