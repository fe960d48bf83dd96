"""`jotsam backup`: a checked copy of the database file, while it is used."""

from __future__ import annotations

from jotsam.memory.backup import backup
from jotsam.surfaces.cli.output import OK, echo, plural, print_json, run_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Make a backup and print what is in it."""
    made = backup(arguments.settings.db, arguments.file, keep=arguments.keep)
    if arguments.json:
        print_json(backup=made)
        return OK
    counts = f"{plural(made.documents, 'document')}, {plural(made.memories, 'memory', 'memories')}"
    echo(f"{made.path}")
    echo(f"{counts}, {plural(made.jobs, 'job')}; {made.bytes / 1e6:,.1f} MB, checked, {run_time(made.took_ms)}")
    for path in made.removed:
        echo(f"removed {path}")
    return OK
