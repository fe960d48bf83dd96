"""The methods of `Jotsam` that only read: recall, brief, lists, single memories, status. Each reads one snapshot.

What may be a little old (recall, brief, lists) comes from a replica, if the address of the database names one.
"""

from __future__ import annotations

from jotsam.core import tracing, validate
from jotsam.core.answers import Question
from jotsam.core.clock import parse_time
from jotsam.core.names import BRIEF_TOKENS, PROMPT_TOKENS
from jotsam.core.operations import Operation
from jotsam.ingest import late_index, spool, validation
from jotsam.memory import allowed_options
from jotsam.retrieval.answer import best_texts, recall
from jotsam.retrieval.rank.weights import chosen_weights
from jotsam.storage.database import read_snapshot
from jotsam.storage.memories import projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeVar, Unpack

    from jotsam.core.answers import Answer, Brief
    from jotsam.core.crystal_records import Distilled
    from jotsam.core.records import MemoryVersion, Page, StoredMemory
    from jotsam.core.session_records import Conversation, SessionPage
    from jotsam.core.settings import Settings
    from jotsam.memory.options import ListOrder, RecallOptions, SelectionOptions, Timestamp
    from jotsam.memory.reading.projects import Project
    from jotsam.memory.reading.question_embedding import QuestionEmbedder
    from jotsam.memory.reading.question_reranker import QuestionReranker
    from jotsam.memory.reading.recall_counter import RecallCounter
    from jotsam.memory.reading.show import Details
    from jotsam.memory.status.status import Status
    from jotsam.retrieval.search.vectors import QuestionVectors
    from jotsam.storage.database import Database, Transaction

    T = TypeVar("T")


class ReadMethods:
    """What `Jotsam` can be asked."""

    settings: Settings
    database: Database
    shows_server: bool
    _question_embedder: QuestionEmbedder
    _question_reranker: QuestionReranker
    _recall_counter: RecallCounter

    @Operation(
        route="POST /v1/recall",
        scope="read",
        body="RecallBody: A question and its options.",
        of_client=("prefer",),
        summary="Search memory",
    )
    def recall(
        self,
        question: str = "",
        *,
        tokens: int | None = None,  # the budget of the answer, 20 to 200,000
        limit: int = 50,  # of hits, 1 to 1,000
        **options: Unpack[RecallOptions],
    ) -> Answer:
        """Search memory: the best hits within a budget of `tokens`, and what the answer covers, from one snapshot.

        An empty question returns the newest memories. Options filter (project, tags, every_tag, tag_prefix, without,
        types, metadata, session, source, actor, when, since, until, as_of, history, archived, min_score), rank (prefer:
        a project), add results (expand, expand_limit, min_weight, min_importance, pinned), or shorten (hit_tokens).
        `next` of an answer is the `after` of the next page of the same question; pages end with the best 200 of each
        retriever, or `limit` if that is more. Writes, afterwards and in the background, how often each memory was in
        an answer. Raises `InvalidInput`.
        """
        asked = Question(
            text=question,
            tenant=self.settings.tenant,
            tokens=self.settings.recall_tokens if tokens is None else tokens,
            limit=limit,
            spooled=len(spool.waiting(self.database.url)),
            **allowed_options.recall_fields(options, prefer=self.settings.project or None),
        )
        asked = self._of_projects(asked)
        with tracing.span(tracing.RECALL):
            vectors = self._embed_question(question, project=asked.project)
            weights = chosen_weights(self.settings)

            def texts() -> Mapping[int, str]:
                return self._search(lambda tx: best_texts(tx, asked, question_vectors=vectors, weights=weights))

            reranking = self._question_reranker.rerank(asked.text, texts, tenant=asked.tenant)
            answer = self._search(
                lambda tx: recall(tx, asked, question_vectors=vectors, weights=weights, reranking=reranking)
            )
        self._recall_counter.add(self.settings.tenant, [hit.id for hit in answer.hits if hit.kind == "memory"])
        return answer

    @Operation(
        route="GET /v1/brief",
        scope="read",
        of_client=("project",),
        limits={"tokens": (50, 5_000)},
        summary="What a session should know about its project from the start",
    )
    def brief(
        self,
        *,
        project: str | None = None,
        actor: str | None = None,
        tokens: int | None = None,
        prompt: str | None = None,
    ) -> Brief:
        """What a session starts with in a project: rules, decisions in force and what is open, in at most `tokens`.

        By default the project of the settings; "" for what has none. With `actor`, only the memories of this actor.
        With `prompt`, what an agent gets with that prompt after this start. `tokens` are 50 to 5,000, by default what
        the hooks give: 300, and 600 with a prompt. Raises `InvalidInput`.
        """
        from jotsam.memory.status import queue_state
        from jotsam.retrieval.brief import brief
        from jotsam.retrieval.prompt import brief_of_prompt

        named = self.settings.project if project is None else validation.check_line("project", project)
        actor = validation.check_actor(actor)
        tokens = (BRIEF_TOKENS if prompt is None else PROMPT_TOKENS) if tokens is None else tokens
        validate.check_int("tokens", tokens, 50, 5_000)
        spooled = len(spool.waiting(self.database.url))

        def of(tx: Transaction) -> Brief:
            wrong = queue_state.problem(tx, self.settings, leased=self.database.is_file, spooled=spooled)
            key = projects.asked(tx, named) or None
            if prompt is not None:
                asked = Question(text=prompt, tenant=self.settings.tenant, project=key, actor=actor, tokens=tokens)
                found = brief_of_prompt(tx, asked, weights=chosen_weights(self.settings))
            else:
                found = brief(tx, project=key, actor=actor, tokens=tokens, spooled=spooled, problem=wrong)
            return found.replace(replica_lag_ms=tx.replica.lag_ms) if tx.replica else found

        return self._read(of) if prompt is None else self._search(of)

    @Operation(
        route="GET /v1/memories",
        scope="read",
        paged=True,
        summary="Memories that match every given parameter, page by page",
    )
    def list(
        self,
        *,
        order: ListOrder = "newest",
        history: bool = False,  # include superseded and invalid memories
        archived: bool = False,  # include archived memories
        after: str | None = None,  # the `next_cursor` of the page before
        limit: int = 50,
        **selection: Unpack[SelectionOptions],
    ) -> Page:
        """A page of the memories that match every given option: `limit` of them (1 to 200), the newest first.

        Options: ids, document, source, project, session, actor, tags, every_tag, types, since, until, before,
        min_importance, metadata. `order="importance"` returns the most important first; `history` includes what is
        superseded or not valid now, `archived` what is archived. Pass `next` of a page as `after` for the following
        one. With `metadata` a page looks at 50,000 memories at most, so it may have fewer than `limit`, or none, and
        a `next`. Raises `NotFound`, `InvalidInput`.
        """
        from jotsam.memory.reading.listing import list_memories

        def of(tx: Transaction) -> Page:
            shown = {"history": history, "archived": archived}
            found = list_memories(tx, selection, order=order, after=after, limit=limit, **shown)
            return found.replace(replica_lag_ms=tx.replica.lag_ms) if tx.replica else found

        page = self._read(of)
        return page.replace(pending=page.pending + len(spool.waiting(self.database.url)))

    @Operation(route="GET /v1/memories/{id}", scope="read", versioned=True, summary="One memory with all its fields")
    def get(self, id: str | None = None, *, key: str | None = None, actor: str | None = None) -> StoredMemory:
        """One memory with all its fields: by UUID, prefix of one, or external id; or by the `key` it was stored with.

        Raises `NotFound`, with `actor` also for memories of others, and `InvalidInput` for a prefix that is not
        unique. `show` has its jobs, facts and links.
        """
        from jotsam.memory.reading.listing import get_by_key, get_memory

        validate.check_one("id", id, "key", key)
        name = validation.check_actor(actor)
        with self.database.snapshot(tenant=self.settings.tenant) as tx:
            return get_by_key(tx, key=key, actor=name) if id is None else get_memory(tx, id=id, actor=name)

    @Operation(route="GET /v1/items/{id}", scope="read", summary="Everything stored about one document, memory or job")
    def show(self, id: str, *, actor: str | None = None) -> Details:
        """Everything stored about a document, memory or job: by id, prefix of a UUID, or external id.

        With `actor`, only of this actor, without links to others. Raises `NotFound`, and `InvalidInput` for a
        prefix that is not unique.
        """
        from jotsam.memory.reading.show import show

        with self.database.snapshot(tenant=self.settings.tenant) as tx:
            return show(tx, id=id, actor=validation.check_actor(actor))

    @Operation(route="GET /v1/memories/{id}/versions", scope="read", summary="One memory as it was before each update")
    def versions(self, id: str, *, actor: str | None = None) -> tuple[MemoryVersion, ...]:
        """A memory as it was before each update, the first version first; without the current one.

        Raises `NotFound`, with `actor` also for memories of others, and `InvalidInput`.
        """
        from jotsam.memory.writing.update import versions

        with self.database.snapshot(tenant=self.settings.tenant) as tx:
            return versions(tx, id=id, actor=validation.check_actor(actor))

    @Operation(route="GET /v1/projects", scope="read", with_staleness=True, summary="Projects, the latest first")
    def projects(self) -> tuple[Project, ...]:
        """The projects that memories and documents name, the one with the latest of them first."""
        from jotsam.memory.reading.projects import list_projects

        return self._read(list_projects)

    @Operation(
        route="GET /v1/sessions",
        scope="read",
        limits={"limit": (1, 200)},
        summary="Conversations of agents, the latest first",
    )
    def sessions(
        self,
        *,
        project: str | None = None,  # that of the latest turn; default: all
        after: str | None = None,  # the `next` of the page before
        limit: int = 50,  # 1 to 200
    ) -> SessionPage:
        """A page of the sessions that agents and programs stored turns of, with what they cost and what was learned.

        Raises `InvalidInput`.
        """
        from jotsam.memory.reading.sessions import list_sessions

        named = validation.check_line("project", project)
        return self._read(lambda tx: list_sessions(tx, project=named, after=after, limit=limit))

    @Operation(
        route="GET /v1/sessions/{id}",
        scope="read",
        limits={"limit": (1, 200)},
        summary="One conversation with what was noted of each turn",
    )
    def session(
        self,
        id: str,
        *,
        after: str | None = None,  # the `next` of the page before
        limit: int = 100,  # turns, 1 to 200
    ) -> Conversation:
        """A page of the turns of a session in order, each with its notes and facts. `id` may be the beginning of one.

        Raises `NotFound`, and `InvalidInput` for a beginning of several.
        """
        from jotsam.memory.reading.sessions import read_session

        with self.database.snapshot(tenant=self.settings.tenant) as tx:
            return read_session(tx, id, after=after, limit=limit)

    @Operation(
        route="GET /v1/workflows",
        scope="read",
        limits={"min_sessions": (2, 1_000)},
        summary="Workflows that sessions repeat, as proposals; writes nothing",
    )
    def distil(self, *, project: str | None = None, since: Timestamp | None = None, min_sessions: int = 3) -> Distilled:
        """Commands, scripts, conventions and skills that would say what at least `min_sessions` sessions repeat.

        Looks at the latest 20,000 memories of sessions, of a project or of all. Writes nothing: the function
        `write_proposals` does, where it is called. Raises `InvalidInput`.
        """
        from jotsam.memory.lifecycle.distil import distil

        at = None if since is None else parse_time(since, name="since")
        return distil(self.database, tenant=self.settings.tenant, project=project, since=at, min_sessions=min_sessions)

    @Operation(
        route="GET /v1/status",
        scope="read",
        about="What waits, what is done, and what went wrong.",
        summary="Counts of jobs, documents, memories and spending",
    )
    def status(self) -> Status:
        """Counts of jobs, documents, memories and spending of the tenant, in one snapshot."""
        from jotsam.memory.status import status

        found = status.read_status(self.database, self.settings)
        if self.shows_server:
            return found
        from jotsam.memory.status.tenant_view import status_of_tenant

        return status_of_tenant(found)

    def _of_projects(self, asked: Question) -> Question:
        """The question with the keys of its projects. Raises `InvalidInput`."""
        if asked.project is None and asked.prefer is None:
            return asked
        given = {"project": asked.project, "prefer": asked.prefer}
        names = {one: validate.check_optional_text(one, name) for one, name in given.items()}
        return asked.replace(**self._read(lambda tx: {one: projects.asked(tx, name) for one, name in names.items()}))

    def _search(self, call: Callable[[Transaction], T]) -> T:
        """What `_read` returns. The call also finds the documents that wait for the text index."""

        def searched(tx: Transaction) -> T:
            late_index.load_waiting(tx)
            return call(tx)

        return self._read(searched)

    def _read(self, call: Callable[[Transaction], T]) -> T:
        """`call` of one snapshot, which may be that of a replica."""
        settings = self.settings
        return read_snapshot(self.database, call, tenant=settings.tenant, max_lag_ms=settings.max_replica_lag_ms)

    def _embed_question(self, question: str, *, project: str | None = None) -> QuestionVectors | None:
        """The vectors of a question; None without an embedder. Runs in no transaction."""
        text = question if isinstance(question, str) else ""
        return self._question_embedder.embed(self.database, text, tenant=self.settings.tenant, project=project)
