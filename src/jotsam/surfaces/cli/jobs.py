"""`jotsam jobs`: the jobs that are not done, which of them are stuck or fail alike, and what can be done with them."""

from __future__ import annotations

from jotsam.core.clock import format_time, system_clock
from jotsam.core.errors import NotFound
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli.output import FAILED, OK, complain, duration, emit, hint, plural, say, shorten, table
from jotsam.surfaces.cli.recall import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import TypeVar

    from jotsam.core.job_records import Job
    from jotsam.memory.client import JobChange, StuckJob

    T = TypeVar("T")

__all__ = ["change", "groups", "listed", "show"]

DONE = {"retry": "revived", "discard": "discarded"}
WOULD = {"retry": "would revive", "discard": "would discard"}
SHOWN = 20
HEADS = ("id", "kind", "state", "failures", "age", "next", "error")


def listed(arguments: argparse.Namespace) -> int:
    """List jobs, oldest first."""
    if arguments.stuck:
        return _stuck(arguments)
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.jobs(
            state=arguments.state,
            kind=arguments.kind,
            error=arguments.error,
            older_ms=arguments.older,
            after=arguments.after,
            limit=arguments.limit + 1,
            all_tenants=arguments.all_tenants,
        )
    page, following = _page(found, [job.id for job in found], arguments.limit)
    if arguments.json:
        emit(jobs=page, **following)
    elif not page:
        say("no such jobs")
    else:
        rows = [(*_whose(job, arguments), *_row(job)) for job in page]
        table((*(("tenant",) if arguments.all_tenants else ()), *HEADS), rows)
        _tell_of_more(following)
    return OK


def groups(arguments: argparse.Namespace) -> int:
    """List what jobs fail of, the commonest first."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.groups(kind=arguments.kind, all_tenants=arguments.all_tenants)
    shown = found[: arguments.limit]
    if arguments.json:
        emit(groups=shown, total=len(found))
        return OK
    if not found:
        say("no job has failed")
        return OK
    rows = [
        (group.key, group.jobs, group.dead, group.example, format_time(group.newest or 0), shorten(group.error, 100))
        for group in shown
    ]
    table(("key", "jobs", "dead", "example", "newest", "error"), rows)
    if len(shown) < len(found):
        hint(f"these are {len(shown)} of {len(found)} groups; --limit shows more")
    if any(group.dead for group in shown):
        hint("revive the dead ones of a group with `jotsam jobs retry --group KEY`")
    return OK


def change(arguments: argparse.Namespace) -> int:
    """Revive or remove every job that is chosen; one that cannot be changed does not keep the others from it."""
    with Jotsam(settings=arguments.settings) as jot:
        ids = _chosen(arguments, jot)
        changes = list(jot.change(ids, verb=arguments.verb, dry_run=arguments.dry_run))
    changed = [one for one in changes if one.error is None]
    refused = [one for one in changes if one.error is not None]
    for one in refused:
        assert one.error
        complain(one.error)
    if arguments.json:
        errors = [{"id": one.id, "error": str(one.error)} for one in refused]
        emit(
            **{DONE[arguments.verb]: [one.id for one in changed]},
            errors=errors,
            **({"dry_run": True} if arguments.dry_run else {}),
        )
    else:
        _tell_changes(changed, arguments)
    return FAILED if refused else OK


def _stuck(arguments: argparse.Namespace) -> int:
    if arguments.state or arguments.error or arguments.older is not None:
        arguments.usage_error("--stuck goes with --kind, --after, --limit and --all-tenants only")
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.stuck(
            kind=arguments.kind,
            after=arguments.after,
            limit=arguments.limit + 1,
            all_tenants=arguments.all_tenants,
        )
        worker = jot.status().worker
    page, following = _page(found, [one.job.id for one in found], arguments.limit)
    if arguments.json:
        emit(stuck=page, **following)
        return OK
    if not page:
        say("no job is stuck")
        return OK
    heads = (*(("tenant",) if arguments.all_tenants else ()), "id", "kind", "state", "age", "why")
    rows = [(*_whose(one.job, arguments), *_stuck_row(one, worker)) for one in page]
    table(heads, rows)
    _tell_of_more(following)
    return OK


def _stuck_row(one: StuckJob, worker: str) -> tuple[object, ...]:
    age = duration(max(0, system_clock() - one.job.created_at))
    return one.job.id, one.job.kind, one.job.state, age, _why(one, worker)


def _why(one: StuckJob, worker: str) -> str:
    since = duration(one.since_ms)
    if one.why == "expired":
        return f"its lease ended {since} ago, and nobody has taken it back"
    if one.why == "held":
        return f"it has been running for {since}, and its lease is prolonged again and again"
    if one.why == "overdue":
        return f"it should have been tried again {since} ago"
    idle = "no worker runs" if worker == "none" else "the worker has not come to it"
    return f"it has been ready for {since}: {idle}"


def _page(found: list[T], ids: list[int], limit: int) -> tuple[list[T], dict[str, int]]:
    """One page, and where the next one begins, if there is one."""
    return found[:limit], {"next": ids[limit - 1]} if len(found) > limit else {}


def _tell_of_more(following: dict[str, int]) -> None:
    if following:
        hint(f"there are more: go on with --after {following['next']}, or raise --limit")


def _chosen(arguments: argparse.Namespace, jot: Jotsam) -> list[int]:
    """The jobs that are meant: those named, or dead ones in bulk, which needs a yes."""
    if not _is_bulk(arguments):
        wrong = next((id for id in arguments.ids if not (id.isascii() and id.isdigit() and len(id) < 19)), None)
        if wrong is not None:
            arguments.usage_error(f"{wrong!r} is not the number of a job")
        return list(dict.fromkeys(int(id) for id in arguments.ids))
    dead = jot.dead(kind=arguments.kind, error=arguments.error, group=arguments.group)
    if arguments.group is not None and not dead:
        raise NotFound(f"there is no group {arguments.group!r} of dead jobs; `jotsam jobs groups` lists them")
    if not arguments.yes and not arguments.dry_run:
        arguments.usage_error(f"this would change {plural(len(dead), 'dead job')}: add --yes, or --dry-run to see them")
    return dead


def _is_bulk(arguments: argparse.Namespace) -> bool:
    filters = [arguments.error, arguments.group]
    filtered = any(value is not None for value in filters)
    if arguments.error == "":
        arguments.usage_error("--error is empty: give a part of the error, or `all`")
    if filtered and arguments.ids not in ([], ["all"]):
        arguments.usage_error("give numbers of jobs, or --error and --group, and not both")
    if not filtered and not arguments.ids:
        arguments.usage_error("name jobs by their numbers, or give `all`, --error or --group")
    return filtered or arguments.ids == ["all"]


def _tell_changes(changed: list[JobChange], arguments: argparse.Namespace) -> None:
    if not arguments.dry_run:
        say(f"{DONE[arguments.verb]} {plural(len(changed), 'job')}")
        return
    for one in changed[:SHOWN]:
        assert one.job
        say(f"{WOULD[arguments.verb]} job {one.id} ({one.job.kind}): {shorten(one.job.error or 'no error', 80)}")
    if len(changed) > SHOWN:
        say(f"... and {len(changed) - SHOWN:,} more")
    say(f"{WOULD[arguments.verb]} {plural(len(changed), 'job')}; nothing was changed")


def _whose(job: Job, arguments: argparse.Namespace) -> Iterator[str]:
    if arguments.all_tenants:
        yield job.tenant


def _row(job: Job) -> tuple[object, ...]:
    now = system_clock()
    wakes = "" if job.wake_at is None or job.state != "waiting" else f"in {duration(max(0, job.wake_at - now))}"
    age, failures = duration(max(0, now - job.created_at)), f"{job.failures} of {job.max_receive}"
    return job.id, job.kind, job.state, failures, age, wakes, shorten(job.error or "", 80)
