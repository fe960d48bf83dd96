"""The methods of `Client`: those of `Jotsam`, each sent to a server.

A new method of `Jotsam` needs one line here; those of its parts need none.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, cast

from jotsam.core.signatures import Derived, derived_from
from jotsam.memory.api.admin_client import Admin
from jotsam.memory.api.async_methods import WithoutTx
from jotsam.memory.api.client import Jotsam
from jotsam.memory.api.crystals import Crystals
from jotsam.memory.api.knowledge import Knowledge
from jotsam.memory.api.lifecycle_client import Lifecycle
from jotsam.memory.api.notes import Notes
from jotsam.memory.api.store import Store
from jotsam.memory.writing.blocks import Blocks

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Concatenate, ParamSpec, TypeVar

    P = ParamSpec("P")
    S = TypeVar("S")
    T = TypeVar("T")


class Sent(Derived):
    """A class whose methods are sent to a server."""

    def _call(self, method: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        raise NotImplementedError


class Part(Sent):
    """`admin`, `knowledge` and the like of a `Client`."""

    def __init__(self, whole: Sent) -> None:
        self._call = whole._call  # type: ignore[method-assign]


def sent(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[Sent, P], T]:
    """The method, sent to a server."""

    @derived_from(method)
    def send(self: Sent, /, *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = self._call(method, args, kwargs)
        return result

    return send


def _part(kind: type) -> type[Part]:
    """The class of a part of a `Client`: it has the methods of `kind`, each sent to a server."""
    methods = {name: sent(one) for name, one in vars(kind).items() if inspect.isfunction(one) and name[0] != "_"}
    about = {"__doc__": f"`{kind.__name__}` over HTTP.", "__module__": __name__}
    return type(f"Client{kind.__name__}", (Part,), {**about, **methods})


PARTS: dict[type, type[Part]] = {
    kind: _part(kind) for kind in (Admin, Knowledge, Blocks, Store, Lifecycle, Crystals, Notes)
}


def part_of(client: Sent, kind: type[T]) -> T:
    """A part of a client. To a type checker it is what it is in `Jotsam`."""
    return cast("T", PARTS[kind](client))


class ClientMethods(Sent):
    """Each method of `Jotsam`, over HTTP."""

    @property
    def admin(self) -> Admin:
        """Operations: jobs, dead letters, costs, the trash."""
        return part_of(self, Admin)

    @property
    def knowledge(self) -> Knowledge:
        """Entities, facts, patterns, links, and allowed secrets."""
        return part_of(self, Knowledge)

    @property
    def blocks(self) -> Blocks:
        """Small named texts that are always at hand."""
        return part_of(self, Blocks)

    @property
    def store(self) -> Store:
        """Exact values by namespace and key."""
        return part_of(self, Store)

    @property
    def lifecycle(self) -> Lifecycle:
        """The steps that change memories long after they were accepted, each with a dry run and an undo."""
        return part_of(self, Lifecycle)

    @property
    def crystals(self) -> Crystals:
        """What several sessions agree on, what may become it, and what was refused."""
        return part_of(self, Crystals)

    @property
    def notes(self) -> Notes:
        """The rules, decisions, open ends and fixes of sessions, and what a person says of them."""
        return part_of(self, Notes)

    add = sent(WithoutTx.add)
    add_many = sent(WithoutTx.add_many)
    remember = sent(WithoutTx.remember)
    remember_many = sent(WithoutTx.remember_many)
    upsert = sent(WithoutTx.upsert)
    upsert_many = sent(WithoutTx.upsert_many)
    add_turn = sent(WithoutTx.add_turn)
    update = sent(Jotsam.update)
    supersede = sent(Jotsam.supersede)
    undo_supersede = sent(Jotsam.undo_supersede)
    archive = sent(Jotsam.archive)
    unarchive = sent(Jotsam.unarchive)
    wait = sent(Jotsam.wait)
    work = sent(Jotsam.work)
    recall = sent(Jotsam.recall)
    brief = sent(Jotsam.brief)
    list = sent(Jotsam.list)
    get = sent(Jotsam.get)
    show = sent(Jotsam.show)
    versions = sent(Jotsam.versions)
    projects = sent(Jotsam.projects)
    sessions = sent(Jotsam.sessions)
    session = sent(Jotsam.session)
    distil = sent(Jotsam.distil)
    status = sent(Jotsam.status)
    merge_projects = sent(Jotsam.merge_projects)
    split_project = sent(Jotsam.split_project)
    rename_project = sent(Jotsam.rename_project)
    plan_reprocess = sent(Jotsam.plan_reprocess)
    reprocess = sent(Jotsam.reprocess)
    plan_forget = sent(Jotsam.plan_forget)
    forget = sent(Jotsam.forget)
    allow_again = sent(Jotsam.allow_again)
    extract_prompt = sent(Jotsam.extract_prompt)
    extract_apply = sent(Jotsam.extract_apply)
    import_sessions = sent(Jotsam.import_sessions)
    export = sent(Jotsam.export)
    import_memories = sent(Jotsam.import_memories)
