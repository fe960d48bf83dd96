"""Worker process lifecycle: take the lease, drain the spool, delete unused replies, release the lease."""

from __future__ import annotations

import logging

from jotsam.core.clock import new_owner, random_float, sleep
from jotsam.core.errors import DatabaseUnavailable
from jotsam.core.names import COMMAND, EVERY_QUEUE, MIRROR_QUEUES, QUEUES
from jotsam.ingest import accept, capture, spawn, spool, start_worker, transcript_requests
from jotsam.memory.access import idempotency
from jotsam.memory.engines import mirror_jobs
from jotsam.memory.events import events
from jotsam.memory.forgetting import retention
from jotsam.memory.lifecycle import lifecycle
from jotsam.memory.lifecycle.lifecycle_actions import ACTIONS
from jotsam.memory.status import status
from jotsam.memory.tenant_visits import TenantVisits
from jotsam.queueing.loop import MAX_OUTAGE_MS, Loop
from jotsam.queueing.options import LoopHooks
from jotsam.queueing.outage import Outage
from jotsam.storage.costs import ledger
from jotsam.storage.sqlite import worker_lease
from jotsam.worker import session_notes
from jotsam.worker.enrichment import model_retry
from jotsam.worker.handlers import Handlers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol, TypeVar

    from jotsam.core.job_records import Job
    from jotsam.core.settings import Settings
    from jotsam.memory.reading.question_embedding import QuestionEmbedder
    from jotsam.storage.database import Database, Transaction
    from jotsam.worker.command import Run

    T = TypeVar("T")

    class Client(Protocol):
        """What a worker needs of `Jotsam`."""

        database: Database
        settings: Settings
        _question_embedder: QuestionEmbedder

        def _start_worker(self) -> None: ...


log = logging.getLogger("jotsam.jobs")

DAY_MS = 24 * 3_600_000
RETRY_MS = 200  # between attempts to reach a database that is not available
REPLY_CACHE_MS = 90 * DAY_MS  # how long a model's reply is cached after its last use

CACHE_REPLIES = 100  # that are deleted of each tenant that is visited

# Interval at which a worker looks for steps of the lifecycle that are due, which is once a day or less.
LIFECYCLE_MS = 3_600_000

# Interval at which a worker looks for memories that wait for the language model, and for sessions to ask it about.
MODEL_RETRY_MS = 60_000


def run_worker(
    client: Client,
    *,
    forever: bool = False,
    reserved: str | None = None,
    started: Callable[[Loop], None] | None = None,
    commands: Run | None = None,
) -> int | None:
    """Process queued jobs in this thread. Returns how many were done, or None if another worker holds the lease.

    `reserved` is the token of the reservation that started this process. `started` receives the loop, so that a signal
    handler can stop it. `commands` runs queued command lines. Without it they are left to a worker that can run them,
    as jobs of `embed` are without an embedder.
    """
    database, settings = client.database, client.settings
    database.before_commit = mirror_jobs.MirrorJobs()
    nearest = client._question_embedder.nearest
    handlers = Handlers(
        database, settings, context=accept.index_context, nearest=nearest, commands=commands, changes=ACTIONS
    )
    queues = tuple(name for name in EVERY_QUEUE if name in handlers.by_kind)
    session = WorkerSession(database, settings, start_worker=client._start_worker, forever=forever, queues=queues)
    session.rest = handlers.rest
    session.log_again = handlers.mirror.log_again
    try:
        begins = wait_for_database(lambda: session.begin(reserved)) if forever else session.begin(reserved)
        if not begins:
            return None
        loop = Loop(
            database, handlers.by_kind, queues=queues, owner=session.owner, options=handlers.loop_options, hooks=session
        )
        if started:
            started(loop)
        try:
            return loop.run()
        finally:
            session.end()
    finally:
        handlers.close()


def wait_for_database(call: Callable[[], T]) -> T:
    """Call it until the database is available, for as long as a running worker waits. Then raise its error."""
    outage = Outage()
    while True:
        try:
            result = call()
        except DatabaseUnavailable as error:
            if outage.report(error) > MAX_OUTAGE_MS:
                raise
            sleep(RETRY_MS * (1 + random_float()) / 1000)
        else:
            outage.end()
            return result


class WorkerSession(LoopHooks):
    """The lease of the one worker process of a file: taken at the start, renewed by the heartbeat, released at the end.

    A PostgreSQL database has no such lease: any number of workers may run.
    """

    def __init__(
        self,
        database: Database,
        settings: Settings,
        *,
        start_worker: Callable[[], None],
        forever: bool,
        queues: tuple[str, ...],
    ) -> None:
        """`start_worker` starts another worker, for jobs that this one leaves behind."""
        self._database = database
        self._leased = database.is_file
        self._settings = settings
        self._start_worker = start_worker
        self._forever = forever
        self._queues = queues
        self._has_left = False
        self._seen_in_spool: set[str] = set()
        self._cache_visits = TenantVisits(database, interval_ms=DAY_MS)
        self._retention_visits = TenantVisits(database, interval_ms=DAY_MS)
        self._event_visits = TenantVisits(database, interval_ms=events.PRUNE_MS)
        self._model_visits = TenantVisits(database, interval_ms=MODEL_RETRY_MS)
        self._session_visits = TenantVisits(database, interval_ms=MODEL_RETRY_MS)
        self._lifecycle_visits = TenantVisits(database, interval_ms=LIFECYCLE_MS)
        self._mirror_visits = TenantVisits(database, interval_ms=mirror_jobs.VISIT_MS)
        self.rest: Callable[[], None] = lambda: None  # called when there is nothing to do
        self.log_again: Callable[[Job], None] = lambda job: None  # called when a lease of an engine's job was lost
        self.owner = new_owner()

    def begin(self, reserved: str | None) -> bool:
        """Take the lease. False: a running worker holds it."""
        if not self._leased:
            self._prepare()
            return True
        with self._database.transaction(durable=False) as tx:
            holder = start_worker.live_holder(tx)
            if holder and holder.pid != start_worker.NO_PID and holder.owner != reserved:
                return False
            worker_lease.take(tx, spawn.this_process(self.owner), lease_ms=start_worker.LEASE_MS)
        self._prepare()
        return True

    def _prepare(self) -> None:
        """Drain the spool, and release jobs that wait for a daily cap which has been changed since."""
        self._drain_spool()
        status.resume_capped(self._database, self._settings)

    def on_heartbeat(self, tx: Transaction) -> bool:
        return not self._leased or worker_lease.renew(tx, self.owner, lease_ms=start_worker.LEASE_MS)

    def on_claim(self, tx: Transaction, jobs: list[Job]) -> None:
        events.job_claimed(tx, jobs)

    def on_outcome(self, tx: Transaction, job: Job, outcome: str, error: str | None) -> None:
        events.job_ended(tx, job, outcome, error)
        if outcome == "done":
            tx.on_commit(lambda: _log_done(job))

    def on_lease_lost(self, job: Job) -> None:
        if job.queue in MIRROR_QUEUES:
            self.log_again(job)

    def on_idle(self) -> None:
        self.rest()
        mirror_jobs.send_when_idle(self._database, self._mirror_visits)
        self._drain_spool()
        events.prune_some(self._database, self._event_visits)
        self._delete_unused_replies()
        self._remove_expired()
        self._run_lifecycle()
        if self._settings.has_model:
            model_retry.retry_when_due(
                self._database, self._model_visits.some(), attempts=self._settings.enrich_attempts
            )
        if session_notes.is_on(self._settings):
            session_notes.send_due(self._database, self._settings, self._session_visits.some())
        self._database.maintain()

    def _delete_unused_replies(self) -> None:
        """Delete cached replies of models that are no longer used, and kept replies to requests that expired."""
        if some := self._cache_visits.some():
            with self._database.transaction(durable=False) as tx:
                for tenant in some:
                    tx.set_tenant(tenant)
                    before = tx.now - REPLY_CACHE_MS
                    more = ledger.prune_replies(tx, before=before, limit=CACHE_REPLIES) == CACHE_REPLIES
                    if idempotency.prune(tx, limit=CACHE_REPLIES) or more:
                        self._cache_visits.revisit(tenant)

    def _remove_expired(self) -> None:
        """Remove what is past the time for which the settings keep it."""
        for tenant in self._retention_visits.some():
            if retention.remove_some(self._database, self._settings.replace(tenant=tenant)):
                self._retention_visits.revisit(tenant)

    def _run_lifecycle(self) -> None:
        """Send the jobs of the steps that are due."""
        for tenant in self._lifecycle_visits.some():
            lifecycle.add_due(self._database, self._settings.replace(tenant=tenant))

    def should_exit(self, tx: Transaction) -> bool:
        self._has_left = not self._forever and (not self._leased or worker_lease.release(tx, self.owner))
        return self._has_left

    def end(self) -> None:
        if not self._leased:
            return
        try:
            with self._database.transaction(durable=False) as tx:
                worker_lease.release(tx, self.owner)
            self._database.maintain()
        except DatabaseUnavailable:
            pass  # The lease is void when this process has ended.
        # A hook that spooled a turn while this worker was leaving has started a worker that found the lease taken. A
        # worker without `commands` leaves queued command lines to another.
        if self._has_left and (self._spooled() - self._seen_in_spool or COMMAND not in self._queues):
            self._start_worker()

    def _drain_spool(self) -> None:
        self._seen_in_spool = self._spooled()
        capture.empty_spool(self._database, self._settings)
        transcript_requests.serve(self._database, self._settings)

    def _spooled(self) -> set[str]:
        try:
            return set(spool.waiting(self._database.url))
        except OSError:
            return set()


def _log_done(job: Job) -> None:
    """Log a job that is done, with the document or memory that it is about, which the request that sent it logged."""
    fields = {"job_id": job.id, "kind": job.kind, "delivery": job.received, "tenant": job.tenant}
    if job.kind in QUEUES:
        fields["id"] = str(job.payload).strip('"')
    log.info("job %d (%s) is done", job.id, job.kind, extra={"fields": fields})
