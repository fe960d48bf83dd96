"""`jotsam reprocess`, `extract-prompt`, `extract-apply` and `costs`: extract again, and what models cost."""

from __future__ import annotations

import os

from jotsam.core.clock import monotonic_ms
from jotsam.core.durations import run_time
from jotsam.core.errors import InvalidInput
from jotsam.ingest.files import with_tilde
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.add_many import background
from jotsam.surfaces.cli.output import (
    OK,
    USAGE,
    echo,
    hint,
    paint,
    plural,
    print_interrupted,
    print_json,
    print_table,
    warn,
)
from jotsam.surfaces.cli.progress import ProgressBar
from jotsam.surfaces.cli.reader import is_person
from jotsam.surfaces.cli.text_input import file_argument

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.memory.reprocess import ReprocessPlan

PART = 500  # memories that are queued at once
FILTERS = ("project", "source", "type", "extractor", "degraded")


def costs(arguments: argparse.Namespace) -> int:
    """List calls, tokens and cost of models by day."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.admin.costs(days=arguments.days)
    if arguments.json:
        print_json(costs=found)
    elif found:
        rows = [(one.day, one.model, one.calls, f"{one.tokens:,}", f"{one.cost:.4f}") for one in found]
        print_table(("day", "model", "calls", "tokens", "cost"), rows)
    else:
        echo("no model was called")
    return OK


def reprocess(arguments: argparse.Namespace) -> int:
    """Queue memories for extraction, and print the estimated cost."""
    wanted = {name: getattr(arguments, name) for name in FILTERS if getattr(arguments, name)}
    if not (arguments.ids or wanted or arguments.all):
        arguments.usage_error("give ids of memories or documents, a filter such as --degraded or --project, or --all")
    started = monotonic_ms()
    with Jotsam(settings=arguments.settings) as jot:
        plan = jot.plan_reprocess(arguments.ids, force=arguments.force, **wanted)
        if arguments.source and not _is_any(plan):
            # The source of a file is its full path, but people type a relative one.
            whole = wanted | {"source": with_tilde(os.path.realpath(os.path.expanduser(arguments.source)))}
            plan = jot.plan_reprocess(arguments.ids, force=arguments.force, **whole)
        refused = bool(plan.cost and plan.cost.calls and not arguments.ids and not arguments.yes)
        queued = 0 if arguments.dry_run or refused else _queue(jot, plan, clear=arguments.clear)
    if arguments.json:
        counts = {"due": len(plan.due), "waiting": plan.waiting, "current": plan.current}
        print_json(**counts, queued=queued, cost=plan.cost, documents=len(plan.documents))
    else:
        closing = ""
        if queued and is_person():
            closing = f", in {run_time(monotonic_ms() - started)}; {background(arguments.settings)}"
        _print(plan, queued, arguments.dry_run or refused, closing)
    if not _is_any(plan) and wanted.keys() - {"degraded"} and not arguments.json:
        hint("no memory matches; `jotsam recall --why` shows the source, project and type of each hit")
    if refused and not arguments.dry_run:
        warn("nothing was queued")
        hint("add --yes to confirm the cost")
        return USAGE
    return OK


def _queue(jot: Jotsam, plan: ReprocessPlan, *, clear: bool) -> int:
    """Queue a plan in parts, with a progress bar. Returns how many memories and documents were queued."""
    queued, total = 0, len(plan.due) + len(plan.documents)
    try:
        with ProgressBar() as bar:
            for begin in range(0, max(len(plan.due), min(total, 1)), PART):
                part = plan.replace(due=plan.due[begin : begin + PART], documents=() if begin else plan.documents)
                queued += jot.reprocess(part, clear=clear)
                bar("queueing", len(plan.documents) + min(begin + PART, len(plan.due)), total)
    except KeyboardInterrupt:
        advice = "the same command queues the rest, and not what is queued already"
        print_interrupted(f"{queued:,} of {total:,} are queued; {background(jot.settings)}", advice)
        raise
    return queued


def extract_prompt(arguments: argparse.Namespace) -> int:
    """Print the prompt for an agent, or the JSON schema of its answer."""
    if arguments.schema:
        from msgspec import json

        from jotsam.memory.reprocess import EXTRACT_SCHEMA

        echo(json.format(json.encode(EXTRACT_SCHEMA), indent=2).decode())
        return OK
    if not arguments.ids:
        arguments.usage_error("give ids of memories or documents, for example from `jotsam recall --json`")
    with Jotsam(settings=arguments.settings) as jot:
        text = jot.extract_prompt(arguments.ids)
    if arguments.json:
        print_json(prompt=text)
    else:
        echo(text)
    return OK


def extract_apply(arguments: argparse.Namespace) -> int:
    """Save an extraction made by an agent."""
    text = file_argument(arguments.file)
    with Jotsam(settings=arguments.settings) as jot:
        try:
            done = jot.extract_apply(text, by=arguments.by)
        except InvalidInput as error:
            error.add_note("nothing was saved; `jotsam extract-prompt --schema` prints the expected format")
            raise
    if arguments.json:
        print_json(saved=done)
        return OK
    if not done:
        echo("nothing was saved: the file contains no extractions")
    for one in done:
        kinds = f"{plural(one.entities, 'entity', 'entities')}, {plural(one.facts, 'fact')}"
        echo(f"{paint('saved', 'green')}  {one.memory}  {kinds}")
        if one.given > 1:
            warn(f"{one.memory}: given {one.given} times; the last one was saved")
        for rejected in one.rejected:
            warn(f"{one.memory}: rejected {rejected}")
    return OK


def _is_any(plan: ReprocessPlan) -> bool:
    """Whether any memory matched."""
    return bool(plan.due or plan.waiting or plan.current or plan.documents)


def _print(plan: ReprocessPlan, queued: int, is_dry: bool, closing: str) -> None:
    memories = plural(len(plan.due) if is_dry else max(0, queued - len(plan.documents)), "memory", "memories")
    if plan.documents:
        memories += f" and {plural(len(plan.documents), 'document')} whose job was discarded"
    what = f"{memories} would be queued" if is_dry else f"queued {memories}"
    echo(f"{what}; {plan.waiting} already queued, {plan.current} up to date; extractor: {plan.extractor}{closing}")
    if plan.cost is not None and plan.due:
        cost = f", cost {plan.cost.cost:.4f}" if plan.cost.cost else ""
        calls = f"about {plural(plan.cost.calls, 'call')} and {plan.cost.tokens:,} tokens{cost}"
        echo(f"{calls}; {plural(plan.cost.kept, 'cached answer')} at no cost")
