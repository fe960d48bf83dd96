"""`jotsam export`: write everything, or what is selected, to a file or standard output."""

from __future__ import annotations

import sys

from jotsam.core.clock import monotonic_ms
from jotsam.core.durations import run_time
from jotsam.memory.client import Jotsam
from jotsam.memory.export_markdown import export_markdown
from jotsam.memory.selection import checked
from jotsam.surfaces.cli.interruption import Interruptible
from jotsam.surfaces.cli.output import OK, counted, echo, fields_of, print_json
from jotsam.surfaces.cli.progress import ProgressBar
from jotsam.surfaces.cli.reader import is_person
from jotsam.surfaces.cli.selection import selection
from jotsam.surfaces.cli.text_input import STDIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
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
    return OK
