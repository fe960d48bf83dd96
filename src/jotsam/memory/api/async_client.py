"""The public client for asyncio: `AsyncJotsam`.

Each call runs on a thread of a bounded pool, so that it never blocks the event loop. A cancelled `await` stops waiting,
not the call: what has begun is finished, and its commit is kept.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from threading import Lock

from jotsam.core import fork, validate
from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import DatabaseClosed
from jotsam.ingest import validation
from jotsam.memory.api.async_methods import AsyncMethods
from jotsam.memory.api.client import POLL_MS, START_WORKER_MS, Jotsam
from jotsam.memory.api.follow_events import PAUSE_S, Follower
from jotsam.memory.jobs.jobs import PendingJobs
from jotsam.memory.status import status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable
    from os import PathLike
    from types import TracebackType
    from typing import Any, Self, TypeVar

    from jotsam.core.clock import Clock
    from jotsam.core.event_records import Event
    from jotsam.core.settings import Settings

    T = TypeVar("T")

MAX_THREADS = 64


class AsyncJotsam(AsyncMethods):
    """`Jotsam` for asyncio: the same methods, awaited. Opens the database with the first call, or in `async with`.

    `threads` is the number of calls that run at the same time; more of them wait. Cancelling an `await` does not undo
    a call that has begun: see `docs/async.md`.
    """

    def __init__(
        self,
        db: str | PathLike[str] | None = None,
        *,
        tenant: str | None = None,
        project: str | None = None,
        worker: str | None = None,
        settings: Settings | None = None,
        clock: Clock | None = None,
        threads: int = 8,
    ) -> None:
        opened = partial(Jotsam, db, tenant=tenant, project=project, worker=worker, settings=settings, clock=clock)
        self._connection = _Connection(opened, threads=validate.check_int("threads", threads, 1, MAX_THREADS))
        self._view: Callable[[Jotsam], Jotsam] = _unchanged
        self._owns_connection = True

    def scoped(self, *, tenant: str | None = None, project: str | None = None, actor: str | None = None) -> AsyncJotsam:
        """A client for another tenant, project or default actor on the same threads and connections.

        Not a coroutine: it only stores the scope. Closing it does nothing. Raises `InvalidInput`.
        """
        if tenant is not None:
            validation.check_tenant(tenant)
        for name, value in (("project", project), ("actor", actor)):
            validation.check_line(name, value)
        outer = self._view
        scope = object.__new__(AsyncJotsam)
        scope._connection = self._connection
        scope._view = lambda jot: outer(jot).scoped(tenant=tenant, project=project, actor=actor)
        scope._owns_connection = False
        return scope

    async def wait(self, ids: Iterable[str] = (), *, timeout_ms: int = 60_000) -> bool:
        """Wait until the jobs of these documents and memories are done or dead, or those of the whole tenant.

        False: some are still pending after `timeout_ms`. Occupies no thread while it waits.
        Raises `NotFound`, `InvalidInput`.
        """
        wanted, now = validate.check_list("ids", ids), monotonic_ms()
        deadline, start_at = now + validate.check_int("timeout_ms", timeout_ms), now
        await self._run(lambda jot: status.resume_if_freed(jot.database, jot.settings))
        pending = await self._run(lambda jot: PendingJobs(jot.database, wanted, tenant=jot.settings.tenant))
        while await self._run(lambda _: pending.any_left()):
            now = monotonic_ms()
            if now > deadline:
                return False
            if now >= start_at:
                await self._run(lambda jot: jot._start_worker())
                start_at = now + START_WORKER_MS
            await asyncio.sleep(POLL_MS / 1000)
        return True

    async def events(
        self, *, after: str | None = None, job: int | None = None, idle_ms: int | None = None
    ) -> AsyncIterator[Event]:
        """Follow what happens in the tenant: `async for event in await jot.events()`. See `Jotsam.events`.

        Occupies no thread while it waits.
        """

        def begin(jot: Jotsam) -> Follower:
            follower = Follower(jot.settings.tenant, after=after, job=job, idle_ms=idle_ms)
            follower.begin(jot.database)
            return follower

        follower = await self._run(begin)
        return self._followed(follower)

    async def _followed(self, follower: Follower) -> AsyncIterator[Event]:
        while not follower.is_ended:
            found = await self._run(lambda jot: follower.read(jot.database))
            for event in found:
                yield event
            if not found and not follower.is_ended:
                await asyncio.sleep(PAUSE_S)

    async def work(self) -> int | None:
        """Process queued jobs until none is left, on one thread of the pool. Returns how many were done.

        None: another worker process holds the lease. For a worker that keeps running, start `jotsam jobs work
        --forever`.
        """
        return await self._run(lambda jot: jot.work())

    async def close(self) -> None:
        """Wait for the calls that have begun, then close the connections. Later calls raise `DatabaseClosed`.

        A background worker continues.
        """
        if self._owns_connection:
            await asyncio.to_thread(self._connection.close)

    async def __aenter__(self) -> Self:
        await self._run(lambda jot: None)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        await self.close()

    async def _call(self, method: Callable[..., Any], args: Any, kwargs: Any, *, part: str = "") -> Any:
        return await self._run(lambda jot: method(getattr(jot, part) if part else jot, *args, **kwargs))

    async def _run(self, call: Callable[[Jotsam], T]) -> T:
        view = self._view
        return await self._connection.run(lambda jot: call(view(jot)))


class _Connection(fork.Forked):
    """One `Jotsam` and the threads that call it. Belongs to no event loop."""

    def __init__(self, opened: Callable[[], Jotsam], *, threads: int) -> None:
        self._open = opened
        self._threads = threads
        self._client: Jotsam | None = None
        self._closed = False
        self.after_fork_in_child()
        fork.register(self)

    def after_fork_in_child(self) -> None:
        """Begin with new threads: the child has none of the parent's."""
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="jotsam")
        self._lock = Lock()

    async def run(self, call: Callable[[Jotsam], T]) -> T:
        """The result of a call, made on a thread of the pool with the caller's context variables."""
        context = copy_context()
        try:
            future = asyncio.get_running_loop().run_in_executor(self._pool, lambda: context.run(self._call, call))
        except RuntimeError as error:
            if self._closed:
                raise DatabaseClosed("this AsyncJotsam was closed; open another one") from error
            raise
        return await future

    def close(self) -> None:
        self._closed = True
        self._pool.shutdown()
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _call(self, call: Callable[[Jotsam], T]) -> T:
        with self._lock:
            if self._client is None:
                self._client = self._open()
            client = self._client
        return call(client)


def _unchanged(client: Jotsam) -> Jotsam:
    return client
