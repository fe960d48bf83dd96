"""`jotsam archive` and `jotsam unarchive`: hide memories from recall, and show them again."""

from __future__ import annotations

from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import OK, SAMPLE, echo, fields_of, print_json, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    with Jotsam(settings=arguments.settings) as jot:
        change = jot.archive if arguments.command == "archive" else jot.unarchive
        done = [change(id) for id in [jot.get(id).id for id in arguments.ids]]
    if arguments.json:
        print_json(memories=[fields_of(one) for one in done])
        return OK
    for one in done:
        state = "is shown by recall again" if one.archived_at is None else "is archived"
        echo(f"{one.id[:8]} {state}: {shorten(one.text, SAMPLE)}")
    return OK
