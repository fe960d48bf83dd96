"""`jotsam log` and `jotsam undo`: what changed in memory lately, and the last change of a command taken back."""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.memory.api import change_log
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import Fence, echo, fields_of, hint, paint, print_json, shorten
from jotsam.surfaces.cli.table import SHORT_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from jotsam.memory.api.change_log import MemoryChange

UUID = 36  # characters
LINE = 80


def log(arguments: argparse.Namespace) -> None:
    """List what changed, the latest first."""
    with Jotsam(settings=arguments.settings) as jot:
        found = change_log.log(jot, since=arguments.since, limit=arguments.limit)
    if arguments.json:
        print_json(changes=found)
    elif found:
        with Fence():
            for one in found:
                _print(one)
    else:
        echo("nothing changed")
        hint("`jotsam log --since DATE` looks further back than a week")


def undo(arguments: argparse.Namespace) -> None:
    """Take back the last change, or say what that would be."""
    with Jotsam(settings=arguments.settings) as jot:
        done = change_log.undo(jot, dry_run=arguments.dry_run)
    if arguments.json:
        print_json(**fields_of(done), undone=not arguments.dry_run)
        return
    about = f": {shorten(done.line, LINE)}" if done.line else ""
    verb = "would take back" if arguments.dry_run else "took back"
    echo(f"{verb} {done.what} of {_time(done.at)}  {_ids(done.ids)}{about}")


def _print(one: MemoryChange) -> None:
    parts = (_time(one.at), one.what, f"by {one.by}" if one.by else "", _ids(one.ids))
    echo(paint("  ".join(part for part in parts if part), "bold"))
    for line in one.lines:
        if line:
            echo(f"  {shorten(line, LINE)}")


def _time(at: int) -> str:
    time = format_time(at)
    return f"{time[:10]} {time[11:16]}"


def _ids(ids: Sequence[str]) -> str:
    return " ".join(id[:SHORT_ID] if len(id) == UUID else id for id in ids)
