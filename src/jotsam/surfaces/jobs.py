"""`jotsam jobs`: the jobs that are not done, and what can be done with those that are dead."""

from __future__ import annotations

from jotsam.clock import system_clock
from jotsam.door import Jotsam
from jotsam.errors import JotsamError
from jotsam.surfaces.recall import show
from jotsam.surfaces.screen import FAILED, OK, complain, duration, emit, hint, plural, say, shorten, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from jotsam.records import Job

__all__ = ["discard", "listed", "retry", "show"]

PAGE = 500


def listed(arguments: argparse.Namespace) -> int:
    """List jobs, oldest first."""
    with Jotsam(settings=arguments.settings) as jot:
        found = jot.jobs(state=arguments.state, kind=arguments.kind, limit=arguments.limit)
    if arguments.json:
        emit(jobs=found)
        return OK
    if not found:
        say("no such jobs")
        return OK
    table(("id", "kind", "state", "failures", "age", "next", "error"), [_row(job) for job in found])
    if len(found) == arguments.limit:
        hint(f"these are the first {arguments.limit}; --limit shows more")
    return OK


def retry(arguments: argparse.Namespace) -> int:
    """Revive dead jobs."""
    with Jotsam(settings=arguments.settings) as jot:
        return _each(arguments, jot, jot.retry, "revived")


def discard(arguments: argparse.Namespace) -> int:
    """Remove jobs for good."""
    with Jotsam(settings=arguments.settings) as jot:
        return _each(arguments, jot, jot.discard, "discarded")


def _each(arguments: argparse.Namespace, jot: Jotsam, change: Callable[[int], None], done: str) -> int:
    """Change every job named; one that cannot be changed does not keep the others from it."""
    changed: list[int] = []
    errors: list[dict[str, object]] = []
    for id in _chosen(arguments, jot):
        try:
            change(id)
            changed.append(id)
        except JotsamError as error:
            errors.append({"id": id, "error": str(error)})
            complain(error)
    if arguments.json:
        emit(**{done: changed}, errors=errors)
    else:
        say(f"{done} {plural(len(changed), 'job')}")
    return FAILED if errors else OK


def _chosen(arguments: argparse.Namespace, jot: Jotsam) -> list[int]:
    if arguments.ids == ["all"]:
        dead = list(_all_dead(jot))
        if not arguments.yes:
            arguments.usage_error(f"this would change {plural(len(dead), 'dead job')}: add --yes")
        return dead
    wrong = next((id for id in arguments.ids if not id.isdecimal()), None)
    if wrong is not None:
        arguments.usage_error(f"{wrong!r} is not the number of a job")
    return [int(id) for id in arguments.ids]


def _all_dead(jot: Jotsam) -> Iterator[int]:
    after = 0
    while page := jot.jobs(state="dead", after=after, limit=PAGE):
        yield from (job.id for job in page)
        after = page[-1].id


def _row(job: Job) -> tuple[object, ...]:
    now = system_clock()
    wakes = "" if job.wake_at is None or job.state != "waiting" else f"in {duration(max(0, job.wake_at - now))}"
    age, failures = duration(max(0, now - job.created_at)), f"{job.failures} of {job.max_receive}"
    return job.id, job.kind, job.state, failures, age, wakes, shorten(job.error or "", 80)
