"""Options of `crystals` and `checkpoint`."""

from __future__ import annotations

import argparse

from jotsam.core.crystal_records import KINDS, SHOWN_STATES
from jotsam.surfaces.cli.arguments import LIMIT, Command, add_command, add_limit, add_timeout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Parser


def _crystals(group: Parser) -> None:
    group.set_defaults(state=None, project=None, limit=LIMIT)
    verbs = group.add_subparsers(title="subcommands (default: list)", metavar="COMMAND")
    about = "list crystals, candidates and refused ones"
    listed = add_command(
        verbs,
        Command(
            name="list",
            run="crystals:list_crystals",
            help=about,
            read_only=True,
            examples=("jotsam crystals list --state refused",),
        ),
    )
    for each in (group, listed):
        about = "only these (default: all but retracted ones)"
        each.add_argument("--state", choices=SHOWN_STATES, default=argparse.SUPPRESS, help=about)
        about = "only those of this project"
        each.add_argument("--project", metavar="NAME", default=argparse.SUPPRESS, help=about)
        add_limit(each, "crystals", default=argparse.SUPPRESS)
    about = "make a crystal of a memory at once; `jotsam crystals retract` takes it back"
    confirm = add_command(
        verbs,
        Command(
            name="confirm",
            run="crystals:confirm",
            help=about,
            examples=("jotsam crystals confirm 4f2a91c3 --kind decision",),
        ),
    )
    confirm.add_argument("id", metavar="ID", help="id of the memory, or the beginning of it")
    about = "kind of knowledge (default: as the rules find, else fact)"
    confirm.add_argument("--kind", choices=KINDS, help=about)
    about = "hide a crystal from recall; nothing that says the same is promoted again"
    retract = add_command(
        verbs,
        Command(
            name="retract",
            run="crystals:retract",
            help=about,
            examples=("jotsam crystals retract 4f2a91c3", "jotsam crystals retract 4f2a91c3 --undo"),
        ),
    )
    retract.add_argument("id", metavar="ID", help="id of the crystal, or the beginning of it")
    retract.add_argument("--undo", action="store_true", help="take back that it was retracted")


def _checkpoint(checkpoint: Parser) -> None:
    about = "session file of an agent, or a directory of them (default: only what is stored already)"
    checkpoint.add_argument("paths", nargs="*", metavar="FILE", help=about)
    checkpoint.add_argument("--project", metavar="NAME", help="project of turns that name none")
    about = "report what would be imported and promoted, change nothing"
    checkpoint.add_argument("--dry-run", action="store_true", help=about)
    add_timeout(checkpoint, "how long it waits for the worker")


COMMANDS = (
    Command(
        name="crystals",
        run="crystals:list_crystals",
        help="what several sessions agree on: what was promoted, what may be, and what was refused",
        read_only=True,
        examples=("jotsam crystals",),
        options=_crystals,
    ),
    Command(
        name="checkpoint",
        run="checkpoint:run",
        help="import sessions and promote what they agree on; all in one command",
        examples=("jotsam checkpoint ~/.claude/projects", "jotsam checkpoint --dry-run"),
        options=_checkpoint,
    ),
)
