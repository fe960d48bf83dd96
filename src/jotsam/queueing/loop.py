"""The worker loop: claims jobs, runs their handlers in threads, and commits each outcome in one transaction.

The loop knows queues and handlers, not what a job means. A handler works outside any transaction and returns what to
write. One commit writes that, acknowledges the job and claims the next job of the thread; if the lease was lost,
nothing is written. With a `batch` a thread claims several jobs at once, runs them one after the other and acknowledges
them in one commit; if that commit fails, each in a commit of its own.

The loop records its process as the holder of its jobs, and returns the jobs of processes on this machine that have
ended. A job that was interrupted repeatedly runs while the loop holds no other job, in case it ends its worker.
"""

from __future__ import annotations

import logging
import threading

from jotsam.core import tracing
from jotsam.core.clock import monotonic_ms, random_float, sleep
from jotsam.core.errors import DatabaseUnavailable, JotsamError, LeaseLost, RetryJob, TenantMoved
from jotsam.core.platform.process_identity import this_process
from jotsam.core.tracing import JOB
from jotsam.queueing.backoff import FIRST_MS
from jotsam.queueing.held_jobs import HeldJobs, token
from jotsam.queueing.options import LoopHooks, LoopOptions
from jotsam.queueing.outage import Outage
from jotsam.queueing.outcomes import message_of, outcome_of, unknown_kind
from jotsam.queueing.retention import IDLE_SLICES, Retention
from jotsam.storage import queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeVar

    from jotsam.core.job_records import Job
    from jotsam.queueing.outcomes import Write
    from jotsam.storage.database import Database, Transaction

    Save = Callable[[Transaction], None]
    Handler = Callable[[Job], Save | None]
    Handled = tuple[Job, Save | None, Write | None]  # the job; what to write if it is done; what to write if it failed
    T = TypeVar("T")

log = logging.getLogger("jotsam")

BUSY_WAIT_MS = 50
READY_WAIT_MS = 10
EXIT_CHECK_MS = 30_000  # an idle loop checks at least this often whether it may exit
MAX_OUTAGE_MS = 600_000  # a loop that cannot read for longer ends with the error
CANCEL_WAIT_MS = 1_000  # time for cancelled coroutines to end when the loop stops
ALONE_WAIT_MS = 1_000  # a second job that must run alone is released for this time


class Loop:
    """Runs the handlers of `handlers`, by job kind, on the jobs of `queues`, in the order of the queues."""

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
        self._wake_ups = 0
        self._busy = 0
        self._claiming = 0
        self._settled = 0
        self._waits_ms = 0  # how long the main thread waits at most
        self._checked_settled = -1  # value of `_settled` at the last check whether to exit
        self._checked_at = 0
        self._closed = False  # no thread claims while the loop checks whether to exit
        self._alone: int | None = None  # the thread whose job runs alone, or waits until it can
        self._stopping = threading.Event()
        self._held = HeldJobs(time_limit_ms=self._options.time_limit_ms, heartbeat_ms=self._options.heartbeat_ms)
        self._retention = Retention(database)
        self._watermarks = {} if database.is_file else {name: queue.Watermark() for name in queues}
        self._unknown: set[str] = set()  # kinds that were logged as such
        self._fatal_error: BaseException | None = None
        self.done = 0

    def run(self) -> int:
        """Work until stopped, or until the hooks let the loop exit. Returns the number of jobs done."""
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(self._options.concurrency)]
        heartbeat = threading.Thread(target=self._send_heartbeats, daemon=True)
        self._process = this_process(is_local=self._database.is_file)  # This process may be a fork of another.
        self._persist(self._save_worker)
        for thread in (*threads, heartbeat):
            thread.start()
        try:
            self._watch()
        finally:
            self.stop()
            self._shut_down(threads)
            heartbeat.join()
        if self._fatal_error:
            raise self._fatal_error
        return self.done

    def stop(self) -> None:
        """Ask the loop to end; from any thread, or from a signal handler."""
        self._stopping.set()
        self._held.changed.set()
        self._database.notify()

    def is_cancelled(self, job: Job) -> bool:
        """True if a running job was cancelled, exceeded its time limit or lost its lease: its result is discarded."""
        return self._held.is_cancelled(job)

    def on_cancel(self, job: Job, callback: Callable[[], None] | None) -> None:
        """Call `callback` when `is_cancelled` becomes true; None removes it."""
        self._held.on_cancel(job, callback)

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def _watch(self) -> None:
        """The main thread: sleep until a wake-up or until a job is due, and check whether to exit."""
        self._database.wait(0)  # From here on no wake-up is missed.
        while not self.stopping:
            try:
                if self._wait_for_jobs():
                    return
            except DatabaseUnavailable as error:  # A restarting server comes back, and a lock is released.
                self._checked_settled = -1
                if self._outage.report(error) > MAX_OUTAGE_MS:
                    raise
                sleep(0.2 + 0.2 * random_float())

    def _wait_for_jobs(self) -> bool:
        """True if the loop exits; else waits until there may be a job, and wakes one thread for it."""
        is_check_due = monotonic_ms() > self._checked_at + EXIT_CHECK_MS
        if not self._busy and (is_check_due or self._checked_settled != self._settled):
            self._checked_at, self._checked_settled = monotonic_ms(), self._settled
            if self._should_exit():
                return True
        wait_ms = self._ms_until_due()
        self._waits_ms = wait_ms
        if self._checked_settled != self._settled and not self._busy:
            return False  # The last job ended since the check.
        if self._database.wait(wait_ms) or wait_ms < self._options.poll_interval_ms:
            self._checked_settled = -1
        with self._state:
            self._wake_ups += 1
            self._state.notify()
        return False

    def _ms_until_due(self) -> int:
        """How long to sleep unless a wake-up comes."""
        if self._busy == self._options.concurrency or self._alone:
            return BUSY_WAIT_MS  # No thread is free, and one that becomes free claims by itself.
        longest = BUSY_WAIT_MS if self._busy else self._options.poll_interval_ms
        with self._database.snapshot() as tx:
            due = tx.now if queue.is_ready(tx, self._open_queues()) else queue.next_wake(tx)
            return longest if due is None else max(READY_WAIT_MS, min(due - tx.now, longest))

    def _should_exit(self) -> bool:
        with self._state:
            if self._busy:
                return False
            self._closed = True
        try:
            self._retention.prune(slices=IDLE_SLICES)
            self._hooks.on_idle()
            with self._database.transaction(durable=False) as tx:
                queue.wake(tx)
                due = queue.next_wake(tx)
                is_due_soon = due is not None and due <= tx.now + self._options.worker_idle_ms
                exits = not is_due_soon and not queue.is_ready(tx, self._queues) and self._hooks.should_exit(tx)
            self._outage.end()
            return exits
        finally:
            with self._state:
                self._closed = False
                self._state.notify_all()

    def _work(self) -> None:
        """One thread of the pool. An error that it cannot handle ends the loop: it must not go on one thread short."""
        jobs: list[Job] = []
        try:
            while jobs or (jobs := self._take()):
                jobs = self._run_batch(jobs)
        except BaseException as error:
            self._fatal_error = error
            self.stop()

    def _take(self) -> list[Job]:
        """Wait for jobs and claim them. Empty if the loop is stopping."""
        while not self.stopping:
            with self._state:
                self._state.wait_for(lambda: not (self._closed or self._alone) or self.stopping)
                self._busy += 1
                seen = self._wake_ups
            claimed = self._claim_held(lambda tx: (None, self._claim(tx))) if self._is_worth_claiming() else None
            jobs = claimed[1] if claimed else []
            self._end_alone(jobs)
            with self._state:
                if jobs:
                    self._state.notify()  # There may be more jobs: wake one more thread.
                    return jobs
                self._busy -= 1
                if self._alone:
                    self._state.notify_all()
                is_checked = bool(self._busy) or self._checked_settled == self._settled
                # The main thread checks whether to exit. On a server, where a notification costs more, it looks by
                # itself, unless it began to wait before this thread had a job.
                if not is_checked and (self._database.is_file or self._waits_ms > BUSY_WAIT_MS):
                    self._database.notify()
                self._state.wait_for(lambda seen=seen: self._wake_ups != seen or self.stopping)  # type: ignore[misc]
        return []

    def _open_queues(self) -> tuple[str, ...]:
        """The queues of which another job may run. Two claims at the same time may exceed a limit by one."""
        limits = self._options.limits
        return tuple(name for name in self._queues if name not in limits or self._held.count(name) < limits[name]())

    def _is_worth_claiming(self) -> bool:
        """Whether a claim could find a job. A read costs less than a transaction that writes nothing."""
        try:
            with self._database.snapshot() as tx:
                return queue.is_ready(tx, self._open_queues()) or queue.is_due(tx)
        except DatabaseUnavailable as error:
            self._outage.report(error)
            return True  # The claim retries by itself.

    def _claim(self, tx: Transaction) -> list[Job]:
        """The next jobs, from the first queue that has any."""
        is_closed = self.stopping or self._alone not in (None, threading.get_ident())
        for name in () if is_closed else self._open_queues():
            how = {"limit": self._options.batch, "watermark": self._watermarks.get(name)}
            if jobs := queue.receive(tx, queue=name, owner=self._owner, **how):  # type: ignore[arg-type]
                claimed = self._one_alone(tx, jobs)
                self._hooks.on_claim(tx, claimed)
                return claimed
        return []

    def _one_alone(self, tx: Transaction, jobs: list[Job]) -> list[Job]:
        """At most one job that must run alone, behind the others. From then on the other threads claim nothing."""
        suspects = [job for job in jobs if _runs_alone(job)]
        if not suspects:
            return jobs
        thread = threading.get_ident()
        with self._state:
            self._alone = self._alone or thread
        kept = 1 if self._alone == thread else 0
        for job in suspects[kept:]:
            error = "it must run alone, and another such job was running"
            queue.release(tx, job, error=error, delay_ms=ALONE_WAIT_MS, spend=False)
        return [job for job in jobs if not _runs_alone(job)] + suspects[:kept]

    def _wait_until_alone(self) -> None:
        """Wait until no other thread of the loop holds a job."""
        with self._state:
            self._state.wait_for(lambda: self._busy == 1 or self.stopping)

    def _end_alone(self, following: list[Job]) -> None:
        """Let the other threads claim again, unless the thread's next jobs include one that must run alone."""
        if self._alone == threading.get_ident() and not any(map(_runs_alone, following)):
            with self._state:
                self._alone = None
                self._state.notify_all()

    def _claim_held(self, write: Callable[[Transaction], tuple[T, list[Job]]]) -> tuple[T, list[Job]] | None:
        """Commit a claim, then extend its leases. The tokens of a claim rolled back may belong to another worker."""
        with self._state:
            self._claiming += 1
        try:
            written = self._persist(write)
            if written:
                self._held.add(written[1])
            return written
        finally:
            with self._state:
                self._claiming -= 1
                if self.stopping:
                    self._state.notify_all()

    def _run_batch(self, jobs: list[Job]) -> list[Job]:
        """Run the handlers of a batch and commit the outcomes. Returns the thread's next jobs, claimed with them.

        A commit before the end of the batch claims nothing. Jobs that have not begun when the loop stops are released.
        """
        handled: list[Handled] = []
        began = monotonic_ms()
        for place, job in enumerate(jobs, start=1):
            is_alone = _runs_alone(job)
            if place > 1 and (is_alone or self.stopping or monotonic_ms() > began + self._options.settle_ms):
                self._settle(handled, self._claim_nothing)
                handled, began = [], monotonic_ms()
            if is_alone:
                self._wait_until_alone()
            if self.stopping and (place > 1 or is_alone):
                return []
            self._held.start(job)
            handled.append((job, *self._handle(job)))
        following = self._settle(handled, self._claim)
        self._end_alone(following)
        with self._state:
            self._busy -= int(not following)
            self._settled += 1
            if self._alone:
                self._state.notify_all()
        return following

    def _settle(self, handled: list[Handled], claim: Callable[[Transaction], list[Job]]) -> list[Job]:
        """Write the outcomes of some jobs, in one commit if possible, and claim others in it."""
        following: list[Job] = []
        try:
            following = self._commit(handled, claim)
        except Exception as error:  # Raised by the write of one handler: it fails that job and no other.
            if len(handled) > 1:
                for one in handled:
                    self._settle([one], self._claim_nothing)
            elif isinstance(error, LeaseLost):
                self._lost(handled[0][0])
            else:
                self._settle_failure(handled[0][0], error)
        for job, *_ in handled:
            self._held.remove(job)
        return following

    def _commit(self, handled: list[Handled], claim: Callable[[Transaction], list[Job]]) -> list[Job]:
        done = [(job, save) for job, save, failure in handled if failure is None]

        def write(tx: Transaction) -> tuple[set[tuple[int, int]], list[Job]]:
            deleted = queue.delete_many(tx, [job for job, _ in done]) if done else set()
            for job, save in done:
                if save and token(job) in deleted:
                    tx.set_tenant(job.tenant)
                    save(tx)
                if token(job) in deleted:
                    self._hooks.on_outcome(tx, job, "done", None)
            for _, _, failure in handled:
                if failure:
                    failure(tx)
            return deleted, claim(tx)

        written = self._claim_held(write)
        if written is None:
            return []
        deleted, following = written
        for job, _ in done:
            if token(job) not in deleted:
                self._lost(job)
        self.done += len(deleted)
        return following

    def _lost(self, job: Job) -> None:
        log.warning("job %d: the lease was lost; its result was not written", job.id, extra=_about(job))
        try:
            self._hooks.on_lease_lost(job)
        except Exception as error:  # As in `_failed`.
            log.warning("job %d: the on_lease_lost hook failed: %s", job.id, error, extra=_about(job))

    def _claim_nothing(self, _: Transaction) -> list[Job]:
        return []

    def _handle(self, job: Job) -> tuple[Save | None, Write | None]:
        """Run the handler. Returns what to write with the acknowledgement, or what to write instead of it."""
        handler = self._handlers.get(job.kind)
        if handler is None:
            message, give_back = unknown_kind(job, self._handlers)
            if job.kind not in self._unknown:
                self._unknown.add(job.kind)
                log.warning("job %d: %s; such jobs are given back, for a worker that has it", job.id, message)
            return None, self._reported(job, message, give_back)
        try:
            with tracing.span(JOB, title=f"job {job.kind}", kind="CONSUMER", attributes=_attributes(job)):
                save = handler(job)
                self._held.check_time(job)
            return save, None
        except LeaseLost:
            self._lost(job)
            return None, lambda tx: None
        except BaseException as error:  # Any error fails the job, and the worker continues.
            return None, self._failed(job, error)

    def _settle_failure(self, job: Job, error: Exception) -> None:
        try:
            self._persist(self._failed(job, error))
        except JotsamError as second:
            log.error(
                "job %d: its failure cannot be written; its lease will expire: %s", job.id, second, extra=_about(job)
            )

    def _failed(self, job: Job, error: BaseException) -> Write:
        """Log and report the failure. Returns what to write for the job."""
        message = "job %d (%s), delivery %d failed: %s"
        log.warning(message, job.id, job.kind, job.received, message_of(error), extra=_about(job))
        try:
            self._hooks.on_failure(job, error)
        except Exception as second:  # A hook must not break the loop.
            log.warning("job %d: the on_failure hook failed: %s", job.id, second, extra=_about(job))
        write = outcome_of(job, error, first_backoff_ms=self._options.first_backoff_ms.get(job.kind, FIRST_MS))
        return self._reported(job, message_of(error), write)

    def _reported(self, job: Job, message: str, write: Write) -> Write:
        """The same write, reported to the hooks."""

        def reported(tx: Transaction) -> str | None:
            outcome = write(tx)
            if outcome:
                self._hooks.on_outcome(tx, job, outcome, message)
            else:
                tx.on_commit(lambda: self._lost(job))
            return outcome

        return reported

    def _persist(self, write: Callable[[Transaction], T]) -> T | None:
        """One write transaction, retried while the database is busy or full. None: given up, and the lease expires."""
        deadline = monotonic_ms() + self._options.heartbeat_ms
        while True:
            try:
                with self._database.transaction(durable=self._options.durable) as tx:
                    written = write(tx)
                self._outage.end()
                return written
            except JotsamError as error:
                if not error.retry or isinstance(error, RetryJob | TenantMoved):
                    raise
                self._outage.report(error)
                if monotonic_ms() > deadline or self.stopping:
                    return None
                sleep(0.2 + 0.2 * random_float())

    def _send_heartbeats(self) -> None:
        """Extend the leases of running jobs, from a thread of its own, however long a handler takes."""
        while not self.stopping:
            if self._held.wait_for_heartbeat():
                self._persist(self._heartbeat)
                self._prune()

    def _prune(self) -> None:
        """Delete a slice of old history: a loop that is never idle must do it too."""
        try:
            self._retention.prune(slices=1)
        except JotsamError as error:
            self._outage.report(error)

    def _save_worker(self, tx: Transaction) -> None:
        queue.save_worker(tx, self._owner, self._process)
        queue.return_interrupted(tx, machine=self._process.machine)

    def _heartbeat(self, tx: Transaction) -> None:
        self._held.extend(tx)
        self._save_worker(tx)
        if not self._hooks.on_heartbeat(tx):
            log.warning("another worker has taken over; this one stops")
            self.stop()

    def _shut_down(self, threads: list[threading.Thread]) -> None:
        """Give running jobs the grace period to finish, then release the rest without spending an attempt."""
        with self._state:
            self._state.notify_all()
        _join(threads, self._options.shutdown_grace_ms)
        with self._state:  # A claim that was under way at the stop is released too.
            self._state.wait_for(lambda: not self._claiming, self._options.heartbeat_ms / 1000)
        self._persist(self._release_all)
        if self._held.cancel_all():
            _join(threads, CANCEL_WAIT_MS)

    def _release_all(self, tx: Transaction) -> None:
        self._held.release_all(tx)
        queue.remove_worker(tx, self._owner)


def _runs_alone(job: Job) -> bool:
    return job.interruptions >= queue.ALONE_AFTER


def _join(threads: list[threading.Thread], timeout_ms: int) -> None:
    deadline = monotonic_ms() + timeout_ms
    for thread in threads:
        thread.join(max(0, deadline - monotonic_ms()) / 1000)


def _attributes(job: Job) -> dict[str, str | int]:
    """Attributes of the span of a job."""
    return {"jotsam.job.id": job.id, "jotsam.job.kind": job.kind, "jotsam.job.delivery": job.received}


def _about(job: Job) -> dict[str, dict[str, str | int]]:
    """Fields of a log line about a job."""
    return {"fields": {"job_id": job.id, "kind": job.kind, "delivery": job.received, "tenant": job.tenant}}
