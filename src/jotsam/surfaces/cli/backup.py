"""`jotsam backup` and `jotsam restore`: a checked copy of the database file, and back."""

from __future__ import annotations

from jotsam.core.clock import format_time, system_clock
from jotsam.memory.backup import backup
from jotsam.surfaces.cli.output import OK, duration, echo, plural, print_json, run_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.admin.restore import Restored
    from jotsam.memory.backup import Backup


def run(arguments: argparse.Namespace) -> int:
    """Make a backup and print what is in it."""
    made = backup(arguments.settings.db, arguments.file, keep=arguments.keep)
    if arguments.json:
        print_json(backup=made)
        return OK
    echo(made.path)
    echo(f"{_counts(made)}; {made.bytes / 1e6:,.1f} MB, checked, {run_time(made.took_ms)}")
    for path in made.removed:
        echo(f"removed {path}")
    return OK


def restore(arguments: argparse.Namespace) -> int:
    """Replace the database by a backup and print what is in it."""
    from jotsam.admin.restore import restore

    found = restore(arguments.settings.db, arguments.file)
    if arguments.json:
        print_json(restored=found)
        return OK
    echo(f"restored {found.path} from {found.backup}")
    age = ""
    if found.newest_at is not None:
        ago = duration(max(0, system_clock() - found.newest_at))
        age = f"; the newest was stored {ago} ago, at {format_time(found.newest_at)}"
    echo(f"{_counts(found)}{age}")
    if found.kept:
        echo(f"the database that was replaced is {found.kept}")
    return OK


def _counts(found: Backup | Restored) -> str:
    counts = f"{plural(found.documents, 'document')}, {plural(found.memories, 'memory', 'memories')}"
    return f"{counts}, {plural(found.jobs, 'job')}"
