"""`jotsam db maintain` and `jotsam db retention`: remove what is past its time, and show what that is."""

from __future__ import annotations

import argparse

from jotsam.admin.maintain import maintain
from jotsam.core.clock import run_time
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import echo, plural, print_json


def run_maintenance(arguments: argparse.Namespace) -> None:
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


def show_retention(arguments: argparse.Namespace) -> None:
    settings = arguments.settings
    with Jotsam(settings=settings) as jot:
        found = jot.admin.expired()
    if arguments.json:
        print_json(expired=found)
        return
    for name, number, one, many in (
        ("keep_documents_days", found.texts, "text of a document", "texts of documents"),
        ("keep_history_days", found.versions, "earlier version", "earlier versions"),
        ("keep_superseded_days", found.superseded, "superseded memory", "superseded memories"),
        ("trash_days", found.trash, "part of the trash", "parts of the trash"),
        ("keep_audit_days", found.audit, "entry of the audit", "entries of the audit"),
    ):
        days = getattr(settings, name)
        past = f"{plural(days, 'day')}; {plural(number, one, many)} to remove" if days else "for ever"
        echo(f"{name.ljust(20)} {past}")
