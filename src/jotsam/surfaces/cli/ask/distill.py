"""`jotsam themes distill`: propose commands, scripts, conventions and skills out of repeated workflows."""

from __future__ import annotations

import argparse

from jotsam.core.clock import format_time
from jotsam.core.crystal_records import Distilled, Workflow
from jotsam.memory.api.client import Jotsam
from jotsam.memory.lifecycle import distil
from jotsam.surfaces.cli.output import echo, hint, plural, print_json

QUOTES = 3  # that are shown of a proposal


def distill(arguments: argparse.Namespace) -> None:
    """Print proposals, or write them as files."""
    if arguments.ids and arguments.write is None:
        arguments.usage_error("ids need --write FOLDER")
    with Jotsam(settings=arguments.settings) as jot:
        found = distil.distil(
            jot.database,
            tenant=jot.settings.tenant,
            project=arguments.project,
            since=arguments.since,
            min_sessions=arguments.min_sessions,
            folder=arguments.folder,
        )
    written = [] if arguments.write is None else distil.write_proposals(found, arguments.write, ids=arguments.ids)
    if arguments.json:
        print_json(
            workflows=found.workflows[: arguments.limit],
            sessions=found.sessions,
            examined=found.examined,
            is_complete=found.is_complete,
            written=written,
        )
    elif arguments.write is None:
        _print(found, arguments.limit)
    else:
        for path in written:
            echo(path)
        echo(f"wrote {plural(len(written), 'file')}")


def _print(found: Distilled, limit: int) -> None:
    for one in found.workflows[:limit]:
        _print_workflow(one)
    echo(
        f"{plural(len(found.workflows), 'proposal')} from {plural(found.sessions, 'session')}"
        + ("" if found.is_complete else f", of the latest {found.examined:,} memories")
    )
    if found.workflows:
        hint("nothing was written: `jotsam themes distill --write FOLDER [ID...]` writes proposals as files")


def _print_workflow(one: Workflow) -> None:
    days = " to ".join(dict.fromkeys(format_time(at)[:10] for at in (one.first_at, one.last_at)))
    echo(f"{one.id}  {one.kind}, in {len(one.sessions)} sessions, {days}")
    for line in one.lines:
        echo(f"    {line}")
    for quote in one.quotes[:QUOTES]:
        echo(f"  {format_time(quote.at)[:10]} {quote.session[:12]} {quote.memory[:8]}: {quote.text}")
    if one.covered_by:
        echo(f"  covered by {one.covered_by}")
    echo()
