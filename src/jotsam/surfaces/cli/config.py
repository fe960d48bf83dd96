"""`jotsam config`: the settings in effect."""

from __future__ import annotations

from jotsam.core.field_comments import field_comments
from jotsam.core.settings import mask_secret
from jotsam.surfaces.cli.output import OK, echo, paint, print_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def show(arguments: argparse.Namespace) -> int:
    """Print the settings as a settings file with comments; with `--origin`, where each value comes from instead."""
    values = {name: mask_secret(name, value) for name, value in arguments.settings.as_dict().items()}
    if arguments.json:
        print_json(settings=values, **({"origins": arguments.origins} if arguments.origin else {}))
        return OK
    lines = {name: f"{name} = {_toml(value)}" for name, value in values.items()}
    width = max(map(len, lines.values()))
    about = field_comments(type(arguments.settings))
    for name, line in lines.items():
        if not arguments.origin:
            echo(paint(f"# {about[name]}", "dim"))
        echo(f"{line.ljust(width)}  # {arguments.origins[name]}" if arguments.origin else line)
    return OK


def _toml(value: object) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if isinstance(value, str) else str(value)
