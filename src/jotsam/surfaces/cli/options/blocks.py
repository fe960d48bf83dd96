"""Options of `blocks`."""

from __future__ import annotations

import argparse

from jotsam.surfaces.cli.arguments import Command, add_command, add_limit, positive_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Commands, Parser

NAME = "name of the block"


def _blocks(blocks: Parser) -> None:
    blocks.set_defaults(project=None, actor=None, limit=200)
    verbs = blocks.add_subparsers(title="subcommands (default: list)", metavar="COMMAND")
    about = "list blocks by name"
    nested = add_command(
        verbs,
        Command(
            name="list",
            run="blocks:list_blocks",
            help=about,
            read_only=True,
            examples=("jotsam blocks list --project shop",),
        ),
    )
    for each in (blocks, nested):
        _add_address(each, "only blocks of this {}; '' for those of none")
        add_limit(each, "blocks", default=argparse.SUPPRESS)
    _add_verbs(verbs)


def _add_verbs(verbs: Commands) -> None:
    get = add_command(
        verbs,
        Command(
            name="get",
            run="blocks:get",
            help="print the text of a block",
            read_only=True,
            examples=("jotsam blocks get human",),
        ),
    )
    about = "create a block, or replace its text"
    change = add_command(
        verbs,
        Command(
            name="set",
            run="blocks:change",
            help=about,
            examples=("jotsam blocks set human 'Ana, writes Python, prefers short answers.'",),
        ),
    )
    append = add_command(
        verbs,
        Command(
            name="append",
            run="blocks:append",
            help="add a line to a block",
            examples=("jotsam blocks append human 'Works in Bonn.'",),
        ),
    )
    delete = add_command(
        verbs,
        Command(name="delete", run="blocks:delete", help="delete a block", examples=("jotsam blocks delete human",)),
    )
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


COMMANDS = (
    Command(
        name="blocks",
        run="blocks:list_blocks",
        help="small named texts that are always at hand: the pinned ones come first in a brief",
        read_only=True,
        examples=("jotsam blocks --project shop",),
        options=_blocks,
    ),
)
