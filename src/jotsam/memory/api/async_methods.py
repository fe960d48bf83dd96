"""The methods of `AsyncJotsam` and `AsyncClient`: those of `Jotsam` and its parts, awaited.

A new method of `Jotsam` needs one line here.
"""

from __future__ import annotations

from jotsam.core.signatures import Derived, derived_from
from jotsam.memory.api.admin_client import Admin
from jotsam.memory.api.client import Jotsam
from jotsam.memory.api.crystals import Crystals
from jotsam.memory.api.knowledge import Knowledge
from jotsam.memory.api.lifecycle_client import Lifecycle
from jotsam.memory.api.notes import Notes
from jotsam.memory.api.store import Store
from jotsam.memory.writing.blocks import Blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Mapping
    from typing import Any, Concatenate, ParamSpec, TypeVar, Unpack

    from jotsam.core.records import ItemResult, Receipt, UpsertReceipt, UpsertResult
    from jotsam.core.store_records import StoreChange, StoredItem, StoreNamespace
    from jotsam.memory.options import (
        DocumentItem,
        MemoryItem,
        MemoryOptions,
        StoreDeletion,
        StoreItem,
        Timestamp,
        TurnOptions,
        UpsertItem,
    )

    P = ParamSpec("P")
    S = TypeVar("S")
    T = TypeVar("T")

    class WithoutTx:
        """The methods with `tx` as they are here: a type checker cannot take a keyword out of a signature."""

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
        ) -> Receipt: ...
        def add_many(self, items: Iterable[str | DocumentItem]) -> list[ItemResult]: ...
        def remember(self, text: str, *, key: str | None = None, **options: Unpack[MemoryOptions]) -> Receipt: ...
        def remember_many(self, items: Iterable[str | MemoryItem]) -> list[ItemResult]: ...
        def upsert(self, key: str, text: str, **options: Unpack[MemoryOptions]) -> UpsertReceipt: ...
        def upsert_many(self, items: Iterable[UpsertItem]) -> list[UpsertResult]: ...
        def add_turn(
            self, text: str, *, session: str, key: str | None = None, **options: Unpack[TurnOptions]
        ) -> Receipt: ...

    class StoreWithoutTx:
        """The same of the store."""

        def put(
            self,
            namespace: Iterable[str],
            key: str,
            value: Any,
            *,
            text: str | None = None,
            ttl_ms: int | None = None,
            vectors: Iterable[Iterable[float]] | None = None,
            version: int | None = None,
        ) -> StoreChange: ...
        def put_many(self, items: Iterable[StoreItem], *, delete: Iterable[StoreDeletion] = ()) -> StoreChange: ...
        def get(self, namespace: Iterable[str], key: str, *, refresh: bool = True) -> StoredItem: ...
        def get_many(
            self, namespace: Iterable[str], keys: Iterable[str], *, refresh: bool = True
        ) -> tuple[StoredItem, ...]: ...
        def delete(self, namespace: Iterable[str], key: str, *, version: int | None = None) -> StoreChange: ...
        def search(
            self,
            namespace: Iterable[str] = (),
            *,
            query: str | None = None,
            vector: Iterable[float] | None = None,
            filter: Mapping[str, Any] | None = None,
            limit: int = 50,
            offset: int = 0,
            refresh: bool = True,
        ) -> tuple[StoredItem, ...]: ...
        def namespaces(
            self,
            *,
            prefix: Iterable[str] = (),
            suffix: Iterable[str] = (),
            depth: int | None = None,
            limit: int = 50,
            offset: int = 0,
        ) -> tuple[StoreNamespace, ...]: ...
        def append(
            self, namespace: Iterable[str], values: Iterable[Any], *, ttl_ms: int | None = None
        ) -> StoreChange: ...
        def pop(self, namespace: Iterable[str]) -> StoredItem: ...
        def clear(self, namespace: Iterable[str]) -> StoreChange: ...

else:
    WithoutTx, StoreWithoutTx = Jotsam, Store


class Awaited(Derived):
    """A class whose methods are awaited."""

    async def _call(self, method: Callable[..., Any], args: Any, kwargs: Any, *, part: str = "") -> Any:
        """The result of a method of `Jotsam`, or of its attribute `part`."""
        raise NotImplementedError


class Part(Awaited):
    """`admin`, `knowledge` and the like."""

    _name: str

    def __init__(self, whole: Awaited) -> None:
        self._whole = whole

    async def _call(self, method: Callable[..., Any], args: Any, kwargs: Any, *, part: str = "") -> Any:
        return await self._whole._call(method, args, kwargs, part=self._name)


def awaited(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[Awaited, P], Coroutine[Any, Any, T]]:
    """The method as a coroutine function."""

    @derived_from(method)
    async def call(self: Awaited, /, *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = await self._call(method, args, kwargs)
        return result

    return call


class AsyncMethods(Awaited):
    """Each method of `Jotsam`, awaited."""

    @property
    def admin(self) -> AsyncAdmin:
        """Operations: jobs, dead letters, pausing queues, costs, deleting a tenant."""
        return AsyncAdmin(self)

    @property
    def knowledge(self) -> AsyncKnowledge:
        """Entities, facts, patterns, links, and allowed secrets."""
        return AsyncKnowledge(self)

    @property
    def blocks(self) -> AsyncBlocks:
        """Small named texts that are always at hand."""
        return AsyncBlocks(self)

    @property
    def store(self) -> AsyncStore:
        """Exact values by namespace and key."""
        return AsyncStore(self)

    @property
    def lifecycle(self) -> AsyncLifecycle:
        """The steps that change memories long after they were accepted, each with a dry run and an undo."""
        return AsyncLifecycle(self)

    @property
    def crystals(self) -> AsyncCrystals:
        """What several sessions agree on, what may become it, and what was refused."""
        return AsyncCrystals(self)

    @property
    def notes(self) -> AsyncNotes:
        """The rules, decisions, open ends and fixes of sessions, and what a person says of them."""
        return AsyncNotes(self)

    add = awaited(WithoutTx.add)
    add_many = awaited(WithoutTx.add_many)
    remember = awaited(WithoutTx.remember)
    remember_many = awaited(WithoutTx.remember_many)
    upsert = awaited(WithoutTx.upsert)
    upsert_many = awaited(WithoutTx.upsert_many)
    add_turn = awaited(WithoutTx.add_turn)
    update = awaited(Jotsam.update)
    supersede = awaited(Jotsam.supersede)
    undo_supersede = awaited(Jotsam.undo_supersede)
    archive = awaited(Jotsam.archive)
    unarchive = awaited(Jotsam.unarchive)
    recall = awaited(Jotsam.recall)
    brief = awaited(Jotsam.brief)
    list = awaited(Jotsam.list)
    get = awaited(Jotsam.get)
    show = awaited(Jotsam.show)
    versions = awaited(Jotsam.versions)
    projects = awaited(Jotsam.projects)
    sessions = awaited(Jotsam.sessions)
    session = awaited(Jotsam.session)
    distil = awaited(Jotsam.distil)
    status = awaited(Jotsam.status)
    merge_projects = awaited(Jotsam.merge_projects)
    split_project = awaited(Jotsam.split_project)
    rename_project = awaited(Jotsam.rename_project)
    plan_reprocess = awaited(Jotsam.plan_reprocess)
    reprocess = awaited(Jotsam.reprocess)
    plan_forget = awaited(Jotsam.plan_forget)
    forget = awaited(Jotsam.forget)
    allow_again = awaited(Jotsam.allow_again)
    extract_prompt = awaited(Jotsam.extract_prompt)
    extract_apply = awaited(Jotsam.extract_apply)
    import_sessions = awaited(Jotsam.import_sessions)
    export = awaited(Jotsam.export)
    import_memories = awaited(Jotsam.import_memories)


class AsyncAdmin(Part):
    """`Admin` for asyncio: the same methods, awaited."""

    _name = "admin"

    jobs = awaited(Admin.jobs)
    job = awaited(Admin.job)
    stuck = awaited(Admin.stuck)
    failure_groups = awaited(Admin.failure_groups)
    dead = awaited(Admin.dead)
    retry = awaited(Admin.retry)
    discard = awaited(Admin.discard)
    retry_many = awaited(Admin.retry_many)
    discard_many = awaited(Admin.discard_many)
    pause = awaited(Admin.pause)
    resume = awaited(Admin.resume)
    costs = awaited(Admin.costs)
    expired = awaited(Admin.expired)
    send_command = awaited(Admin.send_command)
    backup = awaited(Admin.backup)
    trash = awaited(Admin.trash)
    restore_forgotten = awaited(Admin.restore_forgotten)
    empty_trash = awaited(Admin.empty_trash)
    tokens = awaited(Admin.tokens)
    create_token = awaited(Admin.create_token)
    revoke_token = awaited(Admin.revoke_token)
    audit = awaited(Admin.audit)
    engines = awaited(Admin.engines)
    add_engine = awaited(Admin.add_engine)
    rebuild_engines = awaited(Admin.rebuild_engines)
    compare_engines = awaited(Admin.compare_engines)
    remove_engine = awaited(Admin.remove_engine)
    forget_tenant = awaited(Admin.forget_tenant)


class AsyncKnowledge(Part):
    """`Knowledge` for asyncio: the same methods, awaited."""

    _name = "knowledge"

    entities = awaited(Knowledge.entities)
    entity = awaited(Knowledge.entity)
    merge_candidates = awaited(Knowledge.merge_candidates)
    review_entities = awaited(Knowledge.review_entities)
    merge = awaited(Knowledge.merge)
    split = awaited(Knowledge.split)
    facts = awaited(Knowledge.facts)
    patterns = awaited(Knowledge.patterns)
    graph = awaited(Knowledge.graph)
    overview = awaited(Knowledge.overview)
    neighbourhood = awaited(Knowledge.neighbourhood)
    statistics = awaited(Knowledge.statistics)
    preferences = awaited(Knowledge.preferences)
    link = awaited(Knowledge.link)
    link_many = awaited(Knowledge.link_many)
    unlink = awaited(Knowledge.unlink)
    allow = awaited(Knowledge.allow)
    allow_redacted = awaited(Knowledge.allow_redacted)
    redactions = awaited(Knowledge.redactions)
    forbid = awaited(Knowledge.forbid)
    allowed = awaited(Knowledge.allowed)


class AsyncBlocks(Part):
    """`Blocks` for asyncio: the same methods, awaited."""

    _name = "blocks"

    set = awaited(Blocks.set)
    append = awaited(Blocks.append)
    get = awaited(Blocks.get)
    list = awaited(Blocks.list)
    delete = awaited(Blocks.delete)


class AsyncStore(Part):
    """`Store` for asyncio: the same methods, awaited, without `tx`."""

    _name = "store"

    put = awaited(StoreWithoutTx.put)
    put_many = awaited(StoreWithoutTx.put_many)
    get = awaited(StoreWithoutTx.get)
    get_many = awaited(StoreWithoutTx.get_many)
    delete = awaited(StoreWithoutTx.delete)
    search = awaited(StoreWithoutTx.search)
    namespaces = awaited(StoreWithoutTx.namespaces)
    append = awaited(StoreWithoutTx.append)
    pop = awaited(StoreWithoutTx.pop)
    clear = awaited(StoreWithoutTx.clear)


class AsyncLifecycle(Part):
    """`Lifecycle` for asyncio: the same methods, awaited."""

    _name = "lifecycle"

    steps = awaited(Lifecycle.steps)
    plan = awaited(Lifecycle.plan)
    run = awaited(Lifecycle.run)
    wait = awaited(Lifecycle.wait)
    runs = awaited(Lifecycle.runs)
    show = awaited(Lifecycle.show)
    undo = awaited(Lifecycle.undo)
    themes = awaited(Lifecycle.themes)
    links = awaited(Lifecycle.links)
    remove_links = awaited(Lifecycle.remove_links)
    allow_again = awaited(Lifecycle.allow_again)


class AsyncCrystals(Part):
    """`Crystals` for asyncio: the same methods, awaited."""

    _name = "crystals"

    list = awaited(Crystals.list)
    confirm = awaited(Crystals.confirm)
    retract = awaited(Crystals.retract)
    undo_retract = awaited(Crystals.undo_retract)


class AsyncNotes(Part):
    """`Notes` for asyncio: the same methods, awaited."""

    _name = "notes"

    list = awaited(Notes.list)
    add = awaited(Notes.add)
    edit = awaited(Notes.edit)
    judge = awaited(Notes.judge)
