"""`jotsam jobs`, `pause` and `resume`: list unfinished jobs, find stuck ones, retry and discard; stop a queue."""

from __future__ import annotations

from jotsam.core.clock import duration, format_time, system_clock
from jotsam.core.errors import NotFound
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.output import FAILED, OK, echo, hint, plural, print_json, print_table, report, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import TypeVar

    from jotsam.core.job_records import Job
    from jotsam.memory.jobs.jobs import JobChange, StuckJob

    T = TypeVar("T")

DONE = {"retry": "retried", "discard": "discarded"}
PREVIEWED = 20  # jobs that a dry run lists
MAX_DEAD = 1_000_000_000  # `retry all` and `discard all` change every dead job, so no smaller limit applies
HEADS = ("id", "kind", "state", "failures", "age", "next", "error")


def list_jobs(arguments: argparse.Namespace) -> None:
    """List jobs, oldest first."""
    if arguments.stuck:
        _list_stuck(arguments)
        return
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.admin.jobs(
            state=arguments.state,
            kind=arguments.kind,
            error=arguments.error,
            older_ms=arguments.older_than,
            after=arguments.after,
            limit=arguments.limit + 1,
            all_tenants=arguments.all_tenants,
        )
    page, following = _page(found, [job.id for job in found], arguments.limit)
    if arguments.json:
        print_json(jobs=page, **following)
    elif not page:
        echo("no matching jobs")
    else:
        rows = [(*_tenant(job, arguments), *_row(job)) for job in page]
        print_table((*(("tenant",) if arguments.all_tenants else ()), *HEADS), rows)
        _hint_at_more(following)


def list_groups(arguments: argparse.Namespace) -> None:
    """List groups of jobs with the same error, largest first."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.admin.failure_groups(kind=arguments.kind, all_tenants=arguments.all_tenants)
    shown = found[: arguments.limit]
    if arguments.json:
        print_json(groups=shown, total=len(found))
        return
    if not found:
        echo("no job has failed")
        return
    rows = [
        (group.key, group.jobs, group.dead, group.example, format_time(group.newest or 0), group.error)
        for group in shown
    ]
    print_table(("key", "jobs", "dead", "example", "newest", "error"), rows)
    if len(shown) < len(found):
        hint(f"showing {len(shown)} of {len(found)} groups; use --limit to see more")
    if any(group.dead for group in shown):
        hint("retry the dead jobs of a group with `jotsam jobs retry --group KEY`")


def change_jobs(arguments: argparse.Namespace) -> int:
    """Retry or discard the chosen jobs. A job that cannot be changed does not stop the others."""
    with Jotsam(settings=arguments.settings) as jot:
        ids = _chosen(arguments, jot)
        change_many = jot.admin.retry_many if arguments.verb == "retry" else jot.admin.discard_many
        changes = change_many(ids, dry_run=arguments.dry_run)
    changed = [one for one in changes if one.error is None]
    refused = [one for one in changes if one.error is not None]
    for one in refused:
        assert one.error
        report(one.error)
    if arguments.json:
        errors = [{"id": one.id, "error": str(one.error)} for one in refused]
        print_json(
            **{DONE[arguments.verb]: [one.id for one in changed]},
            errors=errors,
            **({"dry_run": True} if arguments.dry_run else {}),
        )
    else:
        _print_changes(changed, arguments)
    return FAILED if refused else OK


def _list_stuck(arguments: argparse.Namespace) -> None:
    if arguments.state or arguments.error or arguments.older_than is not None:
        arguments.usage_error("--stuck can only be combined with --kind, --after, --limit and --all-tenants")
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.admin.stuck(
            kind=arguments.kind, after=arguments.after, limit=arguments.limit + 1, all_tenants=arguments.all_tenants
        )
        worker = jot.status().worker
    page, following = _page(found, [one.job.id for one in found], arguments.limit)
    if arguments.json:
        print_json(stuck=page, **following)
        return
    if not page:
        echo("no job is stuck")
        return
    heads = (*(("tenant",) if arguments.all_tenants else ()), "id", "kind", "state", "age", "why")
    print_table(heads, [(*_tenant(one.job, arguments), *_stuck_row(one, worker)) for one in page])
    _hint_at_more(following)


def _stuck_row(one: StuckJob, worker: str) -> tuple[object, ...]:
    age = duration(max(0, system_clock() - one.job.created_at))
    return one.job.id, one.job.kind, one.job.state, age, _why(one, worker)


def _why(one: StuckJob, worker: str) -> str:
    since = duration(one.since_ms)
    if one.why == "expired":
        return f"lease expired {since} ago, not reclaimed yet"
    if one.why == "held":
        return f"running for {since}, lease extended repeatedly"
    if one.why == "overdue":
        return f"retry was due {since} ago"
    idle = "no worker is running" if worker == "none" else "the worker has not received it"
    return f"ready for {since}: {idle}"


def _page(found: list[T], ids: list[int], limit: int) -> tuple[list[T], dict[str, int]]:
    """One page, and the value of `--after` for the next one if there is one."""
    return found[:limit], {"next": ids[limit - 1]} if len(found) > limit else {}


def _hint_at_more(following: dict[str, int]) -> None:
    if following:
        hint(f"there are more: continue with --after {following['next']}, or raise --limit")


def _chosen(arguments: argparse.Namespace, jot: Jotsam) -> list[int]:
    """The ids of the jobs to change: given by number, or dead ones in bulk, which needs `--yes`."""
    if not _is_bulk(arguments):
        wrong = next((id for id in arguments.ids if not (id.isascii() and id.isdigit() and len(id) < 19)), None)
        if wrong is not None:
            arguments.usage_error(f"invalid job number {wrong!r}")
        return list(dict.fromkeys(int(id) for id in arguments.ids))
    found = jot.admin.dead(kind=arguments.kind, error=arguments.error, group=arguments.group, limit=MAX_DEAD)
    dead = [job.id for job in found]
    if arguments.group is not None and not dead:
        raise NotFound(f"there is no group {arguments.group!r} of dead jobs; `jotsam jobs groups` lists them")
    if dead and not arguments.yes and not arguments.dry_run:
        what = plural(len(dead), "dead job")
        arguments.usage_error(f"this would {arguments.verb} {what}: add --yes, or --dry-run to list them")
    return dead


def _is_bulk(arguments: argparse.Namespace) -> bool:
    filtered = arguments.error is not None or arguments.group is not None
    if arguments.error == "":
        arguments.usage_error("--error is empty: give part of an error message, or use `all`")
    if filtered and arguments.ids not in ([], ["all"]):
        arguments.usage_error("give either job numbers, or --error and --group")
    if not filtered and not arguments.ids:
        arguments.usage_error("give job numbers, `all`, --error or --group")
    return filtered or arguments.ids == ["all"]


def _print_changes(changed: list[JobChange], arguments: argparse.Namespace) -> None:
    if not arguments.dry_run:
        none = ": no matching job is dead" if not changed and _is_bulk(arguments) else ""
        echo(f"{DONE[arguments.verb]} {plural(len(changed), 'job')}{none}")
        return
    for one in changed[:PREVIEWED]:
        assert one.job
        echo(f"would {arguments.verb} job {one.id} ({one.job.kind}): {shorten(one.job.error or 'no error', 80)}")
    if len(changed) > PREVIEWED:
        echo(f"... and {len(changed) - PREVIEWED:,} more")
    echo(f"would {arguments.verb} {plural(len(changed), 'job')}; nothing was changed")


def failures_of(job: Job) -> str:
    """The failures of a job, of how many, and its interruptions if there are any."""
    interruptions = f", {plural(job.interruptions, 'interruption')}" if job.interruptions else ""
    return f"{job.failures} of {job.max_receive}{interruptions}"


def _tenant(job: Job, arguments: argparse.Namespace) -> Iterator[str]:
    if arguments.all_tenants:
        yield job.tenant


def _row(job: Job) -> tuple[object, ...]:
    now = system_clock()
    wakes = "" if job.wake_at is None or job.state != "waiting" else f"in {duration(max(0, job.wake_at - now))}"
    age, failures = duration(max(0, now - job.created_at)), failures_of(job)
    return job.id, job.kind, job.state, failures, age, wakes, job.error


def pause(arguments: argparse.Namespace) -> None:
    """Pause a queue. Jobs that are running are finished."""
    with Jotsam(settings=arguments.settings) as jot:
        jot.admin.pause(arguments.queue, reason=arguments.reason)
    if arguments.json:
        print_json(queue=arguments.queue, paused=True)
    else:
        echo(f"{arguments.queue} is paused until `jotsam jobs resume {arguments.queue}`; new jobs are still accepted")


def resume(arguments: argparse.Namespace) -> None:
    """Resume a queue that was paused by a person or by its circuit breaker."""
    with Jotsam(settings=arguments.settings) as jot:
        was_paused = jot.admin.resume(arguments.queue)
    if arguments.json:
        print_json(queue=arguments.queue, paused=False, was_paused=was_paused)
    else:
        echo(f"{arguments.queue} is resumed" if was_paused else f"{arguments.queue} was not paused")
