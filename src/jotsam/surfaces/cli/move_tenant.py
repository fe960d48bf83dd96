"""`jotsam move-tenant`: move one tenant to another server, print what would be moved, or undo an interrupted move."""

from __future__ import annotations

from jotsam.surfaces.cli.output import OK, echo, fields_of, plural, print_json, print_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    from jotsam.admin.move_tenant import move_tenant, plan_move
    from jotsam.surfaces.cli.progress import ProgressBar

    if arguments.dry_run:
        report = plan_move(arguments.settings, arguments.name, arguments.to)
    else:
        with ProgressBar() as bar:
            report = move_tenant(arguments.settings, arguments.name, arguments.to, undo=arguments.undo, tell=bar)
    if arguments.json:
        print_json(**fields_of(report))
        return OK
    rows = plural(sum(one.rows for one in report.tables), "row")
    if report.tables:
        print_table(
            ("table", "rows", "checksum"), ((one.table, f"{one.rows:,}", one.checksum) for one in report.tables)
        )
    said = {
        "planned": f"{rows} of {report.tenant!r} would be moved to {report.target}",
        "moved": f"moved and verified {rows} of {report.tenant!r}: {report.target}; give its clients that address",
        "already": f"{report.tenant!r} has moved to {report.target}; nothing of it is left but its tokens",
        "undone": f"undone: {report.tenant!r} is live on {report.source} again, and {report.target} has nothing of it",
    }
    echo(said[report.state])
    return OK
