"""Options of `crystals` and `checkpoint`."""

from __future__ import annotations

import argparse

from jotsam.core.crystal_records import KINDS, SHOWN_STATES
from jotsam.surfaces.cli.arguments import LIMIT, add_command, add_limit, add_timeout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Commands


def add_commands(commands: Commands) -> None:
    about = "what several sessions agree on: what was promoted, what may be, and what was refused"
    group = add_command(commands, "crystals", module="crystals", function="list_crystals", read_only=True, help=about)
    group.set_defaults(state=None, project=None, limit=LIMIT)
    verbs = group.add_subparsers(title="subcommands (default: list)", metavar="COMMAND")
    about = "list crystals, candidates and refused ones"
    listed = add_command(verbs, "list", module="crystals", function="list_crystals", read_only=True, help=about)
    for each in (group, listed):
        about = "only these (default: all but retracted ones)"
        each.add_argument("--state", choices=SHOWN_STATES, default=argparse.SUPPRESS, help=about)
        about = "only those of this project"
        each.add_argument("--project", metavar="NAME", default=argparse.SUPPRESS, help=about)
        add_limit(each, "crystals", default=argparse.SUPPRESS)
    about = "make a crystal of a memory at once; `jotsam crystals retract` takes it back"
    confirm = add_command(verbs, "confirm", module="crystals", function="confirm", help=about)
    confirm.add_argument("id", metavar="ID", help="id of the memory, or the beginning of it")
    about = "kind of knowledge (default: as the rules find, else fact)"
    confirm.add_argument("--kind", choices=KINDS, help=about)
    about = "hide a crystal from recall; nothing that says the same is promoted again"
    retract = add_command(verbs, "retract", module="crystals", function="retract", help=about)
    retract.add_argument("id", metavar="ID", help="id of the crystal, or the beginning of it")
    retract.add_argument("--undo", action="store_true", help="take back that it was retracted")
    _checkpoint(commands)


def _checkpoint(commands: Commands) -> None:
    about = "import sessions and promote what they agree on; all in one command"
    checkpoint = add_command(commands, "checkpoint", module="checkpoint", help=about)
    about = "session file of an agent, or a directory of them (default: only what is stored already)"
    checkpoint.add_argument("paths", nargs="*", metavar="FILE", help=about)
    checkpoint.add_argument("--project", metavar="NAME", help="project of turns that name none")
    about = "report what would be imported and promoted, change nothing"
    checkpoint.add_argument("--dry-run", action="store_true", help=about)
    add_timeout(checkpoint, "how long it waits for the worker")
