"""Options of the commands that search and show memories: `recall`, `list`, `show`, `supersede` and `archive`."""

from __future__ import annotations

from jotsam.surfaces.cli.arguments import ACTOR, LIMIT, Command, date, key_value, memory_type, positive_int
from jotsam.surfaces.cli.selection import add_selection

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.surfaces.cli.arguments import Parser

FORMATS = ("list", "context", "json")


def _supersede(supersede: Parser) -> None:
    supersede.add_argument("old", metavar="OLD", help="id of the memory, document or fact to supersede")
    supersede.add_argument("new", metavar="NEW", nargs="?", help="id of its replacement")
    supersede.add_argument("--undo", action="store_true", help="make OLD valid again (for a fact, NEW is not needed)")


def _archive(archive: Parser) -> None:
    archive.add_argument("ids", nargs="+", metavar="ID", help="id of a memory")


def _show(show: Parser) -> None:
    show.add_argument("id", metavar="ID", help="UUID, the beginning of one, an external id, or a job number")
    show.add_argument("--actor", metavar="NAME", help=ACTOR)
    show.add_argument("--history", action="store_true", help="also show a memory as it was before each update")


def _recall(recall: Parser) -> None:
    about = "question or words to search for (default: list the newest memories)"
    recall.add_argument("question", nargs="*", metavar="QUESTION", help=about)
    about = "token budget for results, including headings (wrapper and footer add about 50)"
    recall.add_argument("--tokens", type=int, metavar="NUMBER", help=about)
    about = "maximum number of results (default: 5 in a list, else 50)"
    recall.add_argument("-n", "--limit", type=int, metavar="NUMBER", help=about)
    recall.add_argument("--pin", action="append", default=[], metavar="ID", help="always include this memory")
    about = "list for people, context for agents or json (default: list on a terminal, else context)"
    recall.add_argument("--as", dest="format", choices=FORMATS, help=about)
    about = "open the source of this result in your editor ($VISUAL or $EDITOR), at its line"
    recall.add_argument("--open", type=positive_int, metavar="RESULT", help=about)
    recall.add_argument("--why", action="store_true", help="explain the score of each result")
    _add_filters(recall.add_argument_group("filters"))
    _add_time_filters(recall.add_argument_group("time filters"))
    _add_expansion(recall.add_argument_group("connected memories"))


def _list(listing: Parser) -> None:
    add_selection(listing, "list")
    about = "what comes first (default: %(default)s)"
    listing.add_argument("--order", choices=("newest", "importance"), default="newest", help=about)
    listing.add_argument("--history", action="store_true", help="include what is superseded or not valid now")
    listing.add_argument("--archived", action="store_true", help="include archived memories")
    listing.add_argument(
        "-n", "--limit", type=int, default=LIMIT, metavar="NUMBER", help="memories of a page, 1 to 200"
    )
    about = "the page after this one, from the end of the page before it"
    listing.add_argument("--after", metavar="CURSOR", help=about)


def _add_filters(group: argparse._ArgumentGroup) -> None:
    about = "only this project (default: all projects, the current one first)"
    group.add_argument("--project", metavar="NAME", help=about)
    group.add_argument("--session", metavar="NAME", help="only this conversation")
    group.add_argument("--actor", metavar="NAME", help=ACTOR)
    about = "only this type, ignoring case (repeatable: any of them)"
    group.add_argument("--type", type=memory_type, action="append", default=[], metavar="TYPE", help=about)
    about = "only memories with this tag, ignoring case (repeatable: any of them)"
    group.add_argument("--tag", action="append", default=[], metavar="TAG", help=about)
    group.add_argument("--every-tag", action="store_true", help="require every --tag instead of any")
    group.add_argument("--tag-prefix", action="store_true", help="match tags by prefix")
    about = "exclude memories with this tag (repeatable)"
    group.add_argument("--exclude-tag", action="append", default=[], metavar="TAG", help=about)
    about = "only memories with this metadata value (repeatable: all of them)"
    group.add_argument("--metadata", action="append", type=key_value, metavar="KEY=VALUE", help=about)
    group.add_argument("--archived", action="store_true", help="include archived memories")
    group.add_argument("--min-score", type=float, default=0.0, metavar="NUMBER", help="minimum evidence, 0 to 1")


def _add_time_filters(group: argparse._ArgumentGroup) -> None:
    about = "only what was said in, or refers to, this period, for example 'last week'"
    group.add_argument("--when", metavar="TIME", help=about)
    about = "only what was said on, or refers to, this date or later"
    group.add_argument("--since", type=date, metavar="DATE", help=about)
    about = "only what was said before, or refers to a time before, this date"
    group.add_argument("--until", type=date, metavar="DATE", help=about)
    about = "search what was valid and known on this date"
    group.add_argument("--as-of", type=date, metavar="DATE", help=about)
    about = "include what is superseded or not valid now"
    group.add_argument("--history", action="store_true", help=about)


def _add_expansion(group: argparse._ArgumentGroup) -> None:
    about = "also return memories connected to the top results by entities or relations"
    group.add_argument("--expand", action="append", default=[], metavar="WHAT", help=about)
    about = "maximum number of results added by --expand (default: %(default)s)"
    group.add_argument("--expand-limit", type=int, default=25, metavar="NUMBER", help=about)
    about = "minimum weight of the relations to follow, 0 to 1 (default: %(default)s)"
    group.add_argument("--min-weight", type=float, default=0.5, metavar="NUMBER", help=about)
    about = "minimum importance of results added by --expand, 0 to 1"
    group.add_argument("--min-importance", type=float, default=0.0, metavar="NUMBER", help=about)


COMMANDS = (
    Command(
        name="recall",
        run="recall:run",
        help="search memories",
        read_only=True,
        examples=(
            "jotsam recall which database did we choose",
            "jotsam recall billing --type Decision --since 2026-03-01",
        ),
        options=_recall,
    ),
    Command(
        name="list",
        run="list_memories:run",
        help="list memories by tag, type, source, time or importance; the newest first",
        read_only=True,
        examples=("jotsam list --tag billing --order importance",),
        options=_list,
    ),
    Command(
        name="supersede",
        run="supersede:run",
        help="replace a memory, document or fact by a newer one; recall hides the old one",
        examples=("jotsam supersede 4f2a91c3 85b3b8c3", "jotsam supersede 4f2a91c3 85b3b8c3 --undo"),
        queueable=("old", "new", "undo"),
        options=_supersede,
    ),
    Command(
        name="archive",
        run="archive:run",
        help="hide memories from recall; nothing is deleted",
        examples=("jotsam archive 4f2a91c3",),
        queueable=("ids",),
        options=_archive,
    ),
    Command(
        name="unarchive",
        run="archive:run",
        help="show archived memories again; the lifecycle does not archive them again for the same reason",
        examples=("jotsam unarchive 4f2a91c3",),
        queueable=("ids",),
        options=_archive,
    ),
    Command(
        name="show",
        run="show:run",
        help="show a document, memory or job in detail",
        read_only=True,
        examples=("jotsam show 4f2a91c3 --history", "jotsam show 7"),
        options=_show,
    ),
)
