"""Building blocks of the argument parser: the parser class, shared options, and argument types."""

from __future__ import annotations

import argparse
import functools

from jotsam.core.clock import parse_time
from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.core.validate import shown
from jotsam.surfaces.cli.output import USAGE, hint, stdout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

    from _typeshed import SupportsWrite

    Commands = argparse._SubParsersAction["Parser"]

LIMIT = 50
ACTOR = "only memories of this person, agent or user of a service"
MAX_COUNT = 1_000_000_000
GLOBAL = ("help", "db", "tenant", "json", "debug", "no_worker")  # options of every command
AGE_UNITS_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


class Formatter(argparse.HelpFormatter):
    """Fills paragraphs, and leaves a text of several lines, such as examples, as it is."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" not in text:
            return super()._fill_text(text, width, indent)
        return "\n".join(indent + line for line in text.splitlines())


class Parser(argparse.ArgumentParser):
    """Writes through `output`, so that the messages of a queued command are captured with its other output.

    Its errors suggest what was meant, and its usage leaves out the options that every command has.
    """

    examples: tuple[str, ...] = ()

    def error(self, message: str) -> NoReturn:
        self.fail(message)

    def fail(self, message: str, hints: Sequence[str] = ()) -> NoReturn:
        from jotsam.surfaces.cli.usage_errors import report_usage

        report_usage(self, message, hints)
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


class Command(Record):
    """A command or a subcommand. Its group in `jotsam --help` is in `command_index`."""

    name: str
    help: str  # the part before the first `;` or `:` is its summary
    run: str = ""  # MODULE:FUNCTION below `jotsam.surfaces.cli`, imported when it is called
    options: Callable[[Parser], object] | None = None  # adds its options and subcommands
    examples: tuple[str, ...] = ()
    read_only: bool = False  # it does not create a missing database
    queueable: tuple[str, ...] | None = None  # the arguments with which `--async` may queue it; None: it may not


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


def add_command(commands: Commands, command: Command) -> Parser:
    """Add the parser of a command."""
    about = command.help
    new = commands.add_parser(
        command.name,
        help=about,
        description=about,
        parents=[global_options()],
        formatter_class=Formatter,
        allow_abbrev=False,
    )
    new.examples = command.examples
    if new.examples:
        title = "examples:" if len(new.examples) > 1 else "example:"
        new.epilog = "\n".join([title, *(f"  {line}" for line in new.examples)])
    if command.run:
        module, _, function = command.run.partition(":")
        new.set_defaults(module=module, function=function, read_only=command.read_only, queueable=command.queueable)
        new.set_defaults(command=new.prog.partition(" ")[2], usage_error=new.error, fail=new.fail)
        new.set_defaults(unrecognized=new.unrecognized, get_default=new.get_default)
    if command.options:
        command.options(new)
    return new


def subcommands(parser: argparse.ArgumentParser) -> dict[str, Any]:
    """The parsers of a command's subcommands, by name."""
    actions = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(actions[0].choices) if actions else {}


def add_limit(parser: Parser, what: str, *, default: Any = LIMIT) -> None:
    about = f"maximum number of {what} (default: {LIMIT})"
    parser.add_argument("-n", "--limit", type=positive_int, default=default, metavar="NUMBER", help=about)


def add_timeout(parser: Parser, about: str) -> None:
    parser.add_argument(
        "--timeout", type=seconds, default=60, metavar="SECONDS", help=f"{about} (default: %(default)s)"
    )


def add_log_format(parser: Parser) -> None:
    about = "form of the log lines on standard error; json has an object in each line (default: %(default)s)"
    parser.add_argument("--log-format", choices=("text", "json"), default="text", help=about)


def positive_int(text: str) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_COUNT))
    if not is_number or not 0 < int(text) <= MAX_COUNT:
        raise argparse.ArgumentTypeError(f"invalid number {shown(text)}: must be an integer from 1 to {MAX_COUNT:,}")
    return int(text)


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= MAX_COUNT / 1000:
        raise argparse.ArgumentTypeError(f"invalid time {shown(text)}: must be seconds from 0 to {MAX_COUNT // 1000:,}")
    return value


def age_ms(text: str) -> int:
    number, unit = text[:-1], AGE_UNITS_MS.get(text[-1:])
    if unit is None or not (number.isascii() and number.isdigit()) or len(number) > len(str(MAX_COUNT)):
        raise argparse.ArgumentTypeError(
            f"invalid age {shown(text)}: must be an integer followed by s, m, h or d, for example 10m"
        )
    return int(number) * unit


def memory_type(text: str) -> str:
    """A memory type. Any is allowed; a hint says which known one may be meant by one that is like it."""
    from jotsam.core.names import TYPES, as_type

    if as_type(text) not in TYPES:
        from jotsam.core.suggest import closest

        known = {name.lower(): name for name in TYPES}
        if meant := closest(text, known):
            hint(f"{shown(text)} is a type of its own; did you mean {known[meant]}?")
    return text


def date(text: str) -> int:
    try:
        return parse_time(text, name="date")
    except InvalidInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def key_value(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"invalid value {text!r}: must be KEY=VALUE")
    return key, value


def json_object(text: str) -> dict[str, Any]:
    from msgspec import DecodeError, json

    try:
        return json.decode(text, type=dict[str, object])
    except DecodeError as error:
        raise argparse.ArgumentTypeError(f"invalid value {text!r}: must be a JSON object: {error}") from error
