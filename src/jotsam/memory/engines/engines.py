"""Engines for operators: add, status, rebuild, remove. They hold the memories of all tenants; workers keep them up."""

from __future__ import annotations

from jotsam.core.engine_records import EngineStatus
from jotsam.core.errors import InvalidInput, JotsamError, NotFound, ProviderUnavailable
from jotsam.core.validate import shown
from jotsam.engines.addresses import name_of, open_engine
from jotsam.engines.engine import EngineInUse
from jotsam.memory.tenant_visits import tenants_here
from jotsam.storage import queue
from jotsam.storage.engines import engines, mirror
from jotsam.storage.transfer import tenant_moves
from jotsam.worker.mirror import QUEUE_OF, check_place, job_spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jotsam.core.settings import Settings
    from jotsam.engines.engine import Engine
    from jotsam.storage.database import Database
    from jotsam.storage.engines.engines import RegisteredEngine

TENANTS = 100  # of one transaction


def add(database: Database, settings: Settings, address: str, *, replace: bool = False) -> EngineStatus:
    """Register the engine at an address, and have workers write all memories to it.

    With `replace` it first deletes the memories that the engine holds. Raises `InvalidInput`, also if the engine holds
    memories or another one of its kind is registered; `ProviderUnavailable` if it cannot be reached.
    """
    name = name_of(address)
    engine = open_engine(address, settings)
    try:
        version = engine.prepare()
        with database.snapshot() as tx:
            before = engines.find(tx, name)
            is_same = before is not None and before.address == address and before.place == engines.place(tx)
        if is_same:
            with database.transaction() as tx:
                engines.set_version(tx, name, version=version)
                queue.resume(tx, QUEUE_OF[name])
            return _status_of(database, engine, _registered(database, name))
        if not replace:
            _refuse_used(before, engine, address)
        for tenant in engine.tenants():
            engine.forget_tenant(tenant)
        _register(database, name=name, address=address, version=version)
        return _status_of(database, engine, _registered(database, name))
    finally:
        engine.close()


def status(database: Database, settings: Settings) -> tuple[EngineStatus, ...]:
    """The engines of the database. Asks each for what it holds."""
    with database.snapshot() as tx:
        found = engines.every(tx)
    result = []
    for one in found:
        with opened(one, settings) as engine:
            result.append(_status_of(database, engine, one))
    return tuple(result)


def rebuild(database: Database, settings: Settings, name: str | None = None) -> tuple[EngineStatus, ...]:
    """Have workers write all memories again, and delete what else the engine holds. Raises `NotFound`."""
    result = []
    for one in chosen(database, name):
        with opened(one, settings) as engine:
            with database.snapshot() as tx:
                check_place(tx, one)
            version, held = engine.prepare(), engine.tenants()
            with database.transaction() as tx:
                engines.set_version(tx, one.name, version=version)
                engines.set_error(tx, one.name, error=None)
                queue.resume(tx, QUEUE_OF[one.name])
            _fill(database, {*tenants(database), *held} - away(database), name=one.name)
            result.append(_status_of(database, engine, one))
    return tuple(result)


def remove(database: Database, settings: Settings, name: str, *, purge: bool = False) -> EngineStatus:
    """Remove an engine with its jobs and its log. With `purge`, delete the memories that it holds too.

    Raises `NotFound`; with `purge` `ProviderUnavailable` if it cannot be reached: then nothing is removed.
    """
    (one,) = chosen(database, name)
    with opened(one, settings) as engine:
        held = _to_purge(engine, name) if purge else []
        last = _status_of(database, engine, one)
        with database.transaction() as tx:
            engines.remove(tx, name)
            queue.resume(tx, QUEUE_OF[name])
        for some in _slices(tenants(database)):
            with database.transaction() as tx:
                for tenant in some:
                    tx.set_tenant(tenant)
                    mirror.forget_engine(tx, engine=name)
                    queue.forget_tenant(tx, QUEUE_OF[name], tenant=tenant)
        for tenant in held:
            engine.forget_tenant(tenant)
    return last


def _to_purge(engine: Engine, name: str) -> list[str]:
    try:
        return engine.tenants()
    except ProviderUnavailable as error:
        less = f"`jotsam db engine remove {name}` without --purge removes it from the database only"
        raise ProviderUnavailable(f"{error}; nothing was removed: {less}") from error


def tenants(database: Database) -> list[str]:
    """The tenants of the database. One that arrives from another server is written when all of it is here."""
    with database.snapshot() as tx:
        return tenants_here(tx)


def away(database: Database) -> set[str]:
    """Tenants that have moved to another server, or are on their way."""
    with database.snapshot() as tx:
        return tenant_moves.held(tx)


def forget_moved(database: Database, settings: Settings, tenant: str) -> None:
    """Delete what the engines of the database hold of a tenant that has moved. Raises `ProviderUnavailable`."""
    with database.snapshot() as tx:
        here = engines.place(tx)
        found = [one for one in engines.every(tx) if one.place == here]
    for one in found:
        with opened(one, settings) as engine:
            engine.forget_tenant(tenant)


def chosen(database: Database, name: str | None) -> list[RegisteredEngine]:
    """The engine of that name, or all. Raises `NotFound`."""
    with database.snapshot() as tx:
        found = engines.every(tx)
    if name is None:
        return found
    of_name = [one for one in found if one.name == name]
    if not of_name:
        names = ", ".join(one.name for one in found) or "none"
        raise NotFound(f"there is no engine {shown(name)} in this database; there are: {names}")
    return of_name


class opened:
    """The engine, open inside a `with` block."""

    def __init__(self, registered: RegisteredEngine, settings: Settings) -> None:
        self._engine = open_engine(registered.address, settings)

    def __enter__(self) -> Engine:
        return self._engine

    def __exit__(self, *_: object) -> None:
        self._engine.close()


def _registered(database: Database, name: str) -> RegisteredEngine:
    (one,) = chosen(database, name)
    return one


def _refuse_used(before: RegisteredEngine | None, engine: Engine, address: str) -> None:
    again = f"`jotsam db engine add {address} --replace`"
    if before is not None and before.address != address:
        raise InvalidInput(
            f"the engine {before.name} is {before.address}, and a database has one {before.name}: {again} replaces it"
        )
    if held := engine.tenants():
        some = f"{len(held):,} tenants" if len(held) > 1 else f"tenant {held[0]!r}"
        raise InvalidInput(
            f"{address} holds memories of {some}, perhaps of another database: {again} deletes them first"
        )


def _register(database: Database, *, name: str, address: str, version: str) -> None:
    """What exists is to be filled in, and from the commit on changes are logged. No tenant is left out if this ends."""
    first = tenants(database)
    _order(database, first, name=name)
    with database.transaction() as tx:
        engines.remove(tx, name)
        engines.save(tx, name=name, address=address, version=version)
        queue.resume(tx, QUEUE_OF[name])
    _order(database, set(tenants(database)) - set(first), name=name)
    _fill(database, tenants(database), name=name)


def _order(database: Database, names: Iterable[str], *, name: str) -> None:
    for some in _slices(names):
        with database.transaction() as tx:
            for tenant in some:
                tx.set_tenant(tenant)
                mirror.fill(tx, engine=name)


def _fill(database: Database, names: Iterable[str], *, name: str) -> None:
    for some in _slices(names):
        with database.transaction() as tx:
            for tenant in some:
                tx.set_tenant(tenant)
                mirror.fill(tx, engine=name)
                queue.ensure(tx, job_spec(tenant, engine=name))


def _slices(names: Iterable[str]) -> Iterator[list[str]]:
    ordered = sorted(names)
    for start in range(0, len(ordered), TENANTS):
        yield ordered[start : start + TENANTS]


def _status_of(database: Database, engine: Engine, one: RegisteredEngine) -> EngineStatus:
    names = tenants(database)
    problem = None
    memories = pending = 0
    oldest: list[int] = []
    with database.snapshot() as tx:
        for tenant in names:
            tx.set_tenant(tenant)
            changes = mirror.pending(tx, engine=one.name)
            memories += mirror.count_memories(tx)
            pending += changes.memories
            oldest += [] if changes.oldest is None else [changes.oldest]
        control = queue.control(tx, QUEUE_OF[one.name])
        try:
            check_place(tx, one)
        except ProviderUnavailable as error:
            problem = str(error)
    # Asked after the database: what a worker writes in the meantime does not seem to be missing.
    held, unreached, version = _reached(engine, one)
    is_paused = bool(control and control["paused"])
    return EngineStatus(
        name=one.name,
        address=one.address,
        version=version,
        problem=problem or unreached,
        memories=memories,
        held=held,
        pending=pending,
        oldest=min(oldest, default=None),
        paused=control["reason"] if control and is_paused else None,
        probe_at=control["probe_at"] if control and is_paused else None,
        error=one.error,
        created_at=one.created_at,
    )


def _reached(engine: Engine, one: RegisteredEngine) -> tuple[int | None, str | None, str]:
    """How many memories it holds, why it cannot be used, and the version of its server."""
    try:
        version = engine.prepare()
        return sum(engine.count(tenant) for tenant in engine.tenants()), None, version
    except EngineInUse:  # By the worker that writes into it, if nothing is wrong; if not, its queue is paused.
        return None, None, one.version
    except JotsamError as error:
        return None, str(error), one.version
