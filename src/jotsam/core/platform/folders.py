"""The folders in which programs of this user keep their data and settings, and the form of a path."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def data_folder(environ: Mapping[str, str]) -> str:
    """The folder for user data."""
    if environ.get("XDG_DATA_HOME"):
        return os.path.join(environ["XDG_DATA_HOME"], "jotsam")
    if sys.platform == "win32":
        return os.path.join(environ.get("LOCALAPPDATA") or os.path.expanduser("~"), "jotsam")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support/jotsam")
    return os.path.expanduser("~/.local/share/jotsam")


def config_path(environ: Mapping[str, str]) -> str:
    """Path of the user's configuration file."""
    if environ.get("XDG_CONFIG_HOME"):
        return os.path.join(environ["XDG_CONFIG_HOME"], "jotsam", "config.toml")
    if sys.platform == "win32":
        return os.path.join(environ.get("APPDATA") or os.path.expanduser("~"), "jotsam", "config.toml")
    return os.path.expanduser("~/.config/jotsam/config.toml")


def vscode_folder(environ: Mapping[str, str]) -> str:
    """The folder of the user's settings of VS Code."""
    if sys.platform == "win32":
        base = environ.get("APPDATA") or os.path.expanduser("~")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Application Support")
    else:
        base = environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return os.path.join(base, "Code", "User")


def with_slashes(path: str) -> str:
    """A path with `/` between its parts, on every system."""
    return path.replace("\\", "/") if sys.platform == "win32" else path


def is_drive(name: str) -> bool:
    """Whether what is before a colon is the letter of a drive."""
    return sys.platform == "win32" and len(name) == 1
