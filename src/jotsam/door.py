"""The front door: `Jotsam` accepts, works, recalls and tells. It opens transactions; the floors below do the rest."""

from __future__ import annotations

from jotsam import accept, intake, spool
from jotsam import status as status_room
from jotsam.clock import monotonic_ms, new_id, sleep
from jotsam.errors import DatabaseUnavailable, InvalidInput, NotFound
from jotsam.records import ENRICH, INGEST, QUEUES, Document, Memory, Question
from jotsam.retrieval.answer import recall
from jotsam.retrieval.show import show
from jotsam.settings import load
from jotsam.storage import connect, documents, graph, lease, memories, queue, search
from jotsam.worker import enrich, ingest, spawn
from jotsam.worker.loop import Keeper, Loop, Pace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType
    from typing import Any, Self

    from jotsam.clock import Clock
    from jotsam.records import Answer, Job, Receipt
    from jotsam.retrieval.show import Story as Story
    from jotsam.settings import Settings
    from jotsam.status import Status
    from jotsam.storage.database import Transaction

POLL_MS = 20
SUMMON_MS = 1_000
DAY_MS = 24 * 3_600_000
HISTORY_MS = 30 * DAY_MS


class Jotsam:
    """Durable memory in one file, or on a PostgreSQL server. Safe to use from many threads and processes.

    `db` is the path of the file or `postgresql://...`; everything else comes from the settings.
    Raises `DatabaseUnusable` or `DatabaseUnavailable`.
    """

    def __init__(
        self,
        db: str | None = None,
        *,
        tenant: str | None = None,
        project: str | None = None,
        worker: str | None = None,
        settings: Settings | None = None,
        clock: Clock | None = None,
    ) -> None:
        chosen = {"db": db, "tenant": tenant, "project": project, "worker": worker}
        if settings is None:
            settings = load(chosen)[0]
        else:
            settings = settings.replace(**{name: value for name, value in chosen.items() if value is not None})
        self.settings = settings
        self.database = connect(settings.db, clock=clock, wait_ms=settings.wait_ms)

    def add(
        self,
        text: str,
        *,
        source: str | None = None,
        project: str | None = None,
        date: object = None,
        key: str | None = None,
        actor: str | None = None,
        session: str | None = None,
    ) -> Receipt:
        """Accept a document: one commit, and its words are findable. The worker cuts and enriches it later.

        `source` says where it is from, `date` when it was written (ISO 8601, `datetime` or milliseconds).
        A `key` used before returns the first receipt, and so does the unchanged newest text of a source.
        Raises `InvalidInput`.
        """
        document = Document(
            text=text,
            tenant=self.settings.tenant,
            project=project or self.settings.project or None,
            source=source,
            date=date,  # type: ignore[arg-type]  # Checked and converted where it is accepted.
            actor=actor,
            session=session,
        )
        return self._accept(lambda tx: accept.add(tx, document, key=key, soft_cap=self.settings.soft_cap))

    def remember(self, text: str, *, key: str | None = None, **fields: Any) -> Receipt:
        """Accept one memory whole. `fields` are those of `jotsam.Memory`: type, tags, importance, confidence,
        metadata, actor, session, position, said_at, valid_from, valid_until, own_id, project, source.

        A `key` or an `own_id` used before returns the first receipt. Raises `InvalidInput`.
        """
        strange = sorted(fields.keys() - _MEMORY_FIELDS)
        if strange:
            raise InvalidInput(f"a memory has no field {strange[0]!r}; it has {', '.join(sorted(_MEMORY_FIELDS))}")
        fields.setdefault("project", self.settings.project or None)
        memory = Memory(text=text, tenant=self.settings.tenant, **fields)
        return self._accept(lambda tx: accept.remember(tx, memory, key=key, soft_cap=self.settings.soft_cap))

    def recall(
        self,
        question: str = "",
        *,
        project: str | None = None,
        tags: Iterable[str] = (),
        tokens: int | None = None,
        limit: int = 50,
    ) -> Answer:
        """The best hits within a budget of `tokens`, and what they cover. Reads one snapshot, writes nothing."""
        asked = Question(
            text=question,
            tenant=self.settings.tenant,
            project=project,
            tags=tuple(tags),
            tokens=self.settings.recall_tokens if tokens is None else tokens,
            limit=limit,
            set_aside=len(spool.waiting(self.database.url)),
        )
        with self.database.snapshot() as tx:
            return recall(tx, asked)

    def show(self, id: str) -> Story:
        """What became of a document, memory or job: by its id, or by the beginning of a UUID. Raises `NotFound`."""
        with self.database.snapshot() as tx:
            return show(tx, tenant=self.settings.tenant, id=id)

    def status(self) -> Status:
        spooled = len(spool.waiting(self.database.url))
        tenant, soft_cap = self.settings.tenant, self.settings.soft_cap
        with self.database.snapshot() as tx:
            leased = self.database.is_file
            return status_room.status(tx, tenant=tenant, soft_cap=soft_cap, spooled=spooled, leased=leased)

    def jobs(self, *, state: str | None = None, kind: str | None = None, after: int = 0, limit: int = 100) -> list[Job]:
        """The tenant's jobs that are not done, oldest first."""
        with self.database.snapshot() as tx:
            found = queue.jobs(tx, tenant=self.settings.tenant, state=state, kind=kind, after=after, limit=limit)
            return [job for job in found if job.queue in QUEUES]

    def retry(self, job_id: int) -> None:
        """Revive a dead job. Raises `NotFound` if there is no dead job of this tenant with this id."""
        self._with_job(job_id, queue.redrive, "is not dead, so there is nothing to revive")

    def discard(self, job_id: int) -> None:
        """Remove a job for good. Raises `NotFound` if this tenant has none, `InvalidInput` while it runs."""
        self._with_job(job_id, queue.discard, "is running; wait until it has ended")

    def wait(self, ids: Iterable[str] = (), *, timeout_ms: int = 60_000) -> bool:
        """Wait until the documents and memories named, or else everything that was accepted or set aside, is through.

        False: still pending.
        """
        wanted, now = list(ids), monotonic_ms()
        deadline, summon_at = now + timeout_ms, now
        while self._unfinished(wanted):
            now = monotonic_ms()
            if now > deadline:
                return False
            if now >= summon_at:
                self._summon()
                summon_at = now + SUMMON_MS
            sleep(POLL_MS / 1000)
        return True

    def work(
        self, *, forever: bool = False, reserved: str | None = None, started: Callable[[Loop], None] | None = None
    ) -> int | None:
        """Run the worker in this process until nothing is left to do. Returns the number of jobs done.

        None: another worker holds the lease. `started` is given the loop, so that a signal can stop it.
        """
        keeper = _Tenure(self, forever=forever)
        if not keeper.begin(reserved):
            return None
        handlers = {
            INGEST: ingest.handler(self.database, context=accept.context, chunk_tokens=self.settings.chunk_tokens),
            ENRICH: enrich.handler(self.database),
        }
        pace = Pace(
            concurrency=self.settings.concurrency, linger_ms=self.settings.linger_ms, grace_ms=self.settings.grace_ms
        )
        loop = Loop(self.database, handlers, queues=QUEUES, owner=keeper.owner, pace=pace, keeper=keeper)
        if started:
            started(loop)
        try:
            return loop.run()
        finally:
            keeper.end()

    def forget_tenant(self) -> None:
        """Remove everything this tenant has: documents, memories, graph, jobs."""
        tenant = self.settings.tenant
        with self.database.transaction() as tx:
            tx.enter(tenant)
            for ref in memories.numbers(tx, tenant) + [-number for number in documents.numbers(tx, tenant)]:
                search.unindex(tx, ref)
            for name in QUEUES:
                queue.forget_tenant(tx, name, tenant=tenant)
            documents.forget_tenant(tx, tenant)
            memories.forget_tenant(tx, tenant)
            graph.forget_tenant(tx, tenant)

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def _accept(self, write: Callable[[Transaction], Receipt]) -> Receipt:
        return intake.commit(self.database, write, worker=self.settings.worker)

    def _summon(self) -> None:
        """See that a worker comes when there is work: one that was killed is replaced by whoever waits for it."""
        if self.settings.worker == "auto":
            intake.summon(self.database, linger_ms=self.settings.linger_ms)

    def _unfinished(self, ids: list[str]) -> bool:
        with self.database.snapshot() as tx:
            if not ids:
                live = queue.depth(tx, queues=QUEUES, tenant=self.settings.tenant).live
                return live > 0 or bool(spool.waiting(self.database.url))
            stories = [show(tx, tenant=self.settings.tenant, id=id) for id in ids]
            return any(job.state != "dead" for story in stories for job in story.jobs)

    def _with_job(self, job_id: int, change: Callable[[Transaction, int], bool], why_not: str) -> None:
        with self.database.transaction() as tx:
            job = queue.get(tx, job_id)
            if job is None or job.tenant != self.settings.tenant:
                raise NotFound(f"there is no job {job_id}; `jotsam jobs` lists them")
            if not change(tx, job_id):
                raise InvalidInput(f"job {job_id} {why_not}")


_MEMORY_FIELDS = frozenset(
    "type tags importance confidence metadata actor session position said_at valid_from valid_until own_id".split()  # noqa: SIM905 - words read better
) | {"project", "source"}


class _Tenure(Keeper):
    """The lease of the one worker process: taken at the start, kept by the heartbeat, given up with nothing left.

    On a server there is none: any number of workers may come and go.
    """

    def __init__(self, jotsam: Jotsam, *, forever: bool) -> None:
        self._jotsam = jotsam
        self._leased = jotsam.database.is_file
        self._forever = forever
        self._left = False
        self._seen: set[str] = set()
        self._forget_at = self._forget_after = 0
        self.owner = new_id()

    def begin(self, reserved: str | None) -> bool:
        """Take the lease; False if a living worker has it."""
        if not self._leased:
            return True
        with self._jotsam.database.transaction(durable=False) as tx:
            state, _ = status_room.worker(tx)
            holder = lease.holder(tx, longest_ms=accept.LEASE_MS)
            if state != "none" and holder and holder.owner != reserved and state == "running":
                return False
            lease.take(tx, spawn.myself(self.owner), lease_ms=accept.LEASE_MS)
        self._empty_spool()
        return True

    def renew(self, tx: Transaction) -> bool:
        return not self._leased or lease.renew(tx, self.owner, lease_ms=accept.LEASE_MS)

    def idle(self) -> None:
        self._empty_spool()
        self._forget_the_past()
        self._jotsam.database.tidy()

    def _forget_the_past(self) -> None:
        """Drop history that has outlived its time: a slice each time there is nothing to do, once round a day."""
        if monotonic_ms() < self._forget_at:
            return
        with self._jotsam.database.transaction(durable=False) as tx:
            following = queue.forget(tx, before=tx.now - HISTORY_MS, after_job=self._forget_after)
        self._forget_after = following or 0
        self._forget_at = monotonic_ms() + (0 if following else DAY_MS)

    def leave(self, tx: Transaction) -> bool:
        if not self._leased:
            return not self._forever
        self._left = not self._forever and lease.release(tx, self.owner)
        return self._left

    def end(self) -> None:
        if not self._leased:
            return
        with self._jotsam.database.transaction(durable=False) as tx:
            lease.release(tx, self.owner)
        self._jotsam.database.tidy()
        # A hook that set a turn aside while this worker was leaving has called one that found the lease taken.
        if self._left and self._spooled() - self._seen:
            self._jotsam._summon()

    def _empty_spool(self) -> None:
        self._seen = self._spooled()
        try:
            intake.take_in(self._jotsam.database, self._jotsam.settings)
        except (OSError, DatabaseUnavailable):
            pass  # It stays where it is until the next idle moment, and jobs matter more; the doctor tells of it.

    def _spooled(self) -> set[str]:
        try:
            return set(spool.waiting(self._jotsam.database.url))
        except OSError:
            return set()
