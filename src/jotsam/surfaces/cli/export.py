"""`jotsam export`: write everything, or what is selected, to a file or standard output."""

from __future__ import annotations

import sys

from jotsam.memory.client import Jotsam
from jotsam.memory.export_markdown import export_markdown
from jotsam.memory.selection import checked
from jotsam.surfaces.cli.output import OK, counted, echo, print_json
from jotsam.surfaces.cli.progress import ProgressBar
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
    with Jotsam(settings=arguments.settings) as jot, ProgressBar() as bar:
        file = sys.stdout.buffer if is_stdout else arguments.file
        if arguments.format == "markdown":
            wanted = checked({**selection(arguments)})
            result = export_markdown(jot.database, file, wanted, tenant=jot.settings.tenant)
        else:
            result = jot.export(file, vectors=arguments.vectors, tell=bar, **selection(arguments))
    if arguments.json:
        print_json(file=arguments.file, **result.as_dict())
    elif not is_stdout:
        names = ("memory", "memories"), ("document", "documents"), ("link", "links")
        echo(f"exported  {counted(result.counts, names)}: {result.bytes / 1e6:,.1f} MB")
    return OK
