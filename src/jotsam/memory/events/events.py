"""The events of a tenant: reads them for a program that follows, and records what the jobs of memory do.

An event has a type and the id of what changed; they hold no texts, so a program that wants the text reads the memory.
"""

from __future__ import annotations

import json

from jotsam.core import dsn
from jotsam.core.event_records import Event, cursor, position
from jotsam.core.names import QUEUES
from jotsam.core.records import Record
from jotsam.core.validate import check_int
from jotsam.storage import events
from jotsam.storage.status import overview

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jotsam.core.job_records import Job
    from jotsam.memory.tenant_visits import TenantVisits
    from jotsam.storage.database import Database, Row, Transaction
    from jotsam.storage.events import Detail

MAX_EVENTS = 1_000  # of one page
RECORDING_MS = 300_000  # events are recorded this long after the last program that follows them has ended
RENEW_MS = 30_000
MAX_ERROR_CHARACTERS = 200
PRUNE_MS = 600_000
WILL_RETRY = ("ready", "waiting")


class EventPage(Record):
    """Events in the order in which they were committed, and the cursor of those that follow.

    `gap`: events after the given cursor are deleted by now, or were not recorded. There are no events then, and `next`
    is the end of the history: list what you need, then follow from there.
    """

    events: tuple[Event, ...]
    next: str
    gap: bool = False


def read_events(
    database: Database,
    *,
    tenant: str,
    after: str | None = None,
    limit: int = 100,
    job: int | None = None,
    ended: bool = False,
) -> EventPage:
    """The events of a tenant, or of one of its jobs, after a cursor. Raises `InvalidInput`.

    Without a cursor: of a tenant none, and `next` is the end of the history; of a job all that are kept. `ended`:
    the job was seen to have ended.
    """
    check_int("limit", limit, 1, MAX_EVENTS)
    place = None if after is None else position(after)
    with database.snapshot(tenant=tenant) as tx:
        if place is None and job is None:
            return EventPage(events=(), next=cursor(events.position(tx)))
        found = events.read_events(tx, after=place, limit=limit, job_id=job, ended=ended)
    if found.gap:
        return EventPage(events=(), next=cursor(found.end), gap=True)
    return EventPage(events=tuple(_event(row, found.run) for row in found.rows), next=cursor(found.next))


def latest(tx: Transaction, *, limit: int) -> tuple[Event, ...]:
    """The latest events of the tenant that are kept, the newest first."""
    run = events.position(tx)[0]
    return tuple(_event(row, run) for row in overview.latest_events(tx, limit=limit))


def _event(row: Row, run: int) -> Event:
    return Event(
        id=cursor((run, row["xact"], row["id"])),
        type=row["type"],
        at=row["at"],
        subject=row["subject"],
        job_id=row["job_id"],
        data=json.loads(row["data"]),
    )


def keep_recording(database: Database) -> None:
    """Record events from now on. To be called again every `RENEW_MS`."""
    with database.transaction(durable=False) as tx:
        events.keep_recording(tx, until=tx.now + RECORDING_MS)


def job_claimed(tx: Transaction, jobs: Iterable[Job]) -> None:
    """Record that jobs begin. To be called in the transaction that claims them."""
    for job in jobs:
        _record(tx, job, events.START, {})


def job_ended(tx: Transaction, job: Job, outcome: str, error: str | None) -> None:
    """Record how a delivery ended. To be called in the transaction that ends it."""
    if outcome == "done":
        _record(tx, job, events.COMPLETE, {})
    elif job.kind in QUEUES and events.is_recording(tx):
        about: dict[str, Detail] = {"will_retry": outcome in WILL_RETRY, "error": _short(error or outcome)}
        _record(tx, job, events.FAILED, about)


def _record(tx: Transaction, job: Job, type: str, data: Mapping[str, Detail]) -> None:
    if job.kind in QUEUES and events.is_recording(tx):
        tx.set_tenant(job.tenant)
        about = {"kind": job.kind, "delivery": job.received, **data}
        events.record(tx, type, subject=str(job.payload).strip('"'), job_id=job.id, data=about)


def _short(error: str) -> str:
    """The beginning of an error on one line, without secrets, and without addresses: a stream is a tenant's."""
    from jotsam.pipeline.redaction.redact import redact

    return " ".join(dsn.without_addresses(redact(error)[0]).split())[:MAX_ERROR_CHARACTERS]


def prune_some(database: Database, visits: TenantVisits) -> None:
    """Delete events that are deleted by now, of the tenants whose turn it is."""
    if not visits.is_due():
        return
    with database.snapshot() as tx:
        if not events.was_recording(tx):
            return  # So it costs a read where no server ever ran.
    for tenant in visits.some():
        if prune(database, tenant=tenant):
            visits.revisit(tenant)


def prune(database: Database, *, tenant: str, kept: int = events.MAX_EVENTS) -> bool:
    """Delete a slice of the events of a tenant that are deleted by now. Returns whether more are left."""
    with database.transaction(tenant=tenant, durable=False) as tx:
        return events.prune(tx, before=tx.now - events.HISTORY_MS, kept=kept)
