"""Options of `forget` and `trash`."""

from __future__ import annotations

from jotsam.surfaces.cli.arguments import LIMIT, Command, positive_int
from jotsam.surfaces.cli.selection import add_selection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Parser


def _forget(forget: Parser) -> None:
    add_selection(forget, "forget")
    about = "the hits of a recall with this question, that match the filters too"
    forget.add_argument("--query", metavar="TEXT", help=about)
    about = "with --query: maximum number of hits (default: %(default)s)"
    forget.add_argument("--limit", type=positive_int, default=LIMIT, metavar="NUMBER", help=about)
    about = "all of a person: what mentions, says or names them, everywhere (repeatable: more names of the same person)"
    forget.add_argument("--person", action="append", default=[], metavar="NAME", help=about)
    forget.add_argument("--everything", action="store_true", help="everything the tenant has, jobs and costs too")
    about = "refuse the same texts, keys and external ids from now on; keyed hashes of them are kept"
    forget.add_argument("--never-again", action="store_true", help=about)
    about = "accept this text, key or external id again (- for standard input)"
    forget.add_argument("--allow-again", metavar="TEXT", help=about)
    about = "keep what is deleted in the trash for `trash_days`; `jotsam trash restore` undoes it until then"
    forget.add_argument("--trash", action="store_true", help=about)
    forget.add_argument("--yes", action="store_true", help="delete; without --trash this cannot be undone")


def _trash(trash: Parser) -> None:
    trash.add_argument("action", nargs="?", choices=("list", "restore", "empty"), default="list", help="default: list")
    trash.add_argument("id", nargs="?", metavar="ID", help="with restore: a batch of the list")


COMMANDS = (
    Command(
        name="forget",
        run="forget:run",
        help="delete memories and documents, with all that was made of them; without --yes, show what would be deleted",
        examples=("jotsam forget 4f2a91c3 --yes", "jotsam forget --project shop --trash --yes"),
        options=_forget,
    ),
    Command(
        name="trash",
        run="trash:run",
        help="list, restore or delete what was forgotten with --trash",
        examples=("jotsam trash", "jotsam trash restore 4f2a91c3"),
        options=_trash,
    ),
)
