"""`jotsam supersede`: replace a memory, document or fact by a newer one, or undo that."""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import OK, echo, fields_of, print_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    if arguments.new is None and not arguments.undo:
        arguments.usage_error(f"NEW is missing: give the id that replaces {arguments.old!r}")
    with Jotsam(settings=arguments.settings) as jot:
        done = (jot.undo_supersede if arguments.undo else jot.supersede)(arguments.old, arguments.new)
    if arguments.json:
        print_json(**fields_of(done))
    elif done.since is None:
        echo(f"{done.kind} {done.old[:8]} is valid again" + (f", and so is {done.new[:8]}" if done.new else ""))
    else:
        echo(f"{done.kind} {done.old[:8]} is superseded by {(done.new or '')[:8]} since {format_time(done.since)[:10]}")
    return OK
