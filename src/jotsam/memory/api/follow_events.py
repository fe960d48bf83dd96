"""Follows the events of a tenant for one program that has the database open: `Jotsam.events`.

It keeps the recording on, as a server does, and resumes where it was after the database could not be reached.
"""

from __future__ import annotations

from jotsam.core.clock import monotonic_ms, sleep
from jotsam.core.errors import DatabaseUnavailable, NotFound, TenantMoved
from jotsam.core.event_records import GAP, Event, position
from jotsam.core.validate import check_int, check_job_id
from jotsam.memory.events.events import RENEW_MS, keep_recording, read_events
from jotsam.memory.jobs.job_details import job_details

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.storage.database import Database

LOOK_MS = 500  # the longest time between two looks at the history
LOST_MS = 60_000  # how long a database that cannot be reached is tried again
PAUSE_S = 0.1
PAGE = 500


class Follower:
    """Where one program is in the history of a tenant."""

    def __init__(self, tenant: str, *, after: str | None, job: int | None, idle_ms: int | None) -> None:
        self._tenant = tenant
        if after is not None:
            position(after)
        self._after, self._job = after, None if job is None else check_job_id(job)
        self._idle_ms = None if idle_ms is None else check_int("idle_ms", idle_ms, 0)
        self._heard_at = self._reached_at = monotonic_ms()
        self._renew_at = self._seen = -1
        self.is_ended = False

    def begin(self, database: Database) -> None:
        """From now on, or after the cursor. Raises `NotFound` for a job of another tenant."""
        self._renew(database)
        if self._job is not None:
            _has_ended(database, self._tenant, self._job)
        elif self._after is None:
            self._after = read_events(database, tenant=self._tenant).next
        self._heard_at = self._reached_at = monotonic_ms()

    def read(self, database: Database) -> tuple[Event, ...]:
        """The next events, or none at the moment. Raises `DatabaseUnavailable` when it has tried for long enough."""
        try:
            found = self._read(database)
        except TenantMoved:
            raise
        except DatabaseUnavailable:
            if monotonic_ms() - self._reached_at > LOST_MS:
                raise
            return ()
        self._reached_at = monotonic_ms()
        if found:
            self._heard_at = self._reached_at
        elif self._idle_ms is not None and self._reached_at - self._heard_at >= self._idle_ms:
            self.is_ended = True
        return found

    def wait(self, database: Database) -> None:
        """Wait until something may have been written, for at most `LOOK_MS`."""
        left = LOOK_MS
        if self._idle_ms is not None:
            left = max(0, min(left, self._heard_at + self._idle_ms - monotonic_ms()))
        try:
            self._seen = database.watch(self._seen, left)
        except DatabaseUnavailable:
            sleep(PAUSE_S)  # `read` decides whether to go on.

    def _read(self, database: Database) -> tuple[Event, ...]:
        if monotonic_ms() >= self._renew_at:
            self._renew(database)
        tenant, job, ended = self._tenant, self._job, self._is_job_done(database)
        page = read_events(database, tenant=tenant, after=self._after, limit=PAGE, job=job, ended=ended)
        self._after = page.next
        if page.gap:
            with database.snapshot() as tx:
                return (Event(id=page.next, type=GAP, at=tx.now),)
        self.is_ended = ended and len(page.events) < PAGE
        return page.events

    def _is_job_done(self, database: Database) -> bool:
        try:
            return self._job is not None and _has_ended(database, self._tenant, self._job)
        except NotFound:
            return True  # It was discarded before it was delivered.

    def _renew(self, database: Database) -> None:
        keep_recording(database)
        self._renew_at = monotonic_ms() + RENEW_MS


def follow(database: Database, follower: Follower) -> Iterator[Event]:
    """The events of a follower that has begun, as they happen."""
    while not follower.is_ended:
        found = follower.read(database)
        yield from found
        if not found and not follower.is_ended:
            follower.wait(database)


def _has_ended(database: Database, tenant: str, job: int) -> bool:
    with database.snapshot(tenant=tenant) as tx:
        return job_details(tx, id=job).ended
