"""The public client: `Jotsam`.

It opens transactions and calls the use cases of this package. The worker and its models are imported when they are
needed, because a process that only recalls does not use them.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.answers import Question
from jotsam.core.clock import monotonic_ms, sleep
from jotsam.core.errors import InvalidInput
from jotsam.core.names import EVERY_QUEUE
from jotsam.core.settings import resolve_settings
from jotsam.ingest import capture, spool, start_worker, transcript_requests, validation
from jotsam.memory import allowed_options, status
from jotsam.memory.batches import Acceptor
from jotsam.memory.question_embedding import QuestionEmbedder
from jotsam.memory.show import show
from jotsam.memory.supersede import supersede, undo_supersede
from jotsam.retrieval.answer import recall
from jotsam.storage import connect, queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike
    from types import TracebackType
    from typing import BinaryIO, Self, TypeVar, Unpack

    from jotsam.core.answers import Answer, Brief
    from jotsam.core.clock import Clock
    from jotsam.core.records import ItemResult, MemoryVersion, Page, Receipt, StoredMemory, UpdateReceipt
    from jotsam.core.settings import Settings
    from jotsam.ingest.sessions import ImportResult, Tell
    from jotsam.memory.admin_client import Admin
    from jotsam.memory.export import ExportResult
    from jotsam.memory.forget import ForgetPlan, ForgetReceipt
    from jotsam.memory.import_tally import MemoryImport
    from jotsam.memory.knowledge import Knowledge
    from jotsam.memory.options import (
        DocumentItem,
        ImportMemoriesOptions,
        ImportSessionsOptions,
        ListOrder,
        MemoryItem,
        MemoryOptions,
        RecallOptions,
        ReprocessOptions,
        SelectionOptions,
        Timestamp,
        UpdateOptions,
    )
    from jotsam.memory.reprocess import ReprocessPlan
    from jotsam.memory.show import Details
    from jotsam.memory.status import Status
    from jotsam.memory.supersede import SupersedeResult
    from jotsam.retrieval.search.vectors import QuestionVectors
    from jotsam.storage.database import Database, Transaction
    from jotsam.worker.agent_extraction import AppliedExtraction

    T = TypeVar("T")
    _Results = list[ItemResult]  # Inside the class, `list` is a method.

POLL_MS = 20
START_WORKER_MS = 1_000  # `wait` checks this often that a worker is running


class Jotsam:
    """Durable memory in a SQLite file or a PostgreSQL database. Safe to use from many threads and processes.

    `db` is the path of the file, or `postgresql://...`. Everything else has a default in the settings.
    Raises `InvalidInput`, `DatabaseUnavailable`, `DatabaseUnusable`.
    """

    settings: Settings
    database: Database

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
        validation.check_tenant(self.settings.tenant)
        self.database = connect(self.settings.db, clock=clock, wait_ms=self.settings.lock_timeout_ms)
        self._question_embedder = QuestionEmbedder(self.settings, clock=clock)
        self._actor: str | None = None
        self._owns_database = True
        self._drain_spool()

    def scoped(self, *, tenant: str | None = None, project: str | None = None, actor: str | None = None) -> Jotsam:
        """A client for another tenant, project or default actor on the same connections: for one user of a service.

        Creating one costs microseconds. Closing it does nothing; closing this one closes all. Raises `InvalidInput`.
        """
        view = object.__new__(type(self))
        label = None if project is None else validation.check_line("project", project) or ""
        view.settings = resolve_settings(self.settings, tenant=tenant, project=label)
        validation.check_tenant(view.settings.tenant)
        view.database = self.database
        view._question_embedder = self._question_embedder
        view._actor = self._actor if actor is None else validation.check_line("actor", actor)
        view._owns_database = False
        return view

    def add(
        self,
        text: str,
        *,
        source: str | None = None,
        project: str | None = None,
        date: Timestamp | None = None,
        key: str | None = None,
        actor: str | None = None,
        session: str | None = None,
        tx: Transaction | None = None,
    ) -> Receipt:
        """Accept a document in one commit. It is searchable at once; a worker chunks and enriches it later.

        `source` is where it is from, `date` when it was written. A `key` that was used before returns the first
        receipt, and so does the unchanged newest text of a source. With `tx`, a transaction of `database`, it is
        committed with what else you write in that, or not at all. Raises `InvalidInput`.
        """
        fields = {"source": source, "project": project, "date": date, "actor": actor, "session": session}
        return self._acceptor().add(text, key, fields, tx)

    def add_many(self, items: Iterable[str | DocumentItem], *, tx: Transaction | None = None) -> list[ItemResult]:
        """Accept up to 500 documents in one commit, each as by `add`, in order.

        An item is a text, or a dict of `text` and options of `add`. Returns a result for each: its receipt, or the
        error because of which it is not accepted, which does not affect the others. Raises `InvalidInput`.
        """
        return self._acceptor().add_many(items, tx)

    def remember(
        self, text: str, *, key: str | None = None, tx: Transaction | None = None, **options: Unpack[MemoryOptions]
    ) -> Receipt:
        """Accept one memory in one commit. It is searchable at once; a worker enriches it later.

        Options are fields of `Memory`: type, tags, importance, confidence, metadata, actor, session, position, said_at,
        valid_from, valid_until, external_id, project, source. A `key` or `external_id` that was used before returns the
        first receipt. `tx` as for `add`. Raises `InvalidInput`.
        """
        validate.check_fields(options, allowed_options.MEMORY)
        return self._acceptor().remember(text, key, options, tx)

    def remember_many(self, items: Iterable[str | MemoryItem], *, tx: Transaction | None = None) -> list[ItemResult]:
        """Accept up to 500 memories in one commit, each as by `remember`. Items and results as of `add_many`."""
        return self._acceptor().remember_many(items, tx)

    def recall(
        self, question: str = "", *, tokens: int | None = None, limit: int = 50, **options: Unpack[RecallOptions]
    ) -> Answer:
        """Search memory: the best hits within a budget of `tokens`, and what the answer covers, from one snapshot.

        An empty question returns the newest memories. Options filter (project, tags, every_tag, tag_prefix, without,
        types, metadata, session, when, since, until, as_of, history, min_score), rank (prefer: a project), add results
        (expand, expand_limit, min_weight, min_importance, pinned), or shorten them (hit_tokens). Raises `InvalidInput`.
        """
        asked = Question(
            text=question,
            tenant=self.settings.tenant,
            tokens=self.settings.recall_tokens if tokens is None else tokens,
            limit=limit,
            spooled=len(spool.waiting(self.database.url)),
            **allowed_options.recall_fields(options, prefer=self.settings.project or None),
        )
        vectors = self._embed_question(question)
        with self.database.snapshot() as tx:
            return recall(tx, asked, question_vectors=vectors)

    def brief(self, *, project: str | None = None, tokens: int = 300) -> Brief:
        """What was decided, preferred and left open in a project, to start a session with, in at most `tokens`.

        By default the project of the settings; "" for what has none. Raises `InvalidInput`.
        """
        from jotsam.retrieval.brief import brief

        named = self.settings.project if project is None else validation.check_line("project", project)
        tokens, spooled = validate.check_int("tokens", tokens, 50, 5_000), len(spool.waiting(self.database.url))
        with self.database.snapshot(tenant=self.settings.tenant) as tx:
            return brief(tx, project=named or None, tokens=tokens, spooled=spooled)

    def update(
        self,
        id: str,
        *,
        version: int | None = None,
        forget_history: bool = False,
        **options: Unpack[UpdateOptions],
    ) -> UpdateReceipt:
        """Change fields of one memory in one commit; what is not given stays. A new text is enriched again.

        Options: text, tags or add_tags and remove_tags, metadata or add_metadata, type, importance, confidence,
        valid_from, valid_until. With `version`, raises `Conflict` if the memory has another one. The earlier fields are
        kept for `versions`; `forget_history` deletes all of them. Raises `NotFound`, `InvalidInput`, and so for the
        text of a chunk.
        """
        from jotsam.memory.update import update

        def write(tx: Transaction) -> UpdateReceipt:
            tx.set_tenant(self.settings.tenant)
            attempts = self.settings.enrich_attempts
            return update(tx, id=id, options=options, version=version, forget_history=forget_history, attempts=attempts)

        return self._acceptor().commit(write, None)

    def versions(self, id: str) -> tuple[MemoryVersion, ...]:
        """A memory as it was before each update, the first version first; without the current one.

        Raises `NotFound`, `InvalidInput`.
        """
        from jotsam.memory.update import versions

        with self.database.snapshot(tenant=self.settings.tenant) as tx:
            return versions(tx, id=id)

    def supersede(self, old: str, new: str) -> SupersedeResult:
        """Replace a memory, document or fact by a newer one of the same kind. `undo_supersede` undoes it.

        What is superseded stays stored, and is hidden from recall unless its history is requested.
        Raises `NotFound`, `InvalidInput`.
        """
        with self.database.transaction(tenant=self.settings.tenant) as tx:
            return supersede(tx, old=old, new=new)

    def undo_supersede(self, old: str, new: str | None = None) -> SupersedeResult:
        """Undo `supersede(old, new)`. A fact can be restored without `new`. Raises `NotFound`, `InvalidInput`."""
        with self.database.transaction(tenant=self.settings.tenant) as tx:
            return undo_supersede(tx, old=old, new=new)

    def list(
        self,
        *,
        order: ListOrder = "newest",
        history: bool = False,
        after: str | None = None,
        limit: int = 50,
        **selection: Unpack[SelectionOptions],
    ) -> Page:
        """A page of the memories that match every given option: `limit` of them (1 to 200), the newest first.

        Options: ids, document, source, project, session, actor, tags, every_tag, types, since, until, before,
        min_importance. `order="importance"` returns the most important first; `history` includes what is superseded or
        not valid now. Pass `next` of a page as `after` for the following one. Raises `NotFound`, `InvalidInput`.
        """
        from jotsam.memory.listing import list_memories

        with self.database.snapshot(tenant=self.settings.tenant) as tx:
            page = list_memories(tx, selection, order=order, history=history, after=after, limit=limit)
        return page.replace(pending=page.pending + len(spool.waiting(self.database.url)))

    def get(self, id: str) -> StoredMemory:
        """One memory with all its fields: by UUID, prefix of one, or external id.

        Raises `NotFound`, and `InvalidInput` for a prefix that is not unique. `show` has its jobs, facts and links.
        """
        from jotsam.memory.listing import get_memory

        with self.database.snapshot(tenant=self.settings.tenant) as tx:
            return get_memory(tx, id=id)

    def show(self, id: str) -> Details:
        """Everything stored about a document, memory or job: by id, prefix of a UUID, or external id.

        Raises `NotFound`, and `InvalidInput` for a prefix that is not unique.
        """
        with self.database.snapshot(tenant=self.settings.tenant) as tx:
            return show(tx, id=id)

    def status(self) -> Status:
        """Counts of jobs, documents, memories and spending of the tenant, in one snapshot."""
        return status.read(self.database, self.settings)

    def wait(self, ids: Iterable[str] = (), *, timeout_ms: int = 60_000) -> bool:
        """Wait until the jobs of these documents and memories are done or dead, or those of the whole tenant.

        False: some are still pending after `timeout_ms`. Starts a worker if none is running, unless `worker` is off.
        Jobs that wait for a daily cap which has been changed become ready. Raises `NotFound`, `InvalidInput`.
        """
        wanted, now = validate.check_list("ids", ids), monotonic_ms()
        deadline, start_at = now + validate.check_int("timeout_ms", timeout_ms), now
        status.resume_if_freed(self.database, self.settings)
        while self._is_pending(wanted):
            now = monotonic_ms()
            if now > deadline:
                return False
            if now >= start_at:
                self._start_worker()
                start_at = now + START_WORKER_MS
            sleep(POLL_MS / 1000)
        return True

    def work(self, *, forever: bool = False) -> int | None:
        """Process queued jobs in this thread until none is left. Returns how many were done.

        None: another worker process holds the lease. With `forever` it waits for more jobs.
        """
        from jotsam.memory.worker_session import run_worker

        return run_worker(self, forever=forever)

    @property
    def knowledge(self) -> Knowledge:
        """Entities, facts, patterns, links, and allowed secrets."""
        from jotsam.memory.knowledge import Knowledge

        return Knowledge(self.database, tenant=self.settings.tenant)

    @property
    def admin(self) -> Admin:
        """Operations: jobs, dead letters, pausing queues, costs, deleting a tenant."""
        from jotsam.memory.admin_client import Admin

        return Admin(self.database, self.settings, start_worker=self._start_worker)

    def plan_reprocess(
        self, ids: Iterable[str] = (), *, force: bool = False, **options: Unpack[ReprocessOptions]
    ) -> ReprocessPlan:
        """The memories to enrich again, and an estimate of the cost. Changes nothing.

        Those of `ids` (memories and documents), or all that match the options: project, source, type, extractor (a
        prefix), degraded. Of these, the ones another extractor or version has processed; with `force`, all.
        Raises `NotFound`, `InvalidInput`.
        """
        from jotsam.memory import reprocess

        chosen = reprocess.wanted({**options})
        return reprocess.plan(self.database, chosen, settings=self.settings, ids=ids, force=force)

    def reprocess(self, plan: ReprocessPlan, *, clear: bool = False) -> int:
        """Queue the memories of a plan at low priority, and its documents. What is queued already is skipped.

        With `clear`, their extraction results are deleted at once. Returns how many were queued.
        """
        from jotsam.memory import reprocess

        if not isinstance(plan, reprocess.ReprocessPlan):
            raise InvalidInput(f"plan is {type(plan).__name__}: give what plan_reprocess returned")
        done = reprocess.start(self.database, plan, settings=self.settings, clear=clear)
        self._start_worker()
        return done

    def plan_forget(
        self, *, query: str | None = None, limit: int = 50, **options: Unpack[SelectionOptions]
    ) -> ForgetPlan:
        """What would be forgotten: what matches every option. Turns in the spool are stored first.

        With `query`, the hits of a recall, at most `limit`, that match the options too. Options: ids, document, source,
        project, session, actor, tags, every_tag, types, since, until, before, min_importance.
        Raises `NotFound`, and `InvalidInput` if nothing is given.
        """
        from jotsam.memory import forget, selection

        if query is not None and options.get("ids"):
            raise InvalidInput("ids and query are both given: give one of them")
        wanted = selection.checked(options)
        if query is None:
            return forget.plan(self.database, self.settings, wanted)
        hits = self.recall(validate.check_text("query", query), limit=limit, history=True).hits
        return forget.plan(self.database, self.settings, wanted, among=tuple(hit.id for hit in hits))

    def forget(self, plan: ForgetPlan, *, never_again: bool = False, trash: bool = False) -> ForgetReceipt:
        """Remove what a plan lists, with all that was made of it, and what it superseded is valid again.

        With `never_again`, the same texts, keys and external ids are not accepted again: `Receipt.forgotten`. With
        `trash`, they can be restored for `trash_days`, and their texts are kept until then: `Admin.restore_forgotten`.
        Raises `InvalidInput` for both, and with `trash` for a chunk of a document that stays.

        Interrupted, it has forgotten whole memories and documents: forget the same plan again.
        """
        from jotsam.memory import forget

        if not isinstance(plan, forget.ForgetPlan):
            raise InvalidInput(f"plan is {type(plan).__name__}: give what plan_forget returned")
        again = validate.check_bool("never_again", never_again)
        if not validate.check_bool("trash", trash):
            return forget.carry_out(self.database, self.settings, plan, never_again=again)
        if again:
            raise InvalidInput("never_again and trash are both given: give one of them")
        from jotsam.memory import trash as to_trash

        return to_trash.forget(self.database, self.settings, plan)

    def allow_again(self, text: str) -> int:
        """Accept a text, key or external id again that was forgotten for good. Returns how many it was, 0 to 3."""
        from jotsam.memory import forget

        with self.database.transaction(tenant=self.settings.tenant) as tx:
            return forget.allow_again(tx, validate.check_text("text", text))

    def extract_prompt(self, ids: Iterable[str]) -> str:
        """A prompt with which an agent extracts from memories and documents itself. Raises `NotFound`."""
        from jotsam.memory import reprocess

        return reprocess.prompt(self.database, self.settings.tenant, ids)

    def extract_apply(self, text: str, *, by: str = "") -> Sequence[AppliedExtraction]:
        """Save an agent's reply to `extract_prompt`, all of it or nothing.

        Raises `InvalidInput` with line and column.
        """
        from jotsam.worker import agent_extraction

        return agent_extraction.apply_extractions(self.database, text, tenant=self.settings.tenant, by=by)

    def import_sessions(
        self, paths: Iterable[str], *, tell: Tell | None = None, **options: Unpack[ImportSessionsOptions]
    ) -> ImportResult:
        """Import session files of agents, each turn once. Options: format, project, session, dry_run.

        `tell` is called with the file's name, bytes read and bytes in total. Raises `InvalidInput`.
        """
        from jotsam.ingest.sessions import import_sessions

        return import_sessions(self.database, self.settings, paths, options, tell=tell)

    def export(
        self,
        file: str | PathLike[str] | BinaryIO,
        *,
        vectors: bool = False,
        tell: Tell | None = None,
        **options: Unpack[SelectionOptions],
    ) -> ExportResult:
        """Write everything of the tenant to a path or an open binary file, as JSON lines that `import_memories` reads.

        Options select memories and documents instead: see `Selection`. `vectors` includes their vectors. `tell` is
        called with "memories", their number done, and in total. A path gets its name when the file is complete.
        Raises `NotFound`, `InvalidInput`, `OSError`.
        """
        from jotsam.memory import export, selection

        wanted = selection.checked({**options})
        return export.export(self.database, file, wanted, tenant=self.settings.tenant, vectors=vectors, tell=tell)

    def import_memories(
        self, path: str | PathLike[str], *, tell: Tell | None = None, **options: Unpack[ImportMemoriesOptions]
    ) -> MemoryImport:
        """Import a file of `export`, or memories of another program, each once.

        Options: format, project, reprocess, dry_run. `tell` is called with the file's name, bytes read and in total.
        Lines that cannot be imported are reported in the result. Raises `InvalidInput` for a file that is not of the
        format, that was cut off, or that a newer version wrote.
        """
        from jotsam.memory.import_memories import import_memories

        return import_memories(self.database, self.settings, path, options, tell=tell)

    def close(self) -> None:
        """Close the connections. Later calls raise `DatabaseClosed`. A background worker continues."""
        if self._owns_database:
            self._question_embedder.close()
            self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.database.url!r}, tenant={self.settings.tenant!r})"

    def _embed_question(self, question: str) -> QuestionVectors | None:
        """The vectors of a question; None without an embedder. Runs in no transaction."""
        text = question if isinstance(question, str) else ""
        return self._question_embedder.embed(self.database, text, tenant=self.settings.tenant)

    def _acceptor(self) -> Acceptor:
        return Acceptor(self.database, self.settings, actor=self._actor)

    def _drain_spool(self) -> None:
        """Accept turns that hooks of this machine spooled while the server was unavailable; a file's worker does it."""
        if not self.database.is_file:
            capture.empty_spool(self.database, self.settings)

    def _start_worker(self) -> None:
        """Start a worker if there is work and none is running: it may have been killed."""
        self._drain_spool()
        if not self.database.is_file:
            transcript_requests.serve(self.database, self.settings)
        if self.settings.worker == "auto":
            start_worker.start_if_needed(self.database, worker_idle_ms=self.settings.worker_idle_ms)

    def _is_pending(self, ids: Sequence[str]) -> bool:
        with self.database.snapshot(tenant=self.settings.tenant) as tx:
            if not ids:
                live = queue.depth(tx, queues=EVERY_QUEUE, tenant=self.settings.tenant).live
                return live > 0 or bool(spool.waiting(self.database.url))
            jobs = [job for id in ids for job in show(tx, id=id).jobs]
            return any(job.state != "dead" for job in jobs)
