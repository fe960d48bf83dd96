"""`jotsam db lifecycle`: when each step runs, what it would change, its runs, and their undo."""

from __future__ import annotations

from jotsam.core.clock import duration, format_time, monotonic_ms, system_clock
from jotsam.core.errors import JotsamError
from jotsam.core.names import CLUSTER, CREATIVE, DECAY, ENTITY, FORGET
from jotsam.memory.api.change_log import note_change
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.keep.commands import ALL
from jotsam.surfaces.cli.output import FAILED, OK, PENDING, echo, hint, paint, plural, print_json, print_table, report
from jotsam.surfaces.cli.progress import ProgressLine
from jotsam.surfaces.cli.table import SHORT_ID
from jotsam.surfaces.cli.terminal import ask, can_ask

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

    from jotsam.core.lifecycle_records import LifecycleChange, LifecyclePlan, LifecycleRun, LifecycleStep
    from jotsam.core.records import Link

FULL = (DECAY, CREATIVE, CLUSTER, FORGET)  # what `all` runs, as AutoMem's mode `full` does
THRESHOLDS = ("archive_below", "remove_below")
LIVE = ("waiting", "running")
SLICE_MS = 500  # between two lines of progress
UUID = 36  # characters
COLOURS = {"failed": "red", "undone": "yellow", "waiting": "dim", "running": "dim", "undoing": "yellow"}


def list_runs(arguments: argparse.Namespace) -> None:
    """List the steps and the latest runs."""
    with Jotsam(settings=arguments.settings) as jot:
        steps = jot.lifecycle.steps()
        runs = jot.lifecycle.runs(step=arguments.step, limit=arguments.limit)
    if arguments.json:
        print_json(steps=steps, runs=runs)
        return
    print_table(("step", "runs", "next", "last run", "changed"), map(_step_row, steps))
    echo()
    if runs:
        print_table(("id", "step", "state", "origin", "began", "examined", "changed", "error"), map(_run_row, runs))
        hint("`jotsam db lifecycle show ID` shows what a run changed, `jotsam db lifecycle undo ID` takes it back")
    else:
        echo("no runs yet")
    hint("`jotsam db lifecycle run STEP` prints what a step would change")


def run_steps(arguments: argparse.Namespace) -> int:
    """Print what steps would change, or have the worker do it."""
    if arguments.no_wait and not arguments.apply:
        arguments.usage_error("--no-wait needs --apply")
    steps = FULL if arguments.step == ALL else (arguments.step,)
    with Jotsam(settings=arguments.settings) as jot:
        if arguments.apply:
            return _apply(jot, steps, arguments)
        plans = [jot.lifecycle.plan(step, limit=arguments.limit) for step in steps]
    if arguments.json:
        print_json(plans=plans, runs=[])
        return OK
    for plan in plans:
        _print_plan(plan)
    if FORGET in steps and not any(getattr(arguments.settings, name) for name in THRESHOLDS):
        hint(f"forget changes nothing while {' and '.join(THRESHOLDS)} are 0")
    echo("nothing was changed: --apply does it")
    return OK


def show_run(arguments: argparse.Namespace) -> None:
    """Print a run with what it changed."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.lifecycle.show(arguments.run, limit=arguments.limit)
    if arguments.json:
        print_json(run=found.run, counts=found.counts, changes=found.changes)
        return
    for name, value in _properties(found.run):
        echo(f"{name:9} {value}")
    _print_changes(found.counts, found.changes)
    if found.run.state in ("done", "failed") and found.changes:
        hint(f"`jotsam db lifecycle undo {found.run.id[:SHORT_ID]}` takes it back")


def undo_run(arguments: argparse.Namespace) -> None:
    """Take back what a run changed, after a question or with --yes."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.lifecycle.show(arguments.run, limit=0).run
        what = f"{plural(found.changed, 'change')} of run {found.id[:SHORT_ID]} ({found.step})"
        is_wanted = arguments.yes or (can_ask(arguments) and ask(f"Take back {what}? [y/N] ", default=False))
        undone = jot.lifecycle.undo(found.id) if is_wanted else None
        if undone:
            note_change(jot, "undo lifecycle", undone.id)
    if arguments.json:
        print_json(run=undone or found, undone=undone is not None)
    elif undone is None:
        echo(f"would take back {what}")
        echo("nothing was changed: --yes does it")
    else:
        echo(f"took back {plural(undone.reverted, 'change')} of run {undone.id[:SHORT_ID]} ({undone.step})")
        if undone.kept:
            echo(f"  {plural(undone.kept, 'change')} stayed, because something else has changed the same since")
        if undone.step != DECAY:  # which computes each time what is true now
            hint("later runs do not make these changes again, until `jotsam db lifecycle allow-again`")


def allow_again(arguments: argparse.Namespace) -> None:
    """Let later runs make changes again that were taken back."""
    with Jotsam(settings=arguments.settings) as jot:
        allowed = jot.lifecycle.allow_again()
    if arguments.json:
        print_json(allowed=allowed)
    else:
        echo(f"{plural(allowed, 'change')} that {'was' if allowed == 1 else 'were'} taken back may be made again")


def _apply(jot: Jotsam, steps: Sequence[str], arguments: argparse.Namespace) -> int:
    """Have the worker run steps one after the other. Returns 8 if one has not ended in time, 1 if one has failed."""
    runs = [jot.lifecycle.run(step) for step in steps]
    for one in runs:
        note_change(jot, "lifecycle", one.id)
    if not arguments.no_wait:
        deadline = monotonic_ms() + round(arguments.timeout * 1_000)
        runs = [_wait(jot, one, deadline) for one in runs]
    if arguments.json:
        print_json(plans=[], runs=runs)
    for one in () if arguments.json else runs:
        _print_run(one)
    for one in runs:
        if one.state == "failed":
            report(JotsamError(f"run {one.id[:SHORT_ID]} of {one.step} has failed: {one.error}"))
    if any(one.state == "failed" for one in runs):
        return FAILED
    return PENDING if not arguments.no_wait and any(one.state in LIVE for one in runs) else OK


def _wait(jot: Jotsam, run: LifecycleRun, deadline: int) -> LifecycleRun:
    with ProgressLine() as line:
        while (left_ms := deadline - monotonic_ms()) > 0 and run.state in LIVE:
            run = jot.lifecycle.wait(run.id, timeout_ms=min(left_ms, SLICE_MS))
            line(f"{run.step}: {run.state}, {run.examined:,} examined, {run.changed:,} changed")
    return run


def _print_run(run: LifecycleRun) -> None:
    id = run.id[:SHORT_ID]
    if run.state in LIVE:
        echo(f"{run.step:9} run {id} is {run.state}: `jotsam db lifecycle show {id}` shows how far it is")
    elif run.state == "done":
        echo(f"{run.step:9} run {id}: {run.examined:,} examined, {run.changed:,} changed")
        if run.changed:
            hint(f"`jotsam db lifecycle undo {id}` takes it back")


def _print_plan(plan: LifecyclePlan) -> None:
    echo(f"{paint(plan.step, 'bold')} would make {plural(plan.changed, 'change')}, {plan.examined:,} examined")
    _print_changes(plan.counts, plan.changes)


def _print_changes(counts: Mapping[str, int], changes: Sequence[LifecycleChange]) -> None:
    for kind, count in sorted(counts.items()):
        echo(f"  {kind:12} {count:,}")
    if changes:
        print_table(("kind", "number", "about", "why"), map(_change_row, changes))
    listed = sum(one.number for one in changes)
    if 0 < listed < sum(counts.values()):
        echo(f"and {sum(counts.values()) - listed:,} more: raise --limit")


def _change_row(one: LifecycleChange) -> tuple[object, ...]:
    named = [
        id[:SHORT_ID] if len(id) == UUID else id.removeprefix(ENTITY) for id in one.ids if len(id) == UUID or ":" in id
    ]
    about = " ".join(named[:3]) + (" …" if len(named) > 3 else "")
    return one.kind, f"{one.number:,}", about, f"{one.why}{' (taken back)' if one.reverted else ''}"


def _step_row(one: LifecycleStep) -> tuple[object, ...]:
    every = "every day" if one.every_days == 1 else f"every {one.every_days:,} days" if one.every_days else "off"
    if one.last is None:
        return one.step, every, _next(one), "never", ""
    state = "" if one.last.state == "done" else f" ({one.last.state})"
    return one.step, every, _next(one), f"{format_time(one.last.created_at)}{state}", f"{one.last.changed:,}"


def _next(one: LifecycleStep) -> str:
    if one.next_at is None:
        return "when asked"
    left_ms = one.next_at - system_clock()
    return f"in {duration(left_ms)}" if left_ms > 0 else "when a worker is idle"


def _run_row(one: LifecycleRun) -> tuple[object, ...]:
    state = paint(one.state, COLOURS[one.state]) if one.state in COLOURS else one.state
    began = format_time(one.started_at or one.created_at)
    return one.id[:SHORT_ID], one.step, state, one.origin, began, f"{one.examined:,}", f"{one.changed:,}", one.error


def _properties(run: LifecycleRun) -> Iterator[tuple[str, object]]:
    yield "run", f"{run.id}  {run.step}"
    yield "state", paint(run.state, COLOURS[run.state]) if run.state in COLOURS else run.state
    yield "origin", run.origin
    yield "created", format_time(run.created_at)
    for name, at in (("began", run.started_at), ("ended", run.ended_at), ("undone", run.undone_at)):
        if at is not None:
            yield name, format_time(at)
    yield "examined", f"{run.examined:,}"
    yield "changed", f"{run.changed:,}"
    if run.reverted or run.kept:
        yield "undo", f"{run.reverted:,} taken back, {run.kept:,} stayed"
    if run.step == FORGET:
        for name, value in run.options.items():
            yield name.removesuffix("_below"), f"below a relevance of {value:g}" if value else "off"
    if run.error:
        yield "error", run.error


def found_links(arguments: argparse.Namespace) -> None:
    """List the links, or remove them."""
    with Jotsam(settings=arguments.settings) as jot:
        removed = 0
        if arguments.remove:
            removed = jot.lifecycle.remove_links(kind=arguments.kind)
        found = jot.lifecycle.links(kind=arguments.kind, limit=arguments.limit)
    if arguments.json:
        print_json(links=found, removed=removed)
    elif arguments.remove:
        echo(f"removed {plural(removed, 'link')}")
    elif found:
        print_table(("from", "link", "kind", "to", "cosine", "both name"), map(_link_row, found))
    else:
        echo("no links were found yet")


def _link_row(link: Link) -> tuple[object, ...]:
    said = link.properties or {}
    about = said.get("kind"), link.target[:8], said.get("similarity"), said.get("shared")
    return link.source[:8], link.type, *about
