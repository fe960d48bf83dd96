"""Options that select memories and documents, shared by `list`, `forget` and `export`."""

from __future__ import annotations

from jotsam.surfaces.cli.arguments import ACTOR, date, memory_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.memory.options import SelectionOptions

TEXTS = ("document", "source", "project", "session", "actor")


def add_selection(parser: argparse.ArgumentParser, verb: str) -> None:
    """Add ids and filters. `verb` is what is done with the selected: "list"."""
    about = f"{verb} only these: ids of memories or documents (UUID, its beginning, or external id)"
    parser.add_argument("ids", nargs="*", default=[], metavar="ID", help=about)
    group = parser.add_argument_group("filters", f"{verb} what matches all of them")
    group.add_argument("--document", metavar="ID", help="only this document and its chunks")
    group.add_argument("--source", metavar="SOURCE", help="only from this source, for example a file")
    group.add_argument("--project", metavar="NAME", help="only this project")
    group.add_argument("--session", metavar="NAME", help="only this conversation")
    group.add_argument("--actor", metavar="NAME", help=ACTOR)
    about = "only memories with this tag, ignoring case (repeatable: any of them)"
    group.add_argument("--tag", action="append", default=[], metavar="TAG", help=about)
    group.add_argument("--every-tag", action="store_true", help="require every --tag instead of any")
    about = "only memories of this type, ignoring case (repeatable: any of them)"
    group.add_argument("--type", type=memory_type, action="append", default=[], metavar="TYPE", help=about)
    group.add_argument("--since", type=date, metavar="DATE", help="only what was said on this date or later")
    group.add_argument("--until", type=date, metavar="DATE", help="only what was said before this date")
    group.add_argument("--before", type=date, metavar="DATE", help="only what was stored before this date")
    about = "only memories of at least this importance, 0 to 1"
    group.add_argument("--min-importance", type=float, metavar="NUMBER", help=about)


def selection(arguments: argparse.Namespace) -> SelectionOptions:
    """The parsed ids and filters."""
    options: SelectionOptions = {
        "ids": arguments.ids,
        "tags": arguments.tag,
        "every_tag": arguments.every_tag,
        "types": arguments.type,
        "since": arguments.since,
        "until": arguments.until,
        "before": arguments.before,
        "min_importance": arguments.min_importance,
    }
    for name in TEXTS:
        options[name] = getattr(arguments, name)  # type: ignore[literal-required]  # They are literals.
    return options
