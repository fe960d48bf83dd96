"""Compares what engines hold with the database, memory by memory, and has workers repair the differences.

Digests are read from an engine in pages, outside any transaction, so memories may change in the meantime. What seems to
differ is therefore read again from both, and what waits for a job is counted apart.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right

from jotsam.core.clock import random_float
from jotsam.core.engine_records import EngineComparison, EngineDifference, TenantComparison
from jotsam.core.records import Record
from jotsam.memory.engines.engines import away, chosen, opened, tenants
from jotsam.storage import queue
from jotsam.storage.engines import mirror
from jotsam.worker.mirror import check_place, job_spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jotsam.core.mirror_records import MirroredMemory, MirroredVector
    from jotsam.core.settings import Settings
    from jotsam.engines.engine import Engine
    from jotsam.storage.database import Database

PAGE = 256
SAMPLE = 20  # memories of a tenant that are read back with all fields
ROUNDING = 1e-5  # of a number in a vector
MISSING, LEFT_OVER, DIFFERS = "missing", "left over", "differs"


class _Found(Record):
    """What differs of some memories: by UUID, how, and which of them wait for a job."""

    kinds: dict[str, tuple[str, ...]]
    pending: frozenset[str]


def compare(
    database: Database, settings: Settings, name: str | None = None, *, repair: bool = False, limit: int = 100
) -> tuple[EngineComparison, ...]:
    """Compare an engine, or each, with the database. With `repair`, have workers end the differences.

    At most `limit` differences are listed, and all are counted. Raises `NotFound`, and `ProviderUnavailable` if an
    engine cannot be reached.
    """
    result = []
    for one in chosen(database, name):
        with database.snapshot() as tx:
            check_place(tx, one)
        with opened(one, settings) as engine:
            result.append(_Comparison(database, engine, one.name, limit=limit).run(repair=repair))
    return tuple(result)


class _Comparison:
    """The comparison of one engine."""

    def __init__(self, database: Database, engine: Engine, name: str, *, limit: int) -> None:
        self._database = database
        self._engine = engine
        self._name = name
        self._limit = limit
        self._differences: list[EngineDifference] = []
        self._sampled = self._repaired = 0

    def run(self, *, repair: bool) -> EngineComparison:
        moved = away(self._database)
        if repair:
            self._engine.prepare()  # It deletes what belongs to no memory.
        names = sorted({*tenants(self._database), *self._engine.tenants()})
        of_tenants = tuple(
            self._left_by(tenant, repair=repair) if tenant in moved else self._compare(tenant, repair=repair)
            for tenant in names
        )
        return EngineComparison(
            name=self._name,
            tenants=of_tenants,
            differences=tuple(self._differences),
            sampled=self._sampled,
            repaired=self._repaired,
        )

    def _left_by(self, tenant: str, *, repair: bool) -> TenantComparison:
        """What is held of a tenant on another server, where its memories cannot be compared: all of it is too much."""
        held = self._engine.count(tenant)
        if repair:
            self._engine.forget_tenant(tenant)
            self._repaired += held
        none = dict.fromkeys(("memories", "missing", "differing", "pending"), 0)
        return TenantComparison(tenant=tenant, held=held, left_over=held, **none)

    def _compare(self, tenant: str, *, repair: bool) -> TenantComparison:
        with self._database.snapshot(tenant=tenant) as tx:
            uuids = mirror.uuids(tx)
        sample = uuids
        if len(uuids) > SAMPLE:
            sample = [uuids[int(random_float() * len(uuids))] for _ in range(SAMPLE)]
        suspects = {*self._suspects(tenant, uuids), *sample}
        self._sampled += len(set(sample))
        kinds: dict[str, tuple[str, ...]] = {}
        pending: set[str] = set()
        for some in _pages(sorted(suspects)):
            found = self._checked(tenant, some)
            kinds |= found.kinds
            pending |= found.pending
        real = {uuid: kind for uuid, kind in kinds.items() if uuid not in pending}
        for uuid, (kind, *fields) in sorted(real.items()):
            if len(self._differences) < self._limit:
                self._differences.append(EngineDifference(tenant=tenant, id=uuid, kind=kind, fields=tuple(fields)))
        if repair and real:
            self._repair(tenant, real)
        count = [kind for kind, *_ in real.values()].count
        return TenantComparison(
            tenant=tenant,
            memories=len(uuids),
            held=self._engine.count(tenant),
            missing=count(MISSING),
            left_over=count(LEFT_OVER),
            differing=count(DIFFERS),
            pending=len(pending & kinds.keys()),
        )

    def _suspects(self, tenant: str, uuids: Sequence[str]) -> Iterator[str]:
        """The UUIDs whose digests differ at first sight. Walks both sides in order of UUID."""
        after, done, page = "", 0, [("", "")]
        while page:
            page = self._engine.digests(tenant, after=after, limit=PAGE)
            after = page[-1][0] if page else after
            end = bisect_right(uuids, after) if page else len(uuids)
            held = dict(page)
            yield from held.keys() - set(uuids[done:end])
            for some in _pages(uuids[done:end]):
                with self._database.snapshot(tenant=tenant) as tx:
                    known = mirror.read_memories(tx, some)
                yield from (uuid for uuid in some if uuid not in known or held.get(uuid) != known[uuid].digest)
            done = end

    def _checked(self, tenant: str, uuids: Sequence[str]) -> _Found:
        """Which of some memories differ. Read twice: a job may have written between the two readings of the first."""
        found = self._read_both(tenant, uuids)
        again = [uuid for uuid in found.kinds if uuid not in found.pending]
        return self._read_both(tenant, [*again, *found.pending]) if again else found

    def _read_both(self, tenant: str, uuids: Sequence[str]) -> _Found:
        held = self._engine.read_memories(tenant, uuids)
        with self._database.snapshot(tenant=tenant) as tx:
            known = mirror.read_memories(tx, uuids)
            changed = mirror.changed_among(tx, uuids, engine=self._name)
            at = mirror.progress(tx, engine=self._name)
        if not hasattr(self._engine, "nearest"):  # It holds no vectors; the digest shows whether one has changed.
            known = {uuid: memory.replace(vector=None) for uuid, memory in known.items()}
        kinds = {uuid: kind for uuid in uuids if (kind := _kind(known.get(uuid), held.get(uuid)))}
        pending = set(changed)
        if at is not None and at.fill_after is not None:
            pending |= known.keys()
        if at is not None and at.sweep_after is not None:
            pending |= held.keys() - known.keys()
        return _Found(kinds=kinds, pending=frozenset(pending & kinds.keys()))

    def _repair(self, tenant: str, real: Iterable[str]) -> None:
        for some in _pages(sorted(real)):
            with self._database.transaction(tenant=tenant) as tx:
                ids = mirror.existing(tx, some)
                mirror.log(tx, {uuid: ids.get(uuid, 0) for uuid in some}, engine=self._name)
                queue.ensure(tx, job_spec(tenant, engine=self._name))
            self._repaired += len(some)


def _kind(known: MirroredMemory | None, held: MirroredMemory | None) -> tuple[str, ...]:
    """How a memory differs, and in which fields; empty: not at all."""
    if known is None or held is None:
        return (MISSING,) if known else (LEFT_OVER,) if held else ()
    fields = [name for name in known._fields if getattr(known, name) != getattr(held, name)]
    if "vector" in fields and _is_same(known.vector, held.vector):
        fields.remove("vector")
    return (DIFFERS, *fields) if fields else ()


def _is_same(one: MirroredVector | None, other: MirroredVector | None) -> bool:
    """Whether two vectors differ by rounding only: an engine may scale a vector to length 1 again."""
    if one is None or other is None or one.embedder != other.embedder or len(one.bytes) != len(other.bytes):
        return False
    pairs = zip(array("f", one.bytes), array("f", other.bytes), strict=True)
    return all(abs(left - right) < ROUNDING for left, right in pairs)


def _pages(uuids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(uuids), PAGE):
        yield uuids[start : start + PAGE]
