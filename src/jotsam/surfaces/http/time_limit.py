"""Bounds the time of a request while the database hangs.

A request that takes long is left alone as long as the database answers others: a large one may. If it does not, the
client is told so, and the thread is left to itself: what it has sent may still be committed.
"""

from __future__ import annotations

import asyncio
import logging

import anyio

from jotsam.surfaces.http.server.database_checks import NO_ANSWER
from jotsam.surfaces.http.server.http_error import HttpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from jotsam.surfaces.http.server.server import Server

    T = TypeVar("T")

log = logging.getLogger("jotsam.http")

LONGEST_CHECK_S = 3
RETRY_AFTER_S = 5
READ = "the database does not answer: try again"
WRITTEN = (
    "the database does not answer, and whether it has carried this out is not known: send it again with the same "
    "Idempotency-Key, which changes nothing if it has; without one, look first"
)


async def in_thread(server: Server, call: Callable[[], T], *, writes: bool, safe: bool) -> T:
    """What `call` returns, in a thread. Raises `HttpError` 503 when the database does not answer any more.

    With `writes` it waits for others that write. Unless it is `safe` to send again, the error says that the outcome
    is not known.
    """
    limiter = server.threads.writing if writes else server.threads.reading
    task = asyncio.ensure_future(anyio.to_thread.run_sync(call, abandon_on_cancel=True, limiter=limiter))
    try:
        while not (await asyncio.wait({task}, timeout=server.options.answer_timeout_s))[0]:
            if not await _answers(server):
                log.warning("a request was given up: the database does not answer")
                headers = {"Retry-After": str(RETRY_AFTER_S)}
                raise HttpError(503, "unavailable", READ if safe else WRITTEN, headers=headers)
        return await task
    finally:
        task.cancel()


async def _answers(server: Server) -> bool:
    """Whether the database answers: it may have a reason not to be ready, which the request will meet too."""
    asked = asyncio.wrap_future(server.checks.readiness())
    try:
        return await asyncio.wait_for(asked, LONGEST_CHECK_S) != NO_ANSWER
    except TimeoutError:
        return False
