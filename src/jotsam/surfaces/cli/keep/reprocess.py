"""`jotsam models reprocess`: extract again from stored memories."""

from __future__ import annotations

import os

from jotsam.core.clock import monotonic_ms, run_time
from jotsam.ingest.files import with_tilde
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import OK, USAGE, echo, hint, plural, print_interrupted, print_json, warn
from jotsam.surfaces.cli.progress import ProgressBar, background
from jotsam.surfaces.cli.terminal import is_person

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.memory.jobs.reprocess import ReprocessPlan

PART = 500  # memories that are queued at once
FILTERS = ("project", "source", "type", "extractor", "degraded")


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
