"""The methods of `Client`: those of `Jotsam`, each with the call that sends it.

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
    from collections.abc import Callable
    from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

    from jotsam.remote.request import Call

    C = TypeVar("C")
    P = ParamSpec("P")
    S = TypeVar("S")
    T = TypeVar("T")

    class Run(Protocol):
        """Sends the requests of a call, and returns its result."""

        def __call__(self, call: Call[T]) -> T: ...


class Remote(Derived):
    """A class whose methods are sent to a server."""

    _calls: Any

    def _run(self, call: Call[T]) -> T:
        raise NotImplementedError


class Part(Remote):
    """`admin`, `knowledge` and the like of a `Client`."""

    def __init__(self, run: Run, calls: object) -> None:
        self._send, self._calls = run, calls

    def _run(self, call: Call[T]) -> T:
        return self._send(call)


def sent(
    original: Callable[Concatenate[S, P], T], call: Callable[Concatenate[C, P], Call[T]]
) -> Callable[Concatenate[Remote, P], T]:
    """The original method, sent as `call` describes."""

    @derived_from(original)
    def send(self: Remote, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._run(call(self._calls, *args, **kwargs))

    return send


def sent_without_tx(
    original: Callable[..., Any], call: Callable[Concatenate[C, P], Call[T]]
) -> Callable[Concatenate[Remote, P], T]:
    """The original method without its `tx`, sent as `call` describes."""
    return sent(original, call)


def sent_as_declared(original: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[Remote, P], T]:
    """The original method, sent as its `Operation` says."""
    return sent(original, request_for(original))


class ClientMethods(Remote):
    """Each method of `Jotsam`, over HTTP."""

    @property
    def admin(self) -> ClientAdmin:
        """Operations: jobs, dead letters, costs, the trash."""
        return ClientAdmin(self._run, self._calls.admin)

    @property
    def knowledge(self) -> ClientKnowledge:
        """Entities, facts, patterns, links, and allowed secrets."""
        return ClientKnowledge(self._run, self._calls.knowledge)

    @property
    def blocks(self) -> ClientBlocks:
        """Small named texts that are always at hand."""
        return ClientBlocks(self._run, self._calls.blocks)

    @property
    def lifecycle(self) -> ClientLifecycle:
        """The steps that change memories long after they were accepted, each with a dry run and an undo."""
        return ClientLifecycle(self._run, self._calls.lifecycle)

    @property
    def crystals(self) -> ClientCrystals:
        """What several sessions agree on, what may become it, and what was refused."""
        return ClientCrystals(self._run, self._calls.crystals)

    add = sent_without_tx(Jotsam.add, MemoryCalls.add)
    add_many = sent_without_tx(Jotsam.add_many, MemoryCalls.add_many)
    remember = sent_without_tx(Jotsam.remember, MemoryCalls.remember)
    remember_many = sent_without_tx(Jotsam.remember_many, MemoryCalls.remember_many)
    upsert = sent_without_tx(Jotsam.upsert, MemoryCalls.upsert)
    add_turn = sent_without_tx(Jotsam.add_turn, MemoryCalls.add_turn)
    update = sent(Jotsam.update, MemoryCalls.update)
    supersede = sent_as_declared(Jotsam.supersede)
    undo_supersede = sent_as_declared(Jotsam.undo_supersede)
    archive = sent(Jotsam.archive, MemoryCalls.archive)
    unarchive = sent(Jotsam.unarchive, MemoryCalls.unarchive)
    wait = sent(Jotsam.wait, MemoryCalls.wait)
    work = sent_as_declared(Jotsam.work)
    recall = sent(Jotsam.recall, MemoryCalls.recall)
    brief = sent(Jotsam.brief, MemoryCalls.brief)
    list = sent(Jotsam.list, MemoryCalls.list)
    get = sent(Jotsam.get, MemoryCalls.get)
    show = sent_as_declared(Jotsam.show)
    versions = sent(Jotsam.versions, MemoryCalls.versions)
    projects = sent_as_declared(Jotsam.projects)
    distil = sent_as_declared(Jotsam.distil)
    status = sent(Jotsam.status, MemoryCalls.status)
    merge_projects = sent_as_declared(Jotsam.merge_projects)
    split_project = sent_as_declared(Jotsam.split_project)
    rename_project = sent_as_declared(Jotsam.rename_project)
    plan_reprocess = sent(Jotsam.plan_reprocess, MemoryCalls.plan_reprocess)
    reprocess = sent(Jotsam.reprocess, MemoryCalls.reprocess)
    plan_forget = sent(Jotsam.plan_forget, MemoryCalls.plan_forget)
    forget = sent(Jotsam.forget, MemoryCalls.forget)
    allow_again = sent(Jotsam.allow_again, MemoryCalls.allow_again)
    extract_prompt = sent(Jotsam.extract_prompt, MemoryCalls.extract_prompt)
    extract_apply = sent(Jotsam.extract_apply, MemoryCalls.extract_apply)
    import_sessions = sent_as_declared(Jotsam.import_sessions)
    export = sent(Jotsam.export, MemoryCalls.export)
    import_memories = sent(Jotsam.import_memories, MemoryCalls.import_memories)


class ClientAdmin(Part):
    """`Admin` over HTTP."""

    jobs = sent_as_declared(Admin.jobs)
    job = sent_as_declared(Admin.job)
    stuck = sent_as_declared(Admin.stuck)
    failure_groups = sent_as_declared(Admin.failure_groups)
    dead = sent_as_declared(Admin.dead)
    retry = sent(Admin.retry, AdminCalls.retry)
    discard = sent(Admin.discard, AdminCalls.discard)
    retry_many = sent_as_declared(Admin.retry_many)
    discard_many = sent_as_declared(Admin.discard_many)
    pause = sent_as_declared(Admin.pause)
    resume = sent_as_declared(Admin.resume)
    costs = sent_as_declared(Admin.costs)
    expired = sent_as_declared(Admin.expired)
    send_command = sent_as_declared(Admin.send_command)
    backup = sent_as_declared(Admin.backup)
    trash = sent_as_declared(Admin.trash)
    restore_forgotten = sent_as_declared(Admin.restore_forgotten)
    empty_trash = sent_as_declared(Admin.empty_trash)
    tokens = sent_as_declared(Admin.tokens)
    create_token = sent_as_declared(Admin.create_token)
    revoke_token = sent_as_declared(Admin.revoke_token)
    audit = sent_as_declared(Admin.audit)
    engines = sent_as_declared(Admin.engines)
    add_engine = sent_as_declared(Admin.add_engine)
    rebuild_engines = sent_as_declared(Admin.rebuild_engines)
    compare_engines = sent_as_declared(Admin.compare_engines)
    remove_engine = sent_as_declared(Admin.remove_engine)
    forget_tenant = sent_as_declared(Admin.forget_tenant)


class ClientKnowledge(Part):
    """`Knowledge` over HTTP."""

    entities = sent_as_declared(Knowledge.entities)
    entity = sent_as_declared(Knowledge.entity)
    merge_candidates = sent_as_declared(Knowledge.merge_candidates)
    review_entities = sent_as_declared(Knowledge.review_entities)
    merge = sent_as_declared(Knowledge.merge)
    split = sent_as_declared(Knowledge.split)
    facts = sent_as_declared(Knowledge.facts)
    patterns = sent_as_declared(Knowledge.patterns)
    graph = sent_as_declared(Knowledge.graph)
    overview = sent_as_declared(Knowledge.overview)
    neighbourhood = sent_as_declared(Knowledge.neighbourhood)
    statistics = sent_as_declared(Knowledge.statistics)
    preferences = sent_as_declared(Knowledge.preferences)
    link = sent_as_declared(Knowledge.link)
    link_many = sent_as_declared(Knowledge.link_many)
    unlink = sent_as_declared(Knowledge.unlink)
    allow = sent(Knowledge.allow, KnowledgeCalls.allow)
    allow_redacted = sent(Knowledge.allow_redacted, KnowledgeCalls.allow_redacted)
    redactions = sent_as_declared(Knowledge.redactions)
    forbid = sent(Knowledge.forbid, KnowledgeCalls.forbid)
    allowed = sent_as_declared(Knowledge.allowed)


class ClientBlocks(Part):
    """`Blocks` over HTTP."""

    set = sent_as_declared(Blocks.set)
    append = sent_as_declared(Blocks.append)
    get = sent_as_declared(Blocks.get)
    list = sent_as_declared(Blocks.list)
    delete = sent_as_declared(Blocks.delete)


class ClientLifecycle(Part):
    """`Lifecycle` over HTTP."""

    steps = sent_as_declared(Lifecycle.steps)
    plan = sent_as_declared(Lifecycle.plan)
    run = sent(Lifecycle.run, LifecycleCalls.run)
    wait = sent(Lifecycle.wait, LifecycleCalls.wait)
    runs = sent_as_declared(Lifecycle.runs)
    show = sent_as_declared(Lifecycle.show)
    undo = sent_as_declared(Lifecycle.undo)
    themes = sent_as_declared(Lifecycle.themes)
    links = sent_as_declared(Lifecycle.links)
    remove_links = sent_as_declared(Lifecycle.remove_links)
    allow_again = sent_as_declared(Lifecycle.allow_again)


class ClientCrystals(Part):
    """`Crystals` over HTTP."""

    list = sent_as_declared(Crystals.list)
    confirm = sent_as_declared(Crystals.confirm)
    retract = sent_as_declared(Crystals.retract)
    undo_retract = sent_as_declared(Crystals.undo_retract)
