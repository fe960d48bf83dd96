"""Runs a coroutine handler to completion in the thread of its job, and cancels it when the job is cancelled.

Imported only when a handler returns an awaitable, because importing asyncio is slow.
"""

from __future__ import annotations

import asyncio

from jotsam.core.errors import JobCancelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable
    from typing import TypeVar

    from jotsam.core.job_records import Job
    from jotsam.queueing.loop import Loop

    T = TypeVar("T")


def run_coroutine(awaitable: Awaitable[T], job: Job, loop: Loop) -> T:
    """Await it in a new event loop. Raises `JobCancelled` if the job was cancelled, or its time is up.

    An event loop of its own per job: what the handler left behind ends with the job, and a handler that blocks does not
    stop others.
    """
    try:
        return asyncio.run(_run(awaitable, job, loop))
    except asyncio.CancelledError as error:
        if loop.is_cancelled(job):
            raise JobCancelled(f"job {job.id} was cancelled") from error
        raise


async def _run(awaitable: Awaitable[T], job: Job, loop: Loop) -> T:
    events = asyncio.get_running_loop()
    running = asyncio.current_task()
    assert running is not None
    loop.on_cancel(job, lambda: _cancel(events, running))
    try:
        return await awaitable
    finally:
        loop.on_cancel(job, None)


def _cancel(events: asyncio.AbstractEventLoop, running: asyncio.Task[object]) -> None:
    try:
        events.call_soon_threadsafe(running.cancel)
    except RuntimeError:
        pass  # The coroutine has just ended, and its event loop is closed.
