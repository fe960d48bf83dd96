"""`jotsam crystals`: list, confirm and retract what sessions agree on."""

from __future__ import annotations

from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import SAMPLE, Fence, echo, hint, print_json, print_result, print_table, shorten
from jotsam.surfaces.cli.table import SHORT_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.core.crystal_records import Crystal


def list_crystals(arguments: argparse.Namespace) -> None:
    """List crystals, candidates and refused ones."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.crystals.list(state=arguments.state, project=arguments.project, limit=arguments.limit)
    if arguments.json:
        print_json(crystals=found)
    elif found:
        with Fence():
            print_table(("id", "state", "kind", "project", "sources", "text", "why", "judged by"), map(_row, found))
    else:
        echo("no crystals and no candidates")
        hint("`jotsam lifecycle run crystals` prints what would be promoted")


def confirm(arguments: argparse.Namespace) -> None:
    """Make a crystal of a memory."""
    with Jotsam(settings=arguments.settings) as jot:
        made = jot.crystals.confirm(arguments.id, kind=arguments.kind)
    _print(arguments, "promoted ", made)


def retract(arguments: argparse.Namespace) -> None:
    """Hide a crystal, or take that back."""
    with Jotsam(settings=arguments.settings) as jot:
        change = jot.crystals.undo_retract if arguments.undo else jot.crystals.retract
        changed = change(arguments.id)
    _print(arguments, "promoted " if arguments.undo else "retracted", changed)


def _print(arguments: argparse.Namespace, verb: str, crystal: Crystal) -> None:
    print_result(arguments, f"{verb} {crystal.id[:SHORT_ID]}  {crystal.kind}: {crystal.title}", crystal=crystal)


def _row(one: Crystal) -> tuple[object, ...]:
    text, why = shorten(one.text, SAMPLE), one.reason or one.why
    return one.id[:SHORT_ID], one.state, one.kind, one.project, len(one.sources) or None, text, why, one.judged_by
