"""The argument parser with all commands and options."""

from __future__ import annotations

import argparse
from importlib import import_module

from jotsam.core.version import VERSION
from jotsam.surfaces.cli.command import Formatter, Parser, add_command, global_options
from jotsam.surfaces.cli.command_index import GROUPS, TOPICS, UNLISTED, current, position
from jotsam.surfaces.cli.output import begin_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from jotsam.surfaces.cli.command import Command

# Defaults of the options that are accepted before and after the command. Set in advance, because a default of the
# command's own parser would overwrite a value given before the command.
DEFAULTS = {"db": None, "tenant": None, "json": False, "debug": False, "no_worker": False, "is_async": False}
DEFAULTS["queued"] = None  # the command of the queue that a worker runs

MOST_SUMMARY = 62  # characters that fit beside the longest name in 80 columns

PATH_ARGUMENTS = ("files", "file", "paths")  # Relative to the current directory.


class RootParser(Parser):
    """The parser of `jotsam` itself, which lists the commands in groups, and knows their earlier names."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        return super().parse_known_args(args if args is None else current(args), namespace)

    def format_help(self) -> str:
        commands = next(action for action in self._actions if isinstance(action, argparse._SubParsersAction))
        about = {action.dest: summary(action.help or "") for action in commands._choices_actions}
        width = max(len(name) for names in GROUPS.values() for name in names)
        lines = [self.description or "", "", f"usage: {self.usage}"]
        for group, names in GROUPS.items():
            lines += ["", group, *(f"  {name.ljust(width)}  {about[name]}" for name in names if name in about)]
        formatter = self._get_formatter()
        formatter.start_section("options")
        formatter.add_arguments([action for action in self._actions if action is not commands])
        formatter.end_section()
        more = [
            "`jotsam demo` shows a memory of an invented team for a minute.",
            "`jotsam help COMMAND` shows the options of a command, and examples.",
            f"`jotsam help TOPIC` explains {', '.join(TOPICS)}.",
        ]
        return "\n".join([*lines, "", formatter.format_help(), *more, ""])


def summary(about: str) -> str:
    """The first part of the description of a command, as the list of commands shows it."""
    return about.partition(";")[0].partition(":")[0]


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse a command line. Raises `SystemExit` for a usage error and after `--help`."""
    begin_command(as_json="--json" in arguments)
    parser = _parser_for(current(arguments))
    parsed, rest = parser.parse_known_args(arguments, argparse.Namespace(**DEFAULTS))
    if rest:
        getattr(parsed, "unrecognized", parser.unrecognized)(rest)
    return parsed


def full_parser() -> Parser:
    """The parser of all commands."""
    return _parser(command for group in GROUPS for command in commands_of(group))


def commands_of(group: str) -> tuple[Command, ...]:
    """The commands of a group."""
    found: tuple[Command, ...] = import_module(f"jotsam.surfaces.cli.{group.lower()}.commands").COMMANDS
    return found


def _parser_for(arguments: Sequence[str]) -> Parser:
    """A parser of the command alone; of all commands if none has the name, or their help is asked for.

    Making the parsers of all commands takes longer than most commands.
    """
    at = position(arguments)
    name = "" if at is None else arguments[at]
    asks_help = any(argument in ("-h", "--help") for argument in arguments[:at])
    group = next((group for group, names in GROUPS.items() if name in names), UNLISTED.get(name))
    if group is None or asks_help:
        return full_parser()
    return _parser([one for one in commands_of(group) if one.name == name])


def _parser(known: Iterable[Command]) -> Parser:
    """The parser of some commands."""
    parser = RootParser(
        prog="jotsam",
        usage="jotsam COMMAND [OPTION ...]",
        description="Durable background memory for AI agents.",
        formatter_class=Formatter,
        parents=[global_options()],
        allow_abbrev=False,
    )
    about = "print the version"
    parser.add_argument("--version", action="version", version=f"jotsam {VERSION}", help=about)
    about = "queue the command and return immediately; the worker runs it"
    parser.add_argument("--async", dest="is_async", action="store_true", default=argparse.SUPPRESS, help=about)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", prog="jotsam", parser_class=Parser)
    for command in known:
        add_command(commands, command)
    return parser
