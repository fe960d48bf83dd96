"""`jotsam maintain`: remove what is past its time, and keep indexes, statistics and files in order."""

from __future__ import annotations

from jotsam.admin.maintain import maintain
from jotsam.core.durations import run_time
from jotsam.surfaces.cli.output import OK, echo, print_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Print each step when it is done, and the size before and after."""
    steps = []
    for step in maintain(arguments.settings, vacuum=arguments.vacuum):
        steps.append(step)
        if not arguments.json and len(steps) > 1:
            echo(f"{step.name.ljust(14)} {step.text}; {run_time(step.took_ms)}")
    before, after = steps[0].bytes, steps[-1].bytes
    if arguments.json:
        print_json(steps=steps[1:], bytes_before=before, bytes_after=after)
    else:
        echo(f"{'size'.ljust(14)} {before / 1e6:,.1f} MB before, {after / 1e6:,.1f} MB after")
    return OK
