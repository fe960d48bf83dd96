"""The front door: `Jotsam` accepts, works, recalls and tells. It opens transactions; the floors below do the rest.

The worker and its models are imported where they are needed: a process that only asks has no use for them.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.answers import Question
from jotsam.core.clock import monotonic_ms, sleep
from jotsam.core.errors import InvalidInput
from jotsam.core.job_records import QueuedCommand
from jotsam.core.names import EVERY_QUEUE, MEMORY_QUEUES
from jotsam.core.records import Document, Memory
from jotsam.core.settings import resolve_settings
from jotsam.ingest import accept, capture, spool
from jotsam.memory import forget
from jotsam.memory import jobs as jobs_room
from jotsam.memory import status as status_room
from jotsam.memory.question_embedding import QuestionEmbedder
from jotsam.memory.show import show
from jotsam.memory.supersede import supersede
from jotsam.pipeline.redaction.redact import redact
from jotsam.retrieval.answer import recall
from jotsam.storage import connect, queue
from jotsam.worker import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from os import PathLike
    from types import TracebackType
    from typing import Any, Self

    from jotsam.core.answers import Answer
    from jotsam.core.clock import Clock
    from jotsam.core.job_records import Job, Sent
    from jotsam.core.records import Receipt
    from jotsam.core.settings import Settings
    from jotsam.ingest.sessions import ImportResult, Tell
    from jotsam.memory.jobs import FailureGroup
    from jotsam.memory.jobs import JobChange as JobChange
    from jotsam.memory.jobs import StuckJob as StuckJob
    from jotsam.memory.knowledge import Knowledge
    from jotsam.memory.reprocess import ReprocessPlan as ReprocessPlan
    from jotsam.memory.show import Details as Details
    from jotsam.memory.status import DailyCost as DailyCost
    from jotsam.memory.status import Status
    from jotsam.memory.supersede import SupersedeResult as SupersedeResult
    from jotsam.queueing.loop import Loop
    from jotsam.retrieval.search.vectors import QuestionVectors
    from jotsam.storage.database import Transaction
    from jotsam.worker.agent_extraction import AppliedExtraction as AppliedExtraction
    from jotsam.worker.command import Run

POLL_MS = 20
SUMMON_MS = 1_000


class Jotsam:
    """Durable memory in one file, or on a PostgreSQL server. Safe to use from many threads and processes.

    `db` is the path of the file or `postgresql://...`; everything else comes from the settings.
    Raises `DatabaseUnusable` or `DatabaseUnavailable`.
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
    ) -> None:
        self.settings = resolve_settings(settings, db=db, tenant=tenant, project=project, worker=worker)
        accept.tenant(self.settings.tenant)
        self.database = connect(self.settings.db, clock=clock, wait_ms=self.settings.lock_timeout_ms)
        self._question_embedder = QuestionEmbedder(self.settings, clock=clock)
        self._fetch()

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
        metadata, actor, session, position, said_at, valid_from, valid_until, external_id, project, source.

        A `key` or an `external_id` used before returns the first receipt. Raises `InvalidInput`.
        """
        validate.check_fields(fields, _MEMORY_FIELDS)
        fields.setdefault("project", self.settings.project or None)
        memory = Memory(text=text, tenant=self.settings.tenant, **fields)
        cap, attempts = self.settings.soft_cap, self.settings.enrich_attempts
        return self._accept(lambda tx: accept.remember(tx, memory, key=key, soft_cap=cap, attempts=attempts))

    def recall(self, question: str = "", *, tokens: int | None = None, limit: int = 50, **fields: Any) -> Answer:
        """The best hits within a budget of `tokens`, and what they cover. Reads one snapshot. Writes nothing,
        but for what a server takes to embed the question.

        `fields` say where is looked: project (only this one), prefer (this one first; by default one's own), tags,
        every_tag, tag_prefix, without (tags), types, metadata (values by key), session, when ("last week"), since,
        until, as_of, history, min_score; and what is added: expand ("entities", "relations"), expand_limit, min_weight
        (of a relation), min_importance, pinned (ids). Raises `InvalidInput`.
        """
        validate.check_fields(fields, _QUESTION_FIELDS)
        fields.setdefault("prefer", self.settings.project or None)
        listed = [name for name in _SEVERAL if not isinstance(fields.get(name, ""), str)]
        several = {name: tuple(validate.check_list(name, fields[name])) for name in listed}
        asked = Question(
            text=question,
            tenant=self.settings.tenant,
            tokens=self.settings.recall_tokens if tokens is None else tokens,
            limit=limit,
            spooled=len(spool.waiting(self.database.url)),
            **(fields | several),
        )
        question_vectors = self.embed_question(question)
        with self.database.snapshot() as tx:
            return recall(tx, asked, question_vectors=question_vectors)

    def embed_question(self, question: str) -> QuestionVectors | None:
        """The vectors of a question for `recall`; None without an embedder. Holds no transaction while it embeds."""
        return self._question_embedder.embed(self.database, question if isinstance(question, str) else "")

    def supersede(self, old: str, new: str | None = None, *, undo: bool = False) -> SupersedeResult:
        """Let a memory, document or fact hold in the place of an older one, or with `undo` both again (a fact alone).

        What is superseded is hidden from recall unless its history is asked for. Raises `NotFound`, `InvalidInput`.
        """
        with self.database.transaction(tenant=self.settings.tenant) as tx:
            return supersede(tx, old=old, new=new, undo=undo)

    def show(self, id: str) -> Details:
        """What became of a document, memory or job: by its id, or by the beginning of a UUID. Raises `NotFound`."""
        with self.database.snapshot(tenant=self.settings.tenant) as tx:
            return show(tx, id=id)

    def status(self) -> Status:
        """What waits, runs and is known in the tenant, and how full the queue is, in one snapshot."""
        return status_room.read(self.database, self.settings)

    def jobs(
        self,
        *,
        state: str | None = None,
        kind: str | None = None,
        error: str | None = None,
        older_ms: int | None = None,
        after: int = 0,
        limit: int = 100,
        all_tenants: bool = False,
    ) -> list[Job]:
        """The tenant's jobs that are not done, oldest first: those whose error contains a text, sent before a time."""
        tenant = None if all_tenants else self.settings.tenant
        with self.database.snapshot() as tx:
            before = None if older_ms is None else tx.now - validate.check_int("older_ms", older_ms)
            return jobs_room.listed(
                tx, after=after, limit=limit, tenant=tenant, state=state, kind=kind, error=error or None, before=before
            )

    def stuck(
        self, *, kind: str | None = None, after: int = 0, limit: int = 100, all_tenants: bool = False
    ) -> list[StuckJob]:
        """Jobs that should have moved on by now, oldest first, and why they are thought to be stuck."""
        tenant = None if all_tenants else self.settings.tenant
        with self.database.snapshot() as tx:
            return jobs_room.stuck(tx, tenant=tenant, kind=kind, after=after, limit=limit)

    def groups(self, *, kind: str | None = None, all_tenants: bool = False) -> list[FailureGroup]:
        """The dead and failed jobs by what they fail of, the largest group first."""
        with self.database.snapshot() as tx:
            return jobs_room.groups(tx, tenant=None if all_tenants else self.settings.tenant, kind=kind)

    def dead(self, *, kind: str | None = None, error: str | None = None, group: str | None = None) -> list[int]:
        """The ids of dead jobs: all, those whose error contains a text, or those of a group, by its key."""
        return jobs_room.dead(self.database, tenant=self.settings.tenant, kind=kind, error=error or None, group=group)

    def change(self, ids: Sequence[int], *, verb: str, dry_run: bool = False) -> Iterator[JobChange]:
        """`retry` jobs that are dead or wait, or `discard` those that do not run: what became, or would, of each."""
        yield from jobs_room.change(self.database, ids, verb=verb, tenant=self.settings.tenant, dry_run=dry_run)
        if verb == jobs_room.REVIVE and not dry_run:
            self._summon()

    def retry(self, job_id: int) -> None:
        """Revive a job that is dead or waits. Raises `NotFound` if this tenant has none, `InvalidInput` otherwise."""
        self._change_one(job_id, jobs_room.REVIVE)

    def discard(self, job_id: int) -> None:
        """Remove a job for good. Raises `NotFound` if this tenant has none, `InvalidInput` while it runs."""
        self._change_one(job_id, jobs_room.REMOVE)

    def pause(self, name: str, *, reason: str | None = None) -> None:
        """From now on no worker takes a job from a queue, of whatever tenant; accepting goes on."""
        _known(name)
        with self.database.transaction() as tx:
            queue.pause(tx, name, reason=redact(accept.line("reason", reason) or "paused by hand")[0])

    def resume(self, name: str) -> bool:
        """End the pause of a queue, also one that its breaker made. False: it was not paused."""
        _known(name)
        with self.database.transaction() as tx:
            was_paused = any(row["queue"] == name for row in queue.paused(tx))
            queue.resume(tx, name)
        self._summon()
        return was_paused

    def send_command(self, arguments: Iterable[str], *, folder: str, input: str | None = None) -> Sent:
        """Accept a command line of `jotsam` to be run later, in this tenant and project. Raises `InvalidInput`."""
        sent = command.job_spec(
            QueuedCommand(
                arguments=tuple(redact(argument)[0] for argument in arguments),
                folder=folder,
                project=self.settings.project,
                input=None if input is None else redact(input)[0],
                tenant=self.settings.tenant,
            )
        )
        return capture.commit(self.database, lambda tx: queue.send(tx, sent), worker=self.settings.worker)

    def wait(self, ids: Iterable[str] = (), *, timeout_ms: int = 60_000) -> bool:
        """Wait until the documents and memories named, or else everything that was accepted or set aside, is through.

        False: still pending after `timeout_ms`. Raises `NotFound`, `InvalidInput`.
        """
        wanted, now = validate.check_list("ids", ids), monotonic_ms()
        deadline, summon_at = now + validate.check_int("timeout_ms", timeout_ms), now
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
        self,
        *,
        forever: bool = False,
        reserved: str | None = None,
        started: Callable[[Loop], None] | None = None,
        commands: Run | None = None,
    ) -> int | None:
        """Run the worker in this process until nothing is left to do. Returns the number of jobs done.

        None: another worker holds the lease. `started` is given the loop, so that a signal can stop it. `commands`
        carries out queued command lines; without it they are left to a worker that can.
        """
        from jotsam.memory.worker_session import Tenure
        from jotsam.queueing.loop import Loop
        from jotsam.worker.handlers import Handlers

        queues = MEMORY_QUEUES if commands is None else EVERY_QUEUE
        handlers = Handlers(
            self.database,
            self.settings,
            context=accept.context,
            nearest=self._question_embedder.nearest,
            commands=commands,
        )
        hooks = Tenure(self.database, self.settings, summon=self._summon, forever=forever, queues=queues)
        try:
            if not hooks.begin(reserved):
                return None
            loop = Loop(
                self.database,
                handlers.by_kind,
                queues=queues,
                owner=hooks.owner,
                options=handlers.loop_options,
                hooks=hooks,
            )
            if started:
                started(loop)
            try:
                return loop.run()
            finally:
                hooks.end()
        finally:
            handlers.close()

    def forget_tenant(self) -> None:
        """Remove everything this tenant has: documents, memories, graph, jobs."""
        with self.database.transaction(tenant=self.settings.tenant) as tx:
            forget.tenant(tx)

    @property
    def knowledge(self) -> Knowledge:
        """Entities, facts, patterns, what a memory is linked to, and what is no secret."""
        from jotsam.memory.knowledge import Knowledge

        return Knowledge(self.database, tenant=self.settings.tenant)

    def plan_reprocess(self, ids: Iterable[str] = (), *, forced: bool = False, **wanted: Any) -> ReprocessPlan:
        """Which memories would be read again, and what that would cost, about. Changes nothing.

        Those of `ids` (memories and documents), or with a `project`, `source`, `type`, `extractor` (its begin), or
        `degraded`: of these whatever another extractor or version has read, with `forced` all. Raises `NotFound`.
        """
        from jotsam.memory import reprocess

        chosen = reprocess.wanted(wanted)
        return reprocess.plan(self.database, chosen, settings=self.settings, ids=ids, forced=forced)

    def reprocess(self, plan: ReprocessPlan, *, clear: bool = False) -> int:
        """Queue what a plan names, behind everything else; what is queued or in work is not queued twice.

        With `clear`, what was found in these memories is removed at once. Returns how many were queued.
        """
        from jotsam.memory import reprocess

        if not isinstance(plan, reprocess.ReprocessPlan):
            raise InvalidInput(f"plan is {type(plan).__name__}: give what plan_reprocess returned")
        done = reprocess.start(self.database, plan.due, settings=self.settings, clear=clear)
        self._summon()
        return done

    def extract_prompt(self, ids: Iterable[str]) -> str:
        """What an agent reads to extract from memories and documents itself. Raises `NotFound`."""
        from jotsam.memory import reprocess

        return reprocess.prompt(self.database, self.settings.tenant, ids)

    def extract_apply(self, text: str, *, by: str = "") -> list[AppliedExtraction]:
        """Save what an agent has read. Raises `InvalidInput` with line and column; then nothing is saved."""
        from jotsam.worker import agent_extraction

        return agent_extraction.apply_extractions(self.database, text, tenant=self.settings.tenant, by=by)

    def import_sessions(self, paths: Iterable[str], *, tell: Tell | None = None, **asked: Any) -> ImportResult:
        """Import session files of agents, each turn once; `asked` are the fields of `jotsam.ingest.sessions.Asked`."""
        from jotsam.ingest.sessions import import_sessions

        return import_sessions(self.database, self.settings, paths, asked, tell=tell)

    def costs(self, *, days: int = 30) -> list[DailyCost]:
        """What each model has taken on each day (UTC), the latest first."""
        return status_room.costs(self.database, tenant=self.settings.tenant, days=days)

    def close(self) -> None:
        """Let go of the database; a worker in the background goes on."""
        self._question_embedder.close()
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def _accept(self, write: Callable[[Transaction], Receipt]) -> Receipt:
        return capture.commit(self.database, write, worker=self.settings.worker)

    def _fetch(self) -> None:
        """What hooks of this machine set aside while the server was away is taken in by whoever reaches it first."""
        if not self.database.is_file:
            capture.empty_spool(self.database, self.settings)

    def _summon(self) -> None:
        """See that a worker comes when there is work: one that was killed is replaced by whoever waits for it."""
        self._fetch()
        if self.settings.worker == "auto":
            capture.summon(self.database, worker_idle_ms=self.settings.worker_idle_ms)

    def _unfinished(self, ids: list[str]) -> bool:
        with self.database.snapshot(tenant=self.settings.tenant) as tx:
            if not ids:
                live = queue.depth(tx, queues=EVERY_QUEUE, tenant=self.settings.tenant).live
                return live > 0 or bool(spool.waiting(self.database.url))
            stories = [show(tx, id=id) for id in ids]
            return any(job.state != "dead" for story in stories for job in story.jobs)

    def _change_one(self, job_id: int, verb: str) -> None:
        (one,) = self.change([job_id], verb=verb)
        if one.error:
            raise one.error


def _known(name: str) -> None:
    if name not in EVERY_QUEUE:
        raise InvalidInput(f"there is no queue {name!r}; there are {', '.join(EVERY_QUEUE)}")


_SEVERAL = ("tags", "without", "types", "expand", "pinned")
_QUESTION_FIELDS = frozenset(Question._fields) - {"text", "tenant", "tokens", "limit", "set_aside"}
_MEMORY_FIELDS = frozenset(
    "type tags importance confidence metadata actor session position said_at valid_from valid_until external_id".split()  # noqa: SIM905 - words read better
) | {"project", "source"}
