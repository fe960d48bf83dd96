"""`jotsam graph` and `jotsam link`: show what a memory is linked to, and link two memories."""

from __future__ import annotations

from jotsam.core.names import FOUND_LINK_TYPES, SUPERSEDING
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.graph_drawing import dot, svg
from jotsam.surfaces.cli.output import OK, echo, fields_of, print_json, print_table, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.core.records import MemoryGraph


def graph(arguments: argparse.Namespace) -> int:
    """Print the links of a memory as a table, for Graphviz, as SVG or as JSON."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.knowledge.graph(arguments.id, actor=arguments.actor)
    if arguments.json:
        print_json(**fields_of(found))
    elif arguments.dot:
        echo(dot(found))
    elif arguments.svg:
        echo(svg(found))
    else:
        _print(found)
    return OK


def link(arguments: argparse.Namespace) -> int:
    """Link two memories, or remove the link."""
    ends = (arguments.source, arguments.type, arguments.target)
    with Jotsam(settings=arguments.settings) as jot:
        done = jot.knowledge.unlink(*ends) if arguments.undo else jot.knowledge.link(*ends, weight=arguments.weight)
        by = jot.get(done.source).superseded_by if done.type in SUPERSEDING else None
    if arguments.json:
        print_json(link=done, linked=not arguments.undo)
    else:
        about = "removed" if arguments.undo else f"({done.weight:g})"
        echo(f"{done.source[:8]} {done.type} {done.target[:8]} {about}")
        if done.type in SUPERSEDING:
            state = f"hidden from recall, superseded by {by[:8]}" if by else "not superseded"
            echo(f"{done.source[:8]} is {state}")
    return OK


def _print(found: MemoryGraph) -> None:
    echo(f"{found.id}  {shorten(found.summary, 90)}")
    rows = [
        ("to" if one.outgoing else "from", one.type, f"{one.weight:.2f}", one.id, one.summary)
        for one in found.neighbours
    ]
    rows += [("to", "mentions", "", f"{one.category}:{one.slug}", one.name) for one in found.entities]
    rows += [
        ("to", "shows", f"{one.confidence:.2f}", f"{one.type}:{one.slug}", " ".join(one.terms))
        for one in found.patterns
    ]
    if rows:
        print_table(("", "link", "weight", "linked to", "about"), rows)
        if any(one.type in FOUND_LINK_TYPES for one in found.neighbours):
            echo(f"{' and '.join(FOUND_LINK_TYPES)} links were found by Jotsam; no text states them")
    else:
        echo("no links yet")
