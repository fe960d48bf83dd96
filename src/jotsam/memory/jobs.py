"""The operator's room: which jobs there are, which are stuck, what they fail of, and reviving or removing many.

It stands on the door floor: functions of an open transaction, or of a database where many jobs are changed in slices,
so that the write lock is never held for long. It knows the queues of memory and commands, and what no other queue in
the same file is for.
"""

from __future__ import annotations

import re
from hashlib import blake2s

from jotsam.core import validate
from jotsam.core.errors import InvalidInput, JotsamError, NotFound
from jotsam.core.job_records import Job
from jotsam.core.names import EVERY_QUEUE, STATES
from jotsam.core.records import Record
from jotsam.storage import queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Unpack

    from jotsam.storage.database import Database, Transaction
    from jotsam.storage.queue.inspect_jobs import Wanted

PAGE = 500
SLICE = 200
MOST_ERRORS = 10_000
"""The errors of one queue that are grouped: the latest, where more different ones are there."""

ERROR_LIMIT = 2_000

REVIVE, REMOVE = "retry", "discard"


class StuckJob(Record):
    """A job that should have moved on. `why`: expired, held, overdue or unclaimed, as `storage.queue.stuck` says."""

    job: Job
    why: str
    since_ms: int


class FailureGroup(Record):
    """Jobs that fail of the same. `key` names the group, and stays the same from day to day."""

    key: str
    error: str  # with a placeholder for what differs
    jobs: int
    dead: int  # of these; the others will be tried again by themselves
    example: int  # the id of the latest
    newest: int | None  # when one of them failed last


class JobChange(Record):
    """What became of one job, or would become of it. With an `error` it stays as it is."""

    id: int
    job: Job | None = None
    error: JotsamError | None = None


def _check(*, after: object = 0, limit: object = 1, **texts: object) -> None:
    validate.check_int("after", after, 0, 2**63 - 1)
    validate.check_int("limit", limit, 1)
    for name, value in texts.items():
        validate.check_optional_text(name, value)


def listed(tx: Transaction, *, after: int, limit: int, **wanted: Unpack[Wanted]) -> list[Job]:
    """Jobs in the order they were sent, of the queues of this program alone. Raises `InvalidInput`."""
    _check(after=after, limit=limit, **{name: wanted.get(name) for name in ("kind", "error")})
    validate.check_choice("state", wanted.get("state"), STATES)
    found: list[Job] = []
    for name in EVERY_QUEUE:
        wanted["queue"] = name
        found += queue.jobs(tx, after=after, limit=limit, **wanted)
    return sorted(found, key=lambda job: job.id)[:limit]


def stuck(tx: Transaction, *, tenant: str | None, kind: str | None, after: int, limit: int) -> list[StuckJob]:
    """Jobs that should have moved on, oldest first. Raises `InvalidInput`."""
    _check(after=after, limit=limit, kind=kind)
    found = []
    for name in EVERY_QUEUE:
        found += queue.stuck(tx, queue=name, tenant=tenant, kind=kind, after=after, limit=limit)
    found.sort(key=lambda item: item[0].id)
    return [StuckJob(job=job, why=why, since_ms=max(0, tx.now - since)) for job, why, since in found[:limit]]


def groups(tx: Transaction, *, tenant: str | None, kind: str | None = None) -> list[FailureGroup]:
    """The dead and failed jobs by what they fail of, the largest group first."""
    _check(kind=kind)
    found: dict[str, FailureGroup] = {}
    for name in EVERY_QUEUE:
        for row in queue.errors(tx, queue=name, tenant=tenant, kind=kind, limit=MOST_ERRORS):
            error = same(row.pop("error"))
            one = FailureGroup(key=key(error), error=error, **row)
            found[error] = _together(found[error], one) if error in found else one
    return sorted(found.values(), key=lambda group: (-group.jobs, -group.example))


def dead(
    database: Database, *, tenant: str, kind: str | None = None, error: str | None = None, group: str | None = None
) -> list[int]:
    """The ids of a tenant's dead jobs: all, those whose error contains a text, or those of a group."""
    _check(group=group)
    ids: list[int] = []
    after = 0
    while True:
        with database.snapshot() as tx:
            page = listed(tx, after=after, limit=PAGE, tenant=tenant, state="dead", kind=kind, error=error)
        if not page:
            return ids
        after = page[-1].id
        ids += [job.id for job in page if group is None or key(same(job.error or "")) == group]


def change(
    database: Database, ids: Sequence[int], *, verb: str, tenant: str, dry_run: bool = False
) -> Iterator[JobChange]:
    """Revive (`retry`) jobs that are dead or wait for their time, or remove (`discard`) jobs that nobody holds.

    One that cannot be changed stops no other.

    With `dry_run` everything is looked at and nothing is changed. Raises `InvalidInput`.
    """
    if verb not in _CHANGES:
        raise InvalidInput(f"verb is {verb!r}: give one of {', '.join(_CHANGES)}")
    for id in validate.check_list("ids", ids):
        validate.check_job_id(id)
    for start in range(0, len(ids), SLICE):
        some = ids[start : start + SLICE]
        with database.snapshot() if dry_run else database.transaction() as tx:
            changes = [_looked_at(tx, id, verb, tenant) for id in some]
            for one in changes if not dry_run else ():
                if one.error is None:
                    _CHANGES[verb](tx, one.id)
        yield from changes


def same(error: str) -> str:
    """An error without what differs from job to job: equal for errors of the same cause. Pure.

    UUIDs, quoted texts, paths and addresses, hexadecimal ids, and numbers become placeholders; what is said about
    them stays. Only the beginning of a very long one counts.
    """
    error = error[:ERROR_LIMIT]
    for pattern, placeholder in _DIFFERS:
        error = pattern.sub(placeholder, error)
    return " ".join(error.split())


def key(error: str) -> str:
    """The short name of a group, out of its error as `same` gives it."""
    text = error.encode("utf-8", "surrogatepass")
    return blake2s(text, digest_size=5).hexdigest()


def _looked_at(tx: Transaction, id: int, verb: str, tenant: str) -> JobChange:
    job = queue.get(tx, id)
    if job is None or job.tenant != tenant or job.queue not in EVERY_QUEUE:
        return JobChange(id=id, error=NotFound(f"there is no job {id}; `jotsam jobs` lists them"))
    if verb == REVIVE and job.state not in ("dead", "waiting"):
        wrong = InvalidInput(f"job {id} is {job.state}: it is neither dead nor waiting, so there is nothing to revive")
        return JobChange(id=id, job=job, error=wrong)
    if verb == REMOVE and job.state == "leased":
        return JobChange(id=id, job=job, error=InvalidInput(f"job {id} is running; wait until it has ended"))
    return JobChange(id=id, job=job)


def _revive(tx: Transaction, id: int) -> bool:
    return queue.redrive(tx, id) or queue.hurry(tx, id)


def _together(one: FailureGroup, other: FailureGroup) -> FailureGroup:
    latest = one if one.example > other.example else other
    times = [group.newest for group in (one, other) if group.newest is not None]
    return latest.replace(jobs=one.jobs + other.jobs, dead=one.dead + other.dead, newest=max(times, default=None))


_CHANGES = {REVIVE: _revive, REMOVE: queue.discard}

# The order matters: a UUID holds hexadecimal runs, a quoted text may hold a path, and a path may hold numbers.
_DIFFERS: Iterable[tuple[re.Pattern[str], str]] = (
    (re.compile(r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b"), "<id>"),
    (re.compile(r"\"[^\"\n]*\"|`[^`\n]*`|(?<![\w'])'[^'\n]*'(?!\w)"), "<text>"),
    (re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s,;()<>]+"), "<address>"),
    (re.compile(r"(?<![\w/\\<])(?:~|\.{1,2}|[A-Za-z]:)?[/\\][^\s:,;()<>]+"), "<path>"),
    (re.compile(r"\b0[xX][0-9a-fA-F]+\b|\b(?=[0-9a-fA-F]*\d)(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{6,}\b"), "<id>"),
    (re.compile(r"(?<![A-Za-z0-9_])\d+(?:[.,]\d+)*"), "<n>"),
)
