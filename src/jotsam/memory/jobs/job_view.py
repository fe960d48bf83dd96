"""One job for people: what it is about, a timeline of its states, what it waits for, its payload, what it has made.

It adds to `job_details` what only a person needs. It reads one snapshot and writes nothing.
"""

from __future__ import annotations

from jotsam.core.names import EVERY_QUEUE, INGEST
from jotsam.core.records import Record
from jotsam.memory.jobs.job_details import JobDetails, job_details
from jotsam.memory.jobs.job_pages import Subject, subject_of
from jotsam.memory.status import queue_state
from jotsam.storage import queue
from jotsam.storage.memories import documents, memories
from jotsam.storage.status import job_lists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.memory.status.health import PausedQueue
    from jotsam.storage.database import Database, Row, Transaction

MAX_PAYLOAD = 10_000  # characters that are shown
MAX_MADE = 10_000  # facts, mentions and links that are counted

WAITS_AFTER = ("retry", "released", "expired", "interrupted")  # outcomes of a delivery after which another one follows


class Period(Record):
    """A time in one state, one of `EVERY_STATE`. The last one has no end."""

    state: str
    since: int
    until: int | None
    delivery: int | None = None  # of a period `leased`: which delivery it is


class Made(Record):
    """What a job has made, each number counted up to `MAX_MADE`."""

    memories: int
    facts: int
    mentions: int
    links: int


class JobView(Record):
    """A job with what a person asks of it."""

    job: JobDetails
    now: int
    subject: Subject | None
    periods: tuple[Period, ...]
    worker: str | None = None  # process and machine that have the running job
    paused: PausedQueue | None = None  # its queue is
    has_worker: bool = True
    payload: str | None = None  # as it is stored, so without secrets; None: the job is in the queue no longer
    payload_cut: bool = False
    made: Made | None = None  # None: it makes nothing of a document or a memory


def view(database: Database, *, tenant: str, id: int) -> JobView:
    """A job of a tenant, by its number. Raises `NotFound`, `InvalidInput`."""
    with database.snapshot(tenant=tenant) as tx:
        job = job_details(tx, id=id)
        subject = subject_of(job_lists.subjects(tx, [id]).get(id))
        held = job_lists.held_since(tx, id=id)
        stored = queue.get(tx, id)
        payload = None if stored is None else _text(stored.payload)
        return JobView(
            job=job,
            now=tx.now,
            subject=subject,
            periods=periods(job, since=_sent_at(job, subject), leased_at=held["leased_at"] if held else None),
            worker=f"process {held['pid']} on {held['host']}" if held and held["pid"] is not None else None,
            paused=next((one for one in queue_state.paused(tx) if one.queue == job.queue), None),
            has_worker=_has_worker(tx, database),
            payload=None if payload is None else payload[:MAX_PAYLOAD],
            payload_cut=payload is not None and len(payload) > MAX_PAYLOAD,
            made=_made(tx, job),
        )


def periods(job: JobDetails, *, since: int, leased_at: int | None) -> tuple[Period, ...]:
    """The states of a job one after the other, as its deliveries tell. Pure.

    When a job changed between `waiting`, `ready` and `dead` without a delivery is not recorded.
    """
    found, state = [], "ready"
    for one in job.deliveries:
        if one.started_at > since:
            found.append(Period(state=state, since=since, until=one.started_at))
        found.append(Period(state="leased", since=one.started_at, until=one.ended_at, delivery=one.received))
        state, since = "waiting" if one.outcome in WAITS_AFTER else one.outcome, one.ended_at
    if leased_at is None:
        return (*found, Period(state=job.state, since=since, until=None))
    if leased_at > since:
        found.append(Period(state=state, since=since, until=leased_at))
    return (*found, Period(state="leased", since=leased_at, until=None, delivery=job.received))


def _sent_at(job: JobDetails, subject: Subject | None) -> int:
    """When it was sent; of a job that is done, when what it is about was, if that came before it."""
    if job.created_at is not None:
        return job.created_at
    first = job.deliveries[0].started_at
    return min(first, subject.created_at) if subject is not None and job.kind == INGEST else first


def _text(payload: str | bytes) -> str:
    return payload if isinstance(payload, str) else payload.decode(errors="replace")


def _has_worker(tx: Transaction, database: Database) -> bool:
    name, _ = queue_state.worker_state(tx, leased=database.is_file)
    return name != "none"


def _made(tx: Transaction, job: JobDetails) -> Made | None:
    found: Row | None = None
    if job.kind == INGEST and job.document is not None:
        row = documents.get(tx, uuid=job.document)
        found = None if row is None else job_lists.made_of_document(tx, number=row["id"], limit=MAX_MADE)
    elif job.kind != INGEST and job.queue in EVERY_QUEUE and len(job.memories) == 1:
        row = memories.get(tx, uuid=job.memories[0])
        found = None if row is None else job_lists.made_of_memory(tx, number=row["id"])
    return None if found is None else Made(memories=len(job.memories), **found)
