"""`jotsam facts`, `costs`, `reprocess`, `extract-prompt` and `extract-apply`: what was read, by whom, at what cost."""

from __future__ import annotations

import os

from jotsam.core.clock import format_time
from jotsam.core.errors import InvalidInput
from jotsam.ingest.files import decode, read, with_tilde
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.extraction_options import selection
from jotsam.surfaces.cli.output import OK, USAGE, emit, given, hint, paint, plural, say, table, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.core.records import Fact
    from jotsam.memory.client import ReprocessPlan


def facts(arguments: argparse.Namespace) -> int:
    """List facts, the latest first."""
    names = ("subject", "predicate", "object", "project", "history")
    wanted = {name: getattr(arguments, name) for name in names if getattr(arguments, name)}
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.knowledge.facts(words=" ".join(arguments.words) or None, limit=arguments.limit, **wanted)
    if arguments.json:
        emit(facts=found)
    elif found:
        table(("id", "subject", "predicate", "object", "sure", "valid", "found by", "memory"), map(_row, found))
    else:
        say("no such facts")
    return OK


def costs(arguments: argparse.Namespace) -> int:
    """What models have taken, by day."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.costs(days=arguments.days)
    if arguments.json:
        emit(costs=found)
    elif found:
        rows = [(one.day, one.model, one.calls, f"{one.tokens:,}", f"{one.cost:.4f}") for one in found]
        table(("day", "model", "calls", "tokens", "cost"), rows)
    else:
        say("no model was asked")
    return OK


def reprocess(arguments: argparse.Namespace) -> int:
    """Queue memories to be read again, after saying what that will take."""
    wanted = selection(arguments)
    if not (arguments.ids or wanted or arguments.all):
        arguments.usage_error("name memories or documents, or give --degraded, --extractor, --project, ... or --all")
    with Jotsam(settings=arguments.settings) as jot:
        plan = jot.plan_reprocess(arguments.ids, forced=arguments.forced, **wanted)
        if arguments.source and not _is_any(plan):
            # What was added from a file has its whole path for a source, and people type what they see from here.
            whole = wanted | {"source": with_tilde(os.path.realpath(os.path.expanduser(arguments.source)))}
            plan = jot.plan_reprocess(arguments.ids, forced=arguments.forced, **whole)
        refused = bool(plan.cost and plan.cost.calls and not arguments.ids and not arguments.yes)
        queued = 0 if arguments.dry_run or refused else jot.reprocess(plan, clear=arguments.clear)
    if arguments.json:
        emit(due=len(plan.due), queued=queued, waiting=plan.waiting, current=plan.current, cost=plan.cost)
    else:
        _tell(plan, queued, arguments.dry_run or refused)
    if not _is_any(plan) and wanted.keys() - {"degraded"} and not arguments.json:
        hint("no current memory is like that; `jotsam recall --why` shows of each hit its source, project and type")
    if refused and not arguments.dry_run:
        warn("nothing was queued")
        hint("--yes queues them")
        return USAGE
    return OK


def extract_prompt(arguments: argparse.Namespace) -> int:
    """Print the prompt for an agent, or the schema of its answer."""
    if arguments.schema:
        from msgspec import json

        from jotsam.memory.reprocess import EXTRACT_SCHEMA

        say(json.format(json.encode(EXTRACT_SCHEMA), indent=2).decode())
        return OK
    if not arguments.ids:
        arguments.usage_error("name memories or documents, for example what `jotsam recall --json` shows")
    with Jotsam(settings=arguments.settings) as jot:
        text = jot.extract_prompt(arguments.ids)
    if arguments.json:
        emit(prompt=text)
    else:
        say(text)
    return OK


def extract_apply(arguments: argparse.Namespace) -> int:
    """Save what an agent has read."""
    is_piped = arguments.file == "-"
    text = decode(given().read(), name="standard input")[0] if is_piped else read(arguments.file).text
    with Jotsam(settings=arguments.settings) as jot:
        try:
            done = jot.extract_apply(text, by=arguments.by)
        except InvalidInput as error:
            error.add_note("nothing was saved; `jotsam extract-prompt --schema` prints what is allowed")
            raise
    if arguments.json:
        emit(saved=done)
        return OK
    if not done:
        say("nothing was saved: there is no reading in it")
    for one in done:
        kinds = f"{plural(one.entities, 'entity', 'entities')}, {plural(one.facts, 'fact')}"
        say(f"{paint('saved', 'green')}  {one.memory}  {kinds}")
        for word in one.rejected:
            warn(f"{one.memory}: rejected {word}")
    return OK


def _row(fact: Fact) -> tuple[object, ...]:
    first, last = (("" if ms is None else format_time(ms)[:10]) for ms in (fact.valid_from, fact.valid_until))
    valid = f"{first} to {last}" if first or last else ""
    if fact.superseded_at is not None:
        valid = f"superseded {format_time(fact.superseded_at)[:10]}"
    told = (fact.id[:8], fact.subject, fact.predicate, fact.object, f"{fact.confidence:.2f}")
    return *told, valid, fact.extractor, fact.memory[:8]


def _is_any(plan: ReprocessPlan) -> bool:
    """Whether any memory is meant at all."""
    return bool(plan.due or plan.waiting or plan.current)


def _tell(plan: ReprocessPlan, queued: int, is_dry: bool) -> None:
    what = f"{plural(len(plan.due), 'memory', 'memories')} would be queued" if is_dry else f"queued {queued}"
    say(f"{what}; {plan.waiting} queued already, {plan.current} up to date; read by {plan.extractor}")
    if plan.cost is not None and plan.due:
        cost = f", a cost of {plan.cost.cost:.4f}" if plan.cost.cost else ""
        calls = f"about {plural(plan.cost.calls, 'call')} and {plan.cost.tokens:,} tokens{cost}"
        say(f"{calls}; {plural(plan.cost.kept, 'answer')} kept from before cost nothing")
