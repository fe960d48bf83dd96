"""`jotsam migrate`: update the schema, print the SQL that would, or copy everything into another database."""

from __future__ import annotations

from jotsam.admin.schema import pending, script, upgrade
from jotsam.surfaces.cli.output import OK, echo, plural, print_json, print_table, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Apply outstanding migrations, print them (`--dry-run`), or copy the database (`--to`)."""
    if arguments.to is not None:
        return _copy(arguments)
    if arguments.dry_run:
        return _dry_run(arguments)
    applied = upgrade(arguments.settings)
    if arguments.json:
        print_json(applied=True, steps=applied)
    else:
        echo(f"applied {plural(len(applied), 'migration')}" if applied else "up to date")
    return OK


def _dry_run(arguments: argparse.Namespace) -> int:
    sql = script(arguments.settings)
    if arguments.json:
        print_json(applied=False, steps=pending(arguments.settings), script=sql)
    else:
        echo(sql or "-- up to date")
    return OK


def _copy(arguments: argparse.Namespace) -> int:
    from jotsam.admin.copy_database import copy_database
    from jotsam.surfaces.cli.progress import ProgressBar

    if arguments.dry_run:
        arguments.usage_error("--dry-run prints the SQL of a migration and cannot be combined with --to")
    if not arguments.to.strip():
        arguments.usage_error("--to is empty: give the path of a file, or a postgresql:// URL")
    with ProgressBar() as bar:
        report = copy_database(arguments.settings, arguments.to, tell=bar)
    if arguments.json:
        print_json(**report.as_dict())
        return OK
    print_table(("table", "rows", "checksum"), ((one.table, f"{one.rows:,}", one.checksum) for one in report.tables))
    for name in report.left:
        warn(f"the table {name} does not belong to jotsam and was not copied")
    rows = plural(sum(one.rows for one in report.tables), "row")
    if report.already:
        echo(f"already copied: {rows}, identical in {report.target}")
        return OK
    echo(f"copied and verified {rows}: {report.target}")
    echo(f"{report.source} is unchanged; set --db or JOTSAM_DB to the copy to use it")
    return OK
