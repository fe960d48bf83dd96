"""`jotsam.Processor`: runs handlers for the jobs of a queue, with leases, retries, time limits and shutdown."""

from __future__ import annotations

import threading
from types import MappingProxyType

from jotsam.core.clock import new_owner
from jotsam.core.errors import InvalidInput, JobCancelled, LeaseLost
from jotsam.core.records import Record
from jotsam.core.validate import check_fields, check_int
from jotsam.queueing.loop import Loop
from jotsam.queueing.options import LoopHooks, LoopOptions
from jotsam.queueing.queue import decode_payload, encode_payload
from jotsam.storage import queue as queue_storage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypedDict, Unpack

    from jotsam.core.job_records import Job
    from jotsam.queueing.loop import Handler, Save
    from jotsam.queueing.queue import Queue
    from jotsam.storage.database import Transaction

    TaskHandler = Callable[["Task"], Any]  # a function, or a coroutine function

    class ProcessorOptions(TypedDict, total=False):
        """Keyword arguments of `Processor`; `Options` describes each."""

        concurrency: int
        batch: int
        backoff_ms: Mapping[str, int]
        time_limit_ms: int | None
        heartbeat_ms: int
        shutdown_grace_ms: int
        durable: bool
        on_error: Callable[[Job, BaseException], None] | None


MAX_RESULT_BYTES = 64 * 1024
RESULT_LIFE_MS = 24 * 3_600_000


class Options(Record):
    """How a processor runs. All times in milliseconds."""

    concurrency: int = 4  # jobs that run at once, each in its own thread
    batch: int = 1  # jobs claimed and acknowledged in one commit, for handlers that take less than a millisecond
    backoff_ms: Mapping[str, int] = MappingProxyType({})  # backoff after the first failure, by kind; else 10,000
    time_limit_ms: int | None = None  # a job that runs longer fails, and its result is discarded
    heartbeat_ms: int = 15_000  # longest interval at which leases are extended; a third of the shortest lease if less
    shutdown_grace_ms: int = 10_000  # running jobs have this time to finish after `stop`
    durable: bool = True  # what handlers write survives a power cut
    on_error: Callable[[Job, BaseException], None] | None = None  # called after a handler raised


class Task:
    """A running job, as its handler receives it."""

    def __init__(self, job: Job, queue: Queue, loop: Loop) -> None:
        self.job = job
        self._queue = queue
        self._loop = loop

    @property
    def payload(self) -> Any:
        """The value that was sent. Raises `InvalidInput` if the stored JSON is damaged."""
        return decode_payload(self.job)

    @property
    def cancelled(self) -> bool:
        """True if the job was cancelled, exceeded its time limit or lost its lease: its result is discarded."""
        return self._loop.is_cancelled(self.job)

    @property
    def stopping(self) -> bool:
        """True once the processor is asked to stop."""
        return self._loop.stopping

    def check(self) -> None:
        """Raise `JobCancelled` if the job is cancelled. Call it where the handler can stop."""
        if self.cancelled:
            raise JobCancelled(f"job {self.job.id} was cancelled")

    def report(self, share: float, note: str | None = None) -> None:
        """Store the progress of the job, from 0 to 1. Raises `InvalidInput` or `LeaseLost`."""
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise InvalidInput(f"invalid share {share!r}: must be a number from 0 to 1")
        with self._queue.database.transaction(durable=False) as tx:
            if not queue_storage.report_progress(tx, self.job, share=float(share), note=note):
                raise LeaseLost(f"job {self.job.id} was delivered to another worker")


class Processor:
    """Runs `handlers`, by job kind, on the jobs of a queue.

    A handler takes a `Task`; it may be a coroutine function. It returns a function of a transaction, which runs in the
    transaction that acknowledges the job, so both commit or neither does; or a small JSON value, which `Queue.result`
    returns for a day; or None. It raises `RetryJob`, `BuryJob` or `ProviderUnavailable` to decide the outcome of its
    job. Any other exception is a failure, retried after 10, 20, 40 s and so on until `max_receive` is reached.
    """

    def __init__(self, queue: Queue, handlers: Mapping[str, TaskHandler], **options: Unpack[ProcessorOptions]) -> None:
        if not hasattr(queue, "receive_many"):
            raise InvalidInput(f"invalid queue {queue!r}: must be a jotsam.Queue")
        if not hasattr(handlers, "values") or not all(callable(handler) for handler in handlers.values()):
            raise InvalidInput(f"invalid handlers {handlers!r}: must be a dict of functions by job kind")
        check_fields(options, Options._fields)
        self.queue = queue
        self._handlers = dict(handlers)
        self._options = Options(**options)
        check_int("concurrency", self._options.concurrency, 1, 1_000)
        check_int("batch", self._options.batch, 1, 1_000)
        check_int("heartbeat_ms", self._options.heartbeat_ms, 1, 86_400_000)
        check_int("shutdown_grace_ms", self._options.shutdown_grace_ms, 0, 86_400_000)
        if not self._handlers:
            raise InvalidInput("invalid handlers: must not be empty")
        self._loop = self._new_loop(exits=True)
        self._thread: threading.Thread | None = None

    def run(self, *, forever: bool = False) -> int:
        """Work in this thread until no job is left, or until `stop`. Returns the number of jobs done."""
        self._loop = self._new_loop(exits=not forever)
        return self._loop.run()

    def start(self) -> None:
        """Work in a background thread until `stop`. Does nothing if it is running."""
        if self._thread and self._thread.is_alive():
            return
        self._loop = self._new_loop(exits=False)
        self._thread = threading.Thread(target=self._loop.run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Give running jobs the grace period to finish, release the rest without spending an attempt, and return."""
        self._loop.stop()
        if self._thread:
            self._thread.join()

    def _new_loop(self, *, exits: bool) -> Loop:
        given = self._options
        options = LoopOptions(
            concurrency=given.concurrency,
            batch=given.batch,
            heartbeat_ms=given.heartbeat_ms,
            first_backoff_ms=given.backoff_ms,
            time_limit_ms=given.time_limit_ms,
            worker_idle_ms=0,
            shutdown_grace_ms=given.shutdown_grace_ms,
            durable=given.durable,
        )
        handlers: dict[str, Handler] = {}
        hooks = _Hooks(given.on_error, exits)
        names = (self.queue.name,)
        loop = Loop(self.queue.database, handlers, queues=names, owner=new_owner(), options=options, hooks=hooks)
        handlers |= {kind: self._handler(handler, loop) for kind, handler in self._handlers.items()}
        return loop

    def _handler(self, run: TaskHandler, loop: Loop) -> Handler:
        def handle(job: Job) -> Save | None:
            result = run(Task(job, self.queue, loop))
            if hasattr(result, "__await__"):
                from jotsam.queueing.coroutines import run_coroutine  # imports asyncio, which is slow

                result = run_coroutine(result, job, loop)
            if result is None:
                return None
            if callable(result):
                return _synchronous(result)
            json = str(encode_payload(result, MAX_RESULT_BYTES))
            return lambda tx: queue_storage.save_result(tx, job, json=json, life_ms=RESULT_LIFE_MS)

        return handle


def _synchronous(save: Callable[[Transaction], Any]) -> Save:
    """Refuse a coroutine function: it would return without having written anything."""

    def checked(tx: Transaction) -> None:
        written = save(tx)
        if hasattr(written, "__await__"):
            getattr(written, "close", lambda: None)()
            raise InvalidInput("the function that a handler returns must not be a coroutine function")

    return checked


class _Hooks(LoopHooks):
    def __init__(self, on_error: Callable[[Job, BaseException], None] | None, exits: bool) -> None:
        self._on_error = on_error
        self._exits = exits

    def on_failure(self, job: Job, error: BaseException) -> None:
        if self._on_error:
            self._on_error(job, error)

    def should_exit(self, tx: Transaction) -> bool:
        return self._exits
