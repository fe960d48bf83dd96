"""Follows the events of a database for the readers of one server process, and records what only the server knows.

One thread reads the new events of each tenant that has readers, and hands them to a bounded queue per reader. It also
keeps the recording on, writes the recalls that were collected, and deletes old events. Recalls that were collected and
not written yet are lost if the process is killed.
"""

from __future__ import annotations

import logging
import threading
from collections import deque

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import JotsamError, TenantMoved
from jotsam.core.event_records import Event, position
from jotsam.memory.events.events import PRUNE_MS, RENEW_MS, keep_recording, prune_some, read_events
from jotsam.memory.tenant_visits import TenantVisits
from jotsam.storage import events
from jotsam.storage.transfer import tenant_moves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol, TypeVar

    from jotsam.storage.database import Database
    from jotsam.storage.events import Position

    T = TypeVar("T")

    class Use(Protocol):
        """Calls with the open database, which may be another one after a restore."""

        def __call__(self, call: Callable[[Database], T], /) -> T: ...


log = logging.getLogger("jotsam.events")

PASS_MS = 500  # the longest time between two looks at the database, and between two writes of recalls
PAGE = 500
MAX_QUEUED = 1_000  # events that wait for one reader
MAX_RECALLS = 10_000  # that wait to be written


class StreamItem:
    """An event, or a gap after which to continue at `place`. `encoded` keeps what readers have made of it."""

    __slots__ = ("encoded", "event", "place")

    def __init__(self, event: Event | None, place: Position) -> None:
        self.event, self.place = event, place
        self.encoded: dict[str, bytes] = {}


class Subscription:
    """The events that wait for one reader. `wake` is called from another thread when there is something to take."""

    def __init__(self, tenant: str, job: int | None, wake: Callable[[], None]) -> None:
        self.tenant, self.job, self.wake = tenant, job, wake
        self.is_slow = False  # it did not keep up: it gets nothing further
        self.is_closed = False  # the server stops, or the tenant has moved to another one
        self.place: Position = (0, 0, 0)  # all events up to this one were handed over
        self._items: deque[StreamItem] = deque()
        self._lock = threading.Lock()

    def put(self, items: list[StreamItem], place: Position) -> None:
        wanted = [item for item in items if item.event is None or self.job in (None, item.event.job_id)]
        with self._lock:
            if not self.is_slow:
                self._items += wanted
                self.is_slow = len(self._items) > MAX_QUEUED
            if self.is_slow:
                self._items.clear()
            self.place = place
        if wanted:
            self.wake()

    def take(self) -> tuple[list[StreamItem], Position]:
        """What waits, and the place up to which that is complete."""
        with self._lock:
            items = list(self._items)
            self._items.clear()
            return items, self.place


class _Tenant:
    def __init__(self, place: str) -> None:
        self.place = place
        self.is_new = True
        self.readers: set[Subscription] = set()


class EventHub:
    """The readers of one process, and the thread that serves them. Safe to use from many threads."""

    def __init__(self, use: Use, *, stopping: threading.Event) -> None:
        """`stopping` is set when the readers are to end."""
        self._use = use
        self._stopping = stopping
        self._closed = False
        self._changed = threading.Condition()
        self._tenants: dict[str, _Tenant] = {}
        self._recalls: deque[tuple[str, dict[str, int]]] = deque(maxlen=MAX_RECALLS)
        self._database: Database | None = None
        self._seen = -1
        self._renew_at = self._write_at = 0
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Record events from now on, or else as soon as the database can be written."""
        try:
            self._use(keep_recording)  # So that the first reader already finds the recording on.
        except JotsamError:
            pass  # The thread reports it.
        self._thread = threading.Thread(target=self._run, daemon=True, name="events")
        self._thread.start()

    def close(self) -> None:
        """Write what was collected, and end the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread:
            self._thread.join()

    def recalled(self, tenant: str, **data: int) -> None:
        """Record a recall soon. It does not wait for the database."""
        self._recalls.append((tenant, data))

    def count(self, tenant: str) -> int:
        """How many readers of a tenant there are."""
        found = self._tenants.get(tenant)
        return len(found.readers) if found else 0

    def subscribe(self, tenant: str, *, job: int | None, wake: Callable[[], None]) -> Subscription:
        """Hand over the events of a tenant from now on, or those of one of its jobs."""
        place = self._use(lambda database: read_events(database, tenant=tenant).next)
        made = Subscription(tenant, job, wake)
        with self._changed:
            made.is_closed = self._closed or self._stopping.is_set()
            of_tenant = self._tenants.setdefault(tenant, _Tenant(place))
            made.place = position(of_tenant.place)
            of_tenant.readers.add(made)
            self._changed.notify_all()
        return made

    def unsubscribe(self, subscription: Subscription) -> None:
        with self._changed:
            found = self._tenants.get(subscription.tenant)
            if found:
                found.readers.discard(subscription)
                if not found.readers:
                    del self._tenants[subscription.tenant]

    def _run(self) -> None:
        failing = False
        while not self._closed:
            try:
                self._use(self._pass)
                failing = False
            except JotsamError as error:
                if not failing:
                    log.warning("events cannot be followed: %s", error)
                failing = True
                self._pause(PASS_MS)
            if self._stopping.is_set():
                self._end_readers([*self._tenants.values()])
        try:
            self._use(self._write_recalls)
        except JotsamError as error:
            log.warning("the last recalls were not recorded: %s", error)

    def _pass(self, database: Database) -> None:
        """Look once for what is to do and what is new."""
        if database is not self._database:
            self._database, self._seen, self._renew_at = database, -1, 0
            self._visits = TenantVisits(database, interval_ms=PRUNE_MS)
        if monotonic_ms() >= self._renew_at:
            keep_recording(database)
            self._renew_at = monotonic_ms() + RENEW_MS
            prune_some(database, self._visits)
        if monotonic_ms() >= self._write_at:
            self._write_at = monotonic_ms() + PASS_MS
            self._write_recalls(database)
        if not self._tenants:
            self._pause(PASS_MS)
            return
        before, self._seen = self._seen, database.watch(self._seen, PASS_MS)
        with self._changed:
            followed = [*self._tenants.items()]
        for name, tenant in followed:
            # Notifications of a server can be lost, so it is asked in any case.
            if tenant.is_new or before != self._seen or not database.is_file:
                try:
                    self._read(database, name, tenant)
                except TenantMoved:
                    self._end_readers([tenant])

    def _read(self, database: Database, name: str, tenant: _Tenant) -> None:
        """Hand the new events of a tenant to its readers."""
        tenant.is_new = False
        while True:
            page = read_events(database, tenant=name, after=tenant.place, limit=PAGE)
            items = [StreamItem(event, position(event.id)) for event in page.events]
            place = position(page.next)
            if page.gap:
                items = [StreamItem(None, place)]
            with self._changed:
                tenant.place = page.next
                for reader in tenant.readers:
                    reader.put(items, place)
            if len(page.events) < PAGE:
                return

    def _write_recalls(self, database: Database) -> None:
        written = [self._recalls.popleft() for _ in range(len(self._recalls))]
        if not written:
            return
        with database.transaction(durable=False) as tx:
            moved = tenant_moves.held(tx)
            for tenant, data in written:
                if tenant not in moved:
                    tx.set_tenant(tenant)
                    events.record(tx, events.RECALL, data=data)
        self._seen = -1  # A file does not report the commits of the connection that asks.

    def _end_readers(self, of: Sequence[_Tenant]) -> None:
        with self._changed:
            readers = [reader for tenant in of for reader in tenant.readers]
        for reader in readers:
            reader.is_closed = True
            reader.wake()

    def _pause(self, milliseconds: int) -> None:
        with self._changed:
            if not self._closed:
                self._changed.wait(milliseconds / 1000)
