"""`jotsam config`: the settings in effect, and changes of a settings file."""

from __future__ import annotations

import os

from jotsam.core.errors import InvalidInput
from jotsam.core.own_files import read_regular
from jotsam.core.platform.folders import config_path
from jotsam.core.settings import (
    NO_AGENT,
    PROJECT_FIELDS,
    PROJECT_FILE,
    PROJECT_FILE_BYTES,
    SECRETS,
    USER_FILE_BYTES,
    check_one_model,
    check_setting,
    load_settings,
    mask_secret,
    nearest_project_file,
)
from jotsam.core.signatures import field_comments
from jotsam.surfaces.agent_files.edit_file import replace_file
from jotsam.surfaces.agent_files.edit_toml import TomlDocument
from jotsam.surfaces.cli.output import echo, paint, print_json, warn
from jotsam.surfaces.cli.terminal import STDIN, read_stdin

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any


def show_settings(arguments: argparse.Namespace) -> None:
    """Print the settings as a settings file with comments; with `--origin`, where each value comes from instead."""
    values = {name: mask_secret(name, value) for name, value in arguments.settings.as_dict().items()}
    if arguments.json:
        print_json(settings=values, **({"origins": arguments.origins} if arguments.origin else {}))
        return
    lines = {name: f"{name} = {_toml(value)}" for name, value in values.items()}
    width = max(map(len, lines.values()))
    about = field_comments(type(arguments.settings))
    for name, line in lines.items():
        if not arguments.origin:
            echo(paint(f"# {about[name]}", "dim"))
        echo(f"{line.ljust(width)}  # {arguments.origins[name]}" if arguments.origin else line)


def _toml(value: object) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if isinstance(value, str) else str(value)


def change_setting(arguments: argparse.Namespace) -> None:
    """Set or remove a setting, and say which value is in effect then."""
    name = arguments.name
    path = _path(arguments)
    if arguments.project_file and name not in PROJECT_FIELDS:
        raise InvalidInput(f"{name} cannot be set for a project: only {', '.join(PROJECT_FIELDS)} can")
    document = _document(path)
    if arguments.verb == "set":
        document.set_value(name, _value(arguments, name, path))
        check_one_model(document.value.get("llm", NO_AGENT), document.value.get("llm_url", ""))
    elif name in document.value:
        document.remove((name,))
    _save(document, path, most_bytes=PROJECT_FILE_BYTES if arguments.project_file else USER_FILE_BYTES)
    _tell(arguments, path, is_set=name in document.value)


def write_setting(name: str, value: str) -> str:
    """Set one setting in the settings file of the user. Returns the path of the file."""
    path = config_path(os.environ)
    document = _document(path)
    document.set_value(name, value)
    _save(document, path, most_bytes=USER_FILE_BYTES)
    return path


def _save(document: TomlDocument, path: str, *, most_bytes: int) -> None:
    content = document.text.encode()
    if len(content) > most_bytes:
        raise InvalidInput(f"{path} would have more than {most_bytes:,} bytes: nothing was changed")
    if any(document.value.get(secret) for secret in SECRETS) and os.path.exists(path):
        os.chmod(path, 0o600)  # A file that does not exist is made with this mode.
    replace_file(path, content)


def _path(arguments: argparse.Namespace) -> str:
    if not arguments.project_file:
        return config_path(os.environ)
    return nearest_project_file(os.getcwd()) or os.path.join(os.getcwd(), PROJECT_FILE)


def _document(path: str) -> TomlDocument:
    if not os.path.exists(path):
        return TomlDocument("")
    try:
        return TomlDocument(read_regular(path, USER_FILE_BYTES).decode())
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{path} cannot be changed: {error}") from error


def _value(arguments: argparse.Namespace, name: str, path: str) -> Any:
    """The value as it is written to the file. Raises `InvalidInput` as a start would."""
    text = arguments.value
    if text is None:
        text = _asked(arguments, name)
    elif text == STDIN:
        text = read_stdin()[0].strip()
    value = check_setting(name, text, path)
    if name == "db" and isinstance(value, str) and "://" not in value:
        return os.path.abspath(os.path.expanduser(value))  # A file in the user's folder belongs to no directory.
    return value


def _asked(arguments: argparse.Namespace, name: str) -> str:
    """A secret, typed without an echo."""
    import sys

    if name not in SECRETS or not sys.stdin.isatty():
        arguments.usage_error("VALUE is missing: give one, or - for standard input")
    from getpass import getpass

    return getpass(f"{name}: ")


def _tell(arguments: argparse.Namespace, path: str, *, is_set: bool) -> None:
    name = arguments.name
    settings, origins = load_settings(strict=False)
    value, origin = mask_secret(name, getattr(settings, name)), origins[name]
    if arguments.json:
        print_json(name=name, value=value, origin=origin, file=path)
        return
    echo(f"{'set' if is_set else 'removed'}     {name} in {path}")
    echo(f"in effect {name} = {value}  # {origin}")
    if is_set and origin != path:
        warn(f"{origin} has precedence over {path}")
