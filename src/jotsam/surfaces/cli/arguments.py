"""Building blocks of the argument parser: the parser class, shared options, and argument types."""

from __future__ import annotations

import argparse

from jotsam.core.clock import parse_time
from jotsam.core.errors import InvalidInput
from jotsam.core.validate import shown
from jotsam.surfaces.cli.output import USAGE, printable, stderr, stdout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from _typeshed import SupportsWrite

    Commands = argparse._SubParsersAction["Parser"]

LIMIT = 50
ACTOR = "only memories of this person, agent or user of a service"
MAX_COUNT = 1_000_000_000
AGE_UNITS_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


class Parser(argparse.ArgumentParser):
    """Writes through `output`, so that the messages of a queued command are captured with its other output."""

    def error(self, message: str) -> NoReturn:
        stderr().write(printable(f"{self.format_usage()}{self.prog}: error: {message}\n"))
        raise SystemExit(USAGE)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        (file or stdout()).write(self.format_help())


def global_options() -> Parser:
    """Options accepted before and after the command.

    Their defaults are suppressed: otherwise the command's parser would reset what was given before the command.
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


def add_command(
    commands: Commands,
    name: str,
    *,
    module: str,
    help: str,
    function: str = "run",
    read_only: bool = False,
) -> Parser:
    """Add a command, carried out by `function` of `jotsam.surfaces.cli.<module>`.

    A `read_only` command does not create a missing database.
    """
    new = commands.add_parser(name, help=help, description=help, parents=[global_options()], allow_abbrev=False)
    new.set_defaults(module=module, function=function, read_only=read_only, command=new.prog.partition(" ")[2])
    new.set_defaults(usage_error=new.error, get_default=new.get_default)
    return new


def add_limit(parser: Parser, what: str, *, default: Any = LIMIT) -> None:
    about = f"maximum number of {what} (default: {LIMIT})"
    parser.add_argument("--limit", type=positive_int, default=default, metavar="NUMBER", help=about)


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
