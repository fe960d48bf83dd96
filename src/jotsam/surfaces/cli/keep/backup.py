"""`jotsam db export`, `backup`, `restore` and `salvage`: copies of what is stored."""

from __future__ import annotations

import sys

from jotsam.core.clock import duration, format_time, monotonic_ms, run_time, system_clock
from jotsam.memory.api.client import Jotsam
from jotsam.memory.reading.selection import checked
from jotsam.memory.transfer.backup import backup
from jotsam.memory.transfer.export_markdown import export_markdown
from jotsam.surfaces.cli.options import selection
from jotsam.surfaces.cli.output import DEGRADED, OK, counted, echo, fields_of, plural, print_json
from jotsam.surfaces.cli.progress import Interruptible, ProgressBar
from jotsam.surfaces.cli.terminal import STDIN, is_person

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.admin.restore import Restored, Salvaged
    from jotsam.memory.transfer.backup import Backup


def export(arguments: argparse.Namespace) -> None:
    """Export to the file. Standard output carries the export alone."""
    is_stdout = arguments.file == STDIN
    if is_stdout and arguments.json:
        arguments.usage_error("--json needs a FILE: standard output has the export")
    started = monotonic_ms()
    advice = "an export has no parts: run the same command again"
    kept = "the output is incomplete" if is_stdout else f"{arguments.file} was not written"
    interruptible = Interruptible(kept, advice)
    with Jotsam(settings=arguments.settings) as jot, interruptible, ProgressBar() as bar:
        file = sys.stdout.buffer if is_stdout else arguments.file
        if arguments.format == "markdown":
            wanted = checked({**selection(arguments)})
            result = export_markdown(jot.database, file, wanted, tenant=jot.settings.tenant)
        else:
            result = jot.export(file, vectors=arguments.vectors, tell=bar, **selection(arguments))
    if arguments.json:
        print_json(file=arguments.file, **fields_of(result))
    elif not is_stdout:
        time = f" in {run_time(monotonic_ms() - started)}" if is_person() else ""
        names = ("memory", "memories"), ("document", "documents"), ("link", "links")
        echo(f"exported  {counted(result.counts, names)}: {result.bytes / 1e6:,.1f} MB{time}")


def make_backup(arguments: argparse.Namespace) -> None:
    """Make a backup and print what is in it."""
    with Interruptible("no backup was made", "run the same command again"), ProgressBar() as bar:
        made = backup(arguments.settings.db, arguments.file, keep=arguments.keep, tell=bar)
    if arguments.json:
        print_json(backup=made)
        return
    content = f"{_counts(made)}; {made.bytes / 1e6:,.1f} MB, checked,"
    if is_person():
        echo(f"backed up to {made.path}: {content} in {run_time(made.took_ms)}")
    else:
        echo(made.path)
        echo(f"{content} {run_time(made.took_ms)}")
    for path in made.removed:
        echo(f"removed {path}")


def restore(arguments: argparse.Namespace) -> None:
    """Replace the database by a backup and print what is in it."""
    from jotsam.admin.restore import restore

    found = restore(arguments.settings.db, arguments.file)
    if arguments.json:
        print_json(restored=found)
        return
    echo(f"restored {found.path} from {found.backup}")
    age = ""
    if found.newest_at is not None:
        ago = duration(max(0, system_clock() - found.newest_at))
        age = f"; the newest was stored {ago} ago, at {format_time(found.newest_at)}"
    echo(f"{_counts(found)}{age}")
    if found.kept:
        echo(f"the database that was replaced is {found.kept}")


def salvage(arguments: argparse.Namespace) -> int:
    """Save what can be read of a damaged file, and name what cannot. Returns 3 if something is lost."""
    from jotsam.admin.restore import salvage

    saved = salvage(arguments.damaged, arguments.new)
    if arguments.json:
        print_json(salvaged=saved)
        return DEGRADED if saved.lost else OK
    echo(f"saved {plural(saved.rows, 'row')} of {arguments.damaged} in {saved.path}: {_counts(saved)}")
    for one in saved.lost:
        ids = "" if one.first is None else f" {one.first}" if one.first == one.last else f" {one.first} to {one.last}"
        echo(f"lost: {one.table}{ids or ', an unknown number of rows'}")
    echo(f"to use it: jotsam db restore {saved.path}, then jotsam models reprocess --all")
    return DEGRADED if saved.lost else OK


def _counts(found: Backup | Restored | Salvaged) -> str:
    counts = f"{plural(found.documents, 'document')}, {plural(found.memories, 'memory', 'memories')}"
    return f"{counts}, {plural(found.jobs, 'job')}"
