"""What a command is: its name, help, examples, options and what runs it; and the parser that is made from it."""

from __future__ import annotations

import argparse
import functools
import os
import sys

from jotsam.core.records import Record
from jotsam.surfaces.cli.output import DEFAULT_WIDTH, USAGE, stdout
from jotsam.surfaces.cli.values import BY_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Any, NoReturn

    from _typeshed import SupportsWrite

    Commands = argparse._SubParsersAction["Parser"]

GLOBAL = ("help", "db", "tenant", "json", "debug", "no_worker")  # options of every command


class Formatter(argparse.HelpFormatter):
    """Fills paragraphs, and leaves a text of several lines, such as examples, as it is."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" not in text:
            return super()._fill_text(text, width, indent)
        return "\n".join(indent + line for line in text.splitlines())


def _columns() -> int:
    """What `shutil.get_terminal_size` returns, without importing it for each option of a command."""
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given):
        return int(given)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or DEFAULT_WIDTH  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return DEFAULT_WIDTH


class Parser(argparse.ArgumentParser):
    """Writes through `output`, so that the messages of a queued command are captured with its other output.

    Its errors suggest what was meant, and its usage leaves out the options that every command has.
    """

    examples: tuple[str, ...] = ()

    def error(self, message: str) -> NoReturn:
        self.fail(message)

    def fail(self, message: str, hints: Sequence[str] = ()) -> NoReturn:
        from jotsam.surfaces.cli.usage_errors import report_usage

        report_usage(self, message, hints, [action for action in self._actions if action.dest not in GLOBAL])
        raise SystemExit(USAGE)

    def unrecognized(self, rest: Sequence[str]) -> NoReturn:
        """A usage error for arguments that the command does not have."""
        from jotsam.surfaces.cli.usage_errors import unrecognized

        self.fail(*unrecognized(self, rest))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        from jotsam.surfaces.cli.usage_errors import invalid_choice, unknown_command

        allowed = list(action.choices)
        if isinstance(action, argparse._SubParsersAction):
            self.fail(*unknown_command(self, value, allowed))
        name = action.option_strings[-1] if action.option_strings else action.metavar or action.dest
        self.fail(invalid_choice(str(name), value, allowed))

    def format_usage(self) -> str:
        formatter = self._get_formatter()
        self._add_usage(formatter)
        return formatter.format_help()

    def format_help(self) -> str:
        formatter = self._get_formatter()
        self._add_usage(formatter)
        formatter.add_text(self.description)
        for group in self._action_groups:
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(group._group_actions)
            formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        (file or stdout()).write(self.format_help())

    def _add_usage(self, formatter: argparse.HelpFormatter) -> None:
        own = [action for action in self._actions if action.dest not in GLOBAL]
        formatter.add_usage(self.usage, own, self._mutually_exclusive_groups)


class Option(Record):
    """An argument or an option of a command."""

    spec: str
    help: str | None
    more: Mapping[str, Any]

    def add_to(self, parser: argparse._ActionsContainer, inherited: Collection[str] = ()) -> argparse.Action:
        """Add it. It has no default if it is in `inherited`: that would reset what was given before the subcommand."""
        *names, last = self.spec.split()
        value = last.rstrip("*+?.")
        more: dict[str, Any] = {"help": self.help}
        if not names or last.startswith("-"):  # no name of a value
            names.append(last)
            is_flag = last.startswith("-") and not self.more.keys() & {"action", "choices"}
            more |= {"action": "store_true"} if is_flag else {}
        else:
            suffix = last.removeprefix(value)
            more |= {"metavar": value} if value.isupper() else {}
            more |= {"type": BY_NAME[value.upper()]} if value.upper() in BY_NAME else {}
            more |= {"action": "append", "default": []} if suffix == "..." else {"nargs": suffix} if suffix else {}
        more |= self.more
        if more.get("dest", names[-1].lstrip("-").replace("-", "_")) in inherited:
            more["help"] = str(self.help).replace("%(default)s", str(more.get("default")))
            more["default"] = argparse.SUPPRESS
        return parser.add_argument(*names, **more)


class Section(Record):
    """Options under a heading of their own; without one, options of which only one can be given."""

    options: tuple[Option, ...]
    title: str | None = None
    about: str | None = None


class Command(Record):
    """A command or a subcommand. Its group in `jotsam --help` is in `command_index`."""

    name: str
    help: str  # the part before the first `;` or `:` is its summary
    run: str = ""  # MODULE:FUNCTION below `jotsam.surfaces.cli`, imported when it is called
    examples: tuple[str, ...] = ()  # default: its name
    options: tuple[Option | Section, ...] = ()
    verbs: tuple[Command, ...] = ()  # subcommands; the first one runs if none is given
    takes_options: bool = False  # whether the options of the first subcommand can be given without its name
    read_only: bool = False  # it does not create a missing database
    queueable: str | None = None  # the arguments with which `--async` may queue it; None: it may not
    sets: Mapping[str, object] = {}  # what is always set for the function that runs it


def option(spec: str, help: str | None = None, **more: Any) -> Option:
    """An option from one line of text: its names, and the name of its value.

    `--undo` has no value, `--project NAME` has one, and `--tag TAG...` can be repeated. `file FILE?` is an argument
    that may be left out, `ids ID*` are any number of them, `ids ID+` at least one. The name of a value decides its
    type, as in `values.BY_NAME`; in lower case it is that of the option. `more` is for `argparse`.
    """
    return Option(spec=spec, help=help, more=more)


def section(title: str, *options: Option, about: str | None = None) -> Section:
    return Section(options=options, title=title, about=about)


def one_of(*options: Option) -> Section:
    return Section(options=options)


def command(spec: str, help: str, *parts: str | Option | Section | Command, **more: Any) -> Command:
    """A command. `spec` is its name and what runs it, or its name if it has subcommands; `more` are other fields.

    The parts are examples, options and subcommands, each in the order in which they are shown.
    """
    name, _, run = spec.partition(" ")
    verbs = tuple(part for part in parts if isinstance(part, Command))
    if verbs:
        run, more["read_only"] = verbs[0].run, verbs[0].read_only
    return Command(
        name=name,
        help=help,
        run=run,
        examples=tuple(part for part in parts if isinstance(part, str)),
        options=tuple(part for part in parts if isinstance(part, Option | Section)),
        verbs=verbs,
        **more,
    )


def query(spec: str, help: str, *parts: str | Option | Section, **more: Any) -> Command:
    """A command that only reads: it does not create a missing database."""
    return command(spec, help, *parts, read_only=True, **more)


@functools.cache
def global_options() -> Parser:
    """Options accepted before and after the command.

    Their defaults are suppressed: otherwise the command's parser would reset what was given before the command. All
    parsers share them, because making them takes a third of the time of making a parser.
    """
    parser = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    options = parser.add_argument_group("global options")
    options.add_argument(
        "--db", metavar="DATABASE", help="database file, or a postgresql:// URL (environment: JOTSAM_DB)"
    )
    options.add_argument("--tenant", metavar="NAME", help="tenant to work in (environment: JOTSAM_TENANT)")
    options.add_argument("--json", action="store_true", help="print one JSON object")
    options.add_argument("--debug", action="store_true", help="print a traceback on errors")
    options.add_argument("--no-worker", action="store_true", help="do not start a background worker")
    return parser


def add_command(commands: Commands, command: Command, inherited: Collection[str] = ()) -> None:
    """Add the parser of a command. The options in `inherited` can be given before its name too."""
    about = command.help
    new = commands.add_parser(
        command.name,
        help=about,
        description=about,
        parents=[global_options()],
        formatter_class=Formatter,
        allow_abbrev=False,
    )
    new.examples = command.examples or (new.prog,)
    title = "examples:" if len(new.examples) > 1 else "example:"
    new.epilog = "\n".join([title, *(f"  {line}" for line in new.examples)])
    if command.run:
        module, _, function = command.run.partition(":")
        new.set_defaults(module=module, function=function, read_only=command.read_only, queueable=command.queueable)
        new.set_defaults(command=new.prog.partition(" ")[2], usage_error=new.error, fail=new.fail)
        new.set_defaults(unrecognized=new.unrecognized, get_default=new.get_default, **command.sets)
    _add_options(new, command.options, inherited)
    if command.verbs:
        _add_verbs(new, command, inherited)


def _add_options(
    parser: Parser, options: Iterable[Option | Section], inherited: Collection[str] = ()
) -> list[argparse.Action]:
    added: list[argparse.Action] = []
    for option in options:
        if isinstance(option, Option):
            added.append(option.add_to(parser, inherited))
            continue
        titled = option.title is not None
        to = parser.add_argument_group(option.title, option.about) if titled else parser.add_mutually_exclusive_group()
        added += [one.add_to(to, inherited) for one in option.options]
    return added


def _add_verbs(parser: Parser, command: Command, outer: Collection[str]) -> None:
    """Add the subcommands. The options of the first one have their defaults without its name too."""
    first, inherited = command.verbs[0], frozenset[str]()
    defaults = {one.dest: one.default for one in _add_options(Parser(add_help=False), first.options)}
    parser.set_defaults(**{name: value for name, value in defaults.items() if name not in outer})
    if command.takes_options:
        inherited = frozenset(defaults)
        named = [one for one in first.options if isinstance(one, Section) or one.spec.startswith("-")]
        _add_options(parser, named, inherited)
    verbs = parser.add_subparsers(title=f"subcommands (default: {first.name})", metavar="COMMAND")
    for verb in command.verbs:
        add_command(verbs, verb, inherited)


def subcommands(parser: argparse.ArgumentParser) -> dict[str, Any]:
    """The parsers of a command's subcommands, by name."""
    actions = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(actions[0].choices) if actions else {}
