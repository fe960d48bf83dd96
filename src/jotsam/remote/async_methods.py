"""The methods of `AsyncClient`: those of `Jotsam`, each with the call that sends it.

A new method of `Jotsam` needs one line here: a type checker compares both signatures.
"""

from __future__ import annotations

from jotsam.core.derived import Derived, derived_from
from jotsam.memory.admin_client import Admin
from jotsam.memory.blocks import Blocks
from jotsam.memory.client import Jotsam
from jotsam.memory.crystals import Crystals
from jotsam.memory.knowledge import Knowledge
from jotsam.memory.lifecycle_client import Lifecycle
from jotsam.remote.admin_calls import AdminCalls
from jotsam.remote.calls import MemoryCalls
from jotsam.remote.knowledge_calls import KnowledgeCalls
from jotsam.remote.lifecycle_calls import LifecycleCalls
from jotsam.remote.operation_calls import request_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine
    from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

    from jotsam.remote.request import Call

    C = TypeVar("C")
    P = ParamSpec("P")
    S = TypeVar("S")
    T = TypeVar("T")

    class Run(Protocol):
        """Sends the requests of a call, and returns its result."""

        def __call__(self, call: Call[T]) -> Awaitable[T]: ...


class AsyncRemote(Derived):
    """A class whose methods are sent to a server."""

    _calls: Any

    async def _run(self, call: Call[T]) -> T:
        raise NotImplementedError


class Part(AsyncRemote):
    """`admin`, `knowledge` and the like of an `AsyncClient`."""

    def __init__(self, run: Run, calls: object) -> None:
        self._send, self._calls = run, calls

    async def _run(self, call: Call[T]) -> T:
        return await self._send(call)


def awaited(
    original: Callable[Concatenate[S, P], T], call: Callable[Concatenate[C, P], Call[T]]
) -> Callable[Concatenate[AsyncRemote, P], Coroutine[Any, Any, T]]:
    """The original method, sent as `call` describes."""

    @derived_from(original)
    async def send(self: AsyncRemote, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run(call(self._calls, *args, **kwargs))

    return send


def awaited_without_tx(
    original: Callable[..., Any], call: Callable[Concatenate[C, P], Call[T]]
) -> Callable[Concatenate[AsyncRemote, P], Coroutine[Any, Any, T]]:
    """The original method without its `tx`, sent as `call` describes."""
    return awaited(original, call)


def awaited_as_declared(
    original: Callable[Concatenate[S, P], T],
) -> Callable[Concatenate[AsyncRemote, P], Coroutine[Any, Any, T]]:
    """The original method, sent as its `Operation` says."""
    return awaited(original, request_for(original))


class AsyncClientMethods(AsyncRemote):
    """Each method of `Jotsam`, over HTTP."""

    @property
    def admin(self) -> AsyncClientAdmin:
        """Operations: jobs, dead letters, costs, the trash."""
        return AsyncClientAdmin(self._run, self._calls.admin)

    @property
    def knowledge(self) -> AsyncClientKnowledge:
        """Entities, facts, patterns, links, and allowed secrets."""
        return AsyncClientKnowledge(self._run, self._calls.knowledge)

    @property
    def blocks(self) -> AsyncClientBlocks:
        """Small named texts that are always at hand."""
        return AsyncClientBlocks(self._run, self._calls.blocks)

    @property
    def lifecycle(self) -> AsyncClientLifecycle:
        """The steps that change memories long after they were accepted, each with a dry run and an undo."""
        return AsyncClientLifecycle(self._run, self._calls.lifecycle)

    @property
    def crystals(self) -> AsyncClientCrystals:
        """What several sessions agree on, what may become it, and what was refused."""
        return AsyncClientCrystals(self._run, self._calls.crystals)

    add = awaited_without_tx(Jotsam.add, MemoryCalls.add)
    add_many = awaited_without_tx(Jotsam.add_many, MemoryCalls.add_many)
    remember = awaited_without_tx(Jotsam.remember, MemoryCalls.remember)
    remember_many = awaited_without_tx(Jotsam.remember_many, MemoryCalls.remember_many)
    upsert = awaited_without_tx(Jotsam.upsert, MemoryCalls.upsert)
    add_turn = awaited_without_tx(Jotsam.add_turn, MemoryCalls.add_turn)
    update = awaited(Jotsam.update, MemoryCalls.update)
    supersede = awaited_as_declared(Jotsam.supersede)
    undo_supersede = awaited_as_declared(Jotsam.undo_supersede)
    archive = awaited(Jotsam.archive, MemoryCalls.archive)
    unarchive = awaited(Jotsam.unarchive, MemoryCalls.unarchive)
    wait = awaited(Jotsam.wait, MemoryCalls.wait)
    work = awaited_as_declared(Jotsam.work)
    recall = awaited(Jotsam.recall, MemoryCalls.recall)
    brief = awaited(Jotsam.brief, MemoryCalls.brief)
    list = awaited(Jotsam.list, MemoryCalls.list)
    get = awaited(Jotsam.get, MemoryCalls.get)
    show = awaited_as_declared(Jotsam.show)
    versions = awaited(Jotsam.versions, MemoryCalls.versions)
    projects = awaited_as_declared(Jotsam.projects)
    distil = awaited_as_declared(Jotsam.distil)
    status = awaited(Jotsam.status, MemoryCalls.status)
    merge_projects = awaited_as_declared(Jotsam.merge_projects)
    split_project = awaited_as_declared(Jotsam.split_project)
    rename_project = awaited_as_declared(Jotsam.rename_project)
    plan_reprocess = awaited(Jotsam.plan_reprocess, MemoryCalls.plan_reprocess)
    reprocess = awaited(Jotsam.reprocess, MemoryCalls.reprocess)
    plan_forget = awaited(Jotsam.plan_forget, MemoryCalls.plan_forget)
    forget = awaited(Jotsam.forget, MemoryCalls.forget)
    allow_again = awaited(Jotsam.allow_again, MemoryCalls.allow_again)
    extract_prompt = awaited(Jotsam.extract_prompt, MemoryCalls.extract_prompt)
    extract_apply = awaited(Jotsam.extract_apply, MemoryCalls.extract_apply)
    import_sessions = awaited_as_declared(Jotsam.import_sessions)
    export = awaited(Jotsam.export, MemoryCalls.export)
    import_memories = awaited(Jotsam.import_memories, MemoryCalls.import_memories)


class AsyncClientAdmin(Part):
    """`Admin` over HTTP, awaited."""

    jobs = awaited_as_declared(Admin.jobs)
    job = awaited_as_declared(Admin.job)
    stuck = awaited_as_declared(Admin.stuck)
    failure_groups = awaited_as_declared(Admin.failure_groups)
    dead = awaited_as_declared(Admin.dead)
    retry = awaited(Admin.retry, AdminCalls.retry)
    discard = awaited(Admin.discard, AdminCalls.discard)
    retry_many = awaited_as_declared(Admin.retry_many)
    discard_many = awaited_as_declared(Admin.discard_many)
    pause = awaited_as_declared(Admin.pause)
    resume = awaited_as_declared(Admin.resume)
    costs = awaited_as_declared(Admin.costs)
    expired = awaited_as_declared(Admin.expired)
    send_command = awaited_as_declared(Admin.send_command)
    backup = awaited_as_declared(Admin.backup)
    trash = awaited_as_declared(Admin.trash)
    restore_forgotten = awaited_as_declared(Admin.restore_forgotten)
    empty_trash = awaited_as_declared(Admin.empty_trash)
    tokens = awaited_as_declared(Admin.tokens)
    create_token = awaited_as_declared(Admin.create_token)
    revoke_token = awaited_as_declared(Admin.revoke_token)
    audit = awaited_as_declared(Admin.audit)
    engines = awaited_as_declared(Admin.engines)
    add_engine = awaited_as_declared(Admin.add_engine)
    rebuild_engines = awaited_as_declared(Admin.rebuild_engines)
    compare_engines = awaited_as_declared(Admin.compare_engines)
    remove_engine = awaited_as_declared(Admin.remove_engine)
    forget_tenant = awaited_as_declared(Admin.forget_tenant)


class AsyncClientKnowledge(Part):
    """`Knowledge` over HTTP, awaited."""

    entities = awaited_as_declared(Knowledge.entities)
    entity = awaited_as_declared(Knowledge.entity)
    merge_candidates = awaited_as_declared(Knowledge.merge_candidates)
    review_entities = awaited_as_declared(Knowledge.review_entities)
    merge = awaited_as_declared(Knowledge.merge)
    split = awaited_as_declared(Knowledge.split)
    facts = awaited_as_declared(Knowledge.facts)
    patterns = awaited_as_declared(Knowledge.patterns)
    graph = awaited_as_declared(Knowledge.graph)
    overview = awaited_as_declared(Knowledge.overview)
    neighbourhood = awaited_as_declared(Knowledge.neighbourhood)
    statistics = awaited_as_declared(Knowledge.statistics)
    preferences = awaited_as_declared(Knowledge.preferences)
    link = awaited_as_declared(Knowledge.link)
    link_many = awaited_as_declared(Knowledge.link_many)
    unlink = awaited_as_declared(Knowledge.unlink)
    allow = awaited(Knowledge.allow, KnowledgeCalls.allow)
    allow_redacted = awaited(Knowledge.allow_redacted, KnowledgeCalls.allow_redacted)
    redactions = awaited_as_declared(Knowledge.redactions)
    forbid = awaited(Knowledge.forbid, KnowledgeCalls.forbid)
    allowed = awaited_as_declared(Knowledge.allowed)


class AsyncClientBlocks(Part):
    """`Blocks` over HTTP, awaited."""

    set = awaited_as_declared(Blocks.set)
    append = awaited_as_declared(Blocks.append)
    get = awaited_as_declared(Blocks.get)
    list = awaited_as_declared(Blocks.list)
    delete = awaited_as_declared(Blocks.delete)


class AsyncClientLifecycle(Part):
    """`Lifecycle` over HTTP, awaited."""

    steps = awaited_as_declared(Lifecycle.steps)
    plan = awaited_as_declared(Lifecycle.plan)
    run = awaited(Lifecycle.run, LifecycleCalls.run)
    wait = awaited(Lifecycle.wait, LifecycleCalls.wait)
    runs = awaited_as_declared(Lifecycle.runs)
    show = awaited_as_declared(Lifecycle.show)
    undo = awaited_as_declared(Lifecycle.undo)
    themes = awaited_as_declared(Lifecycle.themes)
    links = awaited_as_declared(Lifecycle.links)
    remove_links = awaited_as_declared(Lifecycle.remove_links)
    allow_again = awaited_as_declared(Lifecycle.allow_again)


class AsyncClientCrystals(Part):
    """`Crystals` over HTTP, awaited."""

    list = awaited_as_declared(Crystals.list)
    confirm = awaited_as_declared(Crystals.confirm)
    retract = awaited_as_declared(Crystals.retract)
    undo_retract = awaited_as_declared(Crystals.undo_retract)
