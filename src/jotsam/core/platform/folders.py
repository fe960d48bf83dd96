"""The folders in which programs of this user keep their data and settings, and the form of a path."""

from __future__ import annotations

import os
import sys

from jotsam.core.errors import InvalidInput
from jotsam.core.platform import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


PATH_BYTES = 1_024  # the longest path of macOS


def home_folder() -> str:
    """The home folder of this user. Raises `InvalidInput` if there is none, as for a user whom only a container has."""
    found = os.path.expanduser("~")
    if not os.path.isabs(found):
        raise InvalidInput(
            "this user has no home folder: set HOME or XDG_DATA_HOME to a folder to write to,"
            " or name a database (JOTSAM_DB)"
        )
    return found


def data_folder(environ: Mapping[str, str]) -> str:
    """The folder for user data: a temporary one for a user without a home folder, whose database is named elsewhere.

    Raises `InvalidInput` if that belongs to another user.
    """
    if environ.get("XDG_DATA_HOME"):
        return os.path.join(environ["XDG_DATA_HOME"], "jotsam")
    if sys.platform == "win32":
        return os.path.join(environ.get("LOCALAPPDATA") or home_folder(), "jotsam")
    home = os.path.expanduser("~")
    if not os.path.isabs(home):
        return _own_folder(os.path.join(environ.get("TMPDIR") or "/tmp", f"jotsam-{files.user()}"))
    return os.path.join(
        home, "Library/Application Support/jotsam" if sys.platform == "darwin" else ".local/share/jotsam"
    )


def _own_folder(place: str) -> str:
    """The same path. Raises `InvalidInput` if it is a link, or belongs to another user."""
    if os.path.islink(place) or (os.path.exists(place) and not files.is_own(os.lstat(place))):
        raise InvalidInput(f"{place} belongs to another user: set XDG_DATA_HOME to a folder of your own")
    return place


def config_path(environ: Mapping[str, str]) -> str:
    """Path of the user's configuration file. Raises `InvalidInput` without a home folder."""
    if environ.get("XDG_CONFIG_HOME"):
        return os.path.join(environ["XDG_CONFIG_HOME"], "jotsam", "config.toml")
    if sys.platform == "win32":
        return os.path.join(environ.get("APPDATA") or home_folder(), "jotsam", "config.toml")
    return os.path.join(home_folder(), ".config/jotsam/config.toml")


def vscode_folder(environ: Mapping[str, str]) -> str:
    """The folder of the user's settings of VS Code."""
    if sys.platform == "win32":
        base = environ.get("APPDATA") or home_folder()
    elif sys.platform == "darwin":
        base = os.path.join(home_folder(), "Library/Application Support")
    else:
        base = environ.get("XDG_CONFIG_HOME") or os.path.join(home_folder(), ".config")
    return os.path.join(base, "Code", "User")


def real(path: str) -> str:
    """A path without links and as the disk has it, where upper and lower case are one. So one folder has one path."""
    path = os.path.realpath(path)  # which does all of it on Windows
    if sys.platform == "darwin":
        import fcntl

        try:
            end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            return path  # It does not exist, or cannot be read.
        try:
            return os.fsdecode(fcntl.fcntl(end, fcntl.F_GETPATH, bytes(PATH_BYTES)).rstrip(b"\0"))
        except OSError:
            return path
        finally:
            os.close(end)
    return path


def with_slashes(path: str) -> str:
    """A path with `/` between its parts, on every system."""
    return path.replace("\\", "/") if sys.platform == "win32" else path


def is_drive(name: str) -> bool:
    """Whether what is before a colon is the letter of a drive."""
    return sys.platform == "win32" and len(name) == 1
