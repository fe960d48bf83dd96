"""The loop: claims jobs, runs their handlers in threads, and settles each in one transaction.

It knows queues and handlers, and nothing of what a job means. A handler thinks outside any transaction and returns
what to write; that and the acknowledgement are one commit, which also claims the thread's next job. Whoever lost the
lease meanwhile writes nothing. With a `batch` a thread claims several jobs at once, runs them one after the other, and
settles them in one commit; should that fail, each in its own.
"""

from __future__ import annotations

import logging
import threading
import traceback

from jotsam.core.clock import monotonic_ms, random_float, sleep
from jotsam.core.errors import (
    BuryJob,
    DatabaseUnavailable,
    JobCancelled,
    JotsamError,
    LeaseLost,
    ProviderUnavailable,
    RetryJob,
)
from jotsam.queueing import outcomes
from jotsam.queueing.backoff import FIRST_MS, backoff
from jotsam.queueing.options import LoopHooks, LoopOptions
from jotsam.queueing.outage import Outage
from jotsam.storage import queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeVar

    from jotsam.core.job_records import Job
    from jotsam.storage.database import Database, Transaction

    Save = Callable[[Transaction], None]
    Handler = Callable[[Job], Save | None]
    Handled = tuple[Job, Save | None, Save | None]  # what to write when it is done; what to do if it is not
    T = TypeVar("T")

log = logging.getLogger("jotsam")

BUSY_WAIT_MS = 50
READY_WAIT_MS = 10
LOOK_AGAIN_MS = 30_000
GIVE_UP_MS = 600_000
TRACE_LIMIT = 4_000


class Loop:
    """Runs `handlers` by kind for the jobs of `queues`, in the order of the queues."""

    def __init__(
        self,
        database: Database,
        handlers: Mapping[str, Handler],
        *,
        queues: tuple[str, ...],
        owner: str,
        options: LoopOptions | None = None,
        hooks: LoopHooks | None = None,
    ) -> None:
        self._database = database
        self._handlers = handlers
        self._queues = queues
        self._owner = owner
        self._options = options or LoopOptions()
        self._hooks = hooks or LoopHooks()
        self._outage = Outage()
        self._state = threading.Condition()
        self._rings = 0
        self._busy = 0
        self._claiming = 0
        self._settled = 0
        self._seen = -1  # of `_settled`, when it was last looked whether the loop may leave
        self._looked_at = 0
        self._closed = False  # while the loop looks whether it may leave, nobody claims
        self._stopping = threading.Event()
        # Each job that is held, and since when it runs, on the monotonic clock; None while it waits in its batch.
        self._running: dict[tuple[int, int], tuple[Job, int | None]] = {}
        self._floors = {} if database.is_file else {name: queue.Floor() for name in queues}
        self._cancelled: set[tuple[int, int]] = set()
        self._broken: BaseException | None = None
        self.done = 0

    def run(self) -> int:
        """Work until stopped, or until the hooks lets the loop leave. Returns how many jobs were done."""
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(self._options.concurrency)]
        heart = threading.Thread(target=self._beat, daemon=True)
        for thread in (*threads, heart):
            thread.start()
        try:
            self._watch()
        finally:
            self.stop()
            self._wind_up(threads)
            heart.join()
        if self._broken:
            raise self._broken
        return self.done

    def stop(self) -> None:
        """Ask the loop to end; from any thread, or from a signal handler."""
        self._stopping.set()
        self._database.ring()

    def is_cancelled(self, job: Job) -> bool:
        """Whether a running job was cancelled, or taken from its handler: what it does now is in vain."""
        return (job.id, job.received) in self._cancelled

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def _watch(self) -> None:
        """The main thread: sleep until somebody rings or something is due, and see whether the loop may leave."""
        self._database.wait(0)  # From here on no ring is missed.
        while not self.stopping:
            try:
                if self._look():
                    return
            except DatabaseUnavailable as error:  # A server that restarts is back in a while, and so is a lock.
                self._seen = -1
                if self._outage.lost(error) > GIVE_UP_MS:
                    raise
                sleep(0.2 + 0.2 * random_float())

    def _look(self) -> bool:
        """See whether the loop may leave; if not, wait until there may be something to do, and wake a thread for it."""
        again = monotonic_ms() > self._looked_at + LOOK_AGAIN_MS
        if not self._busy and (again or self._seen != self._settled):
            self._looked_at, self._seen = monotonic_ms(), self._settled
            if self._may_leave():
                return True
        wait_ms = self._until_due()
        if self._seen != self._settled and not self._busy:
            return False  # The last job was settled while we looked, and nobody will ring for that.
        if self._database.wait(wait_ms) or wait_ms < self._options.poll_interval_ms:
            self._seen = -1
        with self._state:
            self._rings += 1
            self._state.notify()
        return False

    def _until_due(self) -> int:
        """How long nothing is expected to happen, if nobody rings."""
        if self._busy == self._options.concurrency:
            return BUSY_WAIT_MS  # Nobody is free for what may come, and whoever becomes free looks by itself.
        longest = BUSY_WAIT_MS if self._busy else self._options.poll_interval_ms
        with self._database.snapshot() as tx:
            due = tx.now if queue.is_ready(tx, self._queues) else queue.next_wake(tx)
            return longest if due is None else max(READY_WAIT_MS, min(due - tx.now, longest))

    def _may_leave(self) -> bool:
        with self._state:
            if self._busy:
                return False
            self._closed = True
        try:
            self._hooks.on_idle()
            with self._database.transaction(durable=False) as tx:
                queue.wake(tx)
                due = queue.next_wake(tx)
                soon = due is not None and due <= tx.now + self._options.worker_idle_ms
                leaves = not soon and not queue.is_ready(tx, self._queues) and self._hooks.should_exit(tx)
            self._outage.over()
            return leaves
        finally:
            with self._state:
                self._closed = False
                self._state.notify_all()

    def _work(self) -> None:
        """One thread of the pool. What it cannot survive ends the loop, rather than leave one that does nothing."""
        jobs: list[Job] = []
        try:
            while jobs or (jobs := self._take()):
                jobs = self._process(jobs)
        except BaseException as error:
            self._broken = error
            self.stop()

    def _take(self) -> list[Job]:
        """Wait for jobs and claim them. Empty: the loop is stopping."""
        while not self.stopping:
            with self._state:
                self._state.wait_for(lambda: not self._closed or self.stopping)
                self._busy += 1
                seen = self._rings
            held = self._held(lambda tx: (None, self._claim(tx))) if self._is_worth_claiming() else None
            jobs = held[1] if held else []
            with self._state:
                if jobs:
                    self._state.notify()  # Where one job was, there may be another: wake one more thread.
                    return jobs
                self._busy -= 1
                self._state.wait_for(lambda seen=seen: self._rings != seen or self.stopping)  # type: ignore[misc]
        return []

    def _is_worth_claiming(self) -> bool:
        """Whether a claim could find something; a look costs less than a transaction that writes nothing."""
        try:
            with self._database.snapshot() as tx:
                return queue.is_ready(tx, self._queues) or queue.is_due(tx)
        except DatabaseUnavailable as error:
            self._outage.lost(error)
            return True  # The claim tries again by itself.

    def _claim(self, tx: Transaction) -> list[Job]:
        """The next jobs, from the first queue that has any."""
        for name in self._queues if not self.stopping else ():
            how = {"limit": self._options.batch, "floor": self._floors.get(name)}
            if jobs := queue.receive(tx, queue=name, owner=self._owner, **how):  # type: ignore[arg-type]
                return jobs
        return []

    def _held(self, write: Callable[[Transaction], tuple[T, list[Job]]]) -> tuple[T, list[Job]] | None:
        """Commit a claim; from then on its leases are kept up. Of one rolled back, another worker has the tokens."""
        with self._state:
            self._claiming += 1
        try:
            written = self._persist(write)
            if written:
                self._running.update({(job.id, job.received): (job, None) for job in written[1]})
            return written
        finally:
            with self._state:
                self._claiming -= 1
                if self.stopping:
                    self._state.notify_all()

    def _process(self, jobs: list[Job]) -> list[Job]:
        """Run the handlers of a batch and settle it. Returns this thread's next jobs, claimed in the same commit.

        What is settled early does not claim. What has not begun when the loop stops is given back with the rest.
        """
        handled: list[Handled] = []
        began = monotonic_ms()
        for place, job in enumerate(jobs, start=1):
            if place > 1 and (self.stopping or monotonic_ms() > began + self._options.settle_ms):
                self._settle(handled, self._no_claim)
                handled, began = [], monotonic_ms()
                if self.stopping:
                    return []
            self._running[job.id, job.received] = job, monotonic_ms()
            handled.append((job, *self._handle(job)))
        following = self._settle(handled, self._claim)
        with self._state:
            self._busy -= int(not following)
            self._settled += 1
        return following

    def _settle(self, handled: list[Handled], claim: Callable[[Transaction], list[Job]]) -> list[Job]:
        """Write what has become of some jobs, in one commit if that can be, and claim others in it."""
        following: list[Job] = []
        try:
            following = self._finish(handled, claim)
        except Exception as error:  # A handler's own writing failed: that is a failure of its job, and of no other.
            if len(handled) > 1:
                for one in handled:
                    self._settle([one], self._no_claim)
            elif isinstance(error, LeaseLost):
                log.warning("job %d: the lease was lost; its result was not written", handled[0][0].id)
            else:
                self._settle_failure(handled[0][0], error)
        for job, *_ in handled:
            self._running.pop((job.id, job.received), None)
            self._cancelled.discard((job.id, job.received))
        return following

    def _finish(self, handled: list[Handled], claim: Callable[[Transaction], list[Job]]) -> list[Job]:
        done = [(job, save) for job, save, instead in handled if instead is None]

        def write(tx: Transaction) -> tuple[set[tuple[int, int]], list[Job]]:
            gone = queue.delete_many(tx, [job for job, _ in done]) if done else set()
            for job, save in done:
                if save and (job.id, job.received) in gone:
                    tx.set_tenant(job.tenant)
                    save(tx)
            for _, _, instead in handled:
                if instead:
                    instead(tx)
            return gone, claim(tx)

        written = self._held(write)
        if written is None:
            return []
        gone, following = written
        for job, _ in done:
            if (job.id, job.received) not in gone:
                log.warning("job %d: the lease was lost; its result was not written", job.id)
        self.done += len(gone)
        return following

    def _no_claim(self, _: Transaction) -> list[Job]:
        return []

    def _handle(self, job: Job) -> tuple[Save | None, Save | None]:
        """Run the handler. Returns what to write with the acknowledgement; or what to do with the job instead of it."""
        handler = self._handlers.get(job.kind)
        if handler is None:
            known = ", ".join(sorted(self._handlers))
            message = f"nobody handles jobs of kind {job.kind!r}; known are: {known}"
            return None, lambda tx: outcomes.bury(tx, job, message)
        try:
            return handler(job), None
        except LeaseLost:
            log.warning("job %d: the lease was lost while it ran", job.id)
            return None, lambda tx: None
        except BaseException as error:  # Whatever a handler raises is written on its job, and the worker lives on.
            return None, self._failure(job, error)

    def _settle_failure(self, job: Job, error: Exception) -> None:
        try:
            self._persist(self._failure(job, error))
        except JotsamError as second:
            log.error("job %d: its failure cannot be written, so its lease must run out: %s", job.id, second)

    def _failure(self, job: Job, error: BaseException) -> Save:
        message = f"{type(error).__name__}: {error}"
        trace = "".join(traceback.format_exception(error))[-TRACE_LIMIT:]
        log.warning("job %d (%s), delivery %d failed: %s", job.id, job.kind, job.received, message)
        self._tell(job, error)
        if isinstance(error, JobCancelled):
            return lambda tx: outcomes.cancel(tx, job, message)
        if isinstance(error, BuryJob):
            return lambda tx: outcomes.bury(tx, job, message, trace)
        if isinstance(error, ProviderUnavailable):
            return lambda tx: outcomes.trip(tx, job, message)
        retry = error if isinstance(error, RetryJob) else RetryJob(spend=not isinstance(error, DatabaseUnavailable))
        delay = retry.after_ms
        if delay is None:
            first_ms = self._options.first_backoff_ms.get(job.kind, FIRST_MS)
            delay = backoff(job.failures + 1, random_float(), first_ms=first_ms)
        return lambda tx: outcomes.give_back(tx, job, message, trace, delay, retry.spend)

    def _tell(self, job: Job, error: BaseException) -> None:
        try:
            self._hooks.on_failure(job, error)
        except Exception as second:  # Whoever is told must not break the loop.
            log.warning("job %d: telling of its failure failed: %s", job.id, second)

    def _persist(self, write: Callable[[Transaction], T]) -> T | None:
        """One write transaction, tried again while the database is busy or full; then left to the lease."""
        deadline = monotonic_ms() + self._options.heartbeat_ms
        while True:
            try:
                with self._database.transaction(durable=self._options.durable) as tx:
                    written = write(tx)
                self._outage.over()
                return written
            except JotsamError as error:
                if not error.retry or isinstance(error, RetryJob):
                    raise
                self._outage.lost(error)
                if monotonic_ms() > deadline or self.stopping:
                    return None
                sleep(0.2 + 0.2 * random_float())

    def _beat(self) -> None:
        """The heart: prolongs the leases of what runs, from a thread of its own, however long a handler takes."""
        while not self._stopping.wait(self._options.heartbeat_ms / 1000):
            self._persist(self._prolong)

    def _prolong(self, tx: Transaction) -> None:
        late = [job for job, since in list(self._running.values()) if since is not None and self._is_late(since)]
        for job in late:
            message = f"it ran longer than {self._options.time_limit_ms} ms"
            outcomes.give_back(tx, job, message, "", backoff(job.failures + 1, random_float()), True)
        held = [job for job, _ in list(self._running.values()) if job not in late]
        kept = queue.extend_many(tx, held)
        lost = [job for job in held if kept.get((job.id, job.received), True)]
        self._cancelled |= {(job.id, job.received) for job in (*late, *lost)}
        if not self._hooks.on_heartbeat(tx):
            log.warning("another worker has taken over; this one ends")
            self.stop()

    def _is_late(self, since: int) -> bool:
        return self._options.time_limit_ms is not None and monotonic_ms() - since > self._options.time_limit_ms

    def _wind_up(self, threads: list[threading.Thread]) -> None:
        """Let running jobs finish within the grace time, then give the rest back without spending an attempt."""
        with self._state:
            self._state.notify_all()
        deadline = monotonic_ms() + self._options.shutdown_grace_ms
        for thread in threads:
            thread.join(max(0, deadline - monotonic_ms()) / 1000)
        with self._state:  # A claim that was under way when the stop came is among what is given back.
            self._state.wait_for(lambda: not self._claiming, self._options.heartbeat_ms / 1000)
        self._persist(self._give_up)

    def _give_up(self, tx: Transaction) -> None:
        for job, _ in list(self._running.values()):
            queue.release(tx, job, error="the worker was stopped", spend=False)
