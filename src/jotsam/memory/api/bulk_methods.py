"""The methods of `Jotsam` on many memories at once: projects, reprocess, forget, extract by an agent, export."""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.errors import InvalidInput
from jotsam.core.operations import Allowed, Operation, Prompt, Queued, not_over_http
from jotsam.memory.api.read_methods import ReadMethods

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike
    from typing import BinaryIO, Unpack

    from jotsam.ingest.sessions import ImportResult, Tell
    from jotsam.memory.forgetting.forget_records import ForgetPlan, ForgetReceipt, Leftover
    from jotsam.memory.jobs.reprocess import ReprocessPlan
    from jotsam.memory.options import (
        ImportMemoriesOptions,
        ImportSessionsOptions,
        ReprocessOptions,
        SelectionOptions,
    )
    from jotsam.memory.reading.projects import ProjectChange
    from jotsam.memory.transfer.export import ExportResult
    from jotsam.memory.transfer.import_tally import MemoryImport
    from jotsam.worker.enrichment.agent_extraction import AppliedExtraction

MAX_IDS = 100_000  # in a request


class BulkMethods(ReadMethods):
    """What `Jotsam` does with many memories. Each call plans, asks or writes in its own transactions."""

    def _start_worker(self) -> None:
        raise NotImplementedError

    @Operation(
        route="POST /v1/projects/merge",
        scope="write",
        body="ProjectMerge: Two projects: `project` is joined to `into`.",
        summary="Join two projects",
    )
    def merge_projects(self, project: str, *, into: str, dry_run: bool = False) -> ProjectChange:
        """Join a project to another: what it has moves there, and so does what is stored under its name later.

        A project is given by its key, or by a label that no other has. A block whose name the other has gets another.
        `split_project` takes it back. With `dry_run`, returns what would move. Raises `NotFound`, `InvalidInput`.
        """
        from jotsam.memory.reading.projects import merge

        return merge(self.database, project, into, tenant=self.settings.tenant, dry_run=dry_run)

    @Operation(
        route="POST /v1/projects/split", scope="write", body="ProjectName: One project.", summary="Split them again"
    )
    def split_project(self, project: str, *, dry_run: bool = False) -> ProjectChange:
        """Take back `merge_projects`: what came from a project returns to it. Raises `NotFound`, `InvalidInput`."""
        from jotsam.memory.reading.projects import split

        return split(self.database, project, tenant=self.settings.tenant, dry_run=dry_run)

    @Operation(
        route="POST /v1/projects/rename",
        scope="write",
        body="ProjectLabel: One project and its label.",
        summary="Label a project",
    )
    def rename_project(self, project: str, label: str, *, dry_run: bool = False) -> ProjectChange:
        """Give a project another label; its key stays. Raises `NotFound`, `InvalidInput`."""
        from jotsam.memory.reading.projects import rename

        return rename(self.database, project, label, tenant=self.settings.tenant, dry_run=dry_run)

    @Operation(
        route="POST /v1/reprocess/plan",
        scope="write",
        body="ReprocessSelection: What to enrich again.",
        limits={"ids": (None, MAX_IDS)},
        summary="What would be enriched again, and what it may cost",
    )
    def plan_reprocess(
        self, ids: Iterable[str] = (), *, force: bool = False, **options: Unpack[ReprocessOptions]
    ) -> ReprocessPlan:
        """The memories to enrich again, and an estimate of the cost. Changes nothing.

        Those of `ids` (memories and documents), or all that match the options: project, source, type, extractor (a
        prefix), degraded. Of these, the ones another extractor or version has processed; with `force`, all.
        Raises `NotFound`, `InvalidInput`.
        """
        from jotsam.memory.jobs import reprocess

        chosen = reprocess.wanted({**options})
        return reprocess.plan(self.database, chosen, settings=self.settings, ids=ids, force=force)

    @Operation(
        route="POST /v1/reprocess",
        scope="write",
        status=202,
        body="ReprocessBody: The plan to carry out.",
        result=Queued,
        summary="Enrich again what a plan lists",
    )
    def reprocess(self, plan: ReprocessPlan, *, clear: bool = False) -> int:
        """Queue the memories of a plan at low priority, and its documents. What is queued already is skipped.

        With `clear`, their extraction results are deleted at once. Returns how many were queued.
        """
        from jotsam.memory.jobs import reprocess

        if not isinstance(plan, reprocess.ReprocessPlan):
            raise InvalidInput(f"plan is {type(plan).__name__}: give what plan_reprocess returned")
        done = reprocess.start(self.database, plan, settings=self.settings, clear=clear)
        self._start_worker()
        return done

    @Operation(
        route="POST /v1/forget/plan",
        scope="read",
        body="ForgetSelection: What to forget: what matches every field; with `query`, the hits of a recall that do.",
        limits={"person": (1, 50)},
        summary="What would be forgotten",
    )
    def plan_forget(
        self,
        *,
        query: str | None = None,  # what a recall of it finds
        limit: int = 50,  # of its hits
        person: str | Iterable[str] | None = None,  # names of one person, and nothing else: all of them
        **options: Unpack[SelectionOptions],
    ) -> ForgetPlan:
        """What would be forgotten: what matches every option. Turns in the spool are stored first.

        With `query`, the hits of a recall, at most `limit`, that match the options too. Options: ids, document, source,
        project, session, actor, tags, every_tag, types, since, until, before, min_importance, metadata.

        With `person`, a name or several names of one, nothing else is given, and all of them goes: what mentions them
        or an alias, what they said as an actor, and what has a name in its words, enriched or not, in memories,
        documents, facts, blocks, the trash and jobs.
        Raises `NotFound`, and `InvalidInput` if nothing is given or several people have the name.
        """
        from jotsam.memory.forgetting import forget, forget_person
        from jotsam.memory.reading import selection

        if person is not None:
            if query is not None or any(value not in (None, (), [], False) for value in options.values()):
                raise InvalidInput("person is given with another selection: give it alone")
            return forget_person.plan(self.database, self.settings, forget_person.checked(person))
        if query is not None and options.get("ids"):
            raise InvalidInput("ids and query are both given: give one of them")
        wanted = selection.checked(options)
        if query is None:
            return forget.plan(self.database, self.settings, wanted)
        text = validate.check_text("query", query)
        hits = self.recall(text, limit=limit, history=True, archived=True, actor=wanted.actor).hits
        return forget.plan(self.database, self.settings, wanted, among=tuple(hit.id for hit in hits))

    @Operation(
        route="POST /v1/forget",
        scope="write",
        body="ForgetBody: The plan to carry out, and how.",
        summary="Forget what a plan lists",
    )
    def forget(self, plan: ForgetPlan, *, never_again: bool = False, trash: bool = False) -> ForgetReceipt:
        """Remove what a plan lists, with all that was made of it, and what it superseded is valid again.

        With `never_again`, the same texts, keys and external ids are not accepted again: `Receipt.forgotten`. With
        `trash`, they can be restored for `trash_days`, and their texts are kept until then: `Admin.restore_forgotten`.
        Raises `InvalidInput` for both, and with `trash` for a chunk of a document that stays.

        Interrupted, it has forgotten whole memories and documents: forget the same plan again. After a plan for a
        person everything is searched again, and `left` says what still has a name of theirs, and why.
        """
        from jotsam.memory.forgetting import forget, forget_person
        from jotsam.memory.forgetting.forget_records import ForgetPlan
        from jotsam.memory.transfer import trash as to_trash

        if not isinstance(plan, ForgetPlan):
            raise InvalidInput(f"plan is {type(plan).__name__}: give what plan_forget returned")
        again = validate.check_bool("never_again", never_again)
        if validate.check_bool("trash", trash) and again:
            raise InvalidInput("never_again and trash are both given: give one of them")
        if trash:
            done = to_trash.forget(self.database, self.settings, plan)
        else:
            remove_all = forget.carry_out if plan.person is None else forget_person.carry_out
            done = remove_all(self.database, self.settings, plan, never_again=again)
        return done if plan.person is None else done.replace(left=self._left_of(plan.person.names, to_trash=trash))

    def _left_of(self, names: tuple[str, ...], *, to_trash: bool) -> tuple[Leftover, ...]:
        """Where the names of a person still are: in texts, in bytes, and in answers."""
        from jotsam.memory.forgetting import forget_person

        texts = [hit.text for name in names for hit in self.recall(name, history=True, archived=True).hits]
        return tuple(forget_person.left_of(self.database, self.settings, names, recalled=texts, to_trash=to_trash))

    @Operation(
        route="POST /v1/forget/allow-again",
        scope="write",
        body="AllowAgainBody: A text, key or external id that was forgotten for good.",
        result=Allowed,
        summary="Accept again what was forgotten for good",
    )
    def allow_again(self, text: str) -> int:
        """Accept a text, key or external id again that was forgotten for good. Returns how many it was, 0 to 3."""
        from jotsam.memory.forgetting import forget

        with self.database.transaction(tenant=self.settings.tenant) as tx:
            return forget.allow_again(tx, validate.check_text("text", text))

    @Operation(
        route="POST /v1/extract-prompt",
        scope="read",
        body="ExtractIds: Memories and documents to extract from.",
        limits={"ids": (None, 500)},
        result=Prompt,
        summary="A prompt with which an agent extracts itself",
    )
    def extract_prompt(self, ids: Iterable[str]) -> str:
        """A prompt with which an agent extracts from memories and documents itself. Raises `NotFound`."""
        from jotsam.memory.jobs import reprocess

        return reprocess.prompt(self.database, self.settings.tenant, ids)

    @Operation(
        route="POST /v1/extract-apply",
        scope="write",
        body="ExtractBody: The reply of an agent to a prompt, as JSON text.",
        summary="Save an agent's reply to that prompt",
    )
    def extract_apply(self, text: str, *, by: str = "") -> Sequence[AppliedExtraction]:
        """Save an agent's reply to `extract_prompt`, all of it or nothing.

        Raises `InvalidInput` with line and column.
        """
        from jotsam.worker.enrichment import agent_extraction

        return agent_extraction.apply_extractions(self.database, text, tenant=self.settings.tenant, by=by)

    @not_over_http("import_sessions reads files of agents: run `jotsam import` where the database is reachable")
    def import_sessions(
        self, paths: Iterable[str], *, tell: Tell | None = None, **options: Unpack[ImportSessionsOptions]
    ) -> ImportResult:
        """Import session files of agents, each turn once. Options: format, project, session, dry_run.

        `tell` is called with the file's name, bytes read and bytes in total. Raises `InvalidInput`.
        """
        from jotsam.ingest.sessions import import_sessions

        return import_sessions(self.database, self.settings, paths, options, tell=tell)

    @Operation(route="GET /v1/export", scope="admin", summary="Everything of the tenant as JSON lines")
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
        from jotsam.memory.reading import selection
        from jotsam.memory.transfer import export

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
        from jotsam.memory.transfer.import_memories import import_memories

        return import_memories(self.database, self.settings, path, options, tell=tell)
