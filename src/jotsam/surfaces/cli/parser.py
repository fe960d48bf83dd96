"""The argument parser with all commands and options."""

from __future__ import annotations

import argparse
from importlib import import_module

from jotsam import __version__
from jotsam.surfaces.cli.arguments import Parser, global_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_CODES = """exit codes:
  0  success       1  failure         2  usage error
  3  degraded (agents, doctor, embedder, install, salvage, status --check)
  8  still pending (wait, add --wait)"""

# Defaults of the options that are accepted before and after the command. Set in advance, because a default of the
# command's own parser would overwrite a value given before the command.
DEFAULTS = {"db": None, "tenant": None, "json": False, "debug": False, "no_worker": False, "is_async": False}
DEFAULTS["queued"] = None  # the command of the queue that a worker runs

# Modules of `options`, in the order of `--help`.
GROUPS = (
    *("store", "search", "blocks", "forget", "knowledge", "jobs"),
    *("extraction", "redaction", "setup", "engines", "server", "tokens", "agents"),
)

# Making the parsers of all commands takes as long as answering a question, so a recall makes those of its group alone.
GROUP_OF = {"recall": "search"}

PATH_ARGUMENTS = ("files", "dir", "file", "paths")  # Relative to the current directory.


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse a command line. Raises `SystemExit` for a usage error and after `--help`."""
    group = GROUP_OF.get(_command_name(arguments))
    parser = full_parser() if group is None else _parser((group,))
    return parser.parse_args(arguments, argparse.Namespace(**DEFAULTS))


def full_parser() -> Parser:
    """The parser of all commands."""
    return _parser(GROUPS)


def _command_name(arguments: Sequence[str]) -> str:
    """The first argument that is neither an option nor the value of one; "" if it does not exist."""
    rest = iter(arguments)
    for argument in rest:
        if not argument.startswith("-"):
            return argument
        if argument in ("--db", "--tenant"):
            next(rest, "")
    return ""


def _parser(groups: Sequence[str]) -> Parser:
    """The parser of the commands of some groups."""
    parser = Parser(
        prog="jotsam",
        description="Durable background memory for AI agents.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[global_options()],
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"jotsam {__version__}")
    about = "queue the command and return immediately; the worker runs it"
    parser.add_argument("--async", dest="is_async", action="store_true", default=argparse.SUPPRESS, help=about)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for group in groups:
        import_module(f"jotsam.surfaces.cli.options.{group}").add_commands(commands)
    return parser
