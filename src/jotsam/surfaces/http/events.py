"""Server-Sent Events: `/v1/events`, the events of one job, and AutoMem's `/stream`.

A stream first sends the events after the cursor of the client, then follows. Its generator runs in the event loop and
waits there; the database is read in threads. A client that does not keep up gets the id to resume from, and is dropped.
"""

from __future__ import annotations

import asyncio
import json
import logging
from datetime import UTC, datetime
from functools import partial

from msgspec import UNSET, Struct, UnsetType

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import JotsamError, NotFound
from jotsam.core.event_records import cursor, position
from jotsam.core.records import Record
from jotsam.core.validate import check_int
from jotsam.memory.access.tokens import is_valid
from jotsam.memory.events.events import EventPage, read_events
from jotsam.surfaces.http.automem.consolidation import next_run
from jotsam.surfaces.http.requests.access import STATIC, STATIC_ADMIN
from jotsam.surfaces.http.requests.route import Call, Reply, Route
from jotsam.surfaces.http.server.http_error import HttpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from typing import Any

    from jotsam.core.event_records import Event, Position
    from jotsam.core.token_records import Principal
    from jotsam.memory.events.event_hub import StreamItem, Subscription
    from jotsam.surfaces.http.server.server import Server

log = logging.getLogger("jotsam.http")

MEDIA_TYPE = "text/event-stream"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # The second is for nginx.
KEEP_ALIVE_S = 15
AUTOMEM_KEEP_ALIVE_S = 30
JOB_CHECK_S = 1  # a job can end without an event, as when it is discarded
RETRY_MS = 2_000  # a client waits for this time before it connects again
PAGE = 200
MAX_STREAMS = 1_000  # of one tenant and process


class EventsQuery(Struct, forbid_unknown_fields=True):
    """Where to begin; the header `Last-Event-ID` takes precedence. And when to end: nothing happened for `idle_ms`."""

    after: str | UnsetType = UNSET
    idle_ms: int | UnsetType = UNSET


class StreamQuery(Struct):
    """The same for AutoMem's clients, which may send other parameters."""

    after: str | UnsetType = UNSET


class _Wanted(Record):
    """What a stream sends, and for whom."""

    server: Server
    principal: Principal
    after: Position | None
    form: str  # "event" or "automem"
    keep_alive_s: int
    job: int | None = None
    idle_ms: int | None = None


def tenant_events(call: Call) -> Reply:
    """The events of the tenant from a cursor on, or from now on."""
    return open_stream(call.server, call.principal, after=_after(call), idle_ms=_idle_ms(call))


def job_events(call: Call) -> Reply:
    """The events of a job from the first one that is kept; the stream ends with the job."""
    text = call.path["id"]
    job = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
    call.jot.admin.job(job)  # It is of this tenant.
    return open_stream(call.server, call.principal, after=_after(call), job=job, idle_ms=_idle_ms(call))


def automem_stream(call: Call) -> Reply:
    """The events of the tenant in AutoMem's shape."""
    after, keep_alive_s = _after(call), AUTOMEM_KEEP_ALIVE_S
    return open_stream(call.server, call.principal, after=after, form="automem", keep_alive_s=keep_alive_s)


def automem_status(call: Call) -> Reply:
    """How many streams of the tenant this process serves."""
    return Reply(body={"subscribers": call.server.events.count(call.principal.tenant)})


def _after(call: Call) -> str | None:
    return call.headers.get("last-event-id") or (None if call.query.after is UNSET else call.query.after)


def _idle_ms(call: Call) -> int | None:
    return None if call.query.idle_ms is UNSET else check_int("idle_ms", call.query.idle_ms, 0)


def open_stream(
    server: Server,
    principal: Principal,
    *,
    after: str | None,
    form: str = "event",
    keep_alive_s: int | None = None,
    job: int | None = None,
    idle_ms: int | None = None,
) -> Reply:
    """The events of a principal's tenant after a cursor, or from now on. Raises `HttpError` 503, `InvalidInput`."""
    if server.events.count(principal.tenant) >= MAX_STREAMS:
        message = f"this process serves {MAX_STREAMS:,} streams of the tenant already"
        raise HttpError(503, "unavailable", message, headers={"Retry-After": "10"})
    wanted = _Wanted(
        server=server,
        principal=principal,
        after=position(after) if after else None,
        form=form,
        keep_alive_s=KEEP_ALIVE_S if keep_alive_s is None else keep_alive_s,
        job=job,
        idle_ms=idle_ms,
    )
    return Reply(body=_stream(wanted), headers=HEADERS, media_type=MEDIA_TYPE)


async def _stream(wanted: _Wanted) -> AsyncIterator[bytes]:
    """Everything that a client gets, until it leaves, is too slow, its token ends, its job ends or the server stops."""
    hub, loop, waiting = wanted.server.events, asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        try:
            loop.call_soon_threadsafe(waiting.set)
        except RuntimeError:
            pass  # The loop has ended, and the stream with it.

    yield f"retry: {RETRY_MS}\n\n".encode()
    tenant = wanted.principal.tenant
    subscription = await asyncio.to_thread(hub.subscribe, tenant, job=wanted.job, wake=wake)
    try:
        async for piece in _Stream(wanted, subscription, waiting).pieces():
            yield piece
    except JotsamError as error:  # The status was sent already. The client connects again.
        log.warning("a stream of events ends: %s", error)
    finally:
        hub.unsubscribe(subscription)


class _Stream:
    """One client: `_sent` is the place up to which it got everything."""

    def __init__(self, wanted: _Wanted, subscription: Subscription, waiting: asyncio.Event) -> None:
        self._wanted = wanted
        self._subscription = subscription
        self._waiting = waiting
        self._sent: Position = wanted.after or (0, 0, 0)
        self._next_job_check = 0

    async def pieces(self) -> AsyncIterator[bytes]:
        async for piece in self._kept():
            yield piece
        checked_at = quiet_since = heard_at = monotonic_ms()
        while not self._subscription.is_closed:
            self._waiting.clear()
            items, place = self._subscription.take()
            if self._subscription.is_slow:
                yield _message("dropped", cursor(self._sent), {"resume": cursor(self._sent)})
                return
            pieces = [self._encoded(item) for item in items if item.place > self._sent]
            self._sent = max(self._sent, place)
            if pieces:
                yield b"".join(pieces)
                quiet_since = heard_at = monotonic_ms()
            if self._wanted.job is not None and (end := await self._end_of_job(bool(pieces))):
                yield end
                return
            idle_ms = self._wanted.idle_ms
            if idle_ms is not None and monotonic_ms() - heard_at >= idle_ms:
                yield _message("end", cursor(self._sent), {"resume": cursor(self._sent)})
                return
            if monotonic_ms() - checked_at >= self._wanted.keep_alive_s * 1_000:  # also while there is news
                if not await self._in_thread(self._is_allowed):
                    return  # Its token was revoked, or has expired.
                checked_at = monotonic_ms()
            if monotonic_ms() - quiet_since >= self._wanted.keep_alive_s * 1_000:
                yield f": keep-alive\nid: {cursor(self._sent)}\n\n".encode()
                quiet_since = monotonic_ms()
            await self._wait(quiet_since, heard_at)

    async def _kept(self) -> AsyncIterator[bytes]:
        """The events that are kept after the client's cursor; without one, only where the stream begins."""
        after = None if self._wanted.after is None else cursor(self._wanted.after)
        while True:
            page = await self._in_thread(partial(self._page, after))
            self._sent = position(page.next)
            if page.gap:
                yield _gap(page.next)
            elif page.events:
                yield b"".join(_encoded(event, self._wanted.form) for event in page.events)
            if len(page.events) < PAGE:
                break
            after = page.next
        yield f"id: {cursor(self._sent)}\n\n".encode()

    def _page(self, after: str | None, jot: Any, *, ended: bool = False) -> EventPage:
        tenant, job = self._wanted.principal.tenant, self._wanted.job
        return read_events(jot.database, tenant=tenant, after=after, limit=PAGE, job=job, ended=ended)

    def _encoded(self, item: StreamItem) -> bytes:
        if item.event is None:
            return _gap(cursor(item.place))
        form = self._wanted.form
        if form not in item.encoded:
            item.encoded[form] = _encoded(item.event, form)
        return item.encoded[form]

    async def _end_of_job(self, has_news: bool) -> bytes | None:
        """The last message, if the job has ended."""
        if not has_news and monotonic_ms() < self._next_job_check:
            return None
        self._next_job_check = monotonic_ms() + JOB_CHECK_S * 1_000
        tenant, id = self._wanted.principal.tenant, self._wanted.job or 0
        try:
            job = await self._in_thread(lambda jot: jot.scoped(tenant=tenant).admin.job(id))
        except NotFound:
            state = "discarded"  # before it was delivered, so there is no history
        else:
            state = job.state
            if not job.ended:
                return None
        # It may have ended since the events were read.
        page = await self._in_thread(partial(self._page, cursor(self._sent), ended=True))
        last = b"".join(_encoded(event, self._wanted.form) for event in page.events)
        at_end = page.events[-1].id if page.events else page.next
        return last + _message("end", at_end, {"job_id": id, "state": state})

    async def _wait(self, quiet_since: int, heard_at: int) -> None:
        """Until there is something to send, a keep-alive or the end is due, or the job is to be looked at."""
        left = quiet_since + self._wanted.keep_alive_s * 1_000 - monotonic_ms()
        if self._wanted.idle_ms is not None:
            left = min(left, heard_at + self._wanted.idle_ms - monotonic_ms())
        if self._wanted.job is not None:
            left = min(left, self._next_job_check - monotonic_ms())
        try:
            await asyncio.wait_for(self._waiting.wait(), max(0, left) / 1_000)
        except TimeoutError:
            pass

    def _is_allowed(self, jot: Any) -> bool:
        principal = self._wanted.principal
        return principal.token in (STATIC, STATIC_ADMIN) or is_valid(jot.database, principal)

    async def _in_thread(self, call: Callable[[Any], Any]) -> Any:
        return await asyncio.to_thread(self._wanted.server.use, call)


def _encoded(event: Event, form: str) -> bytes:
    if form == "automem":
        return _message(None, event.id, _automem(event))
    return _message(event.type, event.id, event.as_dict())


def _gap(following: str) -> bytes:
    detail = "events before this one are not kept: list what you need, then follow from here"
    return _message("gap", following, {"resume": following, "detail": detail})


def _message(name: str | None, id: str, data: object) -> bytes:
    head = "" if name is None else f"event: {name}\n"
    return f"id: {id}\n{head}data: {json.dumps(data, ensure_ascii=False, default=dict)}\n\n".encode()


def _automem(event: Event) -> dict[str, object]:
    """An event as clients of AutoMem read it."""
    about: dict[str, object] = {**event.data}
    attempt = about.pop("delivery", None)
    if event.type == "memory.store":
        about = {"id": event.subject, **about}
    elif event.type.startswith("enrichment."):
        about = {"memory_id": event.subject, "attempt": attempt, **about}
    if event.type == "enrichment.complete":
        about["success"] = True
    elif event.type == "memory.recall":
        about["result_count"] = about.pop("results", 0)
    elif event.type == "consolidation.run":
        about = _consolidation(event)
    return {"type": event.type, "timestamp": datetime.fromtimestamp(event.at / 1000, UTC).isoformat(), "data": about}


def _consolidation(event: Event) -> dict[str, object]:
    data, step = event.data, event.data["step"]
    next_at = data.get("next_at")
    return {
        "task_type": step,
        "affected_count": data["changed"],
        "elapsed_ms": data["elapsed_ms"],
        "success": True,  # a run that failed makes no event
        # Not known before the worker has planned the steps for the first time.
        "next_scheduled": next_run(next_at, now=event.at) if isinstance(next_at, int) else None,
        "steps": [step],
    }


ROUTES = (
    Route(
        method="GET",
        path="/v1/events",
        handler=tenant_events,
        scope="read",
        query=EventsQuery,
        stream=True,
        media_type=MEDIA_TYPE,
        summary="Follow the events of the tenant",
    ),
    Route(
        method="GET",
        path="/v1/jobs/{id}/events",
        handler=job_events,
        scope="read",
        query=EventsQuery,
        stream=True,
        media_type=MEDIA_TYPE,
        summary="Follow the events of a job until it ends",
    ),
    Route(
        method="GET",
        path="/stream",
        handler=automem_stream,
        scope="read",
        query=StreamQuery,
        stream=True,
        media_type=MEDIA_TYPE,
        errors="automem",
        summary="Follow the events of the tenant",
    ),
    Route(
        method="GET",
        path="/stream/status",
        handler=automem_status,
        scope="read",
        errors="automem",
        summary="The number of open streams",
    ),
)
