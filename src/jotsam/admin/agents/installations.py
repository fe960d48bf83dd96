"""What `jotsam install` wrote, and where: one small file in the user's data folder, with backups beside it.

`jotsam agents uninstall` needs it to leave a file byte for byte as it was. Without it, entries are found by what they
run.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager

from jotsam.core.clock import new_id
from jotsam.core.errors import InvalidInput
from jotsam.core.platform import files
from jotsam.core.platform.folders import data_folder
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class InstalledFile(Record):
    """One file of an agent that was written."""

    path: str
    after: str  # SHA-256 of what was written
    existed: bool
    before: str | None = None  # name of the backup, if the file existed and had no entry of ours
    folders: tuple[str, ...] = ()  # that were made for it, the innermost last


class Installation(Record):
    """Jotsam in one agent, of the user or of one project."""

    agent: str
    scope: str  # user or project
    folder: str = ""  # of the project
    version: str = ""  # of Jotsam, which wrote it
    installed_at: int = 0
    files: tuple[InstalledFile, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.agent, self.scope, self.folder)


def folder() -> str:
    return os.path.join(data_folder(os.environ), "agents")


def backup_path(name: str) -> str:
    return os.path.join(folder(), "backups", name)


def read_installations() -> tuple[Installation, ...]:
    """Every installation; none if the file does not exist. Raises `InvalidInput` if it cannot be read."""
    try:
        with open(_path(), encoding="utf-8") as file:
            found = json.load(file)["installations"]
        return tuple(_installation(one) for one in found)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InvalidInput(f"{_path()} cannot be read: {error}; delete it, and run `jotsam install` again") from error


def save(installation: Installation) -> None:
    """Add an installation, or replace the one of the same agent, scope and folder."""
    _write([*(one for one in read_installations() if one.key != installation.key), installation])


def forget(key: tuple[str, str, str]) -> bool:
    """Remove an installation and the backups that it alone has. Returns whether one is left."""
    found = read_installations()
    left = [one for one in found if one.key != key]
    for one in found:
        if one.key == key:
            for file in one.files:
                _remove(backup_path(file.before) if file.before else None)
    if left:
        _write(left)
        return True
    _remove(_path())
    for place in (os.path.join(folder(), "backups"), folder()):
        try:
            os.rmdir(place)
        except OSError:
            pass  # It keeps a backup that may still be wanted.
    return False


def keep(name: str, content: bytes) -> None:
    """Write a backup, readable by its owner alone: files of agents contain tokens."""
    os.makedirs(os.path.join(folder(), "backups"), mode=0o700, exist_ok=True)
    with open(os.open(backup_path(name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def locked() -> Iterator[None]:
    """Wait until no other process installs."""
    home = data_folder(os.environ)
    os.makedirs(home, mode=0o700, exist_ok=True)
    end = files.lock_folder(home, wait=True)
    assert end is not None
    try:
        yield
    finally:
        os.close(end)


def _path() -> str:
    return os.path.join(folder(), "installed.json")


def _installation(fields: dict[str, Any]) -> Installation:
    files = (InstalledFile(**one | {"folders": tuple(one["folders"])}) for one in fields["files"])
    return Installation(**fields | {"files": tuple(files)})


def _write(installations: list[Installation]) -> None:
    os.makedirs(folder(), mode=0o700, exist_ok=True)
    part = f"{_path()}.{new_id()[:8]}.part"
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump({"installations": [one.as_dict() for one in installations]}, file, indent=2)
        file.flush()
        os.fsync(file.fileno())
    files.replace(part, _path())


def _remove(path: str | None) -> None:
    if path is not None:
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass
