"""`jotsam config` and `jotsam completion`: how it is set up, and what a shell should know of it."""

from __future__ import annotations

from jotsam.core.settings import mask_secret
from jotsam.surfaces.cli.output import FAILED, OK, complain, emit, say
from jotsam.surfaces.cli.parser import PATHS, parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

NAMES_OF_FILES = ("db", *PATHS)


def show(arguments: argparse.Namespace) -> int:
    """Print the settings in force as the lines of a settings file; with `--origin`, and where each comes from."""
    values, origins = (
        {name: mask_secret(name, value) for name, value in arguments.settings.as_dict().items()},
        arguments.origins,
    )
    if arguments.json:
        emit(settings=values, **({"origins": origins} if arguments.origin else {}))
        return OK
    lines = {name: f"{name} = {_toml(value)}" for name, value in values.items()}
    width = max(map(len, lines.values()))
    for name, line in lines.items():
        say(f"{line.ljust(width)}  # {origins[name]}" if arguments.origin else line)
    return OK


def completion(arguments: argparse.Namespace) -> int:
    """Print a script that teaches a shell the commands and options."""
    import shtab

    if arguments.shell not in shtab.SUPPORTED_SHELLS:
        complain(NotImplementedError(f"this version of shtab knows {', '.join(shtab.SUPPORTED_SHELLS)} only"))
        return FAILED
    whole = parser()
    for action in _actions(whole):
        if action.dest in NAMES_OF_FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # The attribute by which shtab knows files.
    say(shtab.complete(whole, arguments.shell))
    return OK


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action.choices, dict):
            for child in action.choices.values():
                yield from _actions(child)


def _toml(value: object) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if isinstance(value, str) else str(value)
