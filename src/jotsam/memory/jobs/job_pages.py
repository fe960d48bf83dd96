"""Lists of jobs with what each is about, for people: filtered, the newest first, and failures by error.

A page looks at a window of each queue only, so it costs the same however many jobs there are, and says so (`is_cut`).
Functions take an open transaction of the tenant. They see the queues of memory and commands only.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.errors import InvalidInput
from jotsam.core.names import EVERY_QUEUE, STATES
from jotsam.core.records import Record
from jotsam.memory.jobs import jobs
from jotsam.storage import queue
from jotsam.storage.memories import projects
from jotsam.storage.status import job_lists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jotsam.storage.database import Database, Row, Transaction

WINDOW = 5_000  # jobs of each queue that one page looks at
TEXT_WINDOW = 2_000  # the same if it looks at what each is about, too
COUNTED = 10_000  # jobs of a queue that are counted
MAX_CHOSEN = 5_000  # jobs that one action changes
MAX_WINDOWS = 40  # that are looked at for one action
CHOSEN_PAGE = 2_000
LAST = validate.MAX_ID
QUOTED = '"{}"'

ENDED = ("done", "cancelled", "discarded")  # of jobs that are in the queue no longer
EVERY_STATE = (*STATES, *ENDED)


class JobSelection(Record):
    """Which jobs: those that match every given field. Without a state, those that are not done."""

    state: str | None = None  # one of `EVERY_STATE`
    queue: str | None = None
    project: str | None = None  # of what the job is about
    error: str | None = None  # part of its error, in any case
    text: str | None = None  # in the source or at the beginning of what the job is about
    group: str | None = None  # the key of a failure group


class Subject(Record):
    """The document or memory that a job is about."""

    kind: str  # document or memory
    id: str  # UUID
    title: str  # its source, or its beginning in one line
    project: str | None
    document: str | None  # UUID of the document, also of a chunk
    created_at: int


class ListedJob(Record):
    """A job of a list. One that is in the queue no longer is known by its last delivery."""

    id: int
    queue: str
    state: str
    received: int  # deliveries
    error: str | None
    failures: int | None = None  # this and the following but `ended_at`: None for a job that is in the queue no longer
    interruptions: int | None = None
    max_receive: int | None = None
    created_at: int | None = None
    wake_at: int | None = None  # end of the lease, or of the delay
    ended_at: int | None = None  # end of the last delivery, of a job that is in the queue no longer
    subject: Subject | None = None  # None: about nothing single, or about what is forgotten or enriched again


class JobListPage(Record):
    """Jobs, the newest first. `next`: pass it as `before` for older ones, which may not match; None: there are none."""

    jobs: tuple[ListedJob, ...]
    next: int | None
    is_cut: bool  # the window of a queue ended before its jobs did


class ChosenJobs(Record):
    """The jobs that an action changes. `is_cut`: there may be more."""

    jobs: tuple[ListedJob, ...]
    is_cut: bool


class LatestFailures(Record):
    """Failure groups of the jobs in the window. `is_cut`: there are jobs beyond it."""

    groups: tuple[jobs.FailureGroup, ...]
    is_cut: bool


class QueueState(Record):
    """A queue as one tenant sees it. Numbers are counted up to `COUNTED`."""

    name: str
    unfinished: int
    dead: int
    paused: bool
    reason: str | None
    probe_at: int | None  # when a queue that its circuit breaker paused delivers one job


def page(
    tx: Transaction, wanted: JobSelection, *, before: int = LAST, limit: int = 50, window: int | None = None
) -> JobListPage:
    """A page of the jobs that match. Raises `InvalidInput`."""
    validate.check_int("before", before, 0, LAST)
    if window is None:
        window = WINDOW if wanted.project is None and wanted.text is None else TEXT_WINDOW
    found, bound, is_cut = _looked(tx, _checked(wanted), before=before, limit=limit, window=window)
    found = sorted((job for job in found if job.id >= bound), key=lambda job: -job.id)
    if len(found) > limit:
        found = found[:limit]
        bound = found[-1].id
    subjects = job_lists.subjects(tx, [job.id for job in found])
    listed = tuple(job.replace(subject=subject_of(subjects.get(job.id))) for job in found)
    return JobListPage(jobs=listed, next=bound or None, is_cut=is_cut)


def chosen(database: Database, wanted: JobSelection, *, tenant: str, states: Sequence[str]) -> ChosenJobs:
    """The jobs that match and are in one of these states, the newest first: at most `MAX_CHOSEN`."""
    found: list[ListedJob] = []
    before = LAST
    for _ in range(MAX_WINDOWS):
        with database.snapshot(tenant=tenant) as tx:
            some = page(tx, wanted, before=before, limit=CHOSEN_PAGE)
        found += [job for job in some.jobs if job.state in states]
        if some.next is None or len(found) > MAX_CHOSEN:
            return ChosenJobs(jobs=tuple(found[:MAX_CHOSEN]), is_cut=len(found) > MAX_CHOSEN)
        before = some.next
    return ChosenJobs(jobs=tuple(found[:MAX_CHOSEN]), is_cut=True)


def by_id(tx: Transaction, ids: Sequence[int]) -> tuple[ListedJob, ...]:
    """The jobs with these ids that are in the queue, in this order."""
    found = []
    for id in ids:
        job = queue.get(tx, validate.check_job_id(id))
        if job is not None and job.tenant == tx.tenant and job.queue in EVERY_QUEUE:
            found.append(ListedJob(**{name: getattr(job, name) for name in _IN_QUEUE}))
    subjects = job_lists.subjects(tx, [job.id for job in found])
    return tuple(job.replace(subject=subject_of(subjects.get(job.id))) for job in found)


def latest_failures(tx: Transaction, *, window: int = WINDOW) -> LatestFailures:
    """Failures by similar errors, the largest group first.

    Of each queue the `window` dead jobs that were sent last, and the `window` unfinished ones that were sent first.
    """
    rows = [row for name in EVERY_QUEUE for row in job_lists.failures(tx, queue=name, window=window)]
    is_cut = any(
        job_lists.count_dead(tx, queue=name, limit=window + 1) > window
        or queue.count_live(tx, queues=(name,), tenant=tx.tenant, limit=window + 1) > window
        for name in EVERY_QUEUE
    )
    return LatestFailures(groups=tuple(jobs.grouped(rows)), is_cut=is_cut)


def queues(tx: Transaction) -> tuple[QueueState, ...]:
    """The queues with something in them, or paused, in the order in which a worker claims."""
    paused = {row["queue"]: row for row in queue.paused(tx)}
    found = []
    for name in EVERY_QUEUE:
        control = paused.get(name)
        one = QueueState(
            name=name,
            unfinished=queue.count_live(tx, queues=(name,), tenant=tx.tenant, limit=COUNTED + 1),
            dead=job_lists.count_dead(tx, queue=name, limit=COUNTED + 1),
            paused=control is not None,
            reason=control["reason"] if control else None,
            probe_at=control["probe_at"] if control else None,
        )
        found.append(one)
    return tuple(found)


def subject_of(row: Row | None) -> Subject | None:
    """The record of a row of `job_lists.subjects`."""
    if row is None:
        return None
    title = row["source"] if row["kind"] == "document" and row["source"] else " ".join(row["beginning"].split())
    return Subject(
        kind=row["kind"],
        id=row["uuid"],
        title=title or row["uuid"],
        project=row["project"],
        document=row["document"],
        created_at=row["created_at"],
    )


def _checked(wanted: JobSelection) -> JobSelection:
    validate.check_choice("state", wanted.state, EVERY_STATE)
    if wanted.queue is not None and wanted.queue not in EVERY_QUEUE:
        raise InvalidInput(f"there is no queue {wanted.queue!r}; there are {', '.join(EVERY_QUEUE)}")
    names = ("project", "error", "text", "group")
    return wanted.replace(**{name: validate.check_optional_text(name, getattr(wanted, name)) for name in names})


def _looked(
    tx: Transaction, wanted: JobSelection, *, before: int, limit: int, window: int
) -> tuple[list[ListedJob], int, bool]:
    """Matching jobs of all queues and parts, the id down to which all of them are known, and whether a window ended."""
    found: list[ListedJob] = []
    bounds, cuts = [0], [False]
    # A group is found by its normalised error, which SQL does not have, so every job in the window is looked at.
    taken = limit if wanted.group is None else window
    same = {"error": wanted.error, "project": projects.asked(tx, wanted.project), "text": wanted.text}
    for part, where in _parts(wanted):
        rows, bound, is_cut = job_lists.jobs(
            tx, part, before=before, window=window, limit=taken, chosen={**same, **where}
        )
        found += _records(rows, wanted)
        bounds.append(bound)
        cuts.append(is_cut)
    return found, max(bounds), any(cuts)


def _parts(wanted: JobSelection) -> Iterator[tuple[str, dict[str, str | None]]]:
    """The parts of the queue in which such jobs are, and how each is asked."""
    queues = EVERY_QUEUE if wanted.queue is None else (wanted.queue,)
    listed = f"[{','.join(map(QUOTED.format, queues))}]"
    if wanted.state == "leased":
        yield "leased", {"queues": listed}
    elif wanted.state in ENDED:
        yield "ended", {"queues": listed, "state": wanted.state}
    for name in queues if wanted.state not in ("leased", *ENDED) else ():
        if wanted.state != "dead":
            yield "unfinished", {"queue": name, "state": wanted.state}
        if wanted.state in (None, "dead"):
            yield "dead", {"queue": name}


def _records(rows: Sequence[Row], wanted: JobSelection) -> Iterator[ListedJob]:
    keys: dict[str, str] = {}  # of errors, of which many are equal
    for row in rows:
        if wanted.group is not None:
            error = row["error"]
            if error is None:
                continue
            if error not in keys:
                keys[error] = jobs.key(jobs.normalised(error))
            if keys[error] != wanted.group:
                continue
        outcome = row.pop("outcome", None)
        state = outcome if outcome in ENDED else "discarded"
        yield ListedJob(**row) if outcome is None else ListedJob(**row, state=state)


_IN_QUEUE = (
    *("id", "queue", "state", "received", "error"),
    *("failures", "interruptions", "max_receive", "created_at", "wake_at"),
)
