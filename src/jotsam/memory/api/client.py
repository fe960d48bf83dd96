"""The public client: `Jotsam`.

It opens transactions and calls the use cases of this package. The worker, its models and what writes are imported when
they are needed, because a process that only recalls does not use them.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.clock import monotonic_ms, sleep
from jotsam.core.operations import Operation, not_over_http
from jotsam.core.settings import resolve_settings
from jotsam.ingest import start_worker, validation
from jotsam.memory import allowed_options
from jotsam.memory.api.bulk_methods import BulkMethods
from jotsam.memory.engines.mirror_jobs import MirrorJobs
from jotsam.memory.reading.question_embedding import QuestionEmbedder
from jotsam.memory.reading.question_reranker import QuestionReranker
from jotsam.memory.reading.recall_counter import RecallCounter
from jotsam.storage import connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike
    from types import TracebackType
    from typing import Any, Self, Unpack

    from jotsam.core.clock import Clock
    from jotsam.core.event_records import Event
    from jotsam.core.records import ItemResult, Receipt, StoredMemory, UpdateReceipt, UpsertReceipt, UpsertResult
    from jotsam.core.settings import Settings
    from jotsam.memory.api.admin_client import Admin
    from jotsam.memory.api.crystals import Crystals
    from jotsam.memory.api.knowledge import Knowledge
    from jotsam.memory.api.lifecycle_client import Lifecycle
    from jotsam.memory.api.notes import Notes
    from jotsam.memory.api.store import Store
    from jotsam.memory.options import (
        DocumentItem,
        MemoryItem,
        MemoryOptions,
        Timestamp,
        TurnOptions,
        UpdateOptions,
        UpsertItem,
    )
    from jotsam.memory.writing.batches import Acceptor
    from jotsam.memory.writing.blocks import Blocks
    from jotsam.memory.writing.supersede import SupersedeResult
    from jotsam.storage.database import Transaction


PLACE = ("project", "actor")
POLL_MS = 20
START_WORKER_MS = 1_000  # `wait` checks this often that a worker is running


class Jotsam(BulkMethods):
    """Durable memory in a SQLite file or a PostgreSQL database. Safe to use from many threads and processes.

    `db` is the path of the file, or `postgresql://...`. Everything else has a default in the settings.
    Raises `InvalidInput`, `DatabaseUnavailable`, `DatabaseUnusable`.
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
        validation.check_tenant(self.settings.tenant)
        self.database = connect(self.settings.db, clock=clock, wait_ms=self.settings.lock_timeout_ms)
        self.database.before_commit = MirrorJobs(self._start_for_mirror)
        self._question_embedder = QuestionEmbedder(self.settings, clock=clock)
        self._question_reranker = QuestionReranker(self.settings, clock=clock)
        self._recall_counter = RecallCounter(self.database)
        self._actor: str | None = None
        self._owns_database = True
        self.shows_server = True  # in the status; false for a tenant of a server, see `memory.status.tenant_view`
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
        view._question_reranker = self._question_reranker
        view._recall_counter = self._recall_counter
        view._actor = self._actor if actor is None else validation.check_line("actor", actor)
        view._owns_database = False
        view.shows_server = self.shows_server
        return view

    @Operation(
        route="POST /v1/documents",
        scope="write",
        status=202,
        body="DocumentBody: A document to accept.",
        of_client=PLACE,
        summary="Accept one document",
    )
    def add(
        self,
        text: str,
        *,
        source: str | None = None,  # a path, a URL, or any name
        project: str | None = None,  # a label
        date: Timestamp | None = None,  # when it was written
        key: str | None = None,  # of the caller: a text with a key that exists is a duplicate
        actor: str | None = None,  # the person, agent or user of a service
        session: str | None = None,  # of a conversation
        tx: Transaction | None = None,
    ) -> Receipt:
        """Accept a document in one commit. It is searchable at once; a worker chunks and enriches it later.

        `source` is where it is from, `date` when it was written. A `key` that was used before returns the first
        receipt, and so does the unchanged newest text of a source. With `tx`, a transaction of `database`, it is
        committed with what else you write in that, or not at all. Raises `InvalidInput`.
        """
        fields = {"source": source, "project": project, "date": date, "actor": actor, "session": session}
        return self._acceptor().add(text, key, fields, tx)

    @Operation(
        route="POST /v1/documents/batch",
        scope="write",
        status=202,
        body="Batch",
        of_client=PLACE,
        summary="Accept up to 500 documents in one commit",
    )
    def add_many(self, items: Iterable[str | DocumentItem], *, tx: Transaction | None = None) -> list[ItemResult]:
        """Accept up to 500 documents in one commit, each as by `add`, in order.

        An item is a text, or a dict of `text` and options of `add`. Returns a result for each: its receipt, or the
        error because of which it is not accepted, which does not affect the others. Raises `InvalidInput`.
        """
        return self._acceptor().add_many(items, tx)

    @Operation(
        route="POST /v1/memories",
        scope="write",
        status=202,
        body="MemoryBody: A memory to accept.",
        of_client=PLACE,
        summary="Accept one memory",
    )
    def remember(
        self,
        text: str,
        *,
        key: str | None = None,  # of the caller: a text with a key that exists is a duplicate
        tx: Transaction | None = None,
        **options: Unpack[MemoryOptions],
    ) -> Receipt:
        """Accept one memory in one commit. It is searchable at once; a worker enriches it later.

        Options are fields of `Memory`: type, tags, importance, confidence, metadata, actor, session, position, said_at,
        valid_from, valid_until, external_id, project, source. A `key` or `external_id` that was used before returns the
        first receipt. `tx` as for `add`. Raises `InvalidInput`.
        """
        validate.check_fields(options, allowed_options.MEMORY)
        return self._acceptor().remember(text, key, options, tx)

    @Operation(
        route="POST /v1/memories/batch",
        scope="write",
        status=202,
        body="Batch",
        of_client=PLACE,
        summary="Accept up to 500 memories in one commit",
    )
    def remember_many(self, items: Iterable[str | MemoryItem], *, tx: Transaction | None = None) -> list[ItemResult]:
        """Accept up to 500 memories in one commit, each as by `remember`. Items and results as of `add_many`."""
        return self._acceptor().remember_many(items, tx)

    @Operation(
        route="PUT /v1/memories/by-key/{key}",
        scope="write",
        status=202,
        body="UpsertBody: The text of a key's memory, and its other fields.",
        of_client=PLACE,
        summary="Create the memory of a key, or replace its text",
    )
    def upsert(
        self, key: str, text: str, *, tx: Transaction | None = None, **options: Unpack[MemoryOptions]
    ) -> UpsertReceipt:
        """Store the memory of a key: the first call creates it, later ones change it. Two at once give one memory.

        Options as of `remember`. A later call replaces the text, and tags, metadata, type, importance, confidence,
        valid_from and valid_until if they are given; the earlier fields are kept for `versions`. The same text and
        options change nothing. Other options are those of the first call. `tx` as for `add`. Raises `InvalidInput`, and
        so if the memory has another actor, project, session or external_id than a given one.
        """
        validate.check_fields(options, allowed_options.MEMORY)
        return self._acceptor().upsert(key, text, options, tx)

    @Operation(
        route="POST /v1/memories/by-key/batch",
        scope="write",
        status=202,
        body="Batch",
        of_client=PLACE,
        summary="Create or change the memories of up to 500 keys in one commit",
    )
    def upsert_many(self, items: Iterable[UpsertItem], *, tx: Transaction | None = None) -> list[UpsertResult]:
        """Store the memories of up to 500 keys in one commit, each as by `upsert`, in order.

        An item is a dict of `key`, `text` and options of `upsert`. Of several with one key the last is stored, and the
        ones before it are its versions. Returns a result for each: its receipt, or the error because of which it is not
        stored, which does not affect the others. `tx` as for `add`. Raises `InvalidInput`.
        """
        return self._acceptor().upsert_many(items, tx)

    @Operation(
        route="POST /v1/turns",
        scope="write",
        status=202,
        body="TurnBody: A turn of a conversation to accept.",
        of_client=PLACE,
        summary="Accept one turn of a conversation",
    )
    def add_turn(
        self,
        text: str,
        *,
        session: str,  # of the conversation
        key: str | None = None,  # of the caller: a text with a key that exists is a duplicate
        tx: Transaction | None = None,
        **options: Unpack[TurnOptions],
    ) -> Receipt:
        """Accept a turn of a conversation, as a hook of an agent does. A long one becomes a document.

        Options: actor (user), position, said_at (now), project, source, type. A `key` that was used before returns the
        first receipt, and without a key so does the same `position` of a session. `tx` as for `add`.
        Raises `InvalidInput`.
        """
        from jotsam.memory.writing.batches import add_turn

        validate.check_fields(options, allowed_options.TURN)
        fields: dict[str, Any] = {**options, "session": session}
        fields["actor"] = fields.get("actor") or self._actor
        settings = self.settings
        return self._acceptor().commit(lambda tx: add_turn(tx, text, key=key, settings=settings, fields=fields), tx)

    @Operation(
        route="PATCH /v1/memories/{id}",
        scope="write",
        body="MemoryChange: What to change of a memory; what is not given stays, and null removes it.",
        versioned=True,
        summary="Change fields of one memory",
    )
    def update(
        self,
        id: str,
        *,
        version: int | None = None,
        forget_history: bool = False,  # remove the earlier versions too
        **options: Unpack[UpdateOptions],
    ) -> UpdateReceipt:
        """Change fields of one memory in one commit; what is not given stays. A new text is enriched again.

        Options: text, tags or add_tags and remove_tags, metadata or add_metadata, type, importance, confidence,
        valid_from, valid_until. With `version`, raises `Conflict` if the memory has another one. The earlier fields are
        kept for `versions`; `forget_history` deletes all of them. Raises `NotFound`, `InvalidInput`, and so for the
        text of a chunk.
        """
        from jotsam.memory.writing.update import update

        def write(tx: Transaction) -> UpdateReceipt:
            tx.set_tenant(self.settings.tenant)
            attempts = self.settings.enrich_attempts
            return update(tx, id=id, options=options, version=version, forget_history=forget_history, attempts=attempts)

        receipt = self._acceptor().commit(write, None)
        return receipt.replace(erased=self.database.erase()) if forget_history else receipt

    @Operation(
        route="POST /v1/supersede",
        scope="write",
        body="Replacement: Two memories, documents or facts: `new` replaces `old`.",
        summary="Replace a memory, document or fact",
    )
    def supersede(self, old: str, new: str) -> SupersedeResult:
        """Replace a memory, document or fact by a newer one of the same kind. `undo_supersede` undoes it.

        What is superseded stays stored, and is hidden from recall unless its history is requested.
        Raises `NotFound`, `InvalidInput`.
        """
        from jotsam.memory.writing.supersede import supersede

        with self.database.transaction(tenant=self.settings.tenant) as tx:
            return supersede(tx, old=old, new=new)

    @Operation(
        route="POST /v1/supersede/undo",
        scope="write",
        body="UndoneReplacement: A replacement to undo. A fact can be restored without `new`.",
        summary="Undo a replacement",
    )
    def undo_supersede(self, old: str, new: str | None = None) -> SupersedeResult:
        """Undo `supersede(old, new)`. A fact can be restored without `new`. Raises `NotFound`, `InvalidInput`."""
        from jotsam.memory.writing.supersede import undo_supersede

        with self.database.transaction(tenant=self.settings.tenant) as tx:
            return undo_supersede(tx, old=old, new=new)

    @Operation(route="POST /v1/memories/{id}/archive", scope="write", summary="Hide one memory from recall")
    def archive(self, id: str) -> StoredMemory:
        """Hide a memory from recall until `unarchive`. Nothing is deleted. Raises `NotFound`, `InvalidInput`."""
        from jotsam.memory.writing.update import archive_memory

        with self.database.transaction(tenant=self.settings.tenant) as tx:
            return archive_memory(tx, id=id)

    @Operation(route="POST /v1/memories/{id}/unarchive", scope="write", summary="Show one archived memory again")
    def unarchive(self, id: str) -> StoredMemory:
        """Show an archived memory again. The lifecycle does not archive it again for the same reason.

        Raises `NotFound`, `InvalidInput`.
        """
        from jotsam.memory.writing.update import unarchive_memory

        with self.database.transaction(tenant=self.settings.tenant) as tx:
            return unarchive_memory(tx, id=id)

    def wait(self, ids: Iterable[str] = (), *, timeout_ms: int = 60_000) -> bool:
        """Wait until the jobs of these documents and memories are done or dead, or those of the whole tenant.

        False: some are still pending after `timeout_ms`. Starts a worker if none is running, unless `worker` is off.
        Jobs that wait for a daily cap which has been changed become ready. Raises `NotFound`, `InvalidInput`.
        """
        wanted, now = validate.check_list("ids", ids), monotonic_ms()
        deadline, start_at = now + validate.check_int("timeout_ms", timeout_ms), now
        from jotsam.memory.jobs.jobs import PendingJobs
        from jotsam.memory.status import status

        status.resume_if_freed(self.database, self.settings)
        pending = PendingJobs(self.database, wanted, tenant=self.settings.tenant)
        while pending.any_left():
            now = monotonic_ms()
            if now > deadline:
                return False
            if now >= start_at:
                self._start_worker()
                start_at = now + START_WORKER_MS
            sleep(POLL_MS / 1000)
        return True

    def events(
        self, *, after: str | None = None, job: int | None = None, idle_ms: int | None = None
    ) -> Iterator[Event]:
        """Follow what happens in the tenant: its events from this call on, or after the `id` of an earlier one.

        With `job`, the events of one job from the first one that is kept, until it ends. With `idle_ms`, the iterator
        ends when nothing has happened for this long; 0: after what is kept. An event of type `gap` says that some
        between the cursor and it are no longer kept, or were not recorded. Searches are events if a server answered
        them. Tries again for a minute if the database cannot be reached. Raises `NotFound`, `InvalidInput`.
        """
        from jotsam.memory.api.follow_events import Follower, follow

        follower = Follower(self.settings.tenant, after=after, job=job, idle_ms=idle_ms)
        follower.begin(self.database)
        return follow(self.database, follower)

    @not_over_http("work needs the database: run `jotsam jobs work` or `jotsam server start` where it is")
    def work(self, *, forever: bool = False) -> int | None:
        """Process queued jobs in this thread until none is left. Returns how many were done.

        None: another worker process holds the lease. With `forever` it waits for more jobs.
        """
        from jotsam.memory.jobs.worker_session import run_worker

        return run_worker(self, forever=forever)

    @property
    def knowledge(self) -> Knowledge:
        """Entities, facts, patterns, links, and allowed secrets."""
        from jotsam.memory.api.knowledge import Knowledge

        return Knowledge(self.database, tenant=self.settings.tenant, nearest=self._question_embedder.nearest)

    @property
    def blocks(self) -> Blocks:
        """Small named texts that are always at hand."""
        from jotsam.memory.writing.blocks import Blocks

        settings = self.settings
        return Blocks(self.database, tenant=settings.tenant, project=settings.project, actor=self._actor)

    @property
    def store(self) -> Store:
        """Exact values by namespace and key."""
        from jotsam.memory.api.store import Store

        return Store(self.database, self.settings)

    @property
    def lifecycle(self) -> Lifecycle:
        """The steps that change memories long after they were accepted, each with a dry run and an undo."""
        from jotsam.memory.api.lifecycle_client import Lifecycle

        return Lifecycle(self.database, self.settings, start_worker=self._start_worker)

    @property
    def crystals(self) -> Crystals:
        """What several sessions agree on, what may become it, and what was refused."""
        from jotsam.memory.api.crystals import Crystals

        return Crystals(self.database, self.settings)

    @property
    def notes(self) -> Notes:
        """The rules, decisions, open ends and fixes of sessions, and what a person says of them."""
        from jotsam.memory.api.notes import Notes

        return Notes(self.database, self.settings, self._acceptor())

    @property
    def admin(self) -> Admin:
        """Operations: jobs, dead letters, pausing queues, costs, deleting a tenant."""
        from jotsam.memory.api.admin_client import Admin

        return Admin(self.database, self.settings, start_worker=self._start_worker)

    def close(self) -> None:
        """Close the connections. Later calls raise `DatabaseClosed`. A background worker continues."""
        if self._owns_database:
            self._question_embedder.close()
            self._question_reranker.close()
            self._recall_counter.close()
            self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.database.url!r}, tenant={self.settings.tenant!r})"

    def _acceptor(self) -> Acceptor:
        from jotsam.memory.writing.batches import Acceptor

        return Acceptor(self.database, self.settings, actor=self._actor)

    def _drain_spool(self) -> None:
        """Accept turns that hooks of this machine spooled while the server was unavailable; a file's worker does it."""
        if not self.database.is_file:
            from jotsam.ingest import capture

            capture.empty_spool(self.database, self.settings)

    def _start_for_mirror(self) -> None:
        if self.settings.worker == "auto":
            idle_ms, embeds = self.settings.worker_idle_ms, self.settings.has_embedder
            start_worker.start_if_needed(self.database, worker_idle_ms=idle_ms, embeds=embeds)

    def _start_worker(self) -> None:
        """Start a worker if there is work and none is running: it may have been killed."""
        self._drain_spool()
        if not self.database.is_file:
            from jotsam.ingest import transcript_requests

            transcript_requests.serve(self.database, self.settings)
        self._start_for_mirror()
