"""`jotsam config` and `jotsam completion`: the settings in effect, and shell completion scripts."""

from __future__ import annotations

from jotsam.core.field_comments import field_comments
from jotsam.core.settings import mask_secret
from jotsam.surfaces.cli.output import FAILED, OK, echo, paint, print_error, print_json
from jotsam.surfaces.cli.parser import PATH_ARGUMENTS, full_parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

COMPLETED_AS_PATHS = ("db", *PATH_ARGUMENTS)


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


def completion(arguments: argparse.Namespace) -> int:
    """Print a completion script for a shell."""
    import shtab

    if arguments.shell not in shtab.SUPPORTED_SHELLS:
        print_error(f"the installed version of shtab supports only {', '.join(shtab.SUPPORTED_SHELLS)}")
        return FAILED
    parser = full_parser()
    for action in _actions(parser):
        if action.dest in COMPLETED_AS_PATHS:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # Where shtab looks for the kind of completion.
    echo(shtab.complete(parser, arguments.shell))
    return OK


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action.choices, dict):
            for child in action.choices.values():
                yield from _actions(child)


def _toml(value: object) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if isinstance(value, str) else str(value)
