"""The methods of `AsyncJotsam`: those of `Jotsam` and its parts, each handed over to a thread.

A new method of `Jotsam` needs one line here. The six with `tx` are written out, because a type checker cannot take a
keyword out of a signature.
"""

from __future__ import annotations

from jotsam.core.derived import Derived, derived_from
from jotsam.memory.admin_client import Admin
from jotsam.memory.blocks import Blocks
from jotsam.memory.client import Jotsam
from jotsam.memory.crystals import Crystals
from jotsam.memory.knowledge import Knowledge
from jotsam.memory.lifecycle_client import Lifecycle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterable
    from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, Unpack

    from jotsam.core.records import ItemResult, Receipt, UpsertReceipt
    from jotsam.memory.options import DocumentItem, MemoryItem, MemoryOptions, Timestamp, TurnOptions

    P = ParamSpec("P")
    S = TypeVar("S")
    T = TypeVar("T")

    class Run(Protocol):
        """Makes a call on another thread, and returns its result."""

        def __call__(self, call: Callable[[Jotsam], T]) -> Awaitable[T]: ...


class InThread(Derived):
    """A class whose methods make a call on another thread."""

    async def _run(self, call: Callable[[Any], T]) -> T:
        raise NotImplementedError


class Part(InThread):
    """`admin`, `knowledge` and the like of an `AsyncJotsam`."""

    _name: str

    def __init__(self, run: Run) -> None:
        self._run_client = run

    async def _run(self, call: Callable[[Any], T]) -> T:
        return await self._run_client(lambda jot: call(getattr(jot, self._name)))


def threaded(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[InThread, P], Coroutine[Any, Any, T]]:
    """The method as a coroutine function."""

    @derived_from(method)
    async def call(self: InThread, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run(lambda target: method(target, *args, **kwargs))

    return call


class AsyncMethods(InThread):
    """Each method of `Jotsam` that is handed over to a thread as it is."""

    @property
    def admin(self) -> AsyncAdmin:
        """Operations: jobs, dead letters, pausing queues, costs, deleting a tenant."""
        return AsyncAdmin(self._run)

    @property
    def knowledge(self) -> AsyncKnowledge:
        """Entities, facts, patterns, links, and allowed secrets."""
        return AsyncKnowledge(self._run)

    @property
    def blocks(self) -> AsyncBlocks:
        """Small named texts that are always at hand."""
        return AsyncBlocks(self._run)

    @property
    def lifecycle(self) -> AsyncLifecycle:
        """The steps that change memories long after they were accepted, each with a dry run and an undo."""
        return AsyncLifecycle(self._run)

    @property
    def crystals(self) -> AsyncCrystals:
        """What several sessions agree on, what may become it, and what was refused."""
        return AsyncCrystals(self._run)

    @derived_from(Jotsam.add)
    async def add(
        self,
        text: str,
        *,
        source: str | None = None,
        project: str | None = None,
        date: Timestamp | None = None,
        key: str | None = None,
        actor: str | None = None,
        session: str | None = None,
    ) -> Receipt:
        fields = {"source": source, "project": project, "key": key, "actor": actor, "session": session}
        return await self._run(lambda jot: jot.add(text, date=date, **fields))

    @derived_from(Jotsam.add_many)
    async def add_many(self, items: Iterable[str | DocumentItem]) -> list[ItemResult]:
        return await self._run(lambda jot: jot.add_many(items))

    @derived_from(Jotsam.remember)
    async def remember(self, text: str, *, key: str | None = None, **options: Unpack[MemoryOptions]) -> Receipt:
        return await self._run(lambda jot: jot.remember(text, key=key, **options))

    @derived_from(Jotsam.remember_many)
    async def remember_many(self, items: Iterable[str | MemoryItem]) -> list[ItemResult]:
        return await self._run(lambda jot: jot.remember_many(items))

    @derived_from(Jotsam.upsert)
    async def upsert(self, key: str, text: str, **options: Unpack[MemoryOptions]) -> UpsertReceipt:
        return await self._run(lambda jot: jot.upsert(key, text, **options))

    @derived_from(Jotsam.add_turn)
    async def add_turn(
        self, text: str, *, session: str, key: str | None = None, **options: Unpack[TurnOptions]
    ) -> Receipt:
        return await self._run(lambda jot: jot.add_turn(text, session=session, key=key, **options))

    update = threaded(Jotsam.update)
    supersede = threaded(Jotsam.supersede)
    undo_supersede = threaded(Jotsam.undo_supersede)
    archive = threaded(Jotsam.archive)
    unarchive = threaded(Jotsam.unarchive)
    recall = threaded(Jotsam.recall)
    brief = threaded(Jotsam.brief)
    list = threaded(Jotsam.list)
    get = threaded(Jotsam.get)
    show = threaded(Jotsam.show)
    versions = threaded(Jotsam.versions)
    projects = threaded(Jotsam.projects)
    distil = threaded(Jotsam.distil)
    status = threaded(Jotsam.status)
    merge_projects = threaded(Jotsam.merge_projects)
    split_project = threaded(Jotsam.split_project)
    rename_project = threaded(Jotsam.rename_project)
    plan_reprocess = threaded(Jotsam.plan_reprocess)
    reprocess = threaded(Jotsam.reprocess)
    plan_forget = threaded(Jotsam.plan_forget)
    forget = threaded(Jotsam.forget)
    allow_again = threaded(Jotsam.allow_again)
    extract_prompt = threaded(Jotsam.extract_prompt)
    extract_apply = threaded(Jotsam.extract_apply)
    import_sessions = threaded(Jotsam.import_sessions)
    export = threaded(Jotsam.export)
    import_memories = threaded(Jotsam.import_memories)


class AsyncAdmin(Part):
    """`Admin` for asyncio: the same methods, awaited."""

    _name = "admin"

    jobs = threaded(Admin.jobs)
    job = threaded(Admin.job)
    stuck = threaded(Admin.stuck)
    failure_groups = threaded(Admin.failure_groups)
    dead = threaded(Admin.dead)
    retry = threaded(Admin.retry)
    discard = threaded(Admin.discard)
    retry_many = threaded(Admin.retry_many)
    discard_many = threaded(Admin.discard_many)
    pause = threaded(Admin.pause)
    resume = threaded(Admin.resume)
    costs = threaded(Admin.costs)
    expired = threaded(Admin.expired)
    send_command = threaded(Admin.send_command)
    backup = threaded(Admin.backup)
    trash = threaded(Admin.trash)
    restore_forgotten = threaded(Admin.restore_forgotten)
    empty_trash = threaded(Admin.empty_trash)
    tokens = threaded(Admin.tokens)
    create_token = threaded(Admin.create_token)
    revoke_token = threaded(Admin.revoke_token)
    audit = threaded(Admin.audit)
    engines = threaded(Admin.engines)
    add_engine = threaded(Admin.add_engine)
    rebuild_engines = threaded(Admin.rebuild_engines)
    compare_engines = threaded(Admin.compare_engines)
    remove_engine = threaded(Admin.remove_engine)
    forget_tenant = threaded(Admin.forget_tenant)


class AsyncKnowledge(Part):
    """`Knowledge` for asyncio: the same methods, awaited."""

    _name = "knowledge"

    entities = threaded(Knowledge.entities)
    entity = threaded(Knowledge.entity)
    merge_candidates = threaded(Knowledge.merge_candidates)
    review_entities = threaded(Knowledge.review_entities)
    merge = threaded(Knowledge.merge)
    split = threaded(Knowledge.split)
    facts = threaded(Knowledge.facts)
    patterns = threaded(Knowledge.patterns)
    graph = threaded(Knowledge.graph)
    overview = threaded(Knowledge.overview)
    neighbourhood = threaded(Knowledge.neighbourhood)
    statistics = threaded(Knowledge.statistics)
    preferences = threaded(Knowledge.preferences)
    link = threaded(Knowledge.link)
    link_many = threaded(Knowledge.link_many)
    unlink = threaded(Knowledge.unlink)
    allow = threaded(Knowledge.allow)
    allow_redacted = threaded(Knowledge.allow_redacted)
    redactions = threaded(Knowledge.redactions)
    forbid = threaded(Knowledge.forbid)
    allowed = threaded(Knowledge.allowed)


class AsyncBlocks(Part):
    """`Blocks` for asyncio: the same methods, awaited."""

    _name = "blocks"

    set = threaded(Blocks.set)
    append = threaded(Blocks.append)
    get = threaded(Blocks.get)
    list = threaded(Blocks.list)
    delete = threaded(Blocks.delete)


class AsyncLifecycle(Part):
    """`Lifecycle` for asyncio: the same methods, awaited."""

    _name = "lifecycle"

    steps = threaded(Lifecycle.steps)
    plan = threaded(Lifecycle.plan)
    run = threaded(Lifecycle.run)
    wait = threaded(Lifecycle.wait)
    runs = threaded(Lifecycle.runs)
    show = threaded(Lifecycle.show)
    undo = threaded(Lifecycle.undo)
    themes = threaded(Lifecycle.themes)
    links = threaded(Lifecycle.links)
    remove_links = threaded(Lifecycle.remove_links)
    allow_again = threaded(Lifecycle.allow_again)


class AsyncCrystals(Part):
    """`Crystals` for asyncio: the same methods, awaited."""

    _name = "crystals"

    list = threaded(Crystals.list)
    confirm = threaded(Crystals.confirm)
    retract = threaded(Crystals.retract)
    undo_retract = threaded(Crystals.undo_retract)
