"""`jotsam lifecycle links`: list or remove the links that the step `creative` found."""

from __future__ import annotations

from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import OK, echo, plural, print_json, print_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.core.records import Link


def found_links(arguments: argparse.Namespace) -> int:
    """List the links, or remove them."""
    with Jotsam(settings=arguments.settings) as jot:
        removed = 0
        if arguments.remove:
            removed = jot.lifecycle.remove_links(kind=arguments.kind)
        found = jot.lifecycle.links(kind=arguments.kind, limit=arguments.limit)
    if arguments.json:
        print_json(links=found, removed=removed)
    elif arguments.remove:
        echo(f"removed {plural(removed, 'link')}")
    elif found:
        print_table(("from", "link", "kind", "to", "cosine", "both name"), map(_row, found))
    else:
        echo("no links were found yet")
    return OK


def _row(link: Link) -> tuple[object, ...]:
    said = link.properties or {}
    about = said.get("kind"), link.target[:8], said.get("similarity"), said.get("shared")
    return link.source[:8], link.type, *about
