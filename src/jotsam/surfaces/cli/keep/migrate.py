"""`jotsam db migrate` and `jotsam db move-tenant`: update the schema, copy a database, move a tenant."""

from __future__ import annotations

import argparse

from jotsam.admin.schema import grant, pending, script, upgrade
from jotsam.core.clock import monotonic_ms, run_time
from jotsam.core.dsn import mask_address
from jotsam.surfaces.cli.output import echo, fields_of, plural, print_json, print_table, warn
from jotsam.surfaces.cli.progress import Interruptible
from jotsam.surfaces.cli.terminal import is_person


def migrate(arguments: argparse.Namespace) -> None:
    """Apply outstanding migrations and grant privileges, print them (`--dry-run`), or copy the database (`--to`)."""
    if arguments.to is not None:
        _copy(arguments)
        return
    if arguments.dry_run:
        _dry_run(arguments)
        return
    if arguments.grant is not None:
        grant(arguments.settings, arguments.grant, apply=False)  # An invalid role is refused before anything changes.
    with Interruptible("migrations are one transaction: none or all were applied", "the same command applies the rest"):
        applied = upgrade(arguments.settings, partitions=arguments.partitions)
    grants = grant(arguments.settings, arguments.grant) if arguments.grant is not None else []
    if arguments.json:
        print_json(applied=True, steps=applied, **({"grants": grants} if grants else {}))
        return
    echo(f"applied {plural(len(applied), 'migration')}" if applied else "up to date")
    if grants:
        echo(f"{arguments.grant} may read and write the tables, and owns nothing")


def _dry_run(arguments: argparse.Namespace) -> None:
    grants = grant(arguments.settings, arguments.grant, apply=False) if arguments.grant is not None else []
    sql = script(arguments.settings, partitions=arguments.partitions)
    if grants:
        sql = "\n\n".join(filter(None, (sql, "\n".join(("begin;", *(f"{one};" for one in grants), "commit;")))))
    if arguments.json:
        print_json(applied=False, steps=pending(arguments.settings, partitions=arguments.partitions), script=sql)
    else:
        echo(sql or "-- up to date")


def _copy(arguments: argparse.Namespace) -> None:
    from jotsam.admin.copy_database import copy_database
    from jotsam.surfaces.cli.progress import ProgressBar

    if arguments.dry_run:
        arguments.usage_error("--dry-run prints the SQL of a migration and cannot be combined with --to")
    if arguments.grant is not None:
        arguments.usage_error("--grant is for this database and cannot be combined with --to")
    if not arguments.to.strip():
        arguments.usage_error("--to is empty: give the path of a file, or a postgresql:// URL")
    started = monotonic_ms()
    kept = f"what was copied is kept in {mask_address(arguments.to)}, and the source is unchanged"
    with (
        Interruptible(kept, "the same command continues; until it is done, the copy cannot be used"),
        ProgressBar() as bar,
    ):
        report = copy_database(arguments.settings, arguments.to, tell=bar, partitions=arguments.partitions)
    if arguments.json:
        print_json(**fields_of(report))
        return
    if arguments.verbose or not is_person():
        rows_of = ((one.table, f"{one.rows:,}", one.checksum) for one in report.tables)
        print_table(("table", "rows", "checksum"), rows_of)
    for name in report.left:
        warn(f"the table {name} does not belong to jotsam and was not copied")
    rows = plural(sum(one.rows for one in report.tables), "row")
    if report.already:
        echo(f"already copied: {rows}, identical in {report.target}")
        return
    time = f" in {run_time(monotonic_ms() - started)}" if is_person() else ""
    echo(f"copied and verified {rows}{time}: {report.target}")
    echo(f"{report.source} is unchanged; set --db or JOTSAM_DB to the copy to use it")


def move(arguments: argparse.Namespace) -> None:
    from jotsam.admin.move_tenant import move_tenant, plan_move
    from jotsam.surfaces.cli.progress import ProgressBar

    if arguments.dry_run:
        report = plan_move(arguments.settings, arguments.name, arguments.to)
    else:
        with ProgressBar() as bar:
            report = move_tenant(
                arguments.settings, arguments.name, arguments.to, server=arguments.server, undo=arguments.undo, tell=bar
            )
    if arguments.json:
        print_json(**fields_of(report))
        return
    rows = plural(sum(one.rows for one in report.tables), "row")
    if report.tables:
        print_table(
            ("table", "rows", "checksum"), ((one.table, f"{one.rows:,}", one.checksum) for one in report.tables)
        )
    clients = "give its clients that address"
    if arguments.server:
        clients = f"clients of the HTTP API are sent to {arguments.server}"
    said = {
        "planned": f"{rows} of {report.tenant!r} would be moved to {report.target}",
        "moved": f"moved and verified {rows} of {report.tenant!r}: {report.target}; {clients}",
        "already": f"{report.tenant!r} has moved to {report.target}; nothing of it is left but its tokens",
        "undone": f"undone: {report.tenant!r} is live on {report.source} again, and {report.target} has nothing of it",
    }
    echo(said[report.state])
