"""Options of `blocks`."""

from __future__ import annotations

import argparse

from jotsam.surfaces.cli.arguments import add_command, add_limit, positive_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Commands

NAME = "name of the block"


def add_commands(commands: Commands) -> None:
    about = "small named texts that are always at hand: the pinned ones come first in a brief"
    blocks = add_command(commands, "blocks", module="blocks", function="list_blocks", read_only=True, help=about)
    blocks.set_defaults(project=None, actor=None, limit=200)
    verbs = blocks.add_subparsers(title="subcommands (default: list)", metavar="COMMAND")
    about = "list blocks by name"
    nested = add_command(verbs, "list", module="blocks", function="list_blocks", read_only=True, help=about)
    for each in (blocks, nested):
        _add_address(each, "only blocks of this {}; '' for those of none")
        add_limit(each, "blocks", default=argparse.SUPPRESS)

    get = add_command(verbs, "get", module="blocks", function="get", read_only=True, help="print the text of a block")
    about = "create a block, or replace its text"
    change = add_command(verbs, "set", module="blocks", function="change", help=about)
    append = add_command(verbs, "append", module="blocks", function="append", help="add a line to a block")
    delete = add_command(verbs, "delete", module="blocks", function="delete", help="delete a block")
    for each in (get, change, append, delete):
        each.add_argument("name", metavar="NAME", help=NAME)
    for each in (change, append):
        each.add_argument("text", metavar="TEXT", help="text, or - for standard input")
    about = "maximum of characters (default: as before, at first 2,000)"
    change.add_argument("--limit", dest="max_length", type=positive_int, metavar="NUMBER", help=about)
    about = "put it into each brief, or not (default: as before, at first yes)"
    change.add_argument("--pin", action=argparse.BooleanOptionalAction, default=None, help=about)
    about = "change nothing if the block has another version"
    for each in (change, append, delete):
        each.add_argument("--version", dest="expected", type=positive_int, metavar="NUMBER", help=about)
    for each in (get, change, append, delete):
        _add_address(each, "{} of the block, '' for none (default: of the project that you are in, and of no actor)")


def _add_address(parser: argparse.ArgumentParser, about: str) -> None:
    for name in ("project", "actor"):
        parser.add_argument(f"--{name}", metavar="NAME", default=argparse.SUPPRESS, help=about.format(name))
