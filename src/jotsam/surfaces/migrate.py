"""`jotsam migrate`: brings the schema of the database up to date, or prints the SQL that would."""

from __future__ import annotations

from jotsam.surfaces.screen import OK, emit, plural, say
from jotsam.upgrade import steps, upgrade

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def command(arguments: argparse.Namespace) -> int:
    """Apply what is outstanding; with `--dry-run` only print it. Returns the exit code."""
    found = steps(arguments.settings) if arguments.dry_run else upgrade(arguments.settings)
    if arguments.json:
        emit(applied=not arguments.dry_run, steps=found)
    elif arguments.dry_run:
        for step in found:
            say(f"-- {step.name}\n{step.sql}")
    else:
        say(f"applied {plural(len(found), 'migration')}" if found else "up to date")
    return OK
