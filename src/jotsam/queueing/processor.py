"""`jotsam.Processor`: runs handlers for the jobs of a queue, with everything that makes it safe to let it."""

from __future__ import annotations

import threading
from types import MappingProxyType

from jotsam.core.clock import new_id
from jotsam.core.errors import InvalidInput, JobCancelled, LeaseLost
from jotsam.core.records import Record
from jotsam.core.validate import check_int
from jotsam.queueing.loop import Loop
from jotsam.queueing.options import LoopHooks, LoopOptions
from jotsam.queueing.queue import decoded, encoded
from jotsam.storage import queue as queue_room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from jotsam.core.job_records import Job
    from jotsam.queueing.loop import Handler, Save
    from jotsam.queueing.queue import Queue
    from jotsam.storage.database import Transaction

    Work = Callable[["Task"], Any]

MAX_RESULT_BYTES = 64 * 1024
RESULT_LIFE_MS = 24 * 3_600_000


class Options(Record):
    """How a processor runs."""

    concurrency: int = 4
    batch: int = 1  # jobs that are claimed, and settled, in one commit; for handlers that take less than a millisecond
    backoff_ms: Mapping[str, int] = MappingProxyType({})  # wait after the first failure, by kind; else 10,000
    time_limit_ms: int | None = None  # a job that runs longer has failed, and what it does from then on is in vain
    heartbeat_ms: int = 15_000  # leases are prolonged this often; keep it below a third of the shortest lease
    shutdown_grace_ms: int = 10_000  # running jobs may finish within this time once the processor is told to stop
    durable: bool = True  # what handlers write survives a power cut
    on_error: Callable[[Job, BaseException], None] | None = None


class Task:
    """A running job, as its handler sees it."""

    def __init__(self, job: Job, queue: Queue, loop: Loop) -> None:
        self.job = job
        self._queue = queue
        self._loop = loop

    @property
    def payload(self) -> Any:
        """The value that was sent. Raises `InvalidInput` if the stored JSON is damaged."""
        return decoded(self.job)

    @property
    def cancelled(self) -> bool:
        """Whether somebody cancelled the job, or its time is up: what the handler does now is in vain."""
        return self._loop.is_cancelled(self.job)

    @property
    def stopping(self) -> bool:
        """Whether the processor is about to stop."""
        return self._loop.stopping

    def check(self) -> None:
        """A place where the handler can be stopped: raises `JobCancelled` if it shall stop."""
        if self.cancelled:
            raise JobCancelled(f"job {self.job.id} was cancelled")

    def report(self, share: float, note: str | None = None) -> None:
        """Say how far the job has come, from 0 to 1. Raises `InvalidInput`, or `LeaseLost`."""
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise InvalidInput(f"invalid share {share!r}: must be a number from 0 to 1")
        with self._queue.database.transaction(durable=False) as tx:
            if not queue_room.report(tx, self.job, share=float(share), note=note):
                raise LeaseLost(f"job {self.job.id} was given to somebody else")


class Processor:
    """Runs `handlers`, by kind, for the jobs of a queue.

    A handler is given a `Task`. It may return a function of a transaction, which is called in the transaction that
    acknowledges the job, so that both stand or neither; or a small JSON value, which `Queue.result` returns for a
    day; or nothing. Raising `RetryJob`, `BuryJob` or `ProviderUnavailable` decides what becomes of the job; any other
    exception is a failure, tried again after 10, 20, 40 s and so on until `max_receive` is reached.
    """

    def __init__(self, queue: Queue, handlers: Mapping[str, Work], **options: Any) -> None:
        if not hasattr(queue, "receive_many"):
            raise InvalidInput(f"invalid queue {queue!r}: must be a jotsam.Queue")
        if not hasattr(handlers, "values") or not all(callable(handler) for handler in handlers.values()):
            raise InvalidInput(f"invalid handlers {handlers!r}: must be a dict of functions by job kind")
        self.queue = queue
        self._handlers = dict(handlers)
        self._options = Options(**options)
        check_int("concurrency", self._options.concurrency, 1, 1_000)
        check_int("batch", self._options.batch, 1, 1_000)
        check_int("heartbeat_ms", self._options.heartbeat_ms, 1, 86_400_000)
        check_int("shutdown_grace_ms", self._options.shutdown_grace_ms, 0, 86_400_000)
        if not self._handlers:
            raise InvalidInput("invalid handlers: must not be empty")
        self._loop = self._new_loop(leaves=True)
        self._thread: threading.Thread | None = None

    def run(self, *, forever: bool = False) -> int:
        """Work in this thread until nothing is left to do, or until `stop`. Returns how many jobs were done."""
        self._loop = self._new_loop(leaves=not forever)
        return self._loop.run()

    def start(self) -> None:
        """Work in a thread of its own until `stop`. Starting what runs does nothing."""
        if self._thread and self._thread.is_alive():
            return
        self._loop = self._new_loop(leaves=False)
        self._thread = threading.Thread(target=self._loop.run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Let running jobs finish within the grace time, give the rest back unspent, and return then."""
        self._loop.stop()
        if self._thread:
            self._thread.join()

    def _new_loop(self, *, leaves: bool) -> Loop:
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
        names = (self.queue.name,)
        hooks = _Listener(given.on_error, leaves)
        loop = Loop(self.queue.database, handlers, queues=names, owner=new_id(), options=options, hooks=hooks)
        handlers |= {kind: self._handler(work, loop) for kind, work in self._handlers.items()}
        return loop

    def _handler(self, work: Work, loop: Loop) -> Handler:
        def handle(job: Job) -> Callable[[Transaction], None] | None:
            result = work(Task(job, self.queue, loop))
            if result is None:
                return None
            if callable(result):
                save: Save = result
                return save
            json = str(encoded(result, MAX_RESULT_BYTES))
            return lambda tx: queue_room.leave_result(tx, job, json=json, life_ms=RESULT_LIFE_MS)

        return handle


class _Listener(LoopHooks):
    def __init__(self, on_error: Callable[[Job, BaseException], None] | None, leaves: bool) -> None:
        self._on_error = on_error
        self._leaves = leaves

    def on_failure(self, job: Job, error: BaseException) -> None:
        if self._on_error:
            self._on_error(job, error)

    def should_exit(self, tx: Transaction) -> bool:
        return self._leaves
