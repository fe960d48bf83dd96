"""`jotsam themes checkpoint`: import sessions, process them, and promote what they agree on."""

from __future__ import annotations

import argparse

from jotsam.core.clock import monotonic_ms, run_time
from jotsam.core.crystal_records import Checkpoint
from jotsam.memory.api.checkpoint import checkpoint
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import FAILED, OK, PENDING, echo, fields_of, hint, plural, print_json, warn
from jotsam.surfaces.cli.progress import Interruptible, ProgressBar
from jotsam.surfaces.cli.remember.import_files import print_problems
from jotsam.surfaces.cli.table import SHORT_ID
from jotsam.surfaces.cli.terminal import is_person

INTERRUPTED = ("what was read is stored", "the same command continues; nothing is stored or judged twice")


def make_checkpoint(arguments: argparse.Namespace) -> int:
    """Make a checkpoint. Returns 1 if something could not be imported, 8 if the worker is not done in time."""
    started = monotonic_ms()
    with Jotsam(settings=arguments.settings) as jot, Interruptible(*INTERRUPTED), ProgressBar() as bar:
        done, imported = checkpoint(
            jot,
            arguments.paths,
            project=arguments.project,
            dry_run=arguments.dry_run,
            timeout_ms=round(arguments.timeout * 1000),
            tell=bar,
        )
    if arguments.json:
        print_json(**fields_of(done))
    else:
        if imported:
            print_problems(imported)
        _print(done, monotonic_ms() - started)
    is_done = done.state in ("done", "planned")
    return FAILED if done.problems or done.state == "failed" else OK if is_done else PENDING


def _print(done: Checkpoint, took: int) -> None:
    turns, judged = plural(done.imported, "turn"), plural(done.judged, "memory", "memories")
    crystals = plural(done.promoted, "crystal")
    more = f", {done.supported:,} supported" if done.supported else ""
    more += f", {done.refused:,} refused" if done.refused else ""
    if done.dry_run:
        echo(
            f"would import {turns}, judge {judged}, promote {crystals}{more}; what would be imported is not judged yet"
        )
        return
    time = f" in {run_time(took)}" if took >= 1_000 and is_person() else ""
    echo(f"{turns} imported, {judged} judged, {crystals} promoted{more}{time}")
    if done.state != "done":
        warn(f"the run of crystals is {done.state}: `jotsam db lifecycle show {(done.run or '')[:SHORT_ID]}`")
    if done.left:
        warn(f"{plural(done.left, 'job')} not done: `jotsam status` shows them")
    if done.promoted or done.refused:
        hint("`jotsam themes crystals` lists them")
