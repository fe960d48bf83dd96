"""Job administration: list jobs, find stuck ones, group failures, retry and discard many.

Functions take an open transaction, or a database where many jobs are changed in slices, so that the write lock is never
held for long. They see the queues of memory and commands only, not a caller's own queues in the same database.

Jobs that are neither done nor dead: of documents and memories, or of a whole tenant.
"""

from __future__ import annotations

import re
from hashlib import blake2s

from jotsam.core import validate
from jotsam.core.errors import InvalidInput, JotsamError, NotFound
from jotsam.core.job_records import Job
from jotsam.core.names import EVERY_QUEUE, QUEUES, STATES
from jotsam.core.records import Record
from jotsam.ingest import spool
from jotsam.storage import queue
from jotsam.storage.memories import memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Unpack

    from jotsam.core.job_records import QueueDepth
    from jotsam.storage.database import Database, Row, Transaction
    from jotsam.storage.queue.inspect_jobs import JobFilter


PAGE = 500
SLICE = 200
MAX_ERRORS = 10_000  # distinct errors of one queue that are grouped, the latest first
ERROR_LIMIT = 2_000  # characters of an error that count


class StuckJob(Record):
    """A job without progress. `why` is expired, held, overdue or unclaimed, see `storage.queue.stuck`."""

    job: Job
    why: str
    since_ms: int


class FailureGroup(Record):
    """Jobs with similar errors. `key` identifies the group, and is the same every time."""

    key: str
    error: str  # with placeholders for what differs
    jobs: int
    dead: int  # of these; the others will be retried
    example: int  # id of the latest job
    newest: int | None  # when one of them failed last
    oldest: int | None = None  # the earliest last failure of one of them


class JobChange(Record):
    """The outcome of `retry` or `discard` for one job. `error`: it was refused, and the job is unchanged."""

    id: int
    job: Job | None = None  # before the change
    error: JotsamError | None = None


def _check(*, after: object = 0, limit: object = 1, **texts: object) -> None:
    validate.check_int("after", after, 0, 2**63 - 1)
    validate.check_int("limit", limit, 1)
    for name, value in texts.items():
        validate.check_optional_text(name, value)


def listed(tx: Transaction, *, after: int, limit: int, **wanted: Unpack[JobFilter]) -> list[Job]:
    """Jobs that are not done, in the order they were sent. Raises `InvalidInput`."""
    _check(after=after, limit=limit, **{name: wanted.get(name) for name in ("kind", "error")})
    validate.check_choice("state", wanted.get("state"), STATES)
    found: list[Job] = []
    for name in EVERY_QUEUE:
        wanted["queue"] = name
        found += queue.jobs(tx, after=after, limit=limit, **wanted)
    return sorted(found, key=lambda job: job.id)[:limit]


def stuck(tx: Transaction, *, tenant: str | None, kind: str | None, after: int, limit: int) -> list[StuckJob]:
    """Jobs without progress, oldest first. Raises `InvalidInput`."""
    _check(after=after, limit=limit, kind=kind)
    found = []
    for name in EVERY_QUEUE:
        found += queue.stuck(tx, queue=name, tenant=tenant, kind=kind, after=after, limit=limit)
    found.sort(key=lambda item: item[0].id)
    return [StuckJob(job=job, why=why, since_ms=max(0, tx.now - since)) for job, why, since in found[:limit]]


def groups(tx: Transaction, *, tenant: str | None, kind: str | None = None) -> list[FailureGroup]:
    """Dead and failed jobs grouped by similar errors, the largest group first."""
    _check(kind=kind)
    return grouped(
        row for name in EVERY_QUEUE for row in queue.errors(tx, queue=name, tenant=tenant, kind=kind, limit=MAX_ERRORS)
    )


def grouped(rows: Iterable[Row]) -> list[FailureGroup]:
    """Errors, with numbers of jobs, grouped by similarity, the largest group first. Pure."""
    found: dict[str, FailureGroup] = {}
    for row in rows:
        error = normalised(row.pop("error"))
        one = FailureGroup(key=key(error), error=error, **row)
        found[error] = _merged(found[error], one) if error in found else one
    return sorted(found.values(), key=lambda group: (-group.jobs, -group.example))


def dead(
    database: Database, *, tenant: str, kind: str | None, error: str | None, group: str | None, after: int = 0
) -> Iterator[Job]:
    """A tenant's dead jobs, oldest first: all, those whose error contains a text, or those of a failure group."""
    _check(group=group)
    while True:
        with database.snapshot() as tx:
            page = listed(tx, after=after, limit=PAGE, tenant=tenant, state="dead", kind=kind, error=error)
        yield from (job for job in page if group is None or key(normalised(job.error or "")) == group)
        if len(page) < PAGE:
            return
        after = page[-1].id


def retry(database: Database, ids: Sequence[int], *, tenant: str, dry_run: bool = False) -> list[JobChange]:
    """Revive dead jobs, and run waiting ones now. Raises `InvalidInput` for a wrong id."""
    return _change(database, ids, tenant, _refused_retry, None if dry_run else _revive)


def discard(database: Database, ids: Sequence[int], *, tenant: str, dry_run: bool = False) -> list[JobChange]:
    """Delete jobs that are not running. Raises `InvalidInput` for a wrong id."""

    def remove(tx: Transaction, id: int) -> None:
        if queue.discard(tx, id):
            tx.set_tenant(tenant)
            memories.stop_waiting(tx, job_id=id)  # Otherwise the model would be asked again.

    return _change(database, ids, tenant, _refused_discard, None if dry_run else remove)


def _change(
    database: Database,
    ids: Sequence[int],
    tenant: str,
    refused: Callable[[Job], InvalidInput | None],
    change: Callable[[Transaction, int], object] | None,
) -> list[JobChange]:
    """Check each job and change it unless it is refused. Without `change`, only check."""
    for id in ids:
        validate.check_job_id(id)
    changes: list[JobChange] = []
    for start in range(0, len(ids), SLICE):
        with database.snapshot() if change is None else database.transaction() as tx:
            some = [_checked(tx, id, tenant, refused) for id in ids[start : start + SLICE]]
            for one in some:
                if change is not None and one.error is None:
                    change(tx, one.id)
        changes += some
    return changes


def normalised(error: str) -> str:
    """An error with placeholders for UUIDs, quoted texts, paths, URLs, hexadecimal ids and numbers.

    Errors with the same cause become equal. Only the beginning of a long one counts. Pure.
    """
    error = error[:ERROR_LIMIT]
    for pattern, placeholder in _PLACEHOLDERS:
        error = pattern.sub(placeholder, error)
    return " ".join(error.split())


def key(error: str) -> str:
    """The short name of a failure group, from its `normalised` error."""
    text = error.encode("utf-8", "surrogatepass")
    return blake2s(text, digest_size=5).hexdigest()


def _checked(tx: Transaction, id: int, tenant: str, refused: Callable[[Job], InvalidInput | None]) -> JobChange:
    job = queue.get(tx, id)
    if job is None or job.tenant != tenant or job.queue not in EVERY_QUEUE:
        return JobChange(id=id, error=NotFound(f"there is no job {id}; `jotsam jobs` lists them"))
    return JobChange(id=id, job=job, error=refused(job))


def _refused_retry(job: Job) -> InvalidInput | None:
    if job.state in ("dead", "waiting"):
        return None
    return InvalidInput(f"job {job.id} is {job.state}: only dead and waiting jobs can be retried")


def _refused_discard(job: Job) -> InvalidInput | None:
    return InvalidInput(f"job {job.id} is running: wait until it has ended") if job.state == "leased" else None


def _revive(tx: Transaction, id: int) -> bool:
    return queue.redrive(tx, id) or queue.run_now(tx, id)


def _merged(one: FailureGroup, other: FailureGroup) -> FailureGroup:
    latest = one if one.example > other.example else other
    ends = [group.newest for group in (one, other) if group.newest is not None]
    begins = [group.oldest for group in (one, other) if group.oldest is not None]
    return latest.replace(
        jobs=one.jobs + other.jobs,
        dead=one.dead + other.dead,
        newest=max(ends, default=None),
        oldest=min(begins, default=None),
    )


# In this order: a UUID contains hexadecimal runs, a quoted text may contain a path, a path may contain numbers.
_PLACEHOLDERS: Iterable[tuple[re.Pattern[str], str]] = (
    (re.compile(r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b"), "<id>"),
    (re.compile(r"\"[^\"\n]*\"|`[^`\n]*`|(?<![\w'])'[^'\n]*'(?!\w)"), "<text>"),
    (re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s,;()<>]+"), "<address>"),
    (re.compile(r"(?<![\w/\\<])(?:~|\.{1,2}|[A-Za-z]:)?[/\\][^\s:,;()<>]+"), "<path>"),
    (re.compile(r"\b0[xX][0-9a-fA-F]+\b|\b(?=[0-9a-fA-F]*\d)(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{6,}\b"), "<id>"),
    (re.compile(r"(?<![A-Za-z0-9_])\d+(?:[.,]\d+)*"), "<n>"),
)


class PendingJobs:
    """The jobs of some documents and memories, or without ids those of the tenant. For one thread."""

    def __init__(self, database: Database, ids: Sequence[str], *, tenant: str) -> None:
        """Raises `NotFound` for an id that does not exist, and `InvalidInput`."""
        self._database, self._tenant = database, tenant
        self._is_tenant = not ids
        with database.snapshot(tenant=tenant) as tx:
            self._left = [id for id in ids if _has_jobs(tx, id)]

    def any_left(self) -> bool:
        """Whether one of them is pending now. What is done is not read again, and what was forgotten is done."""
        # Before the snapshot, which then has the jobs of the turns that leave the spool in between.
        is_spooled = self._is_tenant and bool(spool.waiting(self._database.url))
        with self._database.snapshot(tenant=self._tenant) as tx:
            if self._is_tenant:
                return is_spooled or queue.depth(tx, queues=EVERY_QUEUE, tenant=self._tenant).live > 0
            while self._left and not _is_pending(tx, self._left[-1]):
                self._left.pop()
        return bool(self._left)


def pending_depth(database: Database, *, tenant: str) -> tuple[QueueDepth, int]:
    """The numbers of a tenant's jobs that enrich, with turns in the spool, and the time of the reading in ms."""
    spooled = len(spool.waiting(database.url))
    with database.snapshot(tenant=tenant) as tx:
        depth = queue.depth(tx, queues=QUEUES, tenant=tenant)
        return depth.replace(pending=depth.pending + spooled), tx.now


def _is_pending(tx: Transaction, id: str) -> bool:
    try:
        return _has_jobs(tx, id)
    except NotFound:
        return False


def _has_jobs(tx: Transaction, id: str) -> bool:
    from jotsam.memory.reading.show import show  # slow to import

    return any(job.state != "dead" for job in show(tx, id=id).jobs)
