"""`jotsam migrate`: brings the schema up to date, prints the SQL that would, or moves all into another database."""

from __future__ import annotations

from jotsam.admin.schema import script, steps, upgrade
from jotsam.surfaces.cli.output import OK, emit, plural, say, table, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def command(arguments: argparse.Namespace) -> int:
    """Apply what is outstanding; with `--dry-run` only print it; with `--to` move. Returns the exit code."""
    if arguments.to is not None:
        return _move(arguments)
    if arguments.dry_run:
        return _dry_run(arguments)
    found = upgrade(arguments.settings)
    if arguments.json:
        emit(applied=True, steps=found)
    else:
        say(f"applied {plural(len(found), 'migration')}" if found else "up to date")
    return OK


def _dry_run(arguments: argparse.Namespace) -> int:
    whole = script(arguments.settings)
    if arguments.json:
        emit(applied=False, steps=steps(arguments.settings), script=whole)
    else:
        say(whole or "-- up to date")
    return OK


def _move(arguments: argparse.Namespace) -> int:
    from jotsam.admin.copy_database import move
    from jotsam.surfaces.cli.progress import Bar

    if arguments.dry_run:
        arguments.usage_error("--dry-run prints SQL; a move has none to print: leave --to or --dry-run out")
    if not arguments.to.strip():
        arguments.usage_error("--to is empty: give the path of a file, or postgresql://...")
    with Bar() as bar:
        report = move(arguments.settings, arguments.to, tell=bar)
    if arguments.json:
        emit(**report.as_dict())
        return OK
    table(("table", "rows", "checksum"), ((one.table, f"{one.rows:,}", one.checksum) for one in report.tables))
    for name in report.left:
        warn(f"the table {name} is not one of jotsam's, and stayed behind")
    count = sum(one.rows for one in report.tables)
    already = f"{'is' if count == 1 else 'are'} there already, and the same"
    say(f"{plural(count, 'row')} {already if report.already else 'moved and compared'}: {report.target}")
    if not report.already:
        say(f"{report.source} is untouched; from now on give --db, or set JOTSAM_DB, to the new one")
    return OK
